"""Evaluate guesses, and rank them by what they leave.

Without weights, guesses are evaluated against a pool of codes, and the guess that leaves the least
uncertainty is the best. If codes have weights, the guess that leaves the least weight on average is
the best.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from math import fsum, log
from typing import TypedDict

from mmsat._util import Array, np
from mmsat._util.results import ColorList, Positive, Ratio
from mmsat.counting.listing import WeighedCodes
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.strategy.answers import (
    all_codes,
    as_array,
    compute_answers,
    is_listed,
    partition_sizes,
    uncertainty,
)
from mmsat.strategy.candidates import Pool
from mmsat.strategy.strategy import State


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


def evaluate_guesses(state: State, pool: Pool, guesses: list[Code]) -> Iterator[Prospect]:
    """Yield the evaluation of each guess against the codes of a pool."""
    count = len(pool.codes) if pool.count is None else pool.count
    partitions = partition_sizes(state.game, pool.codes, guesses)
    for guess, sizes in zip(guesses, partitions, strict=True):
        is_possible = state.allows(guess)
        chance = Fraction(1, count) if is_possible else Fraction(0)
        yield Prospect(guess, tuple(sizes), is_possible, chance)


def best_guesses(prospects: Iterable[Prospect], limit: int) -> list[Prospect]:
    """Return the best `limit` guesses, the best first.

    Exact comparisons are slow for many codes. Only the guesses that floating-point numbers, which
    are accurate to far more than 9 digits, do not exclude are compared exactly.
    """
    estimated = [
        (fsum(size * log(size) for size in prospect.sizes), prospect) for prospect in prospects
    ]
    lowest = nsmallest(limit, (estimate for estimate, _ in estimated))
    bound = lowest[-1] * (1 + 1e-9) if lowest else 0.0
    return sorted((prospect for estimate, prospect in estimated if estimate <= bound), key=_rank)[
        :limit
    ]


def _rank(prospect: Prospect) -> tuple[int, bool, Code]:
    """Return the sort key of guesses, the best first."""
    return uncertainty(prospect.sizes), not prospect.is_possible, prospect.guess


MAX_PAIRS = 50_000_000
"""If codes have weights, all codes of the game are tried as guesses if there are at most this many
pairs of a guess and a consistent code."""
GUESSES_PER_CHUNK = 256
"""Number of guesses that are scored at a time, if codes have weights."""
MAX_TRIED_GUESSES = 1000
"""Maximum number of consistent codes tried as guesses, by descending weight, if codes have weights
and not all codes of the game are tried."""


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
