"""An evading codemaker, who has no fixed code and always answers consistently.

The codemaker keeps as many codes as possible. In games small enough for complete search, `worst`
instead keeps the codes that need the most guesses with best play.
"""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from mmsat.board import Board
from mmsat.errors import Description, InputError
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.matches.players import Machine
from mmsat.matches.round import Round
from mmsat.strategy.answers import split_codes
from mmsat.strategy.pool import draw_pool
from mmsat.strategy.state import State
from mmsat.strategy.strategies.optimal import count_worst, require_searchable

MAX_CONSIDERED_CODES = 50_000
"""Maximum number of remaining codes that are considered; of more, this many are drawn."""


class Evader(Machine):
    """A codemaker whose scores leave as many codes as possible, and an ordinary codebreaker."""

    def __init__(self, game: Game, *settings: Any, worst: bool = False, **more: Any) -> None:
        """Create the machine; "evil" is added to its name.

        With `worst`, scores maximize the number of guesses of best play. Raises SizeError or
        InputError if the game cannot be searched at each turn, and InputError in hard mode, for
        which best play is not known.
        """
        super().__init__(game, *settings, **more)
        self.name = f"evil {self.name}"
        self.worst = worst
        if worst:
            require_searchable(game)
            if self.strategy.hard:
                rule = "the worst-case codemaker does not support hard mode"
                raise InputError.of("the codemaker", "no hard mode", Description("hard mode"), rule)

    def hide(self, game: Game) -> Code | None:  # noqa: ARG002
        return None

    def answer(self, now: Round, guess: Code) -> Round:
        count_guesses = (
            partial(count_worst, consistent_only=now.consistent_only) if self.worst else None
        )
        return now.with_row(guess, evade(now.board, guess, count_guesses))

    def reveal(self, now: Round) -> Code | None:
        return draw_remaining_code(now.board, self.random)


def evade(board: Board, guess: Code, takes: Callable[[Board], int] | None = None) -> Score:
    """Return the score of a guess that leaves the most codes; of equal scores, the lowest.

    With `takes`, the score maximizes `takes` of the board after it, and then the number of codes.
    The score of the code itself is only given if there is no other, because it ends the game.
    Raises InconsistentError if no code remains.
    """
    codes_by_score = split_codes(
        board.game, draw_pool(State(board), MAX_CONSIDERED_CODES).codes, guess
    )
    winning_score = board.game.score(guess, guess)

    def order(score: Score) -> tuple[bool, int, int, Score]:
        is_end = score == winning_score
        guesses_needed = takes(board.with_row(guess, score)) if takes and not is_end else 0
        return is_end, -guesses_needed, -len(codes_by_score[score]), score

    return min(codes_by_score, key=order)


def draw_remaining_code(board: Board, source: random.Random) -> Code:
    """Return a random code that remains."""
    pool = draw_pool(State(board), 1, source.randrange(1 << 31))
    return tuple(pool.codes[0].tolist())
