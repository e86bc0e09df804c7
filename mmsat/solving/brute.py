"""The engine brute: a compiled depth-first search over all codes, pruned by bounds of the rows.

If the game has a word list, the search visits only the prefixes of the words.

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
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, run
from mmsat.solving.engine import Decision, Engine, verify_witness

MAX_SLICE_NODES = 1 << 16
"""Maximum number of nodes between two checks of the clock: a few milliseconds."""
MAX_SLICE_EVALUATIONS = 1 << 23
"""Maximum number of constraint evaluations between two checks of the clock. Each node evaluates all
constraints of the system."""


def nodes_per_slice(system: System, nodes: int = MAX_SLICE_NODES) -> int:
    """Return `nodes`, or fewer if each node evaluates many constraints."""
    return max(1, min(nodes, MAX_SLICE_EVALUATIONS // max(1, len(system.constraints))))


def search(system: System, slack: int = 0) -> Search:
    """Return the kernel's search for the codes that violate at most `slack` rows of a system.

    If the system has a budget, the search uses the budget instead of `slack`.
    """
    table = None if system.table is None else flatten_table(system.table)
    hard = list(system.hard) if table is None else []  # a table implies them
    if not system.budget:
        return Search(*system.variables, hard, system.rows, slack, table)
    for row in system.enforced:
        hard += row.constraints
    soft = [row.gauges or row.constraints for row in system.relaxed for _ in range(row.weight)]
    has_gauges = any(row.gauges for row in system.relaxed)
    return Search(*system.variables, hard, soft, system.budget, table, has_gauges)


@lru_cache(maxsize=4)
def flatten_table(table: tuple[Code, ...]) -> array[int]:
    """Return the colors of all codes of a table as one array, cached for the next board."""
    return array("H", chain.from_iterable(table))


class SlicedSearch:
    """A search of the kernel in slices. Between slices, the clock and Ctrl-C are checked.

    Iterating yields codes until the search is exhausted, the slices are used up or the deadline
    passes. Only in the first case, `is_exhausted` is true.
    """

    def __init__(
        self,
        system: System,
        slack: int = 0,
        *,
        slices: int | None = None,
        deadline: Deadline | None = None,
        nodes: int = MAX_SLICE_NODES,
    ) -> None:
        """Set up the search for the codes that violate at most `slack` rows.

        A slice has up to `nodes` nodes. `slices` limits the number of slices that end without a
        code; None means no limit.
        """
        self.kernel = search(system, slack)
        self.nodes = nodes_per_slice(system, nodes)
        self.slices = math.inf if slices is None else slices
        self.deadline = deadline or Deadline()
        self.is_exhausted = False
        """Whether there are no further codes, or after `nearest` no better codes."""

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
        """Return the first code with the smallest violation that is found within the limits."""
        best = None
        for code in self:
            best = code
            if self.kernel.penalty == 0:
                self.is_exhausted = True
                break
            self.kernel.set_slack(self.kernel.penalty - 1)  # search for smaller violations
        return best

    def count(self) -> Iterator[int]:
        """Yield the number of codes found so far after each slice; the last one is the total."""
        while not self.is_exhausted:
            self.is_exhausted = self.kernel.count(self.nodes) is SearchStatus.EXHAUSTED
            yield self.kernel.num_codes


class Brute(Engine):
    """Depth-first search over all codes."""

    name = "brute"
    summary = "compiled search over all codes"
    supports_lies = True

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
        nodes: int = MAX_SLICE_NODES,
    ) -> Decision | None:
        """Decide in this process; return None if the slices or the time are used up.

        A slice has up to `nodes` nodes. If rows may be violated, the code has the smallest
        violation, or the smallest one found within the limits.
        """
        system = System.of(board, tolerance)
        search = SlicedSearch(system, slices=slices, deadline=deadline, nodes=nodes)
        code = search.nearest()
        if code is None and not search.is_exhausted:
            return None
        return verify_witness(board, code, self.name, tolerance=tolerance)
