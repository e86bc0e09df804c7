"""The engine brute: the compiled depth-first search over all codes, pruned by bounds of the rows.

If the codes of the game are a list, the search walks only along the prefixes of these codes.

The search is complete and needs no solver. It decides boards of ordinary size in microseconds, and
is the reference for all other engines.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from mmsat._core import Search, SearchStatus
from mmsat.constraints.system import System
from mmsat.game.board import Board
from mmsat.game.row import Code
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.engine import Decision, Engine, verify_witness
from mmsat.solving.isolation import is_large, run

SLICE = 1 << 16
"""Number of nodes between two checks of the clock: a few milliseconds."""
LOOKS = 1 << 23
"""Maximum number of constraint evaluations between two checks of the clock. Each node evaluates all
constraints of the system."""


def nodes_per_slice(system: System, nodes: int = SLICE) -> int:
    """So many nodes, or fewer where there are many constraints to look at in each."""
    return max(1, min(nodes, LOOKS // max(1, len(system.constraints))))


def search(system: System, slack: int = 0) -> Search:
    """The search for the codes of a system, or for those that break at most `slack` rows."""
    table = None if system.table is None else flat(system.table)
    hard = list(system.hard) if table is None else []  # a table says what these say
    if not system.budget:
        return Search(*system.variables, hard, system.rows, slack, table)
    for row in system.enforced:
        hard += row.constraints
    soft = [row.gauges or row.constraints for row in system.relaxed for _ in range(row.weight)]
    is_graded = any(row.gauges for row in system.relaxed)
    return Search(*system.variables, hard, soft, system.budget, table, is_graded)


@lru_cache(maxsize=4)
def flat(table: tuple[Code, ...]) -> array[int]:
    """The colors of a table in a row, as the search reads them; kept for a game's next board."""
    return array("H", chain.from_iterable(table))


class SlicedSearch:
    """A search of the kernel in slices, between which the clock is looked at and Ctrl-C is heard.

    Iterating yields codes until the search or what it may cost is at its end; `is_exhausted` tells
    these apart.
    """

    def __init__(
        self,
        system: System,
        slack: int = 0,
        *,
        slices: int | None = None,
        deadline: Deadline | None = None,
        nodes: int = SLICE,
    ) -> None:
        """Set up the search for the codes that break at most `slack` rows.

        `slices` bounds how many of up to so many `nodes` end without a code (None: any number).
        """
        self.kernel = search(system, slack)
        self.nodes = nodes_per_slice(system, nodes)
        self.slices = math.inf if slices is None else slices
        self.deadline = deadline or Deadline()
        self.is_exhausted = False
        """Whether there are no further codes."""

    def __iter__(self) -> Iterator[Code]:
        while self.slices > 0 and not self.deadline.passed:
            status = self.kernel.advance(self.nodes)
            if status is SearchStatus.CODE_FOUND:
                yield self.kernel.code
            elif status is SearchStatus.EXHAUSTED:
                self.is_exhausted = True
                return
            else:
                self.slices -= 1

    def nearest(self) -> Code | None:
        """The first of the codes that break the fewest rows, as far as they were searched."""
        best = None
        for code in self:
            best = code
            if self.kernel.penalty == 0:
                self.is_exhausted = True
                break
            self.kernel.set_slack(self.kernel.penalty - 1)  # only better codes are of interest
        return best

    def count(self) -> Iterator[int]:
        """Yield after each slice how many codes there are so far, and at last the number."""
        while not self.is_exhausted:
            self.is_exhausted = self.kernel.count(self.nodes) is SearchStatus.EXHAUSTED
            yield self.kernel.num_codes


class Brute(Engine):
    """Search all codes."""

    name = "brute"
    summary = "compiled search over all codes"
    knows_lies = True

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        is_small = not is_large(board)
        decision = run(deadline, self.try_decide, board, deadline, tolerance, is_small=is_small)
        if decision is None:
            raise TimeUpError
        return decision

    def try_decide(
        self,
        board: Board,
        deadline: Deadline,
        tolerance: Tolerance = STRICT,
        slices: int | None = None,
        nodes: int = SLICE,
    ) -> Decision | None:
        """Decide in this process, or return None when the slices, each of `nodes`, are used up.

        Where rows may be violated, the code is the one that violates the fewest, or the best one
        that was found in the time or the slices.
        """
        system = System.of(board, tolerance)
        search = SlicedSearch(system, slices=slices, deadline=deadline, nodes=nodes)
        code = search.nearest()
        if code is None and not search.is_exhausted:
            return None
        return verify_witness(board, code, self.name, tolerance=tolerance)
