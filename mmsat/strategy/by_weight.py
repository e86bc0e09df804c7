"""The next guess where codes are not equally likely."""

from collections.abc import Sequence
from fractions import Fraction

from mmsat.arrays import Array, np
from mmsat.enumeration.weighing import WeighedCodes
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.results.suggestion import Prospect
from mmsat.strategy.answers import compute_answers
from mmsat.strategy.code_list import all_codes, as_array, is_listed

WORK = 50_000_000
"""Pairs of a guess and a code that are scored at most to try all codes of a game."""
CHUNK = 256
"""Guesses that are scored at a time."""
TRIED = 1000
"""Guesses of the likeliest codes that are tried in larger games, with no more codes than those."""
NAME = "least-weight"
"""What this is called where strategies have names."""


def rank_guesses(
    game: Game, weighed: WeighedCodes, *, consistent_only: bool = False, most: int = 1
) -> list[Prospect]:
    """The best guesses: those that leave the least weight on average.

    All codes of the game are tried where that is at most 50 million scores, else the thousand that
    weigh most. Among equals, those that can be the code come first, the heavier before the lighter,
    then the first in order. Whole numbers decide.
    """
    codes = as_array(game, weighed.codes)
    weight_of = dict(zip(weighed.codes, weighed.units, strict=True))
    if consistent_only:
        guesses = [*weighed.codes]
    elif is_listed(game) and game.size * len(codes) <= WORK:
        guesses = [*map(tuple, all_codes(game).tolist())]
    else:
        guesses = sorted(weighed.codes, key=lambda code: (-weight_of[code], code))[:TRIED]
    units = exact_array(weighed.units)
    ranked: list[tuple[int, int, Code]] = []
    for start in range(0, len(guesses), CHUNK):
        some = guesses[start : start + CHUNK]
        for guess, answers in zip(some, compute_answers(game, codes, some), strict=True):
            left = sum(each * each for each in add_up(answers, units)[1])
            ranked.append((left, -weight_of.get(guess, 0), guess))
    best = [guess for _, _, guess in sorted(ranked)[:most]]
    return [prospect(game, weighed, guess) for guess in best]


def prospect(game: Game, weighed: WeighedCodes, guess: Code) -> Prospect:
    """What a guess promises."""
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
    """Whole numbers as an array that adds them up exactly."""
    return np.array(units, dtype=np.int64 if sum(units) < 1 << 62 else object)


def add_up(answers: Array, units: Array) -> tuple[list[int], list[int]]:
    """By answer, how many codes give it and what they weigh."""
    _, which, sizes = np.unique(answers, return_inverse=True, return_counts=True)
    weights = np.zeros(len(sizes), dtype=units.dtype)
    np.add.at(weights, which.reshape(-1), units)
    return sizes.tolist(), weights.tolist()
