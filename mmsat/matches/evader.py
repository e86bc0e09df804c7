"""A codemaker who cheats fairly: he has chosen no code, and every answer is true of some.

Of either kind: he leaves as many codes as can be, or, in games small enough for complete search,
those that take the best play the most guesses.
"""

import random
from typing import Any

from mmsat.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.matches.players import Machine
from mmsat.matches.round import Round
from mmsat.strategy.answers import split_codes
from mmsat.strategy.pool import draw_pool
from mmsat.strategy.state import State
from mmsat.strategy.strategies.optimal import count_worst, require_searchable

POOL = 50_000
"""The codes that he thinks of; where more are left they are drawn at random."""


class Evader(Machine):
    """Answers so that as many codes are left as can be; as codebreaker, a machine like others."""

    def __init__(self, game: Game, *settings: Any, worst: bool = False, **more: Any) -> None:
        """As a machine; the name tells that this one evades.

        With `worst` by what the best play takes then; raises SizeError or InputError for a game
        that is not searched at each turn.
        """
        super().__init__(game, *settings, **more)
        self.name = f"evil {self.name}"
        self.worst = worst
        if worst:
            require_searchable(game)

    def hide(self, game: Game) -> Code | None:  # noqa: ARG002
        return None

    def answer(self, now: Round, guess: Code) -> Round:
        if self.worst:
            return now.with_row(guess, evade_best_play(now, guess))
        return now.with_row(guess, evade(now.board, guess))

    def reveal(self, now: Round) -> Code | None:
        return draw_left(now.board, self.random)


def evade(board: Board, guess: Code) -> Score:
    """The score of a guess after which most codes are left; of equals the lowest.

    The score of the code itself comes last, as it ends the game. Raises InconsistentError where no
    code is left before.
    """
    parts = split_codes(board.game, draw_pool(State(board), POOL).codes, guess)
    end = board.game.score(guess, guess)
    return min(parts, key=lambda score: (score == end, -len(parts[score]), score))


def evade_best_play(now: Round, guess: Code) -> Score:
    """The score after which the best play takes the most guesses at worst.

    Of equals, the one that leaves most codes, then the lowest. Costs a complete search for each
    score; raises InconsistentError where no code is left before.
    """
    game = now.board.game
    parts = split_codes(game, draw_pool(State(now.board), game.size).codes, guess)
    end = game.score(guess, guess)

    def order(score: Score) -> tuple[int, int, Score]:
        board = now.board.with_row(guess, score)
        takes = 0 if score == end else count_worst(board, consistent_only=now.consistent_only)
        return -takes, -len(parts[score]), score

    return min(parts, key=order)


def draw_left(board: Board, source: random.Random) -> Code:
    """Any code that is left."""
    pool = draw_pool(State(board), 1, source.randrange(1 << 31))
    return tuple(pool.codes[0].tolist())
