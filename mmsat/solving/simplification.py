"""A board made smaller before it is solved: by the algebra of two colors, or by presolve."""

from typing import Any, NamedTuple

from mmsat.board import Board
from mmsat.constraints.algebra.games import suits
from mmsat.constraints.presolve.presolve import ORDER, Presolved, presolve
from mmsat.constraints.system import System
from mmsat.registry import load
from mmsat.tolerance import STRICT, Tolerance

SIMPLIFY_TWO_COLORS = "mmsat.constraints.algebra.simplify:systems"
FIND_WEIGHTS = "mmsat.constraints.algebra.two_color_equations:weights"
"""The algebra, by name: it loads numpy, and most boards do without."""
SYMMETRIES = ("colors", "pegs")
"""The steps of the presolve that keep one code of several."""
WEIGHTS = 8
"""Weights of the code that may be open for a two-color board to go to the algebra."""


class Simplified(NamedTuple):
    """What a board was made into."""

    systems: list[System]
    """Each code of the board, but for symmetries, is in one of them; none where it is refuted."""
    method: str
    """What made them: algebra or presolve."""
    rows: tuple[int, ...] | None = None
    """Where presolve refuted the board and knows by which rows: these, from 0."""


def simplify(board: Board, *, symmetries: bool = True) -> Simplified:
    """Make a board smaller: two colors by their algebra, all others by presolve.

    With symmetries, one code may stand for several.
    """
    if is_algebraic(board):
        return Simplified(simplify_two_colors(board), "algebra")
    made = presolve(board, [step for step in ORDER if symmetries or step not in SYMMETRIES])
    if isinstance(made, Presolved):
        return Simplified([made.system], "presolve")
    return Simplified([], "presolve", made.rows)


def exact_systems(board: Board, tolerance: Tolerance = STRICT) -> list[System]:
    """Small systems of which each code within the tolerance is in one, for counts and lists."""
    if tolerance.lies:
        return [System.of(board, tolerance)]
    return simplify(board, symmetries=False).systems


def on_systems(function: str, board: Board, tolerance: Tolerance, *args: Any) -> Any:
    """A function, by name, of a board's systems, for a process that is not to be sent those."""
    return load(function)(exact_systems(board, tolerance), *args)


def simplify_two_colors(board: Board) -> list[System]:
    """Make a two-color board the systems of its algebra; each of its codes is in one of them."""
    systems: list[System] = load(SIMPLIFY_TWO_COLORS)(board)
    return systems


def is_algebraic(board: Board) -> bool:
    """Whether a board is one system of equations, or a few."""
    return suits(board) and len(load(FIND_WEIGHTS)(board)) <= WEIGHTS
