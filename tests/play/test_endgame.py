"""The end of a game: the fewest guesses, by the definition; and what guesses are judged by."""

from __future__ import annotations

import random
from math import log2

import numpy as np
import pytest

from mmsat.game.game import Game
from mmsat.play.cost import BITS, UNIT, costs
from mmsat.play.endgame import Endgame, TooLongError
from mmsat.play.parts import least
from tests import twins


def fewest(game, codes):
    """The guesses over all codes by the best consistent play: everything is tried."""
    if len(codes) == 1:
        return 1
    best = None
    for guess in codes:
        parts = {}
        for code in codes:
            if code != guess:
                parts.setdefault(twins.score(game.scoring, code, guess), []).append(code)
        total = len(codes) + sum(fewest(game, part) for part in parts.values())
        best = total if best is None else min(best, total)
    return best


def played(game, codes):
    """The guesses over all codes when each guess is the endgame's."""
    guess = Endgame(game, np.array(codes, dtype=np.uint8)).best()[1]
    assert guess in codes
    parts = {}
    for code in codes:
        if code != guess:
            parts.setdefault(twins.score(game.scoring, code, guess), []).append(code)
    return len(codes) + sum(played(game, part) for part in parts.values())


@pytest.mark.parametrize("size", ["4x6", "3x4b", "4x5!", "3x5w", "2x2x3", "3x4p"])
def test_no_consistent_play_takes_fewer_guesses(size):
    game, source = Game.parse(size), random.Random(1)
    everything = [*twins.codes(game)]
    for many in (1, 2, 3, 5, 8, 11):
        codes = sorted(source.sample(everything, min(many, len(everything))))
        total, _ = Endgame(game, np.array(codes, dtype=np.uint8)).best()
        assert total == fewest(game, codes) == played(game, codes)


def test_too_much_work_is_refused(monkeypatch):
    monkeypatch.setattr("mmsat.play.endgame.WORK", 100)
    game = Game.parse("4x6")
    with pytest.raises(TooLongError):
        Endgame(game, np.array([*twins.codes(game)][:60], dtype=np.uint8)).best()


def test_costs_grow_with_the_doubt():
    few, sample = costs(500, is_all=True), costs(500, is_all=False)
    assert (few[0], few[1], few[2]) == (0, UNIT, 3 * UNIT)
    assert (sample[0], sample[1]) == (0, 0)
    for size in range(1, 501):
        exact = size * log2(size)
        assert 0 <= exact - sample[size] / UNIT < size / UNIT + 1e-9
        wanted = max(size + exact / BITS, 2 * size - 1)
        assert abs(few[size] / UNIT - wanted) < size / UNIT


@pytest.mark.parametrize("size", ["4x6", "4x5!", "3x4p", "2x2x3"])
@pytest.mark.parametrize("is_all", [True, False])
def test_the_least_is_that_of_the_definition(size, is_all):
    game, source = Game.parse(size), random.Random(3)
    everything = [*twins.codes(game)]
    codes = sorted(source.sample(everything, min(40, len(everything))))
    cost = costs(len(codes), is_all=is_all).tolist()

    def key(guess):
        seen = {}
        for code in codes:
            score = twins.score(game.scoring, code, guess)
            seen[score] = seen.get(score, 0) + 1
        return sum(cost[many] for many in seen.values()) - cost[1] * (guess in codes), guess

    array = np.array(codes, dtype=np.uint8)
    assert least(game, array, everything, costs(len(codes), is_all=is_all)) == min(
        map(key, everything)
    )
