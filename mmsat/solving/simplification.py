"""Simplify a board before it is solved: by the algebra of two colors, or by presolve."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from mmsat.constraints.presolve.presolve import ORDER, Presolved, presolve
from mmsat.constraints.system import System, suits
from mmsat.constraints.two_colors import possible_weights, systems
from mmsat.game.board import Board
from mmsat.game.tolerance import STRICT, Tolerance

T = TypeVar("T")
SYMMETRIES = ("colors", "pegs")
"""Names of the presolve steps that keep one of several symmetric codes."""
MAX_WEIGHTS = 8
"""Maximum number of possible weights of the code for which a two-color board is solved by
algebra."""


class Simplified(NamedTuple):
    """The result of simplifying a board."""

    systems: list[System]
    """The systems of the simplified board. Each code of the board, up to symmetry, satisfies one of
    them. The list is empty if the board is refuted."""
    method: str
    """The method of simplification: algebra or presolve."""
    rows: tuple[int, ...] | None = None
    """The rows (from 0) by which presolve refuted the board, if they are known."""


def simplify(board: Board, *, symmetries: bool = True) -> Simplified:
    """Simplify a board: by algebra if it has two colors, otherwise by presolve.

    With `symmetries`, only one of several symmetric codes may satisfy the systems.
    """
    if is_algebraic(board):
        return Simplified(simplify_two_colors(board), "algebra")
    presolved = presolve(board, [step for step in ORDER if symmetries or step not in SYMMETRIES])
    if isinstance(presolved, Presolved):
        return Simplified([presolved.system], "presolve")
    return Simplified([], "presolve", presolved.rows)


def exact_systems(board: Board, tolerance: Tolerance = STRICT) -> list[System]:
    """Return systems such that each code within the tolerance satisfies exactly one of them.

    Without lies, the systems are simplified.
    """
    if tolerance.lies:
        return [System.of(board, tolerance)]
    return simplify(board, symmetries=False).systems


def on_systems(function: Callable[..., T], board: Board, tolerance: Tolerance, *args: Any) -> T:
    """Return the result of a function for `exact_systems` of a board.

    A worker process that runs this builds the systems itself, so that they need not be sent to it.
    """
    return function(exact_systems(board, tolerance), *args)


def simplify_two_colors(board: Board) -> list[System]:
    """Return the systems of a two-color board by algebra; each code satisfies exactly one."""
    return systems(board)


def is_algebraic(board: Board) -> bool:
    """Return whether a board is a system of linear equations, or a few such systems."""
    return suits(board) and len(possible_weights(board)) <= MAX_WEIGHTS
