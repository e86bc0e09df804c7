"""Players: the base class, machines that follow a strategy, and an evading codemaker.

The evading codemaker has no fixed code. Its scores are consistent, and leave as many codes as
possible. In games that are small enough for a complete search, they can instead maximize the number
of guesses with best play (`worst`).
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mmsat.counting.codes import codes
from mmsat.errors import Description, InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.play.round import Round
from mmsat.strategy.answers import split_codes
from mmsat.strategy.candidates import draw_pool
from mmsat.strategy.selection import AUTO, choose_strategy
from mmsat.strategy.strategies.optimal import count_worst, require_searchable
from mmsat.strategy.strategy import State, Strategy


class Player(ABC):
    """A player of one game. Players are identified by their names."""

    name: str

    @abstractmethod
    def hide(self, game: Game) -> Code | None:
        """Return a code for the opponent to find; None if only the player knows the code."""

    @abstractmethod
    def guess(self, now: Round) -> Code:
        """Return the next guess of a round that is not over."""

    @abstractmethod
    def answer(self, now: Round, guess: Code) -> Round:
        """Return the round with the guess and its score.

        The player may also correct earlier scores.
        """

    @abstractmethod
    def reveal(self, now: Round) -> Code | None:
        """Return the code of a round that is over; None if it is not revealed."""


class Machine(Player):
    """A player that follows a strategy. Its codes are drawn uniformly at random."""

    def __init__(
        self,
        game: Game,
        strategy: str | Strategy | type[Strategy] = AUTO,
        seed: int | None = None,
        *,
        consistent_only: bool = False,
        hard: bool = False,
    ) -> None:
        """Create the player. `seed` determines its random choices; None means an arbitrary seed."""
        self.random = random.Random(seed)
        self.strategy = choose_strategy(
            game,
            strategy,
            consistent_only=consistent_only,
            hard=hard,
            seed=self.random.randrange(1 << 31),
        )
        self.name = self.strategy.name
        self._state: State | None = None

    def hide(self, game: Game) -> Code | None:
        return draw_code(game, self.random)

    def guess(self, now: Round) -> Code:
        """Return the guess of the strategy.

        Raises InconsistentError if scores contradict each other.
        """
        state, board = self._state, now.board
        num_rows = 0 if state is None else len(state.rows)
        if state is None or state.game != board.game or state.rows != board.rows[:num_rows]:
            state, num_rows = State.start(board.game), 0
        for row in board.rows[num_rows:]:  # filters the listed codes instead of listing them again
            state = state.after(*row)
        self._state = state
        return self.strategy.guess(state)

    def answer(self, now: Round, guess: Code) -> Round:
        return now.with_row(guess)

    def reveal(self, now: Round) -> Code | None:
        return now.secret


def draw_code(game: Game, rng: random.Random) -> Code:
    """Draw a code of the game uniformly at random."""
    (code,) = codes(Board(game)).sample(1, seed=rng.randrange(1 << 31))
    return code


def play_round(now: Round, breakers: Sequence[Player], maker: Player) -> Round:
    """Play a round to its end. Several breakers guess in turn."""
    while not now.is_over:
        breaker = breakers[len(now.board.rows) % len(breakers)]
        now = maker.answer(now, breaker.guess(now))
    return now


MAX_CONSIDERED_CODES = 50_000
"""Maximum number of remaining codes that an evading codemaker considers. If there are more, this
many are drawn at random."""


class Evader(Machine):
    """A codemaker whose scores leave as many codes as possible, and an ordinary codebreaker."""

    def __init__(self, game: Game, *args: Any, worst: bool = False, **kwargs: Any) -> None:
        """Create a machine whose name starts with "evil". Other arguments are those of `Machine`.

        With `worst`, scores maximize the number of guesses with best play. Then the constructor
        raises SizeError or InputError if the game cannot be searched at each turn, and InputError
        in hard mode, for which best play is not known.
        """
        super().__init__(game, *args, **kwargs)
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


def evade(board: Board, guess: Code, count_guesses: Callable[[Board], int] | None = None) -> Score:
    """Return the score of a guess that leaves the most codes; of equal scores, the lowest.

    With `count_guesses`, the score first maximizes `count_guesses` of the board with this score.
    The score of the code itself ends the game, so it is only given if no other score is possible.
    Raises InconsistentError if no code remains.
    """
    codes_by_score = split_codes(
        board.game, draw_pool(State(board), MAX_CONSIDERED_CODES).codes, guess
    )
    winning_score = board.game.score(guess, guess)

    def order(score: Score) -> tuple[bool, int, int, Score]:
        is_end = score == winning_score
        guesses_needed = (
            count_guesses(board.with_row(guess, score)) if count_guesses and not is_end else 0
        )
        return is_end, -guesses_needed, -len(codes_by_score[score]), score

    return min(codes_by_score, key=order)


def draw_remaining_code(board: Board, rng: random.Random) -> Code:
    """Return one of the remaining codes at random."""
    pool = draw_pool(State(board), 1, rng.randrange(1 << 31))
    return tuple(pool.codes[0].tolist())
