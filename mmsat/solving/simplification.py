"""A board made smaller before it is solved: by the algebra of two colors, or by presolve."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmsat.constraints.algebra.games import suits
from mmsat.constraints.presolve.presolve import Presolved, presolve

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.constraints.system import System

WEIGHTS = 8
"""Weights of the code that may be open for a two-color board to go to the algebra."""


class Simplified(NamedTuple):
    """What a board was made into."""

    systems: list[System]
    """The codes of the board are those of all of them; none where it is refuted."""
    method: str
    """What made them: algebra or presolve."""
    rows: tuple[int, ...] | None = None
    """Where presolve refuted the board and knows by which rows: these, from 0."""


def simplify(board: Board) -> Simplified:
    """Make a board smaller: two colors by their algebra, all others by presolve."""
    if is_algebraic(board):
        from mmsat.constraints.algebra.simplify import systems  # noqa: PLC0415  (loads numpy)

        return Simplified(systems(board), "algebra")
    made = presolve(board)
    if isinstance(made, Presolved):
        return Simplified([made.system], "presolve")
    return Simplified([], "presolve", made.rows)


def is_algebraic(board: Board) -> bool:
    """Whether a board is one system of equations, or a few."""
    if not suits(board.game):
        return False
    from mmsat.constraints.algebra.two_color_equations import weights  # noqa: PLC0415  (loads numpy)

    return len(weights(board)) <= WEIGHTS
