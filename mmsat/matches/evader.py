"""A codemaker who cheats fairly: he has chosen no code, and every answer is true of some.

Of either kind: he leaves as many codes as can be, or, in games small enough for complete search,
those that take the best play the most guesses.
"""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from mmsat.board import Board
from mmsat.errors import InputError
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
        that is not searched at each turn, and for hard mode, which is none of best play's.
        """
        super().__init__(game, *settings, **more)
        self.name = f"evil {self.name}"
        self.worst = worst
        if worst:
            require_searchable(game)
            if self.strategy.hard:
                rule = "what is worst for the best play is not known in hard mode"
                raise InputError.of("the codemaker", "no hard mode", "hard mode", rule)

    def hide(self, game: Game) -> Code | None:  # noqa: ARG002
        return None

    def answer(self, now: Round, guess: Code) -> Round:
        takes = partial(count_worst, consistent_only=now.consistent_only) if self.worst else None
        return now.with_row(guess, evade(now.board, guess, takes))

    def reveal(self, now: Round) -> Code | None:
        return draw_left(now.board, self.random)


def evade(board: Board, guess: Code, takes: Callable[[Board], int] | None = None) -> Score:
    """The score of a guess after which most codes are left; of equals the lowest.

    With `takes`, the score after which a board takes most by it, and of equals most codes are left.
    The score of the code itself comes last, as it ends the game. Raises InconsistentError where no
    code is left before.
    """
    parts = split_codes(board.game, draw_pool(State(board), POOL).codes, guess)
    end = board.game.score(guess, guess)

    def order(score: Score) -> tuple[bool, int, int, Score]:
        is_end = score == end
        most = takes(board.with_row(guess, score)) if takes and not is_end else 0
        return is_end, -most, -len(parts[score]), score

    return min(parts, key=order)


def draw_left(board: Board, source: random.Random) -> Code:
    """Any code that is left."""
    pool = draw_pool(State(board), 1, source.randrange(1 << 31))
    return tuple(pool.codes[0].tolist())
