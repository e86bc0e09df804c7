"""Histograms: by enumeration and by weights, against all of them written down."""

from __future__ import annotations

import random
from itertools import product

import pytest

from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.histogram_search import (
    Counts,
    CountSum,
    EnumerationLimitError,
    contributions_of,
    enumerate_histograms,
    exact_bounds,
    surrogate_filter,
)
from mmsat.constraints.presolve.presolve import bound_counts
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.system import System
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.limits import LIMITS


def test_what_counts_add():
    rng = random.Random(7)
    for _ in range(500):
        low = rng.randint(0, 5)
        counts = range(low, low + rng.randint(0, 5))
        asked = [rng.choice([-1, 1]) * rng.randint(1, 10) for _ in range(rng.randint(0, 4))]
        met = ([t for t in asked if count >= abs(t)] for count in counts)
        plain = tuple(sum(1 if t > 0 else -1 for t in entry) for entry in met)
        assert contributions_of(counts, asked) == plain


def random_counts(rng):
    """Totals of numbers that any counts add, one histogram planted more often than not."""
    colors = rng.randint(1, 4)
    may = [sorted(rng.sample(range(6), rng.randint(1, 4))) for _ in range(colors)]
    planted = [rng.randrange(len(entry)) for entry in may]
    totals = []
    for _ in range(rng.randint(1, 4)):
        adds = tuple(tuple(rng.randint(-1, 3) for _ in entry) for entry in may)
        true = sum(add[place] for add, place in zip(adds, planted, strict=True))
        low = true + rng.choice([0, 0, 0, -1, 1])
        totals.append(CountSum(adds, low, low + rng.choice([0, 0, 1])))
    return Counts(list(range(colors)), may, totals, 1)


def histograms(counts):
    results = []
    for places in product(*(range(len(domain)) for domain in counts.domains)):
        sums = [
            sum(adds[place] for adds, place in zip(total.contributions, places, strict=True))
            for total in counts.sums
        ]
        if all(t.low <= number <= t.high for t, number in zip(counts.sums, sums, strict=True)):
            results.append(
                [domain[place] for domain, place in zip(counts.domains, places, strict=True)]
            )
    return results


def test_the_enumeration_finds_all_histograms_and_their_ends():
    rng = random.Random(1)
    empty = 0
    for _ in range(1500):
        counts = random_counts(rng)
        result = histograms(counts)
        expected = [(min(entry), max(entry)) for entry in zip(*result, strict=True)]
        enumerated = [
            [histogram[color] for color in counts.colors]
            for histogram in enumerate_histograms(counts)
        ]
        assert sorted(enumerated) == sorted(result)
        assert exact_bounds(counts) == expected
        empty += not result
    assert 200 < empty < 1300


def test_weights_rule_out_no_count_of_a_histogram(monkeypatch):
    monkeypatch.setattr(LIMITS, "surrogate_rounds", 60)
    rng = random.Random(2)
    refuted = fewer = 0
    for _ in range(500):
        counts = random_counts(rng)
        result = histograms(counts)
        filtered = surrogate_filter(counts)
        if filtered is None:
            assert not result
            refuted += 1
            continue
        fewer += filtered.domains != counts.domains
        assert histograms(filtered) == result
        for entry, total in zip(filtered.sums, counts.sums, strict=True):
            assert (entry.low, entry.high) == (total.low, total.high)
    assert min(refuted, fewer) > 50


def test_an_enumeration_without_work_bounds_nothing():
    counts = random_counts(random.Random(3))
    with pytest.raises(EnumerationLimitError):
        list(enumerate_histograms(counts, max_work=0))
    assert exact_bounds(counts, max_work=0) is None


def random_board(size, rows, seed):
    rng = random.Random(seed)
    game = Game.parse(size)
    secret, *guesses = [
        tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows + 1)
    ]
    scored = tuple(Row(guess, game.score(secret, guess)) for guess in guesses)
    return Board(game, scored), secret


@pytest.mark.parametrize(("size", "rows"), [("30x30", 58), ("30x30w", 58), ("30x6", 24)])
def test_dense_boards_have_one_histogram_by_weights(size, rows):
    """Where a walk alone would never end."""
    board, secret = random_board(size, rows, seed=2)
    problem = Problem.of(System.of(board))
    change = bound_counts(problem)
    domains = change.problem.domains
    counts = [secret.count(color) for color in range(board.game.colors)]
    assert domains.low == domains.high == counts
    colors = board.game.colors
    assert change.text == f"tightened the counts of {colors} colors, and fixed {colors} of them"


def test_a_slip_of_one_total_in_a_dense_board_is_found():
    """Another histogram would have to fit all the other rows."""
    board, _ = random_board("12x12w", 40, seed=1)
    slipped = board.changed({7: (board.rows[7].score[0] + 1,)})
    assert isinstance(bound_counts(Problem.of(System.of(slipped))), Infeasibility)


def test_colors_that_no_claim_asks_about_only_fill_up():
    problem = Problem.of(System.of(Board.parse("4x9w/1122=1/1133=3")))
    counts = Counts.of(problem)
    assert counts.colors == [0, 1, 2]
    assert (counts.sums[0].low, counts.sums[0].high) == (-20, 4)
    domains = bound_counts(problem).problem.domains
    assert domains.low[:3] == [1, 0, 2]
    assert domains.high[:3] == [1, 0, 3]
    assert domains.high[3:] == [4] * 6


def test_boards_without_claims_about_counts_are_left_alone():
    for line in ("4x6b/1122=1", "4x6", "5x26o/CRANE=ELELE"):
        problem = Problem.of(System.of(Board.parse(line)))
        assert Counts.of(problem) is None
        assert bound_counts(problem).problem is problem
