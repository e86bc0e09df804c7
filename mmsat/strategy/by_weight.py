"""The next guess if codes are not equally likely."""

from collections.abc import Sequence
from fractions import Fraction

from mmsat.arrays import Array, np
from mmsat.enumeration.weighing import WeighedCodes
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.results.suggestion import Prospect
from mmsat.strategy.answers import compute_answers
from mmsat.strategy.code_list import all_codes, as_array, is_listed

MAX_PAIRS = 50_000_000
"""All codes of a game that can be listed are tried as guesses if they make at most this many pairs
with consistent codes."""
GUESSES_PER_CHUNK = 256
"""Number of guesses that are scored at a time."""
MAX_TRIED_GUESSES = 1000
"""Maximum number of guesses tried otherwise: the consistent codes with the greatest weights."""
NAME = "least-weight"
"""Name of this method in place of a strategy's name."""


def rank_guesses(
    game: Game, weighed: WeighedCodes, *, consistent_only: bool = False, most: int = 1
) -> list[Prospect]:
    """Return the `most` best guesses, which leave the least weight on average.

    With `consistent_only`, all consistent codes are tried. Otherwise, all codes of the game are
    tried if it can be listed and that takes at most 50 million scores; if not, the thousand
    consistent codes with the greatest weights. Among equal guesses, possible codes come first,
    heavier codes before lighter ones, then the first in lexicographic order. Comparisons are exact,
    in whole numbers.
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
            # proportional to the average remaining weight
            expected_weight = sum(weight * weight for weight in add_up(answers, units)[1])
            ranked.append((expected_weight, -weight_of.get(guess, 0), guess))
    best = [guess for _, _, guess in sorted(ranked)[:most]]
    return [prospect(game, weighed, guess) for guess in best]


def prospect(game: Game, weighed: WeighedCodes, guess: Code) -> Prospect:
    """Return the evaluation of a guess: the sizes and weights of its parts."""
    codes = as_array(game, weighed.codes)
    sizes, weights = add_up(compute_answers(game, codes, [guess])[0], exact_array(weighed.units))
    parts = sorted(zip(sizes, weights, strict=True), reverse=True)
    units = dict(zip(weighed.codes, weighed.units, strict=True)).get(guess, 0)
    return Prospect(
        guess,
        tuple(size for size, _ in parts),
        units > 0,
        Fraction(units, sum(weighed.units)),
        tuple(weight for _, weight in parts),
    )


def exact_array(units: Sequence[int]) -> Array:
    """Return whole numbers as an array with exact sums: int64, or Python integers if too large."""
    return np.array(units, dtype=np.int64 if sum(units) < 1 << 62 else object)


def add_up(answers: Array, units: Array) -> tuple[list[int], list[int]]:
    """Return the number of codes and their total weight for each answer that occurs."""
    _, inverse, sizes = np.unique(answers, return_inverse=True, return_counts=True)
    weights = np.zeros(len(sizes), dtype=units.dtype)
    np.add.at(weights, inverse.reshape(-1), units)
    return sizes.tolist(), weights.tolist()
