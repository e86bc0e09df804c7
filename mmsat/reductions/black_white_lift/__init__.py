"""Black only -> black and white, where white adds no information: README.md has the proof."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mmsat.errors import InputError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.reductions.equations import BoardReduction
from mmsat.reductions.reduction import NamedRow, SizeFormulas, Sizes
from mmsat.reductions.samples import BoardSamples


class BlackWhiteLift(BoardReduction):
    """With pads, black determines white; a certificate is a consistent code of the source."""

    name = "black-white-lift"
    title = "a board scored with black only -> a board scored with black and white"
    theorem = (
        "problems that are hard with black only are hard with black and white (this project's "
        "lemma)"
    )
    formula = SizeFormulas(
        "N + the sum over the used colors of their largest number of pegs in one guess",
        "C, or C + 1 if no color was neutral",
        "m + the number of used colors, and 1 more if no color was neutral",
    )
    family = "random boards of six colors and black only, lifted"
    samples = BoardSamples("six-colors-black", size=8, min_size=1)
    has_black_twin = True

    def __init__(self, source: Board) -> None:
        super().__init__(source)
        game = source.game
        if game.scoring.name != "black" or game.space.name != "repeats":
            rule = "the source must be scored with black only, and its colors may repeat"
            raise InputError.of("the board", "a game such as 4x6b", str(game), rule)
        self.neutral = _neutral_color(source)
        """The color that no code has; if every color is allowed, the number of colors."""
        self.has_new_color = self.neutral == game.colors
        """Whether the board has a new neutral color, and a row that excludes it."""
        max_uses: Counter[int] = Counter()
        for row in source.rows:
            max_uses |= Counter(row.guess)
        del max_uses[self.neutral]
        self.pads = tuple(color for color in sorted(max_uses) for _ in range(max_uses[color]))
        """The color of each pad."""

    def rows(self) -> Iterator[NamedRow]:
        pegs, neutral = self.source.game.pegs, self.neutral
        neutral_row = Row((neutral,) * (pegs + len(self.pads)), (0, 0))
        yield NamedRow(neutral_row, "neutral", f"no peg has color {neutral + 1}")
        for color, num_pads in Counter(self.pads).items():
            pad_guess = tuple(color if pad == color else neutral for pad in self.pads)
            row = Row((neutral,) * pegs + pad_guess, (num_pads, 0))
            gadget = f"pads of color {color + 1}"
            yield NamedRow(row, gadget, f"the pads have color {color + 1}")
        other_rows = list(self.source.rows)
        if not self.has_new_color:
            other_rows.remove(_excluding_row(neutral, pegs))
        for number, row in enumerate(other_rows, 1):
            (black,) = row.score
            white = None if black is None else max(0, pegs - row.guess.count(neutral) - black)
            new_row = Row(row.guess + (neutral,) * len(self.pads), (black, white))
            yield NamedRow(new_row, "rows", f"row {number} of {len(other_rows)} of the source")

    def pegs(self) -> Iterable[tuple[str, str]]:
        colors = (color + 1 for color in self.pads)
        pads = [(f"pads of color {color}", f"always color {color}") for color in colors]
        return [*super().pegs(), *pads]

    def sizes(self) -> Sizes:
        game, rows, pads = self.source.game, self.source.rows, self.pads
        pegs = game.pegs + len(pads)
        return Sizes(
            pegs, game.colors + self.has_new_color, len(rows) + len(set(pads)) + self.has_new_color
        )

    def encode(self, certificate: Code) -> Code:
        return (*certificate, *self.pads)

    def decode_colors(self, code: Sequence[int]) -> Code:
        return tuple(code[: self.source.game.pegs])


def _neutral_color(board: Board) -> int:
    """Return the color that a row excludes from all pegs; without such a row, the number of colors.

    If there are several, it is the last, because reductions put their neutral color last.
    """
    game, rows = board.game, set(board.rows)
    excluded = [color for color in range(game.colors) if _excluding_row(color, game.pegs) in rows]
    return max(excluded, default=game.colors)


def _excluding_row(color: int, pegs: int) -> Row:
    """Return the row, scored with black only, that excludes a color from all pegs."""
    return Row((color,) * pegs, (0,))
