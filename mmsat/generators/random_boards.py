"""Random boards: random guesses, scored for a planted code or for codes of their own.

The random model ("any") is *independent*: each row is scored by a code of its own, and all these
codes are rearrangements of one. The board is then consistent only by chance, and rarely so once the
rows tell more than a code holds. Codes without that tie would make a poor model: white pegs, and in
two colors black pegs by their parity alone, tell so much of how many pegs have each color that a
few such rows contradict each other for that reason.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from mmsat.board import Board
from mmsat.game.row import Row
from mmsat.generators.base import Answer, Family, Generated
from mmsat.results import Status

if TYPE_CHECKING:
    import random

    from mmsat.game.game import Game
    from mmsat.game.row import Code, Score


class RandomBoards(Family):
    """Random guesses in one game a size."""

    unit: ClassVar[str] = "pegs"
    answers: ClassVar[tuple[Answer, ...]] = (Answer.ANY, Answer.CONSISTENT, Answer.SLIPPED)
    has_rows: ClassVar[bool] = True

    @abstractmethod
    def game(self, size: int) -> Game:
        """The game of a size."""

    @abstractmethod
    def usual_rows(self, size: int) -> int:
        """How many rows there are where nobody says; rows of `first` are not counted."""

    def first(self, game: Game) -> tuple[Code, ...]:  # noqa: ARG002
        """Guesses that come before the random ones; a slip never strikes them."""
        return ()

    def secret(self, game: Game, rng: random.Random) -> Code:
        """The code that is planted, or that the codes of the rows rearrange."""
        return random_code(game, rng)

    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        game = self.game(size)
        many = self.usual_rows(size) if rows is None else rows
        secret = self.secret(game, rng)
        guesses = [*self.first(game), *(random_code(game, rng) for _ in range(many))]
        scores: list[Score] = [game.score(secret, guess) for guess in guesses]
        told = f"{many} random guesses"
        if answer is Answer.ANY:
            for number, guess in enumerate(guesses[-many:] if many else [], len(guesses) - many):
                own = list(secret)
                rng.shuffle(own)
                scores[number] = game.score(own, guess)
            how = f"{told}, each scored by a code of its own; the codes rearrange one another."
        else:
            how = f"{told}, scored by one random code."
        board = Board(game, tuple(Row(*row) for row in zip(guesses, scores, strict=True)))
        if answer is Answer.CONSISTENT:
            return Generated(board, Status.CONSISTENT, secret, (how,))
        if answer is Answer.SLIPPED and many:
            row = rng.randrange(len(guesses) - many, len(guesses))
            changed = self.slip(board, row, rng)
            said = f"Then the score of row {row + 1} was changed by the least that can be."
            return Generated(board.changed({row: changed}), Status.UNKNOWN, None, (how, said))
        return Generated(board, Status.UNKNOWN, None, (how,))

    def slip(self, board: Board, row: int, rng: random.Random) -> tuple[int, ...]:
        """Another score for a row, as near as can be: one peg counts as black instead of white.

        Where black and white are told, their sum stays as it is, so that no count of colors gives
        the slip away.
        """
        game = board.game
        black, *rest = (part or 0 for part in board.rows[row].score)
        options = [
            (near, *(part - (near - black) for part in rest))
            for near in (black - self.step, black + self.step)
        ]
        possible = [score for score in options if not game.scoring.flaw(game.pegs, score)]
        fitting = [score for score in possible if min(score) >= 0]
        if fitting:
            return rng.choice(fitting)
        return (black - 1 if black == game.pegs else black + 1, *rest)  # a board of a peg or two

    step: ClassVar[int] = 1
    """How much black changes in a slip."""


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
