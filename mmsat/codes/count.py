"""How many codes are consistent with a board.

Always exact, or told to be a bound: brute force while it is quick, then enumeration by SAT in case
few codes remain, then the model counter ganak on the CNF, whose models are the codes one to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from mmsat._core import Status as Step
from mmsat.answers import Count
from mmsat.constraints.system import System
from mmsat.encode.cnf import cnf
from mmsat.errors import Fault, InputError
from mmsat.solve.brute import SLICE, is_large, pace, search
from mmsat.solve.deadline import Deadline
from mmsat.solve.sat import new_solver
from mmsat.solve.worker import TimeUpError, run, stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmsat.game.board import Board

    Progress = Callable[[int], None]

T = TypeVar("T")
METHODS = ("auto", "brute", "enumeration", "ganak")
BRUTE_SECONDS = 1.0
"""What auto gives brute force."""
FEW_CODES = 2000
"""What auto enumerates by SAT before it turns to ganak, ..."""
FEW_SECONDS = 2.0
"""... and for how long."""


def count(
    board: Board,
    *,
    method: str = "auto",
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Count:
    """Count the consistent codes.

    The count is not exact only when the time was up; then it is a lower bound. `on_progress` is
    called now and then with the codes found so far.
    """
    if method not in METHODS:
        fault = Fault("a counting method is known by name", method, ", ".join(METHODS))
        raise InputError([fault], "the method")
    return Counting(board, Deadline(timeout), on_progress or (lambda _: None)).count(method)


class Counting:
    """One count, with what is known so far."""

    def __init__(self, board: Board, deadline: Deadline, report: Progress) -> None:
        """Start the clock."""
        self.board = board
        self.deadline = deadline
        self.report = report
        self.known = 0  # the best lower bound

    def count(self, method: str) -> Count:
        """Count by a method, or by each in turn."""
        if all(part is None for row in self.board.rows for part in row.score):
            return self._done(self.board.game.size, "size of the game")
        if method == "brute":
            return self._brute(self.deadline) or self._bound(method)
        if method == "enumeration":
            return self._enumerate(self.deadline, None) or self._bound(method)
        if method == "ganak":
            return self._ganak() or self._bound(method)
        return (
            self._brute(self.deadline.within(BRUTE_SECONDS))
            or self._enumerate(self.deadline.within(FEW_SECONDS), FEW_CODES)
            or self._ganak()
            or self._bound("auto")
        )

    def _done(self, count: int, method: str) -> Count:
        return Count(count, exact=True, method=method, seconds=self.deadline.elapsed)

    def _bound(self, method: str) -> Count:
        return Count(self.known, exact=False, method=method, seconds=self.deadline.elapsed)

    def _note(self, found: int) -> None:
        self.known = max(self.known, found)
        self.report(self.known)

    def _brute(self, deadline: Deadline) -> Count | None:
        try:
            steps = count_by_search(self.board)
            if is_large(self.board):
                steps = stream(deadline, count_by_search, self.board)
            for found, is_all in steps:
                self._note(found)
                if is_all:
                    return self._done(found, "brute")
                if deadline.passed:
                    return None
        except TimeUpError:
            pass
        return None

    def _enumerate(self, deadline: Deadline, limit: int | None) -> Count | None:
        found = 0
        try:
            for found in stream(deadline, of_board, enumerate_models, self.board):
                self._note(found)
                if limit is not None and found > limit:
                    return None
        except TimeUpError:
            return None
        return self._done(found, "enumeration")

    def _ganak(self) -> Count | None:
        try:
            return self._done(run(self.deadline, of_board, ganak, self.board), "ganak")
        except TimeUpError:
            return None


def of_board(function: Callable[[System], T], board: Board) -> T:
    """A function of a board's system, for a process that is not to be sent the system."""
    return function(System.of(board))


def count_by_search(board: Board) -> Iterator[tuple[int, bool]]:
    """Yield now and then how many codes there are so far, and whether these are all."""
    system = System.of(board)
    walk, nodes = search(system), pace(system, 16 * SLICE)
    status = Step.CODE_FOUND
    while status is not Step.EXHAUSTED:
        status = walk.count(nodes)
        yield walk.found, status is Step.EXHAUSTED


def enumerate_models(system: System) -> Iterator[int]:
    """Find code after code, each time yielding how many there are so far."""
    formula = cnf(system)
    found = 0
    with new_solver("glucose4", formula) as solver:
        while solver.solve():
            found += 1
            yield found
            code = [v for v in solver.get_model()[: formula.code_variables] if v > 0]
            solver.add_clause([-variable for variable in code])


def ganak(system: System) -> int:
    """The number of models, by the model counter ganak."""
    from pyganak import Counter  # noqa: PLC0415  (loaded when first needed)

    formula = cnf(system)
    if not all(formula.clauses):
        return 0
    counter = Counter()
    counter.new_vars(formula.variables)
    counter.add_clauses(formula.clauses)
    counter.set_sampling_set(range(1, formula.code_variables + 1))
    return int(counter.count())
