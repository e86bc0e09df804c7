"""Rounds, in which a hidden code is guessed, and their players.

**Players** are machines that follow a strategy, or an evading codemaker. The evading codemaker has
no fixed code. Its scores are consistent, and leave as many codes as possible. With `worst`, they
instead make the best play of the codebreaker as long as possible, in games that are small enough
for a complete search.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from mmsat._util.arguments import (
    RULES,
    check_arguments,
    check_constructor,
    instance_of,
    satisfying,
    whole_number_from,
)
from mmsat.counting.codes import codes
from mmsat.errors import Description, InputError
from mmsat.game import UNREAD, Code, Row, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.strategy.answers import split_codes
from mmsat.strategy.candidates import draw_pool
from mmsat.strategy.strategies import AUTO, choose_strategy
from mmsat.strategy.strategies.optimal import count_worst_guesses, require_searchable
from mmsat.strategy.strategy import State, Strategy, find_breach


class Player(ABC):
    """A player of one game. Players are identified by their names."""

    name: str
    """The name in results."""

    @abstractmethod
    def hide(self, game: Game) -> Code | None:
        """Return a code for the opponent to find.

        Parameters
        ----------
        game : Game
            The game to play.

        Returns
        -------
        tuple of int or None
            The code, with colors from 0; None if only the player knows it.
        """

    @abstractmethod
    def guess(self, now: Round) -> Code:
        """Return the next guess of a round that is not over.

        Parameters
        ----------
        now : Round
            The state of the round.

        Returns
        -------
        tuple of int
            The guess, with colors from 0.
        """

    @abstractmethod
    def answer(self, now: Round, guess: Code) -> Round:
        """Return the round with the guess and its score.

        The player may also correct earlier scores.

        Parameters
        ----------
        now : Round
            The state of the round.
        guess : tuple of int
            The guess of the opponent, with colors from 0.

        Returns
        -------
        Round
            The next state, such as `now.with_row(guess)`.
        """

    @abstractmethod
    def reveal(self, now: Round) -> Code | None:
        """Return the code of a round that is over.

        Parameters
        ----------
        now : Round
            The state of the round.

        Returns
        -------
        tuple of int or None
            The code, with colors from 0; None if it is not revealed.
        """


@check_constructor
class Machine(Player):
    """A player that follows a strategy. Its codes are drawn uniformly at random.

    Parameters
    ----------
    game : Game or str
        The game to play, or its size or name.
    strategy : str, Strategy or type, default "auto"
        The strategy of the guesses, its class or its name.
    seed : int, optional
        Seed of the random choices; None means an arbitrary seed.
    consistent_only : bool, default False
        Whether only codes that remain possible are guessed.
    hard : bool, default False
        Whether each guess uses the information of earlier scores.
    """

    def __init__(
        self,
        game: Game | str,
        strategy: str | Strategy | type[Strategy] = AUTO,
        seed: int | None = None,
        *,
        consistent_only: bool = False,
        hard: bool = False,
    ) -> None:
        self.random = random.Random(seed)
        self.strategy = choose_strategy(
            Game.of(game),
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

        Parameters
        ----------
        now : Round
            The state of the round.

        Returns
        -------
        tuple of int
            The guess, with colors from 0.

        Raises
        ------
        InconsistentError
            If scores contradict each other.
        """
        state, board = self._state, now.board
        num_rows = 0 if state is None else len(state.rows)
        if state is None or state.game != board.game or state.rows != board.rows[:num_rows]:
            state, num_rows = State.start(board.game), 0
        # If the last state has the first rows of the board, its listed codes are only filtered.
        for row in board.rows[num_rows:]:
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


GIVEN_LETTERS = {"lingo": 1}
"""By the name of the game, the number of letters that the codemaker reveals before the first guess:
the first letters of the code."""


def given_rows(game: Game, secret: Code) -> tuple[Row, ...]:
    """Return the row of the given letters, in which all other pegs are unread; usually none."""
    if (count := GIVEN_LETTERS.get(game.name)) is None:
        return ()
    score = game.score(secret, secret)
    guess = (*secret[:count], *[UNREAD] * (game.pegs - count))
    return (Row(guess, (*score[:count], *[None] * (game.pegs - count))),)


@check_arguments
def play_round(now: Round, breakers: Sequence[Player], maker: Player) -> Round:
    """Play a round to its end.

    Parameters
    ----------
    now : Round
        The state at the start. If it has a secret, `Machine` scores guesses by it.
    breakers : sequence of Player
        The players who guess, in turn.
    maker : Player
        The player who scores the guesses.

    Returns
    -------
    Round
        The state in which the code is found, or in which no turns remain.

    Raises
    ------
    InputError
        If an argument is invalid.

    Examples
    --------
    >>> game = mmsat.Game(4, 6)
    >>> start = mmsat.Round(mmsat.Board(game), turns=10, secret=(0, 1, 2, 2))
    >>> breaker, maker = (mmsat.Machine(game, "knuth", seed=1) for _ in range(2))
    >>> mmsat.play_round(start, [breaker], maker).is_found
    True
    """
    while not now.is_over:
        breaker = breakers[now.num_guesses % len(breakers)]
        now = maker.answer(now, breaker.guess(now))
    return now


MAX_CONSIDERED_CODES = 50_000
"""Maximum number of remaining codes that an evading codemaker considers. If more codes remain, a
random sample of this size is considered."""


