"""Review a played game guess by guess: cost and luck of each guess, and the best guess.

The cost of a guess is the average of a measure after the guess (`Measure`): the number of guesses
with best play, or the number of remaining codes. The guesses of a suggestion are compared by the
same measures (`compare_guesses`). reviews.md, in this folder, has the formulas.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import log2
from time import monotonic
from typing import Any

from mmsat._util import Array
from mmsat._util.arguments import check_arguments
from mmsat.counting.listing import WeighedCodes, weigh_codes
from mmsat.errors import Fault, InconsistentError, InputError, SizeError
from mmsat.game import UNREAD, Code, Row, Score, hide
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.weights import Weights
from mmsat.play.review_result import BEST_PLAY, EXPECTED_CODES, Move, Review, describe
from mmsat.solving.deadline import run_with_progress
from mmsat.strategy.answers import MAX_TABLE_CODES, as_array, split_codes
from mmsat.strategy.candidates import (
    Pool,
    Prospect,
    allowed_guesses,
    best_guesses,
    draw_pool,
    evaluate_guesses,
    rank_guesses,
)
from mmsat.strategy.optimal import TooLongError
from mmsat.strategy.strategies import LARGE_GAME_STRATEGY, choose_strategy
from mmsat.strategy.strategies.heuristics import chooser_for_state
from mmsat.strategy.strategies.optimal import require_searchable, search_subtree
from mmsat.strategy.strategy import State, find_breach
from mmsat.strategy.suggest import Suggestion
from mmsat.strategy.tree import OnProgress, StrategyTree

Partition = dict[Score, int]
"""The partition of the codes by a guess: for each score, the number or the weight of its codes. An
unread part of a score is None."""


class Position:
    """A state of a played game, with the codes by which guesses are judged (the *pool*).

    The pool has all remaining codes, or a sample of them.
    """

    def __init__(
        self,
        state: State,
        size: int,
        seed: int | None,
        weights: Weights | None = None,
        *,
        is_hard: bool = False,
    ) -> None:
        """List the remaining codes. Without weights, draw `size` of them if there are more.

        In hard mode, each guess has to use the information of earlier scores; see
        strategy/strategy.py.
        """
        self.state = state
        self.game = state.game
        self.size = size
        self.seed = seed
        self.weights = weights
        self.is_hard = is_hard
        self.weighed: WeighedCodes | None = None
        if weights is None:
            self.pool = _draw_codes(state, size, seed)
            return
        self.weighed = weigh_codes(state.board, weights)
        codes = as_array(self.game, self.weighed.codes)
        self.pool = Pool(codes, len(codes))
        self.weight_of = dict(zip(self.weighed.codes, self.weighed.units, strict=True))

    @property
    def count(self) -> int | None:
        """The number of remaining codes; None if it is unknown."""
        return self.pool.count

    @property
    def codes_per_weight(self) -> Fraction:
        """The number of remaining codes divided by `weight`, which converts weights to codes.

        Without weights, it is 1 if the pool has all codes, or if their number is unknown.
        """
        return Fraction(self.weight if self.count is None else self.count, self.weight)

    def follow(self, row: Row) -> Position:
        """Return the position after a guess and its score."""
        after = self.state.after(*row)
        return Position(after, self.size, self.seed, self.weights, is_hard=self.is_hard)

    @property
    def weight(self) -> int:
        """The total weight of the codes in the pool; without weights, their number."""
        return len(self.pool.codes) if self.weighed is None else sum(self.weighed.units)

    def allows(self, guess: Code) -> bool:
        """Return whether a guess can be the code."""
        return self.state.allows(guess) if self.weighed is None else guess in self.weight_of

    def split(self, guess: Code, recorded_score: Score | None = None) -> Partition:
        """Return the partition of the codes by the guess.

        Scores are restricted to the parts that are read in `recorded_score`; None means all parts.
        """
        partition: Partition = {}
        for score, codes in split_codes(self.game, self.pool.codes, guess).items():
            visible_score = score if recorded_score is None else hide(score, recorded_score)
            weight = len(codes)
            if self.weighed is not None:
                weight = sum(self.weight_of[code] for code in map(tuple, codes.tolist()))
            partition[visible_score] = partition.get(visible_score, 0) + weight
        return partition

    def most_dividing_guess(self) -> Code:
        """Return the guess that leaves the fewest codes, or the least weight, on average.

        It is the best of all codes in games of up to 32,768 codes, otherwise the best of a sample.
        In hard mode, it is the best of the allowed guesses.
        """
        if self.is_hard and self.state.rows:
            return self._select_most_dividing(allowed_guesses(self.state, self.pool.codes))
        if self.weighed is not None:
            return rank_guesses(self.game, self.weighed)[0].guess
        if fits_table(self.game):
            return chooser_for_state(self.state).choose(
                self.state, "EXPECTED_SIZE", consistent_only=False
            )
        return choose_strategy(self.game, LARGE_GAME_STRATEGY, seed=self.seed or 0).guess(
            self.state
        )

    def most_informative_guess(self) -> Code | None:
        """Return the guess that gives the most information on average, as `suggest` chooses it.

        Return None if codes have weights, or if the game is too large to compare all guesses.
        """
        if self.weighed is not None:
            return None
        if self.is_hard and self.state.rows:
            guesses = [*map(tuple, allowed_guesses(self.state, self.pool.codes).tolist())]
            return best_guesses(evaluate_guesses(self.state, self.pool, guesses), 1)[0].guess
        if fits_table(self.game):
            return chooser_for_state(self.state).choose(
                self.state, "ENTROPY", consistent_only=False
            )
        return None

    def _select_most_dividing(self, guesses: Array) -> Code:
        """Return the guess that leaves the least weight on average, preferring possible codes."""
        costs = {
            code: sum(weight * weight for weight in self.split(code).values())
            for code in map(tuple, guesses.tolist())
        }
        lowest = min(costs.values())
        best = [code for code, cost in costs.items() if cost == lowest]
        return next(filter(self.allows, best), best[0])


def fits_table(game: Game) -> bool:
    """Return whether every code of the game can be compared as the next guess."""
    return game.size <= MAX_TABLE_CODES and game.colors <= 256


def _draw_codes(state: State, size: int, seed: int | None) -> Pool:
    """Return up to `size` codes of a state; the pool is empty if the scores are inconsistent."""
    if state.is_listed and not len(state):
        return Pool(state.codes, 0)
    try:
        return draw_pool(state, size, seed)
    except InconsistentError:
        return Pool(as_array(state.game, ()), 0)


MAX_SEARCHED_CODES = 2500
"""Maximum number of remaining codes for a search of the best play."""
MAX_SEARCHED_SETS = 30_000
"""Maximum number of sets of codes that all searches for one guess may search together."""
MAX_SEARCH_WORK = 40_000_000
"""Maximum product of the number of sets in all searches for one guess and the number of codes of
the game. This work takes about a second."""


class Measure(ABC):
    """A measure by which guesses are judged: a number for each score; lower is better."""

    name: str
    """BEST_PLAY or EXPECTED_CODES."""

    def __init__(self, position: Position) -> None:
        """Measure guesses in this position."""
        self.position = position

    @abstractmethod
    def value_after(self, guess: Code, score: Score, weight: int) -> Fraction:
        """Return the measure after a guess and its score, which leave codes of this weight."""

    @abstractmethod
    def best(self) -> tuple[Code, Fraction]:
        """Return the best guess and its cost."""

    def cost(self, guess: Code, partition: Partition) -> Fraction:
        """Return the cost of a guess: the measure after it, on average over the codes."""
        weighted_values = [
            weight * self.value_after(guess, score, weight) for score, weight in partition.items()
        ]
        return sum(weighted_values, Fraction()) / sum(partition.values())


class RemainingCodes(Measure):
    """The number of remaining codes, which is 1 after a guess that is the code."""

    name = EXPECTED_CODES

    def value_after(self, guess: Code, score: Score, weight: int) -> Fraction:  # noqa: ARG002
        return weight * self.position.codes_per_weight

    def best(self) -> tuple[Code, Fraction]:
        guess = self.position.most_dividing_guess()
        return guess, self.cost(guess, self.position.split(guess))


class RemainingGuesses(Measure):
    """The average number of guesses until the code is found with best play, including this guess.

    The methods raise TooLongError if all searches together exceed the budget for one guess.
    """

    name = BEST_PLAY

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        # One search may search `max_sets` sets of codes. All further searches together may search
        # `remaining_sets`, or more if the last of them begins before they are used up.
        self.max_sets = self.remaining_sets = min(
            MAX_SEARCHED_SETS, MAX_SEARCH_WORK // position.game.size
        )
        self.results: dict[Board, tuple[Code, Fraction]] = {}
        """The results of earlier searches; see `_search`."""

    def value_after(self, guess: Code, score: Score, weight: int) -> Fraction:  # noqa: ARG002
        if score == self.position.game.score(guess, guess):
            return Fraction(1)
        return 1 + self._search(self.position.state.after(guess, score))[1]

    def best(self) -> tuple[Code, Fraction]:
        return self._search(self.position.state)

    def _search(self, state: State) -> tuple[Code, Fraction]:
        """Return the best guess for a state, and the average number of guesses of its codes."""
        if state.board not in self.results:
            if self.remaining_sets < 0:
                raise TooLongError
            tree, num_sets = search_subtree(state, max_sets=self.max_sets)
            self.remaining_sets -= num_sets
            total = StrategyTree(state.game, tree).total
            self.results[state.board] = tree.guess, Fraction(total, len(state))
        return self.results[state.board]


def is_searchable(state: State) -> bool:
    """Return whether best play can be searched: few codes remain, and the game is supported."""
    return _is_game_searchable(state.game) and len(state) <= MAX_SEARCHED_CODES


MIN_DIFFERENCE_BITS = 1e-9
"""Smallest difference of information, in bits, that is not a rounding error."""


@lru_cache(maxsize=16)
def _is_game_searchable(game: Game) -> bool:
    """Return whether a game is small enough to search, and its scores distinguish all codes."""
    try:
        require_searchable(game)
    except (InputError, SizeError):
        return False
    return True


DEFAULT_SIZE = 50_000
"""Default maximum number of codes that guesses are judged by."""


@check_arguments
def review(
    board: Board | str,
    *,
    seed: int | None = None,
    size: int = DEFAULT_SIZE,
    weights: Weights | None = None,
    hard: bool = False,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> Review:
    """Judge each guess of a played game: its skill, its luck, and the best guess instead.

    Parameters
    ----------
    board : Board or str
        The game and its rows in the order of play, or text that `Board.parse` reads.
    seed : int, optional
        Seed of the codes and guesses that are drawn.
    size : int, default 50,000
        Maximum number of codes that guesses are judged by. If more remain, a random sample is used.
    weights : Weights, optional
        Relative probabilities of the codes; guesses are then judged by the weight that they leave
        on average. By default, all codes are equally likely.
    hard : bool, default False
        Whether the game was played in hard mode, in which each guess has to use the information of
        earlier scores. Guesses are then judged by remaining codes, and compared with allowed
        guesses only. Guesses that were not allowed are reported.
    timeout : float, optional
        Time limit in seconds; unlimited by default.
    on_progress : callable, optional
        Called with the number of judged guesses, and the number of all guesses.

    Returns
    -------
    Review
        One move per guess, up to and including the first score that leaves no code.

    Raises
    ------
    InputError
        If a guess has unread pegs, if the board has known codes, or if another argument is invalid.
    TimeLimitError
        If the review is not finished within `timeout`.

    Notes
    -----
    In games of up to 5,040 codes, a guess is judged by best play if that can be searched quickly:
    by the average number of guesses until the code is found, compared with the minimum. All other
    guesses are judged by the average number of codes that they leave. `mmsat/play/reviews.md`
    has the definitions. To judge a guess takes up to some seconds.

    Examples
    --------
    >>> review = mmsat.review("2x3/12=1.0/13=0.0")
    >>> [move.skill for move in review.moves], review.luck
    ([Fraction(1, 1), Fraction(1, 1)], Fraction(-2, 3))
    """
    board = require_complete_guesses(Board.of(board))
    settings: dict[str, Any] = {"seed": seed, "size": size, "weights": weights, "hard": hard}
    return run_with_progress(
        timeout, on_progress, _review, board, task_name="the review", **settings
    )


def _review(board: Board, **settings: Any) -> Review:
    *_, last = iterate_reviews(board, **settings)
    return last


def require_complete_guesses(board: Board) -> Board:
    """Return a board without known codes; raise InputError if a guess has unread pegs."""
    board = board.without_known("a review")
    InputError.refuse(
        [
            Fault(
                "review needs complete guesses", "?", "a color for every peg", part=f"row {number}"
            )
            for number, row in enumerate(board.rows, 1)
            if UNREAD in row.guess
        ]
    )
    return board


def iterate_reviews(
    board: Board,
    *,
    seed: int | None = None,
    size: int = DEFAULT_SIZE,
    weights: Weights | None = None,
    hard: bool = False,
    on_progress: OnProgress = lambda *_: None,
) -> Iterator[Review]:
    """Yield a review without guesses, and then the review so far after each judged guess.

    The arguments are those of `review`.
    """
    start_time = monotonic()
    board = require_complete_guesses(board)
    before = Position(State.start(board.game), size, seed, weights, is_hard=hard)
    moves: list[Move] = []
    is_weighted = weights is not None
    yield Review(board, (), 0.0, hard, is_weighted)
    for number, row in enumerate(board.rows):
        on_progress(number, len(board.rows))
        after = before.follow(row)
        move = _judge(number, row, before, after)
        moves.append(replace(move, sentence=describe(board.game, move)))
        seconds = monotonic() - start_time
        yield Review(board, tuple(moves), seconds, hard, is_weighted)
        if after.count == 0:
            break
        before = after


def _judge(number: int, row: Row, before: Position, after: Position) -> Move:
    """Judge a guess by best play if that is searched quickly, otherwise by remaining codes."""
    is_unrestricted = before.weights is None and not before.is_hard
    if is_unrestricted and is_searchable(before.state):
        with suppress(TooLongError):
            return _make_move(number, row, before, after, RemainingGuesses(before))
    return _make_move(number, row, before, after, RemainingCodes(before))


def _make_move(number: int, row: Row, before: Position, after: Position, measure: Measure) -> Move:
    """Judge a guess by a measure; raises TooLongError if the measure does."""
    guess, score = row
    # The cost is an average over complete scores. Luck and information depend only on the parts of
    # the score that were read.
    cost = measure.cost(guess, before.split(guess))
    best, lowest_cost = measure.best()
    if cost <= lowest_cost:
        best, lowest_cost = guess, cost
    informative, most_bits = None, None
    if measure.name == EXPECTED_CODES and cost > lowest_cost:
        informative, most_bits = _most_informative(before, guess)
    partition = before.split(guess, score)
    luck, luckier, equally_lucky = _measure_luck(row, measure, partition, after.count)
    return Move(
        number=number,
        row=row,
        codes_before=before.count,
        codes_after=after.count,
        judged_by=len(before.pool.codes),
        is_possible=before.allows(guess),
        by=measure.name,
        cost=cost,
        best_cost=lowest_cost,
        best=best,
        luck=luck,
        luckier=luckier,
        equally_lucky=equally_lucky,
        bits=_information(before, after),
        expected_bits=entropy(partition),
        breach=find_breach(before.game, before.state.rows, guess) if before.is_hard else None,
        informative=informative,
        most_bits=most_bits,
    )


def _most_informative(position: Position, guess: Code) -> tuple[Code | None, float | None]:
    """Return the most informative guess, `guess` itself if none is better, and its information."""
    informative = position.most_informative_guess()
    if informative is None:
        return None, None
    most_bits, bits = (entropy(position.split(code)) for code in (informative, guess))
    return (informative, most_bits) if most_bits > bits + MIN_DIFFERENCE_BITS else (guess, bits)


def _information(before: Position, after: Position) -> float | None:
    """Return the information of a score in bits; None if the number of codes is unknown or 0."""
    if not (before.count and after.count):
        return None
    if before.weighed is None or after.weighed is None:
        return log2(before.count) - log2(after.count)
    return log2(before.weight) - log2(after.weight)


def _measure_luck(
    row: Row, measure: Measure, partition: Partition, codes_after: int | None
) -> tuple[Fraction, Fraction, Fraction] | tuple[None, None, None]:
    """Return `luck`, `luckier` and `equally_lucky` of a `Move`; None if they are unknown.

    `partition` is that of the parts of the score that were read.
    """
    if not codes_after or measure.position.count is None:
        return None, None, None
    values = {
        score: measure.value_after(row.guess, score, weight) for score, weight in partition.items()
    }
    actual = values.get(row.score, Fraction(codes_after))  # a sample may lack this score
    total = sum(partition.values())
    weighted_values = (values[score] * weight for score, weight in partition.items())
    expected = sum(weighted_values, Fraction()) / total
    less_lucky = sum(weight for score, weight in partition.items() if values[score] > actual)
    equally_lucky = sum(weight for score, weight in partition.items() if values[score] == actual)
    fraction_equal = Fraction(equally_lucky) / total
    return expected - actual, Fraction(less_lucky) / total + fraction_equal / 2, fraction_equal


def entropy(partition: Partition) -> float:
    """Return the entropy of a partition in bits."""
    total = sum(partition.values())
    return sum(weight * (log2(total) - log2(weight)) for weight in partition.values()) / total


@dataclass(frozen=True)
class Comparison:
    """Guesses and their costs, the cheapest first."""

    by: str
    """The measure: `best-play` or `expected-codes`, as in `Move.by`."""
    guesses: tuple[tuple[Prospect, Fraction | None], ...]
    """Each guess with its cost; the cost is None if it is not yet known, or too slow to compute."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON keys, with colors from 1."""
        return {
            "by": self.by,
            "guesses": [
                prospect.to_dict() | {"cost": None if cost is None else str(cost)}
                for prospect, cost in self.guesses
            ],
        }


