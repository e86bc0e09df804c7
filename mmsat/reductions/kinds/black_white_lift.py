"""The black-white lift: a board scored with black only, as a board where white is told but idle.

Source: a board scored with black only. Some color should be *neutral*: a guess of that color alone
scores 0, so that no code has it. Where no row says so, a new color becomes neutral.

Construction: for each other color c that a guess has, as many new pegs as the guess that has most
of c has pegs of c: the pads of c.

    neutral everywhere                            -> 0 black, 0 white
    c on its pads, neutral elsewhere              -> all pads of c black, 0 white      for each c
    a row of the source, neutral on all pads      -> b black, (pegs of it not neutral) - b white

Proof. The first row keeps the neutral color out of the code, and each second one fixes the pads of
its color. So the code has of every color c at least as many pegs as any guess has, and of the
neutral color none: a guess has every peg that is not neutral in common with the code. White is then
that number less black, whatever the code is, and a row says what its black says. The neutral pegs
of a guess over the pads never match. The code without its pads is a code of the source; and any
code of the source, with its pads, scores so.

Where more black is told than there are pegs that are not neutral, no code scores so, before or
after; white is then written as 0.

Sizes: N pegs and, for each color that is used besides the neutral one, its most pegs in one guess;
the colors of the source, and one more if none was neutral; m rows and one for each color used, and
one more if none was neutral. Parsimonious. The board has the same codes with black only.

Source: this project's own.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.scoring import SCORINGS
from mmsat.reductions.base import Gadgets, Sizes
from mmsat.reductions.boards import FromBoard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.game.row import Code


class BlackWhiteLift(FromBoard):
    """Pads make white constant; a certificate is a consistent code of the source."""

    name = "black-white-lift"
    title = "a board scored with black only -> a board scored with black and white"
    theorem = "what is hard with black only is hard with black and white (this project's lemma)"
    formula = {  # noqa: RUF012
        "pegs": "N + the sum over the colors used of their most pegs in one guess",
        "colors": "C, or C + 1 where no color was neutral",
        "rows": "m + the colors used, and 1 more where no color was neutral",
    }
    has_black_twin = True

    def __init__(self, source: Board) -> None:
        super().__init__(source)
        game = source.game
        if game.scoring.name != "black" or game.space.name != "repeats":
            rule = "the lift takes boards scored with black only, colors may repeat"
            raise InputError([Fault(rule, str(game), "a game such as 4x6b")])
        self.neutral = _neutral(source)
        """The color that no code has; one past the colors of the source where none was."""
        self.is_new = self.neutral == game.colors
        """Whether the neutral color, with the row that excludes it, is added."""
        most: Counter[int] = Counter()
        for row in source.rows:
            most |= Counter(row.guess)
        del most[self.neutral]
        self.pads = tuple(color for color in sorted(most) for _ in range(most[color]))
        """The colors of the pads."""

    @cached_property
    def board(self) -> Board:
        """The neutral row, the rows of the pads, the other rows of the source in their order."""
        game = self.source.game
        pegs = game.pegs + len(self.pads)
        colors = game.colors + self.is_new
        lifted = Game(pegs, colors, game.space, SCORINGS["black-white"])
        return Board(lifted, tuple(self._rows()))

    def _rows(self) -> Iterator[Row]:
        pegs, neutral = self.source.game.pegs, self.neutral
        yield Row((neutral,) * (pegs + len(self.pads)), (0, 0))
        for color, many in Counter(self.pads).items():
            pinned = (color if pad == color else neutral for pad in self.pads)
            yield Row(((neutral,) * pegs + tuple(pinned)), (many, 0))
        for row in self._told():
            (black,) = row.score
            white = None if black is None else max(0, pegs - row.guess.count(neutral) - black)
            yield Row(row.guess + (neutral,) * len(self.pads), (black, white))

    def _told(self) -> tuple[Row, ...]:
        """The rows of the source without the one that excludes the neutral color."""
        rows = list(self.source.rows)
        if not self.is_new:
            rows.remove(_excluding(self.neutral, self.source.game.pegs))
        return tuple(rows)

    def sizes(self) -> Sizes:
        """The source's, with the pads and their rows."""
        game, rows, pads = self.source.game, self.source.rows, self.pads
        pegs = game.pegs + len(pads)
        return Sizes(pegs, game.colors + self.is_new, len(rows) + len(set(pads)) + self.is_new)

    def encode(self, certificate: Code) -> Code:
        """The code, and the pads."""
        return (*certificate, *self.pads)

    def decode(self, code: Sequence[int]) -> Code:
        """The code without the pads."""
        return tuple(code[: self.source.game.pegs])

    def gadgets(self) -> Gadgets:
        """The code, and the pads of each color."""
        code = [("code", f"peg {peg}") for peg in range(1, self.source.game.pegs + 1)]
        pads = [(f"pads of color {color + 1}", f"always color {color + 1}") for color in self.pads]
        colors = sorted(set(self.pads))
        rows = [("neutral", f"no peg has color {self.neutral + 1}")]
        rows += [(f"pads of color {c + 1}", f"the pads have color {c + 1}") for c in colors]
        many = len(self._told())
        rows += [("rows", f"row {row} of {many} of the source") for row in range(1, many + 1)]
        return Gadgets(tuple(code + pads), tuple(rows))


def _neutral(board: Board) -> int:
    """The last color that a row excludes from all pegs, or the number of colors if there is none.

    The last: reductions put their neutral color after those that mean something.
    """
    game, rows = board.game, set(board.rows)
    excluded = [c for c in range(game.colors) if _excluding(c, game.pegs) in rows]
    return max(excluded, default=game.colors)


def _excluding(color: int, pegs: int) -> Row:
    """The row, scored with black only, that says that no peg has a color."""
    return Row((color,) * pegs, (0,))
