"""A board made smaller before it is solved: by the algebra of two colors, or by presolve."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmsat.constraints.algebra.games import suits
from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.registry import load

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.constraints.system import System

SIMPLIFY_TWO_COLORS = "mmsat.constraints.algebra.simplify:systems"
FIND_WEIGHTS = "mmsat.constraints.algebra.two_color_equations:weights"
"""The algebra, by name: it loads numpy, and most boards do without."""
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
        return Simplified(simplify_two_colors(board), "algebra")
    made = presolve(board)
    if isinstance(made, Presolved):
        return Simplified([made.system], "presolve")
    return Simplified([], "presolve", made.rows)


def simplify_two_colors(board: Board) -> list[System]:
    """Make a two-color board the systems of its algebra; each of its codes is in one of them."""
    systems: list[System] = load(SIMPLIFY_TWO_COLORS)(board)
    return systems


def is_algebraic(board: Board) -> bool:
    """Whether a board is one system of equations, or a few."""
    return suits(board.game) and len(load(FIND_WEIGHTS)(board)) <= WEIGHTS