def compare_guesses(
    suggestion: Suggestion,
    *,
    seed: int | None = None,
    hard: bool = False,
    on_progress: Callable[[Comparison], None] = lambda _: None,
) -> Comparison:
    """Compare the guesses of a suggestion by the measure of a review.

    The best guess by this measure is added. If scores may be wrong, which a review does not allow,
    or if the codes of the game do not fit in a table, guesses are compared by the remaining codes,
    and no guess is added.

    Parameters
    ----------
    suggestion
        A suggestion for a board that has a consistent code.
    seed
        Seed of the guesses and codes that are drawn.
    hard
        Whether the added guess has to be allowed in hard mode. Guesses are compared by the
        remaining codes, as in a review of a game in hard mode.
    on_progress
        Called with the costs that are known so far.
    """
    state = State(suggestion.board, tolerance=suggestion.tolerance)
    prospects = {
        prospect.guess: prospect
        for prospect in (suggestion.best, *suggestion.others, *suggestion.own)
    }
    position, by, best = None, EXPECTED_CODES, suggestion.best.guess
    if not suggestion.tolerance.lies and fits_table(suggestion.board.game):
        position = Position(state, DEFAULT_SIZE, seed, is_hard=hard)
        by, best = find_best(position)
        if best not in prospects:
            added = evaluate_guesses(state, position.pool, [best])
            prospects |= {prospect.guess: prospect for prospect in added}
    costs: dict[Code, Fraction] = {}

    def sort_key(prospect: Prospect) -> tuple[bool, Fraction, bool, bool, Code]:
        """Return the key that sorts the cheapest guesses first, and unknown costs last."""
        guess = prospect.guess
        cost = costs.get(guess)
        return cost is None, cost or Fraction(), guess != best, not prospect.is_possible, guess

    def make_comparison() -> Comparison:
        ranked = sorted(prospects.values(), key=sort_key)
        return Comparison(by, tuple((prospect, costs.get(prospect.guess)) for prospect in ranked))

    for prospect in sorted(prospects.values(), key=sort_key):
        if position is None or by == EXPECTED_CODES:
            costs[prospect.guess] = prospect.expected * _codes_per_judged(suggestion)
            continue
        with suppress(TooLongError):
            measure = RemainingGuesses(position)  # with a new budget for each guess
            costs[prospect.guess] = measure.cost(prospect.guess, position.split(prospect.guess))
        on_progress(make_comparison())
    return make_comparison()


def find_best(position: Position) -> tuple[str, Code]:
    """Return the name of the measure for a position, and the best guess by this measure."""
    if not position.is_hard and is_searchable(position.state):
        with suppress(TooLongError):
            return BEST_PLAY, RemainingGuesses(position).best()[0]
    return EXPECTED_CODES, position.most_dividing_guess()


def _codes_per_judged(suggestion: Suggestion) -> Fraction:
    """Return the number of remaining codes per code by which guesses are judged.

    Return 1 if the number of remaining codes is unknown.
    """
    count = suggestion.codes
    return Fraction(count.count, suggestion.best.judged_by) if count.exact else Fraction(1)
