"""How hard one board is: seconds of the usual engine, and steps of one SAT solver.

Seconds are what a user waits for, and differ from machine to machine. Steps are the same anywhere:
MiniCard, which takes cardinality constraints as they are, is asked with a budget of conflicts, and
its conflicts and propagations are counted.
"""

from time import perf_counter
from typing import NamedTuple

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.errors import InternalError
from mmsat.game.row import Code
from mmsat.results.verdict import Status
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import run
from mmsat.solving.sat import code_of, new_solver

SOLVER, ENCODING = "minicard", "native"
CONFLICTS = 20_000
"""The budget of the counted solver."""


class Effort(NamedTuple):
    """What the counted solver did."""

    is_decided: bool
    """Whether it ended within its budget, and in the time."""
    code: Code | None
    """A consistent code, if it found one."""
    conflicts: int | None
    """Steps; None where the time was up before the budget."""
    propagations: int | None

    @property
    def status(self) -> Status:
        """The verdict of the counted solver."""
        if not self.is_decided:
            return Status.UNKNOWN
        return Status.INCONSISTENT if self.code is None else Status.CONSISTENT


class Hardness(NamedTuple):
    """All that is measured on one board."""

    status: Status
    """What the usual engine, or else the counted solver, found out."""
    engine: str
    """What the usual engine decided by, or that it did not."""
    seconds: float
    effort: Effort


def measure(board: Board, known: Status, seconds: float, seed: int) -> Hardness:
    """Measure both, so many seconds each at most; `known` is what the verdict must not deny."""
    started = perf_counter()
    decision = find_engine("auto").decide(board, Deadline(seconds), seed)
    taken = perf_counter() - started
    effort = measure_steps(board, seconds)
    found = {decision.status, known, effort.status} - {Status.UNKNOWN}
    if len(found) > 1:
        verdicts = ", ".join(sorted(found))
        raise InternalError(f"solvers and construction say {verdicts} of {board}")
    return Hardness(next(iter(found), Status.UNKNOWN), decision.engine, taken, effort)


def measure_steps(board: Board, seconds: float, conflicts: int = CONFLICTS) -> Effort:
    """Ask the counted solver, in a process that ends with the time."""
    try:
        return run(Deadline(seconds), count_steps, board, conflicts)
    except TimeUpError:
        return Effort(False, None, None, None)


def count_steps(board: Board, conflicts: int = CONFLICTS) -> Effort:
    """Ask the counted solver in this process; the same board gives the same steps anywhere."""
    system = System.of(board)
    with new_solver(SOLVER, cnf(system, ENCODING)) as solver:
        solver.conf_budget(conflicts)
        satisfiable = solver.solve_limited()
        code = code_of(solver.get_model(), system.variables) if satisfiable else None
        if code is not None and not board.is_consistent(code):
            raise InternalError(f"{SOLVER} answered {code}, which does not score like {board}")
        steps = solver.accum_stats()
        return Effort(satisfiable is not None, code, steps["conflicts"], steps["propagations"])
