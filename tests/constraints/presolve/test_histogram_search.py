"""Histograms by enumeration and by the surrogate filter, compared with a plain search."""

from __future__ import annotations

import random
from itertools import product

import pytest

from mmsat.constraints import System
from mmsat.constraints.domains import Infeasibility
from mmsat.constraints.histograms import (
    Counts,
    CountSum,
    EnumerationLimitError,
    contributions_of,
    enumerate_histograms,
    exact_bounds,
    surrogate_filter,
)
from mmsat.constraints.presolve_state import Problem
from mmsat.constraints.presolve_steps import bound_counts
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.limits import LIMITS


def test_the_contribution_of_a_count_is_that_of_the_thresholds_it_reaches():
    rng = random.Random(7)
    for _ in range(500):
        low = rng.randint(0, 5)
        counts = range(low, low + rng.randint(0, 5))
        thresholds = [rng.choice([-1, 1]) * rng.randint(1, 10) for _ in range(rng.randint(0, 4))]
        expected = tuple(
            sum(1 if threshold > 0 else -1 for threshold in thresholds if count >= abs(threshold))
            for count in counts
        )
        assert contributions_of(counts, thresholds) == expected


def random_counts(rng):
    """Return random constraints on counts; most of them have a planted histogram."""
    colors = rng.randint(1, 4)
    domains = [sorted(rng.sample(range(6), rng.randint(1, 4))) for _ in range(colors)]
    planted = [rng.randrange(len(domain)) for domain in domains]
    sums = []
    for _ in range(rng.randint(1, 4)):
        contributions = tuple(tuple(rng.randint(-1, 3) for _ in domain) for domain in domains)
        planted_sum = sum(
            choices[index] for choices, index in zip(contributions, planted, strict=True)
        )
        low = planted_sum + rng.choice([0, 0, 0, -1, 1])
        sums.append(CountSum(contributions, low, low + rng.choice([0, 0, 1])))
    return Counts(list(range(colors)), domains, sums, 1)


def histograms(counts):
    """Return all histograms, by trying all combinations of counts."""
    return [
        [domain[index] for domain, index in zip(counts.domains, indices, strict=True)]
        for indices in product(*(range(len(domain)) for domain in counts.domains))
        if all(satisfies(indices, constraint) for constraint in counts.sums)
    ]


def satisfies(indices, constraint):
    """Return whether a choice of counts, given by their indices, satisfies a constraint."""
    choices = zip(constraint.contributions, indices, strict=True)
    total = sum(contributions[index] for contributions, index in choices)
    return constraint.low <= total <= constraint.high


def test_the_enumeration_finds_all_histograms_and_their_bounds():
    rng = random.Random(1)
    num_empty = 0
    for _ in range(1500):
        counts = random_counts(rng)
        result = histograms(counts)
        expected = [(min(column), max(column)) for column in zip(*result, strict=True)]
        enumerated = [
            [histogram[color] for color in counts.colors]
            for histogram in enumerate_histograms(counts)
        ]
        assert sorted(enumerated) == sorted(result)
        assert exact_bounds(counts) == expected
        num_empty += not result
    assert 200 < num_empty < 1300


def test_the_surrogate_filter_keeps_all_histograms(monkeypatch):
    monkeypatch.setattr(LIMITS, "surrogate_rounds", 60)
    rng = random.Random(2)
    num_refuted = num_filtered = 0
    for _ in range(500):
        counts = random_counts(rng)
        result = histograms(counts)
        filtered = surrogate_filter(counts)
        if filtered is None:
            assert not result
            num_refuted += 1
            continue
        num_filtered += filtered.domains != counts.domains
        assert histograms(filtered) == result
        for new, old in zip(filtered.sums, counts.sums, strict=True):
            assert (new.low, new.high) == (old.low, old.high)
    assert min(num_refuted, num_filtered) > 50


def test_an_enumeration_beyond_its_work_limit_gives_no_bounds():
    counts = random_counts(random.Random(3))
    with pytest.raises(EnumerationLimitError):
        list(enumerate_histograms(counts, max_work=0))
    assert exact_bounds(counts, max_work=0) is None


def random_board(size, rows, seed):
    """Return a random consistent board and its code."""
    rng = random.Random(seed)
    game = Game.parse(size)
    secret, *guesses = [
        tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows + 1)
    ]
    scored = tuple(Row(guess, game.score(secret, guess)) for guess in guesses)
    return Board(game, scored), secret


@pytest.mark.parametrize(("size", "rows"), [("30x30", 58), ("30x30w", 58), ("30x6", 24)])
def test_the_surrogate_filter_finds_the_only_histogram_of_dense_boards(size, rows):
    """An enumeration would not finish."""
    board, secret = random_board(size, rows, seed=2)
    problem = Problem.of(System.of(board))
    change = bound_counts(problem)
    domains = change.problem.domains
    counts = [secret.count(color) for color in range(board.game.colors)]
    assert domains.low == domains.high == counts
    colors = board.game.colors
    assert change.text == f"tightened the counts of {colors} colors, and fixed {colors} of them"


def test_a_wrong_score_in_a_dense_board_is_refuted():
    """No other histogram satisfies all other rows."""
    board, _ = random_board("12x12w", 40, seed=1)
    wrong_board = board.changed({7: (board.rows[7].score[0] + 1,)})
    assert isinstance(bound_counts(Problem.of(System.of(wrong_board))), Infeasibility)


def test_only_the_sum_of_the_counts_of_unmentioned_colors_matters():
    problem = Problem.of(System.of(Board.parse("4x9w/1122=1/1133=3")))
    counts = Counts.of(problem)
    assert counts.colors == [0, 1, 2]
    assert (counts.sums[0].low, counts.sums[0].high) == (-20, 4)
    domains = bound_counts(problem).problem.domains
    assert domains.low[:3] == [1, 0, 2]
    assert domains.high[:3] == [1, 0, 3]
    assert domains.high[3:] == [4] * 6


def test_boards_without_constraints_about_counts_do_not_change():
    for line in ("4x6b/1122=1", "4x6", "5x26o/CRANE=ELELE"):
        problem = Problem.of(System.of(Board.parse(line)))
        assert Counts.of(problem) is None
        assert bound_counts(problem).problem is problem
