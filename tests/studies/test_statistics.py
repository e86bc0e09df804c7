"""Intervals and fits, on data from known laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from mmsat.studies.statistics import (
    CountLaw,
    adjust,
    bootstrap,
    calibrate,
    chi_square_tail,
    compare_sizes,
    curvature_tail,
    fit_count_law,
    fit_line,
    fit_logistic,
    half_point,
    median,
    resample,
    van_elteren,
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


def test_the_half_point_needs_no_law():
    """For a line it is exact; noise that goes up is smoothed; without a crossing it is infinite."""
    rows, boards = np.arange(4.0, 9), np.full(5, 100)
    assert half_point(rows, np.array([90, 70, 50, 30, 10]), boards) == 6
    assert half_point(rows, np.array([90, 70, 60, 30, 10]), boards) == pytest.approx(6 + 1 / 3)
    assert half_point(rows, np.array([80, 40, 60, 30, 10]), boards) == pytest.approx(6)
    assert half_point(rows, np.array([90, 90, 80, 70, 60]), boards) == math.inf
    assert half_point(rows, np.array([40, 30, 20, 10, 0]), boards) == -math.inf
    order = np.array([3, 1, 4, 0, 2])
    assert half_point(rows[order], np.array([90, 70, 50, 30, 10])[order], boards) == 6


def boards_by_law(intercept, slope, number, seed):
    """Return logarithms of estimates, and verdicts that follow the law."""
    rng = np.random.default_rng(seed)
    log_counts = rng.normal(0, 2, number)
    chance = 1 - np.exp(-np.exp(intercept + slope * log_counts))
    return log_counts, rng.random(number) < chance


@pytest.mark.parametrize(("intercept", "slope"), [(0.0, 1.0), (-0.3, 0.8), (0.4, 1.3)])
def test_the_law_of_counts_is_recovered_with_its_errors(intercept, slope):
    laws = [fit_count_law(*boards_by_law(intercept, slope, 2000, seed)) for seed in range(40)]
    for values, errors, truth in (
        ([law.intercept for law in laws], [law.intercept_error for law in laws], intercept),
        ([law.slope for law in laws], [law.slope_error for law in laws], slope),
    ):
        assert np.mean(values) == pytest.approx(truth, abs=0.03)
        assert np.std(values) == pytest.approx(np.mean(errors), rel=0.35)


def test_boards_without_an_estimate_of_codes_are_certain():
    log_counts, verdicts = boards_by_law(0, 1, 500, 1)
    more = np.append(log_counts, [-np.inf] * 50), np.append(verdicts, [False] * 50)
    assert fit_count_law(*more) == fit_count_law(log_counts, verdicts)
    assert CountLaw(0, 1, 0, 0).chance(np.array([-np.inf, 700.0])) == pytest.approx([0, 1])


def test_a_law_that_depends_on_the_size_is_told_from_one_that_does_not():
    tails = {"none": [], "intercept": [], "slope": []}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        sizes = rng.choice([8, 16, 32, 64], 1500)
        log_counts = rng.normal(0, 2, len(sizes))
        drift = 0.25 * (np.log(sizes) - np.log(sizes).mean())
        for kind, exponents in (
            ("none", log_counts),
            ("intercept", log_counts + drift),
            ("slope", log_counts * (1 + drift)),
        ):
            verdicts = rng.random(len(sizes)) < 1 - np.exp(-np.exp(exponents))
            tails[kind].append(compare_sizes(log_counts, sizes, verdicts))
    rejected = {
        kind: [sum(np.array(column) < 0.05) for column in zip(*tests, strict=True)]
        for kind, tests in tails.items()
    }
    assert all(count <= 7 for count in rejected["none"])  # of 40, 2 are expected
    assert rejected["intercept"][0] >= 32
    assert rejected["slope"][1] >= 32


def test_the_tests_of_the_size_are_ratios_of_likelihoods():
    log_counts, verdicts = boards_by_law(0.1, 0.9, 800, 3)
    sizes = np.random.default_rng(3).choice([8, 16, 32], 800)

    def least(columns):
        def loss(weights):
            chance = np.clip(1 - np.exp(-np.exp(columns @ weights)), 1e-12, 1 - 1e-12)
            return -np.where(verdicts, np.log(chance), np.log(1 - chance)).sum()

        start = np.eye(columns.shape[1])[1]
        return optimize.minimize(loss, start, method="Nelder-Mead", options={"maxiter": 5000}).fun

    both = np.column_stack([np.ones(800), log_counts, np.log(sizes), log_counts * np.log(sizes)])
    common, intercept, all_terms = (least(both[:, :count]) for count in (2, 3, 4))
    result = compare_sizes(log_counts, sizes, verdicts)
    assert result.intercept == pytest.approx(stats.chi2.sf(2 * (common - intercept), 1), abs=1e-3)
    assert result.both == pytest.approx(stats.chi2.sf(2 * (common - all_terms), 2), abs=1e-3)
    same = compare_sizes(log_counts, np.full(800, 8), verdicts)
    assert np.isnan(same).all()


def test_right_probabilities_are_calibrated_and_others_are_not():
    tails, wrong = [], []
    for seed in range(60):
        log_counts, verdicts = boards_by_law(0, 1, 1000, seed)
        result = calibrate(CountLaw(0, 1, 0, 0).chance(log_counts), verdicts)
        assert (result.num_boards, result.observed) == (1000, verdicts.sum())
        tails.append(result.tail)
        wrong.append(calibrate(CountLaw(0, 0.7, 0, 0).chance(log_counts), verdicts).tail)
    assert sum(tail < 0.05 for tail in tails) <= 9  # of 60, 3 are expected
    assert sum(tail < 0.05 for tail in wrong) >= 50


def test_curvature_is_found_and_a_noisy_line_is_not_curved():
    rng = np.random.default_rng(2)
    x = np.arange(8.0)
    p_values = [curvature_tail(x, 2 * x + rng.normal(0, 0.3, 8)) for _ in range(300)]
    assert 0.02 < np.mean(np.array(p_values) < 0.05) < 0.09
    assert curvature_tail(x, x**2 + rng.normal(0, 0.3, 8)) < 1e-6
    assert math.isnan(curvature_tail([1, 2, 3], [1, 2, 4]))


def test_adjusted_p_values_are_those_of_benjamini_and_hochberg():
    values = [0.01, 0.04, 0.03, 0.5]
    assert adjust(values) == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.5])
    assert adjust([]) == []
    without_data = [math.nan, *values[:2], math.nan, *values[2:]]
    found = adjust(without_data)
    assert [value for value in found if not math.isnan(value)] == adjust(values)
    assert [math.isnan(value) for value in found] == [math.isnan(p) for p in without_data]


def test_tails_of_the_chi_square():
    """With 2 degrees of freedom it is exp(-x / 2); the others are from its tables."""
    assert chi_square_tail(3.0, 2) == pytest.approx(math.exp(-1.5), abs=1e-12)
    assert chi_square_tail(18.307, 10) == pytest.approx(0.05, abs=1e-5)
    assert chi_square_tail(124.342, 100) == pytest.approx(0.05, abs=1e-5)


def test_one_stratum_is_the_test_of_mann_and_whitney():
    rng = np.random.default_rng(4)
    values, is_first = rng.integers(0, 20, 80), rng.random(80) < 0.4
    z, p = van_elteren(values, is_first, np.zeros(80))
    twin = stats.mannwhitneyu(
        values[is_first], values[~is_first], use_continuity=False, method="asymptotic"
    )
    assert p == pytest.approx(twin.pvalue)
    assert (z > 0) == (twin.statistic > is_first.sum() * (~is_first).sum() / 2)


def test_strata_are_combined_with_the_weights_of_van_elteren():
    """The twin counts pairs: Wilcoxon's statistic is a half of their signs."""
    rng = np.random.default_rng(7)
    strata = np.repeat([-np.inf, 0.5, 1.0, 9.0], [7, 30, 60, 3])
    values, is_first = rng.integers(0, 30, 100), rng.random(100) < 0.5
    is_first[97:] = True  # without the other group, a stratum says nothing
    values = np.where(rng.random(100) < 0.1, np.inf, values)
    total = variance = 0.0
    for stratum in (-np.inf, 0.5, 1.0):
        group, first = values[strata == stratum], is_first[strata == stratum]
        one, other = group[first], group[~first]
        signs = sum(float(a > b) - float(a < b) for a in one for b in other) / 2
        ties = sum(count**3 - count for count in np.unique(group, return_counts=True)[1])
        n, m = len(group), len(one) * len(other)
        total += signs / (n + 1)
        variance += m / 12 * (n + 1 - ties / (n * (n - 1))) / (n + 1) ** 2
    z, p = van_elteren(values, is_first, strata)
    assert z == pytest.approx(total / math.sqrt(variance))
    assert p == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert np.isnan(van_elteren(values[97:], is_first[97:], strata[97:])).all()


def test_a_stratified_test_removes_the_effect_of_the_strata():
    """The groups differ in their strata only; the tests find this, or do not, at the level."""
    rng = np.random.default_rng(1)
    pooled, equal = [], []
    for _ in range(300):
        strata = rng.integers(0, 5, 200)
        is_first = rng.random(200) < 0.1 + 0.2 * strata
        values = strata + rng.normal(0, 1, 200)
        pooled.append(stats.mannwhitneyu(values[is_first], values[~is_first]).pvalue)
        equal.append(van_elteren(values, is_first, strata)[1])
    assert np.mean(np.array(pooled) < 0.05) > 0.95
    assert 0.02 < np.mean(np.array(equal) < 0.05) < 0.09
