"""Searches of endgames, compared with exhaustive search."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mmsat.game.game import Game
from mmsat.strategy.optimal import EndgameLimits, TooLongError, solve_endgame
from tests.support import twins

GAMES = ["4x6", "3x4b", "4x5!", "3x5w", "2x2x3", "3x4p"]


def partition(game, codes, guess):
    """Return the parts into which a guess divides codes, except the guess itself."""
    parts = {}
    for code in codes:
        if code != guess:
            parts.setdefault(twins.score(game.scoring, code, guess), []).append(code)
    return [*parts.values()]


def minimum_total(game, codes, guesses, cache):
    """Return the minimum total number of guesses over all codes, by exhaustive search.

    If `guesses` is empty, only consistent codes are guessed.
    """
    if len(codes) <= 2:
        return 2 * len(codes) - 1
    if tuple(codes) not in cache:
        totals = []
        for guess in guesses or codes:
            parts = partition(game, codes, guess)
            if len(parts) > 1 or guess in codes:
                totals.append(
                    len(codes) + sum(minimum_total(game, part, guesses, cache) for part in parts)
                )
        cache[tuple(codes)] = min(totals)
    return cache[tuple(codes)]


def played_total(game, codes, guesses):
    """Return the total number of guesses over all codes if `solve_endgame` makes each guess."""
    array = np.array(codes, dtype=np.uint8)
    others = [guess for guess in guesses if guess not in codes]
    guess = solve_endgame(game, array, others, consistent_only=not guesses)[1]
    assert guess in (guesses or codes)
    return len(codes) + sum(
        played_total(game, part, guesses) for part in partition(game, codes, guess)
    )


@pytest.mark.parametrize("size", GAMES)
@pytest.mark.parametrize("num_others", [0, 1, 12])
def test_the_total_is_minimal_for_the_given_guesses(size, num_others):
    game, rng = Game.parse(size), random.Random(1)
    all_codes = [*twins.codes(game)]
    for count in (1, 2, 3, 5, 8, 11, 14):
        codes = sorted(rng.sample(all_codes, min(count, len(all_codes))))
        other_codes = [code for code in all_codes if code not in codes]
        others = rng.sample(other_codes, min(num_others, len(other_codes)))
        array, guesses = np.array(codes, dtype=np.uint8), [*codes, *others]
        total, _ = solve_endgame(game, array, others)
        assert total == minimum_total(game, codes, guesses, {})
        assert total == played_total(game, codes, guesses)
        total, _ = solve_endgame(game, array, others, consistent_only=True)
        assert total == minimum_total(game, codes, (), {}) == played_total(game, codes, ())


def test_a_guess_that_is_not_a_possible_code_may_save_guesses():
    """Four codes differ in one peg only, and another guess divides them into three parts."""
    game = Game.parse("4x6")
    codes = np.array([(0, 0, 0, last) for last in range(4)], dtype=np.uint8)
    assert solve_endgame(game, codes)[0] == 1 + 2 + 3 + 4
    assert solve_endgame(game, codes, [(0, 0, 1, 2)]) == (9, (0, 0, 1, 2))


def test_guesses_with_too_many_scores_are_omitted():
    """If even a code has more scores as a guess than the kernel supports, nothing is searched."""
    game = Game.parse("30x30")
    rng = random.Random(2)
    codes = sorted({tuple(rng.randrange(30) for _ in range(30)) for _ in range(20)})
    one_color = [(color,) * 30 for color in range(5)]
    array = np.array(codes, dtype=np.uint8)
    total, guess = solve_endgame(game, array, one_color)
    assert guess in codes
    assert total == played_total(game, codes, [*codes, *one_color])
    few_scores = EndgameLimits(max_answers=4)
    with pytest.raises(TooLongError):
        solve_endgame(game, array, one_color, limits=few_scores)
    total, _ = solve_endgame(game, array[:3], codes[9:11], limits=few_scores)
    assert total == minimum_total(game, codes[:3], (), {})


def test_the_best_total_within_the_limit_is_returned():
    game, rng = Game.parse("5x4"), random.Random(3)
    all_codes = [*twins.codes(game)]
    codes, others = sorted(rng.sample(all_codes, 120)), rng.sample(all_codes, 200)
    others = [code for code in others if code not in codes]
    array, totals = np.array(codes, dtype=np.uint8), set()
    minimum = solve_endgame(game, array, others)[0]
    for sets in (2, 3, 5, 8, 13, 21, 34, 55):
        try:
            total, guess = solve_endgame(game, array, others, limits=EndgameLimits(max_sets=sets))
        except TooLongError:
            continue
        best_parts = [
            solve_endgame(game, np.array(part), others, limits=EndgameLimits(max_sets=10**6))
            for part in partition(game, codes, guess)
        ]
        assert total == len(codes) + sum(entry for entry, _ in best_parts)
        totals.add(total)
    assert min(totals) == minimum
    assert len(totals) > 1


def test_a_search_beyond_its_limit_raises_an_error():
    game = Game.parse("4x6")
    codes = np.array([*twins.codes(game)][:60], dtype=np.uint8)
    with pytest.raises(TooLongError):
        solve_endgame(game, codes, limits=EndgameLimits(max_sets=1))
