"""Two-color boards of known weight -> the permutation game, where codes are permutations.

Problem: Black-Peg Mastermind with as many colors as pegs, none twice (the AB game, or bulls and
cows, at its largest): given guesses and scores, is there a permutation that scores so?

Source: a board of two colors and n pegs whose rows tell its weight K, the number of pegs of the
second color. A guess of one color does, and so does any row with black + white = pegs (its guess
has weight K), and any two rows with white whose guesses leave one weight.

Construction: peg i becomes a block, the positions 2i - 1 and 2i with the colors 2i - 1 and 2i. The
first color stands for the block in order, the second for the block swapped; so a guess g of the
source becomes a permutation P(g).

    P(first color everywhere)    -> 2 (n - K) bulls
    P(second color everywhere)   -> 2 K bulls
    P(g) for every row g         -> 2 b bulls, where g has b black

and cows are always 2n - bulls, since all permutations have the same colors.

Proof. The first two guesses differ everywhere, and together they score 2n bulls: every position of
the code agrees with one of them, and so holds a color of its own block. A permutation that does so
keeps each block in order or swaps it: it is P(s) for one s. Two such permutations agree in both
positions of a block or in none, so P(g) scores twice the black that g scores against s. White says
no more than black: at weight K a guess of weight |g| has black + white = n - |K - |g||. So black
that was not read follows from white, and a white that does not fit leaves no code: such a row
becomes P(first color everywhere) with another number of bulls.

Sizes: 2n pegs and 2n colors without repeats; m + 2 rows from m. Parsimonious, and the same with
bulls only.

Source: the counting problem of the permutation game is #P-complete by Ko and Teng, On the number of
queries necessary to identify a permutation, Journal of Algorithms 7 (1986). The construction is
this project's own and gives NP-completeness with it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.space import SPACES
from mmsat.reductions.base import Gadgets, Sizes
from mmsat.reductions.boards import FromBoard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.game.row import Code


class PermutationGame(FromBoard):
    """Each peg a block of two positions; a certificate is a consistent code of the source."""

    name = "permutation-game"
    title = "a two-color board of known weight -> the permutation game (AB, bulls and cows)"
    theorem = "counting is #P-complete in the permutation game (Ko and Teng 1986)"
    formula = {"pegs": "2n", "colors": "2n", "rows": "m + 2"}  # noqa: RUF012
    has_black_twin = True

    def __init__(self, source: Board) -> None:
        super().__init__(source)
        game = source.game
        if (
            game.colors != 2
            or game.scoring.name not in {"black", "black-white"}
            or game.space.name != "repeats"
        ):
            rule = "the permutation game takes boards of two colors, which may repeat"
            raise InputError([Fault(rule, str(game), "a game such as 6x2 or 6x2b")])
        weights = _weights(source)
        if len(weights) > 1:
            rule = "the rows tell how many pegs of the code have the second color"
            got = f"{len(weights)} numbers that fit"
            raise InputError([Fault(rule, got, "a row that guesses the first color everywhere")])
        self.weight = weights[0] if weights else None
        """How many pegs of a code have the second color; None where the rows leave no number."""

    @cached_property
    def board(self) -> Board:
        """The two rows of the blocks, then the rows of the source."""
        pegs = 2 * self.source.game.pegs
        return Board(Game(pegs, pegs, SPACES["distinct"]), tuple(self._rows()))

    def _rows(self) -> Iterator[Row]:
        pegs = self.source.game.pegs
        weight = self.weight or 0
        yield self._row((0,) * pegs, pegs - weight)
        yield self._row((1,) * pegs, weight)
        for row in self.source.rows:
            if any(part is not None for part in row.score):
                black = self._black(row)
                if black is not None:
                    yield self._row(row.guess, black)
                else:
                    yield self._row((0,) * pegs, pegs - weight - 1 if weight < pegs else 1)
            else:
                yield Row(self.encode(row.guess), (None, None))

    def _black(self, row: Row) -> int | None:
        """The black of a row that tells something, or None if no code scores like it."""
        if self.weight is None:
            return None
        pegs = len(row.guess)
        total = pegs - abs(self.weight - sum(row.guess))
        black, white = _read(row)
        if black is None:
            black = total - (white or 0)
        fits = 0 <= black <= pegs and (white is None or black + white == total)
        return black if fits else None

    def _row(self, guess: Code, black: int) -> Row:
        """The row of a guess that has so many black in the source."""
        return Row(self.encode(guess), (2 * black, 2 * (len(guess) - black)))

    def sizes(self) -> Sizes:
        """Two positions and two colors a peg."""
        pegs = 2 * self.source.game.pegs
        return Sizes(pegs, pegs, len(self.source.rows) + 2)

    def encode(self, certificate: Code) -> Code:
        """The permutation that swaps the blocks of the pegs with the second color."""
        return tuple(
            2 * peg + (place ^ color) for peg, color in enumerate(certificate) for place in range(2)
        )

    def decode(self, code: Sequence[int]) -> Code:
        """For each block whether it is swapped."""
        return tuple(color % 2 for color in code[::2])

    def gadgets(self) -> Gadgets:
        """A block for each peg."""
        many = self.source.game.pegs
        pegs = (
            (f"peg {peg}", f"peg {peg}, {place} position of its block")
            for peg in range(1, many + 1)
            for place in ("first", "second")
        )
        swapped = self.weight or 0
        blocks = (
            ("blocks", f"{many - swapped} of the blocks are in order"),
            ("blocks", f"{swapped} of the blocks are swapped"),
        )
        rows = ((f"row {row}", f"row {row}") for row in range(1, len(self.source.rows) + 1))
        return Gadgets(tuple(pegs), (*blocks, *rows))


def _weights(board: Board) -> list[int]:
    """The weights that the rows leave, by guesses of one color and by black + white."""
    pegs = board.game.pegs
    weights = list(range(pegs + 1))
    for row in board.rows:
        weight = sum(row.guess)
        black, white = _read(row)
        if black is not None and weight in {0, pegs}:
            told = black if weight else pegs - black
            weights = [each for each in weights if each == told]
        if black is not None and white is not None:
            told = pegs - black - white
            weights = [each for each in weights if abs(each - weight) == told]
    return weights


def _read(row: Row) -> tuple[int | None, int | None]:
    """Black and white; None where one was not read or is not told."""
    return row.score[0], row.score[1] if len(row.score) == 2 else None
