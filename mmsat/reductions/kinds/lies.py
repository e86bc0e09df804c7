"""Mastermind with lies: a board whose answers may be wrong at most so many times.

Problem: given a board and a number L, is there a code that misses at most L of its rows?

Construction: repeat every row of a board L + 1 times, one copy after another.

Proof. A code of the source misses nothing, in no copy. A code that misses a row of the source
misses all its L + 1 copies, and so more than L rows. Hence the codes within L lies of the new board
are exactly the consistent codes of the source, whatever L is: lies make nothing easier. The same
codes are those that miss no row at all, so the new board, taken strictly, says what the source
says.

Sizes: pegs and colors as before; (L + 1) m rows from m rows.

Source: this project's own; guessing with lies is the game of Ulam (Adventures of a Mathematician,
1976) and Renyi, and Mastermind satisfiability is NP-complete by Stuckman and Zhang (2005).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.reductions.base import Gadgets, Sizes
from mmsat.reductions.boards import FromBoard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code


class Lies(FromBoard):
    """Every row `lies` + 1 times; a certificate is a consistent code of the source."""

    name = "lies"
    title = "a board -> a board of which up to L rows may be wrong"
    theorem = "Mastermind with lies is NP-complete for any number of lies (this project's remark)"
    parameters = ("lies",)
    formula = {"pegs": "N", "colors": "C", "rows": "(lies + 1) m"}  # noqa: RUF012

    def __init__(self, source: Board, *, lies: int) -> None:
        super().__init__(source, lies=lies)
        if type(lies) is not int or lies < 0:
            fault = Fault("lies is a whole number from 0", lies, "0 or more")
            raise InputError([fault], "the parameters")
        self.lies = lies

    @cached_property
    def board(self) -> Board:
        """All copies of the first row, then of the second, and so on."""
        rows = (row for row in self.source.rows for _ in range(self.lies + 1))
        return Board(self.source.game, tuple(rows))

    def allows(self, code: Sequence[int]) -> bool:
        """Whether a code misses at most `lies` rows of the board: the problem as it is asked."""
        return self.board.game.contains(code) and len(self.board.missed(code)) <= self.lies

    def sizes(self) -> Sizes:
        """The game is the source's."""
        game, rows = self.source.game, self.source.rows
        return Sizes(game.pegs, game.colors, (self.lies + 1) * len(rows))

    def encode(self, certificate: Code) -> Code:
        """The code itself."""
        return tuple(certificate)

    def decode(self, code: Sequence[int]) -> Code:
        """The code itself."""
        return tuple(code)

    def gadgets(self) -> Gadgets:
        """One gadget for the code, and one for each row of the source."""
        pegs = (("code", f"peg {peg}") for peg in range(1, self.source.game.pegs + 1))
        rows = (
            (f"row {row}", f"row {row}, copy {copy} of {self.lies + 1}")
            for row in range(1, len(self.source.rows) + 1)
            for copy in range(1, self.lies + 2)
        )
        return Gadgets(tuple(pegs), tuple(rows))
