"""The consistent codes of a board as a lazy, immutable collection in lexicographic order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.codes.count import count
from mmsat.codes.listing import list_codes
from mmsat.game.spelling import speller
from mmsat.solve.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.answers import Code
    from mmsat.game.board import Board


@dataclass(frozen=True)
class Codes:
    """Codes are tuples of colors from 0. Nothing is computed before it is asked for."""

    board: Board

    @cached_property
    def count(self) -> int:
        """How many there are: an exact int of any size. See count for a time limit."""
        return count(self.board).count

    def __iter__(self) -> Iterator[Code]:
        return list_codes(self.board, Deadline())

    def __contains__(self, code: object) -> bool:
        return isinstance(code, tuple) and self.board.is_consistent(code)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def print(self, code: Code) -> str:
        """A code as the board's game spells it."""
        return speller(self.board.game).print_code(code)

    def __repr__(self) -> str:
        return f"mmsat.codes({self.board!r})"


def codes(board: Board) -> Codes:
    """The codes consistent with a board, in lexicographic order; nothing is computed yet."""
    return Codes(board)
