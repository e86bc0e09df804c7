"""Players, who choose codes, score guesses and guess."""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence

from mmsat.board import Board
from mmsat.enumeration.codes import codes
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.matches.round import Round
from mmsat.strategy.selection import AUTO, choose_strategy
from mmsat.strategy.state import State


class Player(ABC):
    """A player of one game. Players are identified by their names."""

    name: str

    @abstractmethod
    def hide(self, game: Game) -> Code | None:
        """Return a code for the opponent to find; None if only the player knows it."""

    @abstractmethod
    def guess(self, now: Round) -> Code:
        """Return the next guess of a round that is not over."""

    @abstractmethod
    def answer(self, now: Round, guess: Code) -> Round:
        """Return the round with the guess scored.

        The player may correct its earlier scores.
        """

    @abstractmethod
    def reveal(self, now: Round) -> Code | None:
        """Return the code of a round that is over; None if it is not revealed."""


class Machine(Player):
    """A player that follows a strategy. Its codes are drawn uniformly at random."""

    def __init__(
        self,
        game: Game,
        strategy: str = AUTO,
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
        known_rows = 0 if state is None else len(state.rows)
        if state is None or state.game != board.game or state.rows != board.rows[:known_rows]:
            state, known_rows = State.start(board.game), 0
        for row in board.rows[known_rows:]:  # codes that were listed are filtered, not listed again
            state = state.after(*row)
        self._state = state
        return self.strategy.guess(state)

    def answer(self, now: Round, guess: Code) -> Round:
        return now.with_row(guess)

    def reveal(self, now: Round) -> Code | None:
        return now.secret


def draw_code(game: Game, source: random.Random) -> Code:
    """Return a code of a game, drawn uniformly at random."""
    (code,) = codes(Board(game)).sample(1, seed=source.randrange(1 << 31))
    return code


def play_round(now: Round, breakers: Sequence[Player], maker: Player) -> Round:
    """Play a round to its end. Several breakers guess in turn."""
    while not now.is_over:
        breaker = breakers[len(now.board.rows) % len(breakers)]
        now = maker.answer(now, breaker.guess(now))
    return now
