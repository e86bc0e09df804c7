"""Suggest the next guess, with its evaluation, its reasons and alternatives.

A strategy chooses the guess, with two exceptions. If codes have weights, the guess that leaves the
least weight on average is chosen (`rank_guesses`). In hard mode with the strategy `auto`, the
allowed guess that leaves the least uncertainty is chosen.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic
from typing import Any, TypedDict

from mmsat._util.arguments import check_arguments
from mmsat._util.arrays import Array, np
from mmsat._util.results import BoardLine, ColorList, Digits, Positive, Ratio, Seconds, Shown
from mmsat._util.text import in_short, plural, quantity
from mmsat.counting import Count
from mmsat.counting.odds import WeighedCodes, weigh_codes
from mmsat.errors import Description, InconsistentError, InputError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.tolerance import STRICT, Tolerance, ToleranceJson
from mmsat.game.weights import Weights
from mmsat.solving.deadline import run_with_progress
from mmsat.strategy.answers import (
    all_codes,
    as_array,
    compute_answers,
    is_listed,
    partition_sizes,
    uncertainty,
)
from mmsat.strategy.candidates import Pool, allowed_guesses, balanced_codes, draw_pool
from mmsat.strategy.strategies import AUTO, STRATEGIES, choose_strategy
from mmsat.strategy.strategy import State, Strategy


class JudgmentJson(TypedDict):
    """Evaluation of a guess against all remaining codes, or against a sample of them."""

    possible: bool
    """Whether the guess can itself be the code."""
    chance: Ratio
    """Probability that the guess is the code; an upper bound unless `codes_exact`."""
    expected: Ratio
    """Expected number of codes that remain after the guess, out of `judged_by` codes."""
    worst: Positive
    """Maximum number of codes that remain after the guess, out of `judged_by` codes."""
    scores: Positive
    """Number of different scores that the guess can get."""
    judged_by: Positive
    """Number of codes that the guess is evaluated against."""


class ProspectJson(JudgmentJson):
    """A guess and its evaluation."""

    guess: ColorList


@dataclass(frozen=True)
class Prospect:
    """A guess, and its evaluation against all consistent codes or against a sample of them."""

    guess: Code
    """The guess, with colors from 0."""
    sizes: tuple[int, ...]
    """For each score that the guess can get, the number of codes that give it this score, in
    descending order. Codes outside the sample are not counted."""
    is_possible: bool
    """Whether the guess can itself be the code."""
    chance: Fraction
    """The probability that the guess is the code; 0 if it cannot be."""
    weights: tuple[int, ...] = ()
    """If codes have weights, the total weight of the codes of each entry of `sizes`, as integers in
    a common unit; otherwise empty."""

    @property
    def judged_by(self) -> int:
        """Number of codes that the guess is evaluated against."""
        return sum(self.sizes)

    @property
    def expected(self) -> Fraction:
        """Expected number of codes that remain after the guess, out of `judged_by` codes.

        If the guess is the code, one code remains.
        """
        weights = self.weights or self.sizes
        weighted_sum = sum(weight * size for weight, size in zip(weights, self.sizes, strict=True))
        return Fraction(weighted_sum, sum(weights))

    @property
    def worst(self) -> int:
        """Maximum number of codes that remain after the guess, out of `judged_by` codes."""
        return self.sizes[0]

    @property
    def scores(self) -> int:
        """Number of different scores that the guess can get."""
        return len(self.sizes)

    def to_dict(self) -> ProspectJson:
        """Return a dict for JSON, with colors from 1."""
        return {"guess": [color + 1 for color in self.guess], **self.judgment()}

    def judgment(self) -> JudgmentJson:
        """Return the evaluation without the guess, for JSON."""
        return {
            "possible": self.is_possible,
            "chance": str(self.chance),
            "expected": str(self.expected),
            "worst": self.worst,
            "scores": self.scores,
            "judged_by": self.judged_by,
        }


class SuggestionJson(ProspectJson, ToleranceJson):
    """The suggested next guess, with its evaluation and alternatives."""

    board: BoardLine
    strategy: str
    """Name of the strategy that chose the guess."""
    codes: Digits
    """Number of codes that remain before the guess; a lower bound unless `codes_exact`."""
    codes_exact: bool
    """Whether `codes` is exact."""
    exact: bool
    """Whether guesses are evaluated against all remaining codes, not against a sample."""
    expected_guesses: Ratio | None
    """Average number of guesses that the code needs from here on, including this one, if the guess
    is provably optimal; otherwise null."""
    others: list[ProspectJson]
    """Alternative guesses, the best first."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Suggestion(Shown):
    """The suggested next guess, with its evaluation and alternatives."""

    board: Board
    """The board to which the guess is to be added."""
    strategy: str
    """Name of the strategy that chose the guess."""
    codes: Count
    """Number of codes that remain before the guess."""
    best: Prospect
    """The suggested guess."""
    others: tuple[Prospect, ...]
    """Alternative guesses, those with the least remaining uncertainty first."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    tolerance: Tolerance = STRICT
    """How wrong the scores of the board may be. Remaining codes are consistent within this
    tolerance."""
    expected_guesses: Fraction | None = None
    """Average number of guesses that the code needs from here on, including this one, if it is
    known and provably minimal; otherwise None. With `consistent_only`, it is the minimum over
    consistent play."""
    consistent_only: bool = False
    """Whether the guess was required to be a possible code."""
    own: tuple[Prospect, ...] = ()
    """Evaluations of the guesses that were passed as `own`."""

    @property
    def guess(self) -> Code:
        """The suggested guess, with colors from 0."""
        return self.best.guess

    @property
    def is_exact(self) -> bool:
        """Whether guesses are evaluated against all remaining codes, not against a sample."""
        return self.codes.exact and self.best.judged_by == self.codes.count

    def records(self) -> list[dict[str, Any]]:
        """Return one record per guess, the best first, for pandas.DataFrame and polars."""
        print_code = speller(self.board.game).print_code
        return [
            {
                **prospect.to_dict(),
                "guess": print_code(prospect.guess),
                "chance": float(prospect.chance),
                "expected": float(prospect.expected),
            }
            for prospect in (self.best, *self.others)
        ]

    def to_dict(self) -> SuggestionJson:
        """Return a dict for JSON, with colors from 1; see schemas/suggest.json."""
        expected_guesses = self.expected_guesses
        return {
            "board": str(self.board),
            "strategy": self.strategy,
            **self.tolerance.optional_dict(),
            "codes": str(self.codes.count),
            "codes_exact": self.codes.exact,
            "exact": self.is_exact,
            **self.best.to_dict(),
            "others": [prospect.to_dict() for prospect in self.others],
            "expected_guesses": None if expected_guesses is None else str(expected_guesses),
            "seconds": round(self.seconds, 6),
        }


MAX_PAIRS = 50_000_000
"""If codes have weights, all codes of the game are tried as guesses if there are at most this many
pairs of a guess and a consistent code."""
GUESSES_PER_CHUNK = 256
"""Number of guesses that are scored at a time, if codes have weights."""
MAX_TRIED_GUESSES = 1000
"""Maximum number of consistent codes tried as guesses, by descending weight, if codes have weights
and not all codes of the game are tried."""
LEAST_WEIGHT_NAME = "least-weight"
"""The name in place of a strategy if the guess is chosen by weights."""


def rank_guesses(
    game: Game, weighed: WeighedCodes, *, consistent_only: bool = False, max_guesses: int = 1
) -> list[Prospect]:
    """Return the best `max_guesses` guesses: those that leave the least weight on average.

    With `consistent_only`, all consistent codes are tried. Otherwise, all codes of the game are
    tried if they can be listed and that takes at most 50 million scores; if not, the thousand
    consistent codes with the greatest weights are tried. Among equally good guesses, possible codes
    come first, in descending order of weight, and then the first in lexicographic order.
    Comparisons are exact, in whole numbers.
    """
    codes = as_array(game, weighed.codes)
    weight_of = dict(zip(weighed.codes, weighed.units, strict=True))
    if consistent_only:
        guesses = [*weighed.codes]
    elif is_listed(game) and game.size * len(codes) <= MAX_PAIRS:
        guesses = [*map(tuple, all_codes(game).tolist())]
    else:
        guesses = sorted(weighed.codes, key=lambda code: (-weight_of[code], code))[
            :MAX_TRIED_GUESSES
        ]
    units = exact_array(weighed.units)
    ranked: list[tuple[int, int, Code]] = []
    for start in range(0, len(guesses), GUESSES_PER_CHUNK):
        chunk = guesses[start : start + GUESSES_PER_CHUNK]
        for guess, answers in zip(chunk, compute_answers(game, codes, chunk), strict=True):
            # The sum of squares is proportional to the average remaining weight.
            weight_key = sum(weight * weight for weight in add_up(answers, units)[1])
            ranked.append((weight_key, -weight_of.get(guess, 0), guess))
    best = [guess for _, _, guess in sorted(ranked)[:max_guesses]]
    return [evaluate_weighted(game, weighed, guess) for guess in best]


def evaluate_weighted(game: Game, weighed: WeighedCodes, guess: Code) -> Prospect:
    """Return the evaluation of a guess if codes have weights."""
    codes = as_array(game, weighed.codes)
    sizes, weights = add_up(compute_answers(game, codes, [guess])[0], exact_array(weighed.units))
    parts = sorted(zip(sizes, weights, strict=True), reverse=True)
    guess_weight = dict(zip(weighed.codes, weighed.units, strict=True)).get(guess, 0)
    return Prospect(
        guess,
        tuple(size for size, _ in parts),
        guess_weight > 0,
        Fraction(guess_weight, sum(weighed.units)),
        tuple(weight for _, weight in parts),
    )


def exact_array(units: Sequence[int]) -> Array:
    """Return whole numbers as an array whose sums are exact: int64, or objects if too large."""
    return np.array(units, dtype=np.int64 if sum(units) < 1 << 62 else object)


def add_up(answers: Array, units: Array) -> tuple[list[int], list[int]]:
    """Return the number of codes and their total weight for each answer that occurs."""
    _, inverse, sizes = np.unique(answers, return_inverse=True, return_counts=True)
    weights = np.zeros(len(sizes), dtype=units.dtype)
    np.add.at(weights, inverse.reshape(-1), units)
    return sizes.tolist(), weights.tolist()


MAX_POOL_CODES = 50_000
"""Maximum number of codes that guesses are evaluated against, by default."""
NUM_OTHERS = 3
"""Number of alternative guesses, by default."""
MAX_SCORED_PEGS = 50_000_000
"""Maximum number of pegs scored in the search for alternative guesses."""
HARD_MODE_NAME = "hard-mode"
"""The name in place of a strategy if the best guess that hard mode allows is chosen."""
SCORE_BASED = (
    *("any-consistent", "genetic", "halving", "parallel-halving"),
    *("sat-consistent", "six-guess", "tree", "weighing"),
)
"""Strategies that use the scores themselves, not only the remaining codes. They do not support lies
and unread guesses."""


@check_arguments
def suggest(
    board: Board | str,
    *,
    strategy: str | Strategy | type[Strategy] = AUTO,
    opening: Sequence[Sequence[int] | str] = (),
    consistent_only: bool = False,
    hard: bool = False,
    seed: int | None = None,
    others: int = NUM_OTHERS,
    lies: int = 0,
    by: str = "rows",
    size: int = MAX_POOL_CODES,
    weights: Weights | None = None,
    own: Sequence[Sequence[int] | str] = (),
    timeout: float | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Suggestion:
    """Suggest the next guess for a board, with an evaluation.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    strategy : str, Strategy or type, default "auto"
        Name of the strategy, with its options, or a `Strategy` or its class. "auto" chooses one for
        the board.
    opening : sequence of guesses, default ()
        The first guesses, as text or as colors from 0. They are made regardless of the scores. With
        `consistent_only` or `hard`, the strategy replaces a forbidden guess by its own choice.
    consistent_only : bool, default False
        Whether the guess must itself be a possible code.
    hard : bool, default False
        Whether the guess must use all hints so far. With "auto", the allowed guess that leaves the
        least uncertainty is chosen.
    seed : int, optional
        Seed of the random choices of codes and guesses.
    others : int, default 3
        Number of alternative guesses to return, up to 100.
    lies : int, default 0
        Maximum number of wrong scores. The remaining codes are considered equally likely, and
        future scores are assumed to be right.
    by : {"rows", "pegs"}, default "rows"
        Unit of `lies`: wrong rows, or key pegs that are wrong, summed over all rows.
    size : int, default 50,000
        Maximum number of codes that guesses are evaluated against. If more codes remain, a random
        sample is used, and the evaluations are estimates.
    weights : Weights, optional
        Relative probabilities of the codes. The guess that leaves the least weight on average is
        then chosen, and `strategy` must be "auto". By default, all codes are equally likely.
    own : sequence of guesses, default ()
        Extra guesses to evaluate, as text or as colors from 0.
    timeout : float, optional
        Time limit in seconds, unlimited by default.
    on_progress : callable, optional
        Called with a description of the current work.

    Returns
    -------
    Suggestion
        The guess, its evaluation, and alternatives. If the guess is proven to be optimal, the
        average number of further guesses is included.

    Raises
    ------
    InconsistentError
        If no code remains.
    InputError
        If the strategy is unknown or does not support the board or the options, or if another
        argument is invalid.
    SizeError
        If the strategy does not support a game of this size, or if lies or weights are given and
        there are too many codes.
    TimeLimitError
        If the suggestion is not finished within `timeout`.

    Examples
    --------
    >>> suggestion = mmsat.suggest("4x6/1122=1.1/3345=0.2")
    >>> suggestion.guess, suggestion.codes.count
    ((0, 3, 4, 0), 36)
    """
    board = Board.of(board).without_known("a suggestion")
    tolerance = Tolerance(lies, by)
    strategy_name = strategy if isinstance(strategy, str) else strategy.name
    if (lies or board.has_unread_pegs) and strategy_name.partition(":")[0] in SCORE_BASED:
        rule = "this strategy does not support lies and unread guesses"
        expected = ", ".join([AUTO, *(name for name in STRATEGIES if name not in SCORE_BASED)])
        raise InputError.of("the strategy", expected, strategy_name, rule)
    if weights is not None and (strategy != AUTO or opening):
        rule = "weights need this strategy"
        raise InputError.of("the strategy", f"{AUTO} without an opening", strategy_name, rule)
    if hard and (lies or weights is not None):
        rule = "hard mode does not support them"
        found = Description("lies" if lies else "weights")
        raise InputError.of("the arguments", "no lies and no weights", found, rule)
    return run_with_progress(
        timeout,
        on_progress,
        _suggest,
        board,
        tolerance,
        task_name="the suggestion",
        advice="the strategy any-consistent may be faster",
        strategy=strategy,
        opening=opening,
        consistent_only=consistent_only,
        hard=hard and not consistent_only,  # a possible code is always allowed
        seed=seed,
        others=others,
        size=size,
        weights=weights,
        own=board.game.require_guesses(own, "the guesses to evaluate"),
    )


def _suggest(
    board: Board,
    tolerance: Tolerance,
    *,
    strategy: str | Strategy | type[Strategy],
    opening: Sequence[Sequence[int] | str],
    consistent_only: bool,
    hard: bool,
    seed: int | None,
    others: int,
    size: int,
    weights: Weights | None,
    own: Sequence[Code],
    on_progress: Callable[[str], None],
) -> Suggestion:
    """Return the suggestion for validated arguments."""
    started = monotonic()
    on_progress("finding the remaining codes")
    if weights is not None:
        # With weights, neither a strategy nor a sample is used.
        weighed = weigh_codes(board, weights, tolerance)
        if not weighed.codes:
            raise InconsistentError("No code with a weight above 0 gets these scores.")
        best, *ranked = rank_guesses(
            board.game, weighed, consistent_only=consistent_only, max_guesses=others + 1
        )
        count = Count(len(weighed.codes), exact=True, method="weighing", seconds=0.0)
        fields = (
            board,
            LEAST_WEIGHT_NAME,
            count,
            best,
            tuple(ranked),
            monotonic() - started,
            tolerance,
        )
        own_prospects = tuple(evaluate_weighted(board.game, weighed, guess) for guess in own)
        return Suggestion(*fields, None, consistent_only, own_prospects)
    state = State(board, tolerance=tolerance)
    strategy_object = choose_strategy(
        board.game, strategy, opening=opening, consistent_only=consistent_only, hard=hard, seed=seed
    )
    pool = draw_pool(state, size, seed)
    on_progress(f"choosing a guess for {count_pool(pool)} codes")
    name, expected_guesses = HARD_MODE_NAME, None
    if hard and board.rows and strategy == AUTO and not opening:
        # All allowed guesses are evaluated, instead of calling a strategy.
        allowed = map(tuple, allowed_guesses(state, pool.codes).tolist())
        best, *ranked = sorted(evaluate_guesses(state, pool, [*allowed]), key=_rank)
    else:
        guess = strategy_object.guess(state)
        on_progress("evaluating other guesses")
        guesses = [guess, *(other for other in _candidates(state, pool, seed) if other != guess)]
        best, *ranked = evaluate_guesses(state, pool, guesses)
        ranked.sort(key=_rank)
        name = strategy_object.name
        expected_guesses = None if hard else strategy_object.promise(state)
    return Suggestion(
        board,
        name,
        count_pool(pool),
        best,
        tuple(ranked[:others]),
        monotonic() - started,
        tolerance,
        expected_guesses,
        consistent_only,
        tuple(evaluate_guesses(state, pool, list(own))),
    )


def _candidates(state: State, pool: Pool, seed: int | None) -> Iterable[Code]:
    """Return alternative guesses: random possible codes, or balanced codes if there are no rows."""
    codes = pool.codes
    max_candidates = max(
        NUM_OTHERS + 1, min(len(codes), MAX_SCORED_PEGS // (state.game.pegs * len(codes)))
    )
    indices = random.Random(seed or 0).sample(range(len(codes)), min(max_candidates, len(codes)))
    random_codes = (tuple(codes[index].tolist()) for index in sorted(indices))
    return (not state.rows and list(balanced_codes(state.game))) or random_codes


def evaluate_guesses(state: State, pool: Pool, guesses: list[Code]) -> Iterator[Prospect]:
    """Yield the evaluation of each guess against the codes of a pool."""
    count = len(pool.codes) if pool.count is None else pool.count
    partitions = partition_sizes(state.game, pool.codes, guesses)
    for guess, sizes in zip(guesses, partitions, strict=True):
        is_possible = state.allows(guess)
        chance = Fraction(1, count) if is_possible else Fraction(0)
        yield Prospect(guess, tuple(sizes), is_possible, chance)


def _rank(prospect: Prospect) -> tuple[int, bool, Code]:
    """Return the sort key of guesses, the best first."""
    return uncertainty(prospect.sizes), not prospect.is_possible, prospect.guess


def count_pool(pool: Pool) -> Count:
    """Return the number of consistent codes; if unknown, the size of the pool as a lower bound."""
    if pool.count is not None:
        return Count(pool.count, exact=True, method="pool", seconds=0.0)
    return Count(len(pool.codes), exact=False, method="walk", seconds=0.0)


def suggestion_sentences(suggestion: Suggestion) -> list[str]:
    """Return a suggestion and its reasons as sentences."""
    print_code = speller(suggestion.board.game).print_code
    count, best = suggestion.codes, suggestion.best
    is_single = count.exact and count.count == 1
    within = f" within {suggestion.tolerance}" if suggestion.tolerance.lies else ""
    sentences = [f"{count} {'code' if is_single else 'codes'} remain{'s' * is_single}{within}."]
    if is_single and _is_solved(suggestion):
        return [f"The board is solved: {print_code(best.guess)} is the code."]
    if is_single and best.is_possible:
        return [*sentences, f"Guess {print_code(best.guess)}: it is the code."]
    sentences.append(f"Guess {print_code(best.guess)}: {_describe(suggestion, best)}.")
    if suggestion.expected_guesses is not None:
        average = f"{in_short(suggestion.expected_guesses)} guesses on average, this one included"
        play = " of consistent play" if suggestion.consistent_only else ""
        sentences.append(f"The code then takes {average}: the best possible average{play}.")
    if within:
        sentences.append("This assumes that future scores are correct.")
    if suggestion.others:
        others = ", ".join(print_code(other.guess) for other in suggestion.others)
        sentences.append(f"Or {others}.")
    return sentences


def _is_solved(suggestion: Suggestion) -> bool:
    """Return whether a row of the board has the best guess, with the winning score."""
    game, guess = suggestion.board.game, suggestion.best.guess
    winning_score = game.score(guess, guess)
    return suggestion.best.is_possible and Row(guess, winning_score) in suggestion.board.rows


def _describe(suggestion: Suggestion, prospect: Prospect) -> str:
    """Return the evaluation of a guess in words."""
    count, size = suggestion.codes, prospect.judged_by
    if suggestion.is_exact:
        remaining = (
            f"it leaves {in_short(prospect.expected)} codes on average, {prospect.worst:,} at worst"
        )
    else:
        mean, worst = prospect.expected / size, prospect.worst / size  # fractions of the codes
        if count.exact:
            remaining = f"it leaves about {in_short(mean * count.count)} codes on average"
        else:
            remaining = f"it leaves about {float(mean):.2%} of the codes on average"
        remaining += f", about {worst:.2%} of them at worst (judged by {quantity(size, 'code')})"
    scores = f"{prospect.scores} different {plural('score', prospect.scores)}"
    if not prospect.is_possible:
        return f"{remaining}, with {scores}; it cannot itself be the code"
    prefix = "" if count.exact else "at most "
    chance = f"{prospect.chance.numerator:,} in {prospect.chance.denominator:,}"
    return f"{remaining}, with {scores}; chance of being the code: {prefix}{chance}"
