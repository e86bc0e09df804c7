"""Decides boards with lies: is there a code that gets these scores but for a few.

Brute force, SAT and CP-SAT know lies; presolve, the algebra of two colors and lattices do not, so
`auto` is brute force while that is quick, and then SAT in a race against CP-SAT. A board on which
lies make no difference is decided as if there were none, by any engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat._core import Status as Step
from mmsat.constraints.lenient import Lenient
from mmsat.encoding.cnf import cnf
from mmsat.errors import Fault, InputError, InternalError
from mmsat.results import Status
from mmsat.solving import find_engine
from mmsat.solving.auto import BRUTE_SLICES, Auto
from mmsat.solving.brute import Brute, is_large, pace, search
from mmsat.solving.choice import choice
from mmsat.solving.cp import Cp, CpTry
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Decision
from mmsat.solving.sat import Sat, code_of, new_solver
from mmsat.solving.worker import TimeUpError, race, run

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.tolerance import Tolerance


def decide(
    board: Board,
    tolerance: Tolerance,
    engine: str = "auto",
    deadline: Deadline | None = None,
    seed: int | None = None,
) -> Decision:
    """Decide whether a code is within the lies; the code is scored once more.

    Raises InputError for engines that know no lies, where the lies make a difference.
    """
    found, deadline = find_engine(engine), deadline or Deadline()
    source = Lenient(board, tolerance)
    if not source.open:
        return _proven(board, tolerance, found.decide(source.kept_board, deadline, seed))
    if not isinstance(found, (Auto, Brute, Cp, Sat)):
        rule = f"the engine {found.name} knows no lies"
        raise InputError([Fault(rule, engine, "auto, brute, cp or sat")], "the engine")
    try:
        if isinstance(found, Brute):
            is_at_once = not is_large(board)
            code = by_brute(source, deadline) if is_at_once else run(deadline, by_brute, source)
            by = found.name
        elif isinstance(found, Cp):
            code, by = run(deadline, by_cp, source, seed)
        elif isinstance(found, Sat):
            code, by = run(deadline, by_sat, source, found.solver, found.encoding)
        else:
            code, by = by_auto(source, deadline, seed)
    except TimeUpError:
        return Decision(Status.UNKNOWN, None, found.name)
    status = Status.INCONSISTENT if code is None else Status.CONSISTENT
    return _proven(board, tolerance, Decision(status, code, by))


Answer = tuple["Code | None", str]
"""A code within the lies or None, and the engine that found it."""


def by_auto(lenient: Lenient, deadline: Deadline, seed: int | None) -> Answer:
    """Brute force for a moment, then two processes in a race."""
    if not is_large(lenient.board):
        try:
            return by_brute(lenient, deadline, BRUTE_SLICES), "brute"
        except _TooLongError:
            pass
    known = choice(lenient.whole)
    sat = (by_sat, lenient, known.solver, known.encoding)
    answer: Answer = run(deadline, race, sat, (by_cp, lenient, seed))
    return answer


def by_brute(
    lenient: Lenient, deadline: Deadline | None = None, slices: int | None = None
) -> Code | None:
    """The first code with the fewest lies or None, by search; raises TimeUpError at the deadline.

    Once the time or the slices are over, the best code so far.
    """
    deadline = deadline or Deadline()
    walk, nodes = search(lenient), pace(lenient)
    best: Code | None = None
    while slices is None or slices > 0:
        if deadline.passed:
            if best is None:
                raise TimeUpError
            return best
        status = walk.advance(nodes)
        if status is Step.EXHAUSTED:
            return best
        if status is Step.CODE_FOUND:
            best = walk.code
            if walk.broken == 0:
                return best
            walk.set_slack(walk.broken - 1)  # from here on only better codes are of interest
        else:
            slices = None if slices is None else slices - 1
    if best is None:
        raise _TooLongError
    return best


class _TooLongError(Exception):
    """The search is not over."""


def by_sat(lenient: Lenient, solver: str, encoding: str) -> Answer:
    """A code or None, by a SAT solver on an encoding, without a deadline."""
    with new_solver(solver, cnf(lenient, encoding)) as opened:
        found = code_of(opened.get_model(), lenient.variables) if opened.solve() else None
    return found, f"sat:{solver}:{encoding}"


def by_cp(lenient: Lenient, seed: int | None) -> Answer:
    """A code or None, by CP-SAT, without a deadline."""
    attempt = CpTry(lenient, seed)
    if not attempt.solve():
        raise InternalError(f"CP-SAT did not decide {lenient.board} with {lenient.tolerance}")
    return attempt.code, "cp"


def _proven(board: Board, tolerance: Tolerance, decision: Decision) -> Decision:
    if decision.code is not None and not tolerance.allows(board, decision.code):
        message = f"{decision.engine} answered {decision.code}, beyond {tolerance} of {board}"
        raise InternalError(message)
    return decision