@check_constructor
class Evader(Machine):
    """A player who evades as codemaker, and follows the strategy as codebreaker.

    As codemaker, the player has no fixed code: the scores leave as many codes as possible.

    Parameters
    ----------
    game : Game or str
        The game to play, or its size or name.
    *args
        The other positional arguments of `Machine`.
    worst : bool, default False
        Whether scores maximize the number of guesses with best play. This needs a game that can be
        searched at each turn, without hard mode.
    **kwargs
        The keyword arguments of `Machine`.
    """

    def __init__(self, game: Game | str, *args: Any, worst: bool = False, **kwargs: Any) -> None:
        game = Game.of(game)
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
            partial(count_worst_guesses, consistent_only=now.consistent_only)
            if self.worst
            else None
        )
        return now.with_row(guess, evade(now.board, guess, count_guesses))

    def reveal(self, now: Round) -> Code | None:
        return draw_remaining_code(now.board, self.random)


def evade(board: Board, guess: Code, count_guesses: Callable[[Board], int] | None = None) -> Score:
    """Return the score that leaves the most codes after `guess`; of several, the lowest.

    If `count_guesses` is given, it is called with the board after each possible score, and the
    score with the largest result is chosen. The number of remaining codes then decides ties. The
    score of the code itself ends the game, so it is only given if no other score is possible.
    Raises InconsistentError if no code remains.
    """
    codes_by_score = split_codes(
        board.game, draw_pool(State(board), MAX_CONSIDERED_CODES).codes, guess
    )
    winning_score = board.game.score(guess, guess)

    def sort_key(score: Score) -> tuple[bool, int, int, Score]:
        """Return the sort key of a score; the smallest key is the best for the codemaker."""
        is_end = score == winning_score
        guesses_needed = (
            count_guesses(board.with_row(guess, score)) if count_guesses and not is_end else 0
        )
        return is_end, -guesses_needed, -len(codes_by_score[score]), score

    return min(codes_by_score, key=sort_key)


def draw_remaining_code(board: Board, rng: random.Random) -> Code:
    """Return one of the remaining codes at random."""
    pool = draw_pool(State(board), 1, rng.randrange(1 << 31))
    return tuple(pool.codes[0].tolist())


@check_constructor
@dataclass(frozen=True, slots=True)
class Round:
    """The state of a round. Each move returns a new round, so moves can be undone."""

    board: Board
    """The guesses so far, with their scores."""
    turns: int | None = None
    """The maximum number of guesses; None for no limit."""
    secret: Code | None = None
    """The code, with colors from 0; None if the machine does not know it."""
    consistent_only: bool = False
    """Whether only remaining codes may be guessed: Consistent Mastermind (de Bondt 2004)."""
    hard: bool = False
    """Whether each guess must use the information of earlier scores; see strategy/strategy.py."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", Board.of(self.board))
        game, secret = self.board.game, self.secret
        if secret is not None and not game.space.contains(*game.require(secret=secret)):
            raise InputError.of("the secret", f"a code of {game}", secret, game.space.summary)

    @property
    def is_found(self) -> bool:
        """Whether the last guess got the score of the code itself."""
        return self.board.is_solved

    @property
    def is_over(self) -> bool:
        """Whether the code is found, or no turns remain."""
        return self.is_found or self.remaining_turns == 0

    @property
    def remaining_turns(self) -> int | None:
        """The number of remaining guesses; None for no limit."""
        return None if self.turns is None else max(0, self.turns - self.num_guesses)

    @property
    def num_guesses(self) -> int:
        """The number of guesses so far. Rows with unread pegs, for given letters, do not count."""
        return sum(UNREAD not in row.guess for row in self.board.rows)

    def with_row(self, guess: Code, score: Score | None = None) -> Round:
        """Return the round with one more guess.

        Parameters
        ----------
        guess : tuple of int
            The guess, with colors from 0.
        score : tuple of int, optional
            The score; by default, that for the secret.

        Returns
        -------
        Round
            The next state.

        Raises
        ------
        ValueError
            If the guess is forbidden, or if there is neither a score nor a secret.
        """
        if self.consistent_only and not self.board.is_consistent(guess):
            raise ValueError("the guess contradicts an earlier score")
        if self.hard and find_breach(self.board.game, self.board.rows, guess) is not None:
            raise ValueError("hard mode requires guesses that use all revealed information")
        if score is None:
            if self.secret is None:
                raise ValueError("the guess needs a score because the secret is unknown")
            score = self.board.game.score(self.secret, guess)
        return replace(self, board=Board(self.board.game, (*self.board.rows, Row(guess, score))))

    def without_last(self, num_rows: int = 1) -> Round:
        """Return the round without its last rows.

        Parameters
        ----------
        num_rows : int, default 1
            Number of rows to remove. Given letters remain.

        Returns
        -------
        Round
            The earlier state.
        """
        num_given = len(self.board.rows) - self.num_guesses
        kept_rows = self.board.rows[: max(num_given, len(self.board.rows) - num_rows)]
        return replace(self, board=Board(self.board.game, kept_rows))

    def with_score(self, row: int, score: Score) -> Round:
        """Return the round with another score in one row.

        Parameters
        ----------
        row : int
            Index of the row, from 0.
        score : tuple of int
            The new score.

        Returns
        -------
        Round
            The corrected state.
        """
        return replace(self, board=self.board.changed({row: tuple(score)}))


# The rules by which `check_arguments` and `check_constructor` check arguments of these names.
RULES["Round.turns"] = whole_number_from(0)
RULES["play_round.now"] = instance_of("a Round", Round)
RULES["play_round.maker"] = instance_of("a Player", Player)
RULES |= dict.fromkeys(
    ("play_round.breakers", "match.players"),
    satisfying(
        "at least one Player in a list, such as mmsat.Machine(game, 'knuth')",
        lambda value: (
            isinstance(value, Sequence)
            and len(value) > 0
            and all(isinstance(player, Player) for player in value)
        ),
    ),
)
