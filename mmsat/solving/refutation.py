"""Conflicts of two-color boards with a short proof: rows that add up to a contradiction."""

from collections.abc import Iterable

from mmsat.board import Board
from mmsat.registry import load
from mmsat.results.verdict import Conflict, Refutation
from mmsat.solving.simplification import is_algebraic

REFUTE_EQUATIONS = "mmsat.solving.algebraic_refutation:refute_equations"
"""By name, as it loads numpy, and most boards are no linear equations."""


def refute(board: Board, *, thorough: bool = False) -> Refutation | None:
    """Why a board has no code, if that is seen without search; its rows are a smaller core.

    None for all boards but those that are linear equations. When `thorough`, linear programming is
    asked too.
    """
    if not is_algebraic(board):
        return None
    found: Refutation | None = load(REFUTE_EQUATIONS)(board, thorough=thorough)
    return found


def prove_conflict(board: Board, rows: Iterable[int]) -> Conflict:
    """The conflict that some rows are, with a refutation if there is a short one."""
    numbers = tuple(sorted(rows))
    found = refute(board.only(numbers), thorough=True)
    return Conflict(numbers, None if found is None else found.renumber(numbers))
