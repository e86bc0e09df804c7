"""Costs, keys and neighbors of guesses follow their definitions; limits of climbing."""

from __future__ import annotations

import random
from math import log2

import numpy as np
import pytest

from mmsat.game.game import Game
from mmsat.strategy.optimal import (
    BASE_COST,
    BITS_PER_GUESS,
    COST_PER_GUESS,
    estimate_costs,
)
from mmsat.strategy.strategies.heuristics import GuessEvaluator, neighbors
from tests.support import twins

GAMES = ["4x6", "4x5!", "3x4p", "2x2x3"]


def sample_codes(game, rng):
    """Return a sample of the codes, and all codes."""
    all_codes = [*twins.codes(game)]
    return sorted(rng.sample(all_codes, min(40, len(all_codes)))), all_codes


def key(game, codes, cost, guess):
    """Return the key of a guess: the sum of the costs of its parts, with a discount for codes."""
    num_codes = {}
    for code in codes:
        score = twins.score(game.scoring, code, guess)
        num_codes[score] = num_codes.get(score, 0) + 1
    return sum(cost[size] for size in num_codes.values()) - cost[1] * (guess in codes)


def test_costs_follow_the_definition():
    all_costs, sample_costs = estimate_costs(500, is_all=True), estimate_costs(500, is_all=False)
    assert (all_costs[0], all_costs[1], all_costs[2]) == (0, COST_PER_GUESS, 3 * COST_PER_GUESS)
    assert (sample_costs[0], sample_costs[1]) == (0, 0)
    for size in range(1, 501):
        exact = size * log2(size)
        assert 0 <= exact - sample_costs[size] / COST_PER_GUESS < size / COST_PER_GUESS + 1e-9
        expected = max(
            size * BASE_COST / COST_PER_GUESS + exact / BITS_PER_GUESS if size > 2 else 0,
            2 * size - 1,
        )
        assert abs(all_costs[size] / COST_PER_GUESS - expected) < size / COST_PER_GUESS


@pytest.mark.parametrize("size", GAMES)
@pytest.mark.parametrize("is_all", [True, False])
def test_keys_follow_the_definition(size, is_all):
    game = Game.parse(size)
    codes, all_codes = sample_codes(game, random.Random(3))
    cost = estimate_costs(len(codes), is_all=is_all)
    evaluator = GuessEvaluator(game, np.array(codes, dtype=np.uint8), cost)
    evaluator.evaluate(all_codes[:50])
    evaluator.evaluate(all_codes)
    assert evaluator.keys == {guess: key(game, codes, cost.tolist(), guess) for guess in all_codes}
    ranked = sorted(all_codes, key=lambda guess: (evaluator.keys[guess], guess))
    assert evaluator.best() == ranked[:1]
    assert evaluator.best(7) == ranked[:7]


@pytest.mark.parametrize("size", [*GAMES, "5x3", "daily-word"])
def test_neighbors_differ_in_a_peg_or_by_an_exchange(size):
    from mmsat.game.names import find_game

    game, rng = find_game(size), random.Random(4)
    all_codes = [*twins.codes(game)]
    for guess in rng.sample(all_codes, 5):
        expected = []
        for code in all_codes:
            changes = [(old, new) for old, new in zip(guess, code, strict=True) if old != new]
            is_exchange = len(changes) == 2 and changes[0] == changes[1][::-1]
            if len(changes) == 1 or is_exchange:
                expected.append(code)
        assert sorted(neighbors(game, guess)) == expected


@pytest.mark.parametrize("size", GAMES)
def test_climbing_ends_at_guesses_without_a_better_neighbor(size):
    game, rng = Game.parse(size), random.Random(5)
    codes, all_codes = sample_codes(game, rng)
    evaluator = GuessEvaluator(
        game, np.array(codes, dtype=np.uint8), estimate_costs(len(codes), is_all=True)
    )
    starts = rng.sample(all_codes, 6)
    evaluator.evaluate(starts)
    evaluator.climb(3, 1000, lambda: False)
    best_key = evaluator.keys[evaluator.best()[0]]
    best_guesses = [guess for guess, value in evaluator.keys.items() if value == best_key]
    assert any({*neighbors(game, guess)} <= evaluator.keys.keys() for guess in best_guesses)
    num_evaluated = len(evaluator.keys)
    evaluator.climb(1, 0, lambda: False)
    evaluator.climb(1, 1000, lambda: True)
    assert len(evaluator.keys) == num_evaluated


@pytest.mark.parametrize("max_evaluations", [0, 1, 7, 30, 60, 200])
def test_climbing_evaluates_at_most_the_given_number_of_guesses(max_evaluations):
    game, rng = Game.parse("5x7"), random.Random(6)
    codes = sorted({tuple(rng.randrange(7) for _ in range(5)) for _ in range(100)})
    evaluator = GuessEvaluator(
        game, np.array(codes, dtype=np.uint8), estimate_costs(len(codes), is_all=True)
    )
    evaluator.evaluate(codes)
    evaluator.climb(5, max_evaluations, lambda: False)
    assert len(evaluator.keys) <= len(codes) + max_evaluations
    assert (len(evaluator.keys) > len(codes)) == (max_evaluations > 0)
