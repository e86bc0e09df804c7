"""Two colors of known weight -> the permutation game: README.md has the proof."""

from collections.abc import Iterable, Iterator, Sequence

from mmsat.errors import Description, InputError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.reductions.equations import BoardReduction
from mmsat.reductions.reduction import NamedRow, SizeFormulas, Sizes
from mmsat.reductions.samples import BoardSamples


class PermutationGame(BoardReduction):
    """Two pegs for each peg of the source; a certificate is a consistent code of the source."""

    name = "permutation-game"
    title = "a two-color board of known weight -> the permutation game (AB, bulls and cows)"
    theorem = "counting is #P-complete in the permutation game (Ko and Teng 1986)"
    formula = SizeFormulas("2n", "2n", "m + 2")
    family = "random boards of two colors, as permutations"
    samples = BoardSamples("random-two-color", size=20, min_size=2)
    space = "distinct"
    has_black_twin = True

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
            found = Description(f"{len(weights)} possible numbers")
            raise InputError.of("the board", expected, found, rule)
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
                new_row = Row(self.encode(row.guess), (None, None))
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
        """Return black of a row with at least one read part; None if no code gives its score."""
        if self.weight is None:
            return None
        pegs = len(row.guess)
        total = pegs - abs(self.weight - sum(row.guess))
        black, white = _black_and_white(row)
        if black is None:
            black = total - (white or 0)
        is_possible = 0 <= black <= pegs and (white is None or black + white == total)
        return black if is_possible else None

    def _row(self, guess: Code, black: int) -> Row:
        """Return the new row for a guess with this black in the source."""
        return Row(self.encode(guess), (2 * black, 2 * (len(guess) - black)))

    def sizes(self) -> Sizes:
        pegs = 2 * self.source.game.pegs
        return Sizes(pegs, pegs, len(self.source.rows) + 2)

    def encode(self, certificate: Code) -> Code:
        return tuple(
            2 * peg + (position ^ color)
            for peg, color in enumerate(certificate)
            for position in range(2)
        )

    def decode_colors(self, code: Sequence[int]) -> Code:
        return tuple(color % 2 for color in code[::2])


def _weights(board: Board) -> list[int]:
    """Return the weights that the guesses of one color, and black plus white, allow."""
    pegs = board.game.pegs
    weights = list(range(pegs + 1))
    for row in board.rows:
        weight = sum(row.guess)
        black, white = _black_and_white(row)
        if black is not None and weight in {0, pegs}:
            expected = black if weight else pegs - black
            weights = [number for number in weights if number == expected]
        if black is not None and white is not None:
            required_difference = pegs - black - white
            weights = [number for number in weights if abs(number - weight) == required_difference]
    return weights


def _black_and_white(row: Row) -> tuple[int | None, int | None]:
    """Return black and white, None if unread or not scored."""
    return row.score[0], row.score[1] if len(row.score) == 2 else None
