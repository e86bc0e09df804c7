"""Intervals and fits, on data from known laws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mmsat.studies.statistics import (
    Shares,
    bootstrap,
    chi_square_tail,
    fit_collapse,
    fit_line,
    fit_logistic,
    median,
    resample,
    wilson,
)


def test_wilson_intervals_follow_the_formula():
    """By Wilson's formula for 0 of 10 and 5 of 10, with the quantile z = 1.959963984540054."""
    square = 1.959963984540054**2 / 10
    half = math.sqrt(square / 4 + square**2 / 4) / (1 + square)
    assert wilson(0, 10) == pytest.approx((0.0, square / (1 + square)), abs=1e-9)
    assert wilson(5, 10) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-9)
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_median_has_the_ranks_of_the_sign_test():
    """For 100 values they are the 40th and the 61st, for 6 the least and the greatest."""
    assert median(range(1, 101)) == (50.5, 40, 61)
    assert median([3, 1, 2, 6, 5, 4]) == (3.5, 1, 6)
    assert median([1, 2, 3]) == (2, -math.inf, math.inf)
    cut_off = [1.0] * 45 + [math.inf] * 55
    assert median(cut_off) == (math.inf, 1.0, math.inf)


def test_the_interval_of_the_median_has_its_confidence_level():
    rng = np.random.default_rng(3)
    held = sum(
        entry.low <= math.log(2) <= entry.high
        for entry in (median(rng.exponential(size=100)) for _ in range(1000))
    )
    assert 940 <= held <= 980  # by ranks it is 96.5 %


def test_a_line_fits_collinear_points_exactly():
    line = fit_line([1, 2, 4], [5, 7, 11])
    assert line == pytest.approx((2, 3, 0), abs=1e-9)


def test_the_bootstrap_of_a_mean_is_near_its_normal_interval():
    values = np.random.default_rng(5).normal(10, 2, 400)
    result = bootstrap(lambda rng: float(np.mean(resample(values, rng))))
    assert result.value == pytest.approx(values.mean())
    half = 1.96 * values.std() / 20
    assert result.low == pytest.approx(values.mean() - half, abs=0.05)
    assert result.high == pytest.approx(values.mean() + half, abs=0.05)
    assert result == bootstrap(lambda rng: float(np.mean(resample(values, rng))))


def test_logistic_weights_solve_the_equations_of_likelihood():
    columns = np.column_stack([np.ones(5), np.arange(5.0)])
    yes, count = np.array([1, 3, 5, 8, 9]), np.full(5, 10)
    weights, deviance = fit_logistic(columns, yes, count)
    chance = 1 / (1 + np.exp(-columns @ weights))
    assert columns.T @ (yes - count * chance) == pytest.approx([0, 0], abs=1e-6)
    assert 0 < deviance < 2


def shares_by_law(location, exponent, steepness, boards, seed):
    """Return shares that follow the scaling law."""
    rng = np.random.default_rng(seed)
    sizes = np.repeat([16.0, 24, 32, 48, 64], 9)
    positions = np.tile(np.linspace(0.7, 1.3, 9), 5)
    chance = 1 / (1 + np.exp(steepness * (positions - location) * sizes**exponent))
    count = np.full(len(sizes), boards)
    return Shares(sizes, positions, rng.binomial(count, chance), count)


@pytest.mark.parametrize(("location", "exponent"), [(0.97, 0.5), (1.05, 0.7), (1.0, 1.0)])
def test_fits_recover_the_parameters_of_a_scaling_law(location, exponent):
    count = shares_by_law(location, exponent, 1.0, 100_000, 1)
    law = fit_collapse(count)
    assert law.location == pytest.approx(location, abs=0.003)
    assert law.exponent == pytest.approx(exponent, abs=0.02)
    assert law.chance(law.scale(count.size, count.position)) == pytest.approx(
        count.num_consistent / count.num_boards, abs=0.01
    )
    assert chi_square_tail(law.deviance, law.freedom) > 0.001


def test_intervals_contain_the_parameters_of_a_scaling_law():
    data = shares_by_law(0.97, 0.6, 1.0, 100, 7)
    location = bootstrap(lambda rng: fit_collapse(data.resample(rng)).location)
    exponent = bootstrap(lambda rng: fit_collapse(data.resample(rng)).exponent)
    assert location.low < 0.97 < location.high
    assert exponent.low < 0.6 < exponent.high
    assert location.high - location.low < 0.1
    assert exponent.high - exponent.low < 0.8


def test_another_law_is_rejected():
    """In these data, large boards become inconsistent at a lower position than small boards."""
    data = shares_by_law(1.0, 0.6, 1.0, 1000, 2)
    moved = data._replace(position=data.position * (data.size / 30) ** 0.3)
    law = fit_collapse(moved)
    assert chi_square_tail(law.deviance, law.freedom) < 1e-6


def test_tails_of_the_chi_square():
    """With 2 degrees of freedom it is exp(-x / 2); the others are from its tables."""
    assert chi_square_tail(3.0, 2) == pytest.approx(math.exp(-1.5), abs=1e-12)
    assert chi_square_tail(18.307, 10) == pytest.approx(0.05, abs=1e-5)
    assert chi_square_tail(124.342, 100) == pytest.approx(0.05, abs=1e-5)
