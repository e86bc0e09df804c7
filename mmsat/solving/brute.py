"""Brute force: the compiled depth-first search over all codes, cut where a row is out of reach.

Where the codes are a list, the search walks only along their beginnings.

Complete and without a solver. It decides boards of ordinary size in microseconds, and is the
yardstick for every other engine.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING

from mmsat._core import Search
from mmsat._core import Status as Step
from mmsat.constraints.system import System
from mmsat.results import Status
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Decision, Engine, proven
from mmsat.solving.worker import TimeUpError, run

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.constraints.lenient import Lenient, Rules
    from mmsat.game.row import Code

SLICE = 1 << 16
"""Nodes between two looks at the clock: a few milliseconds."""
LOOKS = 1 << 23
"""Constraints that are looked at in about the same time; each node looks at all there are."""
LARGE = 100_000
"""Numbers in a table of rows, or of colors, by pegs, from which setting up takes long itself."""


def is_large(board: Board) -> bool:
    """Whether not even the search may be set up in this process, as it would overrun a deadline."""
    return board.game.pegs * (len(board.rows) + board.game.colors) > LARGE


def pace(system: Rules, nodes: int = SLICE) -> int:
    """So many nodes, or fewer where there are many constraints to look at in each."""
    return max(1, min(nodes, LOOKS // max(1, len(system.constraints))))


def search(system: Rules, slack: int = 0) -> Search:
    """The search for the codes of a system, or for those that break at most `slack` rows.

    With lies, for those within the lies.
    """
    variables = system.variables
    if not isinstance(system, System):
        return _lenient_search(system)
    if system.table is None:
        return Search(variables.pegs, variables.colors, system.ground, system.rows, slack)
    return Search(variables.pegs, variables.colors, (), system.rows, slack, flat(system.table))


def _lenient_search(lenient: Lenient) -> Search:
    """A wish counts as often as rows say it."""
    strict = lenient.strict
    listed = () if strict.table is None else strict.ground
    kept = strict.constraints[len(listed) :]  # a table says what the ground says
    open_ = [wish.constraints for wish in lenient.open for _ in range(wish.weight)]
    table = None if strict.table is None else flat(strict.table)
    return Search(*strict.variables, kept, open_, lenient.lies, table, lenient.is_graded)


@lru_cache(maxsize=4)
def flat(table: tuple[Code, ...]) -> array[int]:
    """The colors of a table in a row, as the search reads them; kept for a game's next board."""
    return array("H", chain.from_iterable(table))


class Brute(Engine):
    """Search all codes."""

    name = "brute"
    summary = "compiled search over all codes"

    def decide(self, board: Board, deadline: Deadline, seed: int | None = None) -> Decision:  # noqa: ARG002
        """Search until the first code, the end, or the deadline."""
        try:
            if is_large(board):
                decision = run(deadline, self.try_decide, board, Deadline(), None)
            else:
                decision = self.try_decide(board, deadline, None)
        except TimeUpError:
            decision = None
        return decision or Decision(Status.UNKNOWN, None, self.name)

    def try_decide(self, board: Board, deadline: Deadline, slices: int | None) -> Decision | None:
        """Decide in this process, within so many slices (None: any number), or return None."""
        system = System.of(board)
        walk, nodes = search(system), pace(system)
        for _ in count() if slices is None else range(slices):
            if deadline.passed:
                return None
            status = walk.advance(nodes)
            if status is Step.CODE_FOUND:
                return proven(board, walk.code, self.name)
            if status is Step.EXHAUSTED:
                return proven(board, None, self.name)
        return None
