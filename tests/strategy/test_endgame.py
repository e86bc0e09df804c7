"""The end of a game: the fewest guesses, by the definition."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mmsat.game.game import Game
from mmsat.strategy.endgame import EndgameLimits, TooLongError, solve_endgame
from tests.support import twins

GAMES = ["4x6", "3x4b", "4x5!", "3x5w", "2x2x3", "3x4p"]


def divided(game, codes, guess):
    """The codes after each score but the guess's own."""
    parts = {}
    for code in codes:
        if code != guess:
            parts.setdefault(twins.score(game.scoring, code, guess), []).append(code)
    return [*parts.values()]


def fewest(game, codes, guesses, known):
    """Return the number of guesses over all codes under best play, by exhaustive search.

    If `guesses` is empty, only consistent codes are guessed.
    """
    if len(codes) <= 2:
        return 2 * len(codes) - 1
    if tuple(codes) not in known:
        totals = []
        for guess in guesses or codes:
            parts = divided(game, codes, guess)
            if len(parts) > 1 or guess in codes:
                totals.append(len(codes) + sum(fewest(game, p, guesses, known) for p in parts))
        known[tuple(codes)] = min(totals)
    return known[tuple(codes)]


def played(game, codes, guesses):
    """The guesses over all codes when each guess is the endgame's."""
    array = np.array(codes, dtype=np.uint8)
    others = [guess for guess in guesses if guess not in codes]
    guess = solve_endgame(game, array, others, consistent_only=not guesses)[1]
    assert guess in (guesses or codes)
    return len(codes) + sum(played(game, part, guesses) for part in divided(game, codes, guess))


@pytest.mark.parametrize("size", GAMES)
@pytest.mark.parametrize("many_others", [0, 1, 12])
def test_no_play_by_these_guesses_takes_fewer(size, many_others):
    game, source = Game.parse(size), random.Random(1)
    everything = [*twins.codes(game)]
    for count in (1, 2, 3, 5, 8, 11, 14):
        codes = sorted(source.sample(everything, min(count, len(everything))))
        remainder = [code for code in everything if code not in codes]
        others = source.sample(remainder, min(many_others, len(remainder)))
        array, guesses = np.array(codes, dtype=np.uint8), [*codes, *others]
        total, _ = solve_endgame(game, array, others)
        assert total == fewest(game, codes, guesses, {}) == played(game, codes, guesses)
        total, _ = solve_endgame(game, array, others, consistent_only=True)
        assert total == fewest(game, codes, (), {}) == played(game, codes, ())


def test_a_guess_that_can_not_be_the_code_may_save_guesses():
    """Four codes that differ in one peg alone, and a guess that makes three parts of them."""
    game = Game.parse("4x6")
    codes = np.array([(0, 0, 0, last) for last in range(4)], dtype=np.uint8)
    assert solve_endgame(game, codes)[0] == 1 + 2 + 3 + 4
    assert solve_endgame(game, codes, [(0, 0, 1, 2)]) == (9, (0, 0, 1, 2))


def test_a_guess_with_too_many_scores_is_left_out():
    """If guesses distinguish more codes than the kernel supports, it uses others or no search."""
    game = Game.parse("30x30")
    source = random.Random(2)
    codes = sorted({tuple(source.randrange(30) for _ in range(30)) for _ in range(20)})
    one_color = [(color,) * 30 for color in range(5)]
    array = np.array(codes, dtype=np.uint8)
    total, guess = solve_endgame(game, array, one_color)
    assert guess in codes
    assert total == played(game, codes, [*codes, *one_color])
    few = EndgameLimits(answers=4)
    with pytest.raises(TooLongError):
        solve_endgame(game, array, one_color, limits=few)
    total, _ = solve_endgame(game, array[:3], codes[9:11], limits=few)
    assert total == fewest(game, codes[:3], (), {})


def test_what_was_found_within_the_work_is_taken():
    game, source = Game.parse("5x4"), random.Random(3)
    everything = [*twins.codes(game)]
    codes, others = sorted(source.sample(everything, 120)), source.sample(everything, 200)
    others = [code for code in others if code not in codes]
    array, result = np.array(codes, dtype=np.uint8), set()
    least = solve_endgame(game, array, others)[0]
    for sets in (2, 3, 5, 8, 13, 21, 34, 55):
        try:
            total, guess = solve_endgame(game, array, others, limits=EndgameLimits(sets=sets))
        except TooLongError:
            continue
        exact = [
            solve_endgame(game, np.array(part), others, limits=EndgameLimits(sets=10**6))
            for part in divided(game, codes, guess)
        ]
        assert total == len(codes) + sum(entry for entry, _ in exact)
        result.add(total)
    assert min(result) == least
    assert len(result) > 1


def test_too_much_work_is_refused():
    game = Game.parse("4x6")
    codes = np.array([*twins.codes(game)][:60], dtype=np.uint8)
    with pytest.raises(TooLongError):
        solve_endgame(game, codes, limits=EndgameLimits(sets=1))
