"""The layouts of a board: one, or for two colors one for each weight that a code may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.constraints.algebra.games import suits
from mmsat.constraints.system import System
from mmsat.enumeration.layout import lay_out
from mmsat.enumeration.presolve import has_conjunctions, open_claims
from mmsat.errors import SizeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.board import Board
    from mmsat.enumeration.layout import Layout

WIDE = 32
"""Pegs from which two-color boards are simplified as equations first; below, it does not pay."""


class UnsuitedError(SizeError):
    """A game that has no diagram."""


def layouts(board: Board | System, *, in_order: bool | None) -> Iterator[Layout]:
    """The layouts, each code of the board, or of the system, in one of them.

    `in_order` asks for the pegs' own order or the best; None takes their own if it is nearly as
    good. Raises UnsuitedError for lists of words and games with one key peg a pair.
    """
    for system in systems(board):
        if has_conjunctions(system):
            raise UnsuitedError(
                "the rows of this game join literals, for which there is no diagram"
            )
        presolved = open_claims(system)
        if presolved is not None:
            yield lay_out(presolved, in_order=in_order)


def systems(board: Board | System) -> list[System]:
    """The systems that have the codes of the board, simplified by algebra where it applies."""
    if isinstance(board, System) and board.table is None:
        return [board]
    if isinstance(board, System) or board.game.space.table() is not None:
        raise UnsuitedError("the codes of a list are counted one by one")
    if board.game.pegs > WIDE and suits(board.game):
        from mmsat.constraints.algebra.simplify import systems as simple  # noqa: PLC0415  (numpy)

        return simple(board)
    return [System.of(board)]
