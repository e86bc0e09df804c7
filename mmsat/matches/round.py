"""A round: one hidden code, and the guesses at it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mmsat.board import Board
from mmsat.game.row import Code, Row, Score


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it stands; each move makes another, so that any can be taken back."""

    board: Board
    turns: int | None = None
    """The guesses that may be made; None for any number."""
    secret: Code | None = None
    """The code, where it is known to the machine: colors from 0."""
    consistent_only: bool = False
    """Whether only what can be the code may be guessed: Consistent Mastermind (de Bondt 2004)."""

    @property
    def is_found(self) -> bool:
        """Whether the last guess got the score of the code itself."""
        if not self.board.rows:
            return False
        guess, score = self.board.rows[-1]
        return self.board.game.score(guess, guess) == score

    @property
    def is_over(self) -> bool:
        """Whether the code is found, or no guess is left."""
        return self.is_found or self.left == 0

    @property
    def left(self) -> int | None:
        """The guesses left; None for any number."""
        return None if self.turns is None else max(0, self.turns - len(self.board.rows))

    def with_row(self, guess: Code, score: Score | None = None) -> Round:
        """With one more guess; without a score it is scored against the secret.

        Raises ValueError where there is neither, and for a guess that may not be made.
        """
        if self.consistent_only and not self.board.is_consistent(guess):
            raise ValueError("only what can be the code may be guessed")
        if score is None:
            if self.secret is None:
                raise ValueError("only a known secret scores guesses")
            score = self.board.game.score(self.secret, guess)
        return replace(self, board=Board(self.board.game, (*self.board.rows, Row(guess, score))))

    def without_last(self, rows: int = 1) -> Round:
        """Without the last rows."""
        left = self.board.rows[: max(0, len(self.board.rows) - rows)]
        return replace(self, board=Board(self.board.game, left))

    def with_score(self, row: int, score: Score) -> Round:
        """With another score of a row, from 0."""
        return replace(self, board=self.board.changed({row: tuple(score)}))
