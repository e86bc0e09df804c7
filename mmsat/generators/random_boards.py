"""Random boards: random guesses, scored for one planted code or for a different code in each row.

The random model ("any") is *independent*: each row is scored for a separate code, and all these
codes are rearrangements of one code. The board is then consistent only by chance, and rarely so
once the rows give more information than a code contains. Unrelated codes would make a poor model:
white pegs, and with two colors the parity of black pegs, reveal so much about the number of pegs of
each color that a few such rows would contradict each other for that reason alone.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from mmsat.board import Board
from mmsat.english import quantity
from mmsat.game.game import Game
from mmsat.game.row import Code, Row, Score
from mmsat.game.scoring import SCORINGS
from mmsat.generators.family import Family, Generated
from mmsat.reductions.samples.sample import RANDOM_OR_SLIPPED, Answer
from mmsat.results.verdict import Status


@dataclass(frozen=True, kw_only=True)
class RandomBoards(Family):
    """Random guesses in the game of each size."""

    unit: str = "pegs"
    answers: tuple[Answer, ...] = RANDOM_OR_SLIPPED
    has_rows: bool = True
    game: Callable[[int], Game]
    """Returns the game of a size."""
    usual_rows: Callable[[int], int]
    """Returns the default number of random rows of a size."""
    is_balanced: bool = False
    """Whether the code has each color equally often, as nearly as possible."""
    has_weight_row: bool = False
    """Whether the first guess consists of the first color alone; its score is never changed."""

    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        game = self.game(size)
        num_rows = self.usual_rows(size) if rows is None else rows
        secret = (balanced_code if self.is_balanced else random_code)(game, rng)
        weight_guesses = [(0,) * game.pegs] if self.has_weight_row else []
        guesses = [*weight_guesses, *(random_code(game, rng) for _ in range(num_rows))]
        scores: list[Score] = [game.score(secret, guess) for guess in guesses]
        if answer is Answer.ANY:
            for number, guess in enumerate(
                guesses[-num_rows:] if num_rows else [], len(guesses) - num_rows
            ):
                row_code = list(secret)
                rng.shuffle(row_code)
                scores[number] = game.score(row_code, guess)
            scoring_note = "each scored by a different rearrangement of one random code"
        else:
            scoring_note = "scored by one random code"
        recipe = f"{quantity(num_rows, 'random guess')}, {scoring_note}."
        board = Board(game, tuple(Row(*row) for row in zip(guesses, scores, strict=True)))
        if answer is Answer.CONSISTENT:
            return Generated(board, Status.CONSISTENT, secret, (recipe,))
        if answer is Answer.SLIPPED and num_rows:
            row = rng.randrange(len(guesses) - num_rows, len(guesses))
            changed = self.slip(board, row, rng)
            slip = f"Then the score of row {row + 1} was changed as little as possible."
            return Generated(board.changed({row: changed}), Status.UNKNOWN, None, (recipe, slip))
        return Generated(board, Status.UNKNOWN, None, (recipe,))

    def slip(self, board: Board, row: int, rng: random.Random) -> tuple[int, ...]:
        """Return the score of a row with the smallest possible change, such as one more black peg.

        If black and white are scored, their sum is kept if possible, so that no count of colors
        reveals the change.
        """
        game = board.game
        step = 2 if self.has_weight_row else 1  # with a known weight, the parity of black is fixed
        black, *other_parts = (part or 0 for part in board.rows[row].score)
        options = [
            (new_black, *(part - (new_black - black) for part in other_parts))
            for new_black in (black - step, black + step)
        ]
        possible = [score for score in options if not game.scoring.flaw(game.pegs, score)]
        non_negative = [score for score in possible if min(score) >= 0]
        if non_negative:
            return rng.choice(non_negative)
        # Only boards of one or two pegs have no change that keeps the sum.
        return (black - 1 if black == game.pegs else black + 1, *other_parts)


def random_code(game: Game, rng: random.Random) -> Code:
    """Return a uniformly random code of the game."""
    if game.space.name == "distinct":
        return tuple(rng.sample(range(game.colors), game.pegs))
    return tuple(rng.randrange(game.colors) for _ in range(game.pegs))


def balanced_code(game: Game, rng: random.Random) -> Code:
    """Return a random code with each color equally often, as nearly as possible."""
    code = [peg % game.colors for peg in range(game.pegs)]
    rng.shuffle(code)
    return tuple(code)


def whole_ratio(numerator: int, power: int) -> int:
    """Return the least integer r such that r log2(power) is at least `numerator`."""
    rows = numerator // max(1, power.bit_length())
    while power**rows < 1 << numerator:
        rows += 1
    return rows


ALPHA = 2
"""Factor alpha in the default number of rows of two colors, alpha N / log2 N for N pegs.

This is group testing, or coin weighing. The boards are easy for small alpha, because there are many
codes, and easy again for large alpha, because each row leaves little to find. The peak of hardness
is near alpha = 2: there, the rows give exactly as much information as the code contains.
"""

RANDOM_BOARDS = {
    family.name: family
    for family in (
        RandomBoards(
            name="random-classic",
            summary="random guesses, as many colors as pegs, and one row fewer",
            size=20,
            game=lambda size: Game(size, size),
            usual_rows=lambda size: size - 1,
        ),
        RandomBoards(
            name="random-two-color",
            summary="two colors, half of the pegs each, random guesses at the peak of hardness",
            size=40,
            smallest=2,
            game=lambda size: Game(size, 2),
            usual_rows=lambda size: whole_ratio(ALPHA * size, size),  # 2 N / log2 N, rounded up
            is_balanced=True,
            has_weight_row=True,
        ),
        # The peak of six colors is near 3 rows for every 4 pegs: there, the rows give as much
        # information as the code contains, 2.6 bits per peg, and about 3.4 bits per row, or 2.2
        # bits with black only.
        RandomBoards(
            name="six-colors",
            summary="six colors, random guesses at the peak of hardness, 3 rows per 4 pegs",
            size=16,
            game=lambda size: Game(size, 6),
            usual_rows=lambda size: -(-3 * size // 4),
            is_balanced=True,
        ),
        RandomBoards(
            name="six-colors-black",
            summary="six colors, black only, random guesses at the peak of hardness, "
            "5 rows per 4 pegs",
            size=12,
            game=lambda size: Game(size, 6, scoring=SCORINGS["black"]),
            usual_rows=lambda size: -(-5 * size // 4),
            is_balanced=True,
        ),
    )
}
"""The families of random boards, by name."""
