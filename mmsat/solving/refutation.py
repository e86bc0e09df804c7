"""Conflicts of two-color boards with a short proof: rows that add up to a contradiction."""

from collections.abc import Iterable

from mmsat.board import Board
from mmsat.results.verdict import Conflict, Refutation
from mmsat.solving.simplification import is_algebraic


def refute(board: Board, *, thorough: bool = False) -> Refutation | None:
    """Return why a board has no code if no search is needed to see it; its rows are a smaller core.

    Returns None for every board that is not a set of linear equations. If `thorough`, linear
    programming is used, too.
    """
    if not is_algebraic(board):
        return None
    from mmsat.solving.algebraic_refutation import refute_equations

    return refute_equations(board, thorough=thorough)


def prove_conflict(board: Board, rows: Iterable[int]) -> Conflict:
    """Return the conflict of some rows, with a refutation if there is a short one."""
    numbers = tuple(sorted(rows))
    refutation = refute(board.only(numbers), thorough=True)
    return Conflict(numbers, None if refutation is None else refutation.renumber(numbers))
