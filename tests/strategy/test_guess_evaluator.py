"""Guesses judged by the definition, their neighbors, and climbing; what guesses are judged by."""

from __future__ import annotations

import random
from math import log2

import numpy as np
import pytest

from mmsat.game.game import Game
from mmsat.strategy.costs import BASE_COST, BITS_PER_GUESS, COST_PER_GUESS, estimate_costs
from mmsat.strategy.strategies.sampled import GuessEvaluator, neighbors
from tests.support import twins

GAMES = ["4x6", "4x5!", "3x4p", "2x2x3"]


def some_codes(game, source):
    everything = [*twins.codes(game)]
    return sorted(source.sample(everything, min(40, len(everything)))), everything


def key(game, codes, cost, guess):
    """Return the total cost of all parts; a consistent guess saves the cost of a part of one."""
    seen = {}
    for code in codes:
        score = twins.score(game.scoring, code, guess)
        seen[score] = seen.get(score, 0) + 1
    return sum(cost[count] for count in seen.values()) - cost[1] * (guess in codes)


def test_costs_grow_with_the_doubt():
    few, sample = estimate_costs(500, is_all=True), estimate_costs(500, is_all=False)
    assert (few[0], few[1], few[2]) == (0, COST_PER_GUESS, 3 * COST_PER_GUESS)
    assert (sample[0], sample[1]) == (0, 0)
    for size in range(1, 501):
        exact = size * log2(size)
        assert 0 <= exact - sample[size] / COST_PER_GUESS < size / COST_PER_GUESS + 1e-9
        wanted = max(
            size * BASE_COST / COST_PER_GUESS + exact / BITS_PER_GUESS if size > 2 else 0,
            2 * size - 1,
        )
        assert abs(few[size] / COST_PER_GUESS - wanted) < size / COST_PER_GUESS


@pytest.mark.parametrize("size", GAMES)
@pytest.mark.parametrize("is_all", [True, False])
def test_keys_are_those_of_the_definition(size, is_all):
    game = Game.parse(size)
    codes, everything = some_codes(game, random.Random(3))
    cost = estimate_costs(len(codes), is_all=is_all)
    judge = GuessEvaluator(game, np.array(codes, dtype=np.uint8), cost)
    judge.evaluate(everything[:50])
    judge.evaluate(everything)
    assert judge.keys == {guess: key(game, codes, cost.tolist(), guess) for guess in everything}
    ranked = sorted(everything, key=lambda guess: (judge.keys[guess], guess))
    assert judge.best() == ranked[:1]
    assert judge.best(7) == ranked[:7]


@pytest.mark.parametrize("size", [*GAMES, "5x3", "daily-word"])
def test_neighbors_differ_in_a_peg_or_by_an_exchange(size):
    from mmsat.game.names import find_game

    game, source = find_game(size), random.Random(4)
    everything = [*twins.codes(game)]
    for guess in source.sample(everything, 5):
        near = []
        for code in everything:
            apart = [(old, new) for old, new in zip(guess, code, strict=True) if old != new]
            is_exchange = len(apart) == 2 and apart[0] == apart[1][::-1]
            if len(apart) == 1 or is_exchange:
                near.append(code)
        assert sorted(neighbors(game, guess)) == near


@pytest.mark.parametrize("size", GAMES)
def test_climbing_ends_where_no_neighbor_is_better(size):
    game, source = Game.parse(size), random.Random(5)
    codes, everything = some_codes(game, source)
    judge = GuessEvaluator(
        game, np.array(codes, dtype=np.uint8), estimate_costs(len(codes), is_all=True)
    )
    starts = source.sample(everything, 6)
    judge.evaluate(starts)
    judge.climb(3, 1000, lambda: False)
    least = judge.keys[judge.best()[0]]
    ends = [guess for guess, result in judge.keys.items() if result == least]
    assert any({*neighbors(game, end)} <= judge.keys.keys() for end in ends)
    judged = len(judge.keys)
    judge.climb(1, 0, lambda: False)
    judge.climb(1, 1000, lambda: True)
    assert len(judge.keys) == judged


@pytest.mark.parametrize("most", [0, 1, 7, 30, 60, 200])
def test_climbing_judges_no_more_than_it_may(most):
    game, source = Game.parse("5x7"), random.Random(6)
    codes = sorted({tuple(source.randrange(7) for _ in range(5)) for _ in range(100)})
    judge = GuessEvaluator(
        game, np.array(codes, dtype=np.uint8), estimate_costs(len(codes), is_all=True)
    )
    judge.evaluate(codes)
    judge.climb(5, most, lambda: False)
    assert len(judge.keys) <= len(codes) + most
    assert (len(judge.keys) > len(codes)) == (most > 0)
