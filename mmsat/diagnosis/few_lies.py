"""Codes within a few wrong scores of a large board: `auto`, with rows left out in another process.

Where lies are counted by rows, a code within them is one of the board without so many rows, and
such questions are quick where a formula that counts lies is not (leaving_out.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.diagnosis.leaving_out import smallest_by_leaving_out
from mmsat.diagnosis.subset_oracle import SubsetOracle
from mmsat.solving.engine import verify_witness
from mmsat.solving.solver_race import race_solvers
from mmsat.solving.worker import race

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.solving.engine import Decision
    from mmsat.solving.solver_race import Answer
    from mmsat.tolerance import Tolerance

NAME = "rows left out"


def decide_few_lies(board: Board, seed: int | None, tolerance: Tolerance) -> Decision:
    """The decision of `auto` or of leaving rows out, whichever is first."""
    if not SubsetOracle(board).suits_dense:
        return race_solvers(board, seed, tolerance)
    code, engine, reason = race(
        (find_by_leaving_out, board, tolerance.lies), (find_by_counting, board, seed, tolerance)
    )
    return verify_witness(board, code, engine, reason, tolerance)


def find_by_leaving_out(board: Board, lies: int) -> Answer:
    """A code that misses the fewest rows, if these are no more than the lies."""
    oracle = SubsetOracle(board)
    code = oracle.find(oracle.everything)
    if code is None and (rows := next(smallest_by_leaving_out(oracle, lies), None)) is not None:
        code = oracle.find(oracle.everything - rows)
    return code, NAME, "few scores may be wrong on a dense board"


def find_by_counting(board: Board, seed: int | None, tolerance: Tolerance) -> Answer:
    """A code within the tolerance, by solvers that count what is violated."""
    decision = race_solvers(board, seed, tolerance)
    return decision.code, decision.engine, decision.reason
