"""Reductions of boards: to two-part scores, to boards with lies, and to the permutation game.

The README.md of each reduction has its construction and proof.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from mmsat.errors import Description, InputError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.tolerance import Tolerance
from mmsat.reductions import SizeFormulas, Sizes, require_whole
from mmsat.reductions.reduction import NamedRow, RowReduction
from mmsat.reductions.samples import BoardSamples


class BoardReduction(RowReduction[Board, "Code"]):
    """A reduction of a board to another board. Certificates are consistent codes of the source."""

    source_kind = "board"

    def build(self) -> Board:
        """Build the board. Known codes of the source become known codes of the board."""
        return replace(super().build(), known=tuple(map(self.encode_solution, self.source.known)))

    @property
    def expected_certificate(self) -> str:
        return "a code that matches all scores of the source"

    def read_certificate(self, certificate: object) -> Code:
        (code,) = self.source.game.require(certificate=cast("Code", certificate))
        return code

    def is_solution(self, certificate: Code) -> bool:
        return self.source.is_consistent(certificate)

    def pegs(self) -> Iterable[tuple[str, str]]:
        return [("code", f"peg {peg}") for peg in range(1, self.source.game.pegs + 1)]

    def spell_solution(self, certificate: Code) -> str:
        return speller(self.source.game).print_code(certificate)


class BlackWhiteLift(BoardReduction):
    """Pads, which are additional pegs with known colors, make black determine white."""

    name = "black-white-lift"
    title = "a board scored with black only -> a board scored with black and white"
    theorem = (
        "problems that are hard with black only are hard with black and white (this project's "
        "lemma)"
    )
    # N: pegs of the source, C: its colors, m: its rows
    formula = SizeFormulas(
        "N + the sum over the used colors of their largest number of pegs in one guess",
        "C, or C + 1 if no color was neutral",
        "m + the number of used colors, and 1 more if no color was neutral",
    )
    family = "random boards of six colors and black only, lifted"
    samples = BoardSamples("six-colors-black", size=8, min_size=1)
    black_suffices = True  # the same codes if scored with black only

    def __init__(self, source: Board) -> None:
        super().__init__(source)
        game = source.game
        if game.scoring.name != "black" or game.space.name != "repeats":
            rule = "the source must be scored with black only, and its colors may repeat"
            raise InputError.of("the board", "a game such as 4x6b", str(game), rule)
        self.neutral = _neutral_color(source)
        """The color that no code has. If the rows exclude no color, it is a new color."""
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
            pad_guess = tuple(color if pad_color == color else neutral for pad_color in self.pads)
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

    def encode_solution(self, certificate: Code) -> Code:
        return (*certificate, *self.pads)

    def decode_colors(self, code: Sequence[int]) -> Code:
        return tuple(code[: self.source.game.pegs])


def _neutral_color(board: Board) -> int:
    """Return the color that a row excludes from all pegs.

    If there are several, return the last one, because reductions put their neutral color last. If
    there is none, return the first number after the colors of the game.
    """
    game, rows = board.game, set(board.rows)
    excluded = [color for color in range(game.colors) if _excluding_row(color, game.pegs) in rows]
    return max(excluded, default=game.colors)


def _excluding_row(color: int, pegs: int) -> Row:
    """Return the row, scored with black only, that excludes a color from all pegs."""
    return Row((color,) * pegs, (0,))


class Lies(BoardReduction):
    """Each row of the source is repeated `lies` + 1 times."""

    name = "lies"
    title = "a board -> a board in which up to L rows may be wrong"
    theorem = "Mastermind with lies is NP-complete for any number of lies (this project's remark)"
    parameters = ("lies",)
    # N: pegs of the source, C: its colors, m: its rows
    formula = SizeFormulas("N", "C", "(lies + 1) m")
    family = "random boards of six colors, every row twice for one lie"
    samples = BoardSamples("six-colors", size=8, min_size=1, parameters={"lies": 1})

    def __init__(self, source: Board, *, lies: int) -> None:
        super().__init__(source, lies=lies)
        self.lies = require_whole("lies", lies, 0)

    @property
    def game(self) -> Game:
        return self.source.game

    def rows(self) -> Iterator[NamedRow]:
        for number, row in enumerate(self.source.rows, 1):
            for copy in range(1, self.lies + 2):
                meaning = f"row {number}, copy {copy} of {self.lies + 1}"
                yield NamedRow(row, f"row {number}", meaning)

    def allows(self, code: Sequence[int]) -> bool:
        """Return whether a code misses at most `lies` rows of the board."""
        return Tolerance(self.lies).allows(self.board, code)

    def sizes(self) -> Sizes:
        game, rows = self.source.game, self.source.rows
        return Sizes(game.pegs, game.colors, (self.lies + 1) * len(rows))

    def encode_solution(self, certificate: Code) -> Code:
        return tuple(certificate)

    def decode_colors(self, code: Sequence[int]) -> Code:
        return tuple(code)


class PermutationGame(BoardReduction):
    """A block of two pegs for each peg of the source.

    The block of peg p has the colors 2p and 2p + 1, in this order if p has the first color, and
    swapped if it has the second.
    """

    name = "permutation-game"
    title = "a two-color board of known weight -> the permutation game (AB, bulls and cows)"
    theorem = "counting is #P-complete in the permutation game (Ko and Teng 1986)"
    # n: pegs of the source, m: its rows
    formula = SizeFormulas("2n", "2n", "m + 2")
    family = "random boards of two colors, as permutations"
    samples = BoardSamples("random-two-color", size=20, min_size=2)
    space = "distinct"
    black_suffices = True  # the same codes if scored with black only

    def __init__(self, source: Board) -> None:
        super().__init__(source)
        game = source.game
        if (
            game.colors != 2
            or game.scoring.name not in {"black", "black-white"}
            or game.space.name != "repeats"
        ):
            rule = "the source must have two colors, which may repeat"
            raise InputError.of("the board", "a game such as 6x2 or 6x2b", str(game), rule)
        weights = _weights(source)
        if len(weights) > 1:
            expected = "rows that determine the number of pegs of the second color"
            rule = "add a row that guesses the first color everywhere"
            description = Description(f"{len(weights)} possible numbers")
            raise InputError.of("the board", expected, description, rule)
        self.weight = weights[0] if weights else None
        """Number of pegs with the second color in a code; None if the rows exclude every number."""

    def rows(self) -> Iterator[NamedRow]:
        pegs = self.source.game.pegs
        weight = self.weight or 0
        in_order = f"{pegs - weight} of the blocks are in order"
        yield NamedRow(self._row((0,) * pegs, pegs - weight), "blocks", in_order)
        yield NamedRow(
            self._row((1,) * pegs, weight), "blocks", f"{weight} of the blocks are swapped"
        )
        for number, row in enumerate(self.source.rows, 1):
            if all(part is None for part in row.score):
                new_row = Row(self.encode_solution(row.guess), (None, None))
            elif (black := self._black(row)) is not None:
                new_row = self._row(row.guess, black)
            else:  # no code has the score: contradict the first row
                new_row = self._row((0,) * pegs, pegs - weight - 1 if weight < pegs else 1)
            yield NamedRow(new_row, f"row {number}", f"row {number}")

    def pegs(self) -> Iterable[tuple[str, str]]:
        return [
            (f"peg {peg}", f"peg {peg}, {position} position of its block")
            for peg in range(1, self.source.game.pegs + 1)
            for position in ("first", "second")
        ]

    def _black(self, row: Row) -> int | None:
        """Return the number of black of a row, of which at least one part is read.

        Return None if no code gets the score of the row.
        """
        if self.weight is None:
            return None
        pegs = len(row.guess)
        black_plus_white = pegs - abs(self.weight - sum(row.guess))
        black, white = _black_and_white(row)
        if black is None:
            black = black_plus_white - (white or 0)
        is_possible = 0 <= black <= pegs and (white is None or black + white == black_plus_white)
        return black if is_possible else None

    def _row(self, guess: Code, black: int) -> Row:
        """Return the new row for a guess of the source that scores `black`."""
        return Row(self.encode_solution(guess), (2 * black, 2 * (len(guess) - black)))

    def sizes(self) -> Sizes:
        pegs = 2 * self.source.game.pegs
        return Sizes(pegs, pegs, len(self.source.rows) + 2)

    def encode_solution(self, certificate: Code) -> Code:
        return tuple(
            2 * peg + (position ^ color)
            for peg, color in enumerate(certificate)
            for position in range(2)
        )

    def decode_colors(self, code: Sequence[int]) -> Code:
        return tuple(color % 2 for color in code[::2])


def _weights(board: Board) -> list[int]:
    """Return the possible numbers of pegs of the second color in a code.

    Some rows restrict this number, the weight of the code: a guess of one color determines it, and
    black plus white determines how much it differs from the weight of the guess.
    """
    pegs = board.game.pegs
    weights = list(range(pegs + 1))
    for row in board.rows:
        weight = sum(row.guess)
        black, white = _black_and_white(row)
        if black is not None and weight in {0, pegs}:
            expected = black if weight else pegs - black
            weights = [number for number in weights if number == expected]
        if black is not None and white is not None:
            difference = pegs - black - white
            weights = [number for number in weights if abs(number - weight) == difference]
    return weights


def _black_and_white(row: Row) -> tuple[int | None, int | None]:
    """Return the numbers of black and white. Each is None if it is unread or not scored."""
    return row.score[0], row.score[1] if len(row.score) == 2 else None
