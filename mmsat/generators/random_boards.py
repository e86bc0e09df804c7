"""Random boards: random guesses, scored for a planted code or for codes of their own.

The random model ("any") is *independent*: each row is scored by a code of its own, and all these
codes are rearrangements of one. The board is then consistent only by chance, and rarely so once the
rows tell more than a code holds. Codes without that tie would make a poor model: white pegs, and in
two colors black pegs by their parity alone, tell so much of how many pegs have each color that a
few such rows contradict each other for that reason.
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
    """Random guesses in one game a size."""

    unit: str = "pegs"
    answers: tuple[Answer, ...] = RANDOM_OR_SLIPPED
    has_rows: bool = True
    game: Callable[[int], Game]
    """The game of a size."""
    usual_rows: Callable[[int], int]
    """How many random rows there are where nobody says."""
    is_balanced: bool = False
    """Whether the code has each color as often as the others."""
    has_weight_row: bool = False
    """Whether a guess of the first color alone comes first; a slip never strikes it."""

    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        game = self.game(size)
        many = self.usual_rows(size) if rows is None else rows
        secret = (balanced_code if self.is_balanced else random_code)(game, rng)
        first = [(0,) * game.pegs] if self.has_weight_row else []
        guesses = [*first, *(random_code(game, rng) for _ in range(many))]
        scores: list[Score] = [game.score(secret, guess) for guess in guesses]
        if answer is Answer.ANY:
            for number, guess in enumerate(guesses[-many:] if many else [], len(guesses) - many):
                own = list(secret)
                rng.shuffle(own)
                scores[number] = game.score(own, guess)
            how = "each scored by a code of its own; the codes rearrange one another"
        else:
            how = "scored by one random code"
        recipe = f"{quantity(many, 'random guess')}, {how}."
        board = Board(game, tuple(Row(*row) for row in zip(guesses, scores, strict=True)))
        if answer is Answer.CONSISTENT:
            return Generated(board, Status.CONSISTENT, secret, (recipe,))
        if answer is Answer.SLIPPED and many:
            row = rng.randrange(len(guesses) - many, len(guesses))
            changed = self.slip(board, row, rng)
            slip = f"Then the score of row {row + 1} was changed by the least that can be."
            return Generated(board.changed({row: changed}), Status.UNKNOWN, None, (recipe, slip))
        return Generated(board, Status.UNKNOWN, None, (recipe,))

    def slip(self, board: Board, row: int, rng: random.Random) -> tuple[int, ...]:
        """Change a score by as little as can be: one peg counts as black instead of white.

        Where black and white are scored, their sum stays as it is, so that no count of colors gives
        the slip away.
        """
        game = board.game
        step = 2 if self.has_weight_row else 1  # at a known weight black has a parity
        black, *rest = (part or 0 for part in board.rows[row].score)
        options = [
            (near, *(part - (near - black) for part in rest))
            for near in (black - step, black + step)
        ]
        possible = [score for score in options if not game.scoring.flaw(game.pegs, score)]
        fitting = [score for score in possible if min(score) >= 0]
        if fitting:
            return rng.choice(fitting)
        return (black - 1 if black == game.pegs else black + 1, *rest)  # a board of a peg or two


def random_code(game: Game, rng: random.Random) -> Code:
    """Any code of the game, each as likely."""
    if game.space.name == "distinct":
        return tuple(rng.sample(range(game.colors), game.pegs))
    return tuple(rng.randrange(game.colors) for _ in range(game.pegs))


def balanced_code(game: Game, rng: random.Random) -> Code:
    """A random code with each color as often as the others, as near as that can be."""
    code = [peg % game.colors for peg in range(game.pegs)]
    rng.shuffle(code)
    return tuple(code)


def whole_ratio(numerator: int, power: int) -> int:
    """Give the least whole r of which r log2(power) is at least `numerator`."""
    rows = numerator // max(1, power.bit_length())
    while power**rows < 1 << numerator:
        rows += 1
    return rows


ALPHA = 2
"""Group testing, or coins and a scale: with alpha N / log2 N rows for N pegs the boards of two
colors are easy for small alpha, as there are many codes, and easy again for large alpha, as each
row leaves little to find. The peak lies about alpha = 2, where the rows tell just as much as the
code holds."""

RANDOM_BOARDS = {
    family.name: family
    for family in (
        RandomBoards(
            name="random-classic",
            summary="random guesses, as many colors as pegs, and one row less",
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
        # The peak of six colors lies about 3 rows for every 4 pegs, where the rows tell as much as
        # the code holds: 2.6 bits a peg, some 3.4 bits a row, or 2.2 with black only.
        RandomBoards(
            name="six-colors",
            summary="six colors, random guesses at the peak of hardness, 3 rows for 4 pegs",
            size=16,
            game=lambda size: Game(size, 6),
            usual_rows=lambda size: -(-3 * size // 4),
            is_balanced=True,
        ),
        RandomBoards(
            name="six-colors-black",
            summary="six colors, black only, random guesses at the peak, 5 rows for 4 pegs",
            size=12,
            game=lambda size: Game(size, 6, scoring=SCORINGS["black"]),
            usual_rows=lambda size: -(-5 * size // 4),
            is_balanced=True,
        ),
    )
}
"""The families of random boards, by name."""
