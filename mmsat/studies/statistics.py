"""Confidence intervals, tests and fits with scipy (extra `study`). All random choices are seeded.

The bootstrap is implemented here because the one of scipy resamples arrays only, while the boards
of each size are resampled separately. The logistic and the complementary log-log regression are
implemented here because scipy does not have them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmsat.errors import requiring_extra

RESAMPLES = 400
"""Number of resamples of a bootstrap."""
CONFIDENCE_LEVEL = 0.95
"""Confidence level of all intervals."""
SIGNIFICANCE_LEVEL = 0.05
"""Probability below which a hypothesis is rejected."""


def scipy() -> Any:
    """Return scipy with `stats` and `optimize`; raise MissingError if it is not installed."""
    with requiring_extra("scipy is not installed; write: pip install 'mmsat[study]'"):
        import scipy.optimize
        import scipy.stats
    return scipy


class Estimate(NamedTuple):
    """An estimate with its confidence interval."""

    value: float
    low: float
    high: float


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a proportion.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927).
    """
    if not trials:
        return 0.0, 1.0
    result = scipy().stats.binomtest(successes, trials)
    low, high = result.proportion_ci(CONFIDENCE_LEVEL, method="wilson")
    return float(low), float(high)


def median(values: Sequence[float]) -> Estimate:
    """Return the median with its interval by order statistics, which is valid for any distribution.

    A value that is only known to exceed a limit is given as infinity, and a bound can be infinite.
    With fewer than 6 values, the interval is unbounded.
    """
    ordered = sorted(values)
    count = len(ordered)
    value = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    rank = int(scipy().stats.binom.ppf((1 - CONFIDENCE_LEVEL) / 2, count, 1 / 2))
    if not rank:
        return Estimate(value, -math.inf, math.inf)
    return Estimate(value, ordered[rank - 1], ordered[count - rank])


class Line(NamedTuple):
    """A straight line that is fitted to points by least squares."""

    slope: float
    intercept: float
    residual: float
    """The sum of squared residuals."""


def fit_line(x: Sequence[float], y: Sequence[float]) -> Line:
    """Fit a line by least squares."""
    slope, intercept = np.polyfit(x, y, 1)
    residuals = np.polyval([slope, intercept], x) - y
    return Line(float(slope), float(intercept), float((residuals**2).sum()))


def bootstrap(estimate: Callable[[np.random.Generator | None], float], seed: int = 1) -> Estimate:
    """Return an estimate with the interval of the middle 95 % of the estimates from resampled data.

    `estimate` is called with None for the original data, or with a generator to resample them.
    """
    rng = np.random.default_rng(seed)
    estimates = [estimate(rng) for _ in range(RESAMPLES)]
    bounds = (1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2
    # without interpolation, because estimates can be infinite
    low, high = np.quantile(estimates, bounds, method="inverted_cdf")
    return Estimate(estimate(None), float(low), float(high))


def resample(values: Sequence[float], rng: np.random.Generator | None) -> list[float]:
    """Resample the values with replacement; without a generator, return them unchanged."""
    return list(values) if rng is None else [*rng.choice(np.asarray(values), len(values))]


def half_point(positions: np.ndarray, num_consistent: np.ndarray, num_boards: np.ndarray) -> float:
    """Return the position at which half of the boards are consistent, without a parametric law.

    The shares are replaced by the nearest shares that do not increase (isotonic regression), and
    are interpolated linearly. If they do not cross one half, the result is infinite: the half point
    is after the last position, or before the first.
    """
    order = np.argsort(positions)
    shares = num_consistent[order] / num_boards[order]
    fitted = scipy().optimize.isotonic_regression(
        shares, weights=num_boards[order].astype(float), increasing=False
    )
    return _crossing(positions[order], fitted.x)


def _crossing(positions: np.ndarray, shares: np.ndarray) -> float:
    """Return the position at which non-increasing shares cross one half.

    If they do not cross one half, the result is infinite, as for `half_point`.
    """
    if not shares[0] >= 1 / 2 >= shares[-1]:
        return math.inf if shares[-1] > 1 / 2 else -math.inf
    index = min(max(int((shares >= 1 / 2).sum()), 1), len(shares) - 1)
    high, low = shares[index - 1], shares[index]
    fraction = 0.5 if high == low else (high - 1 / 2) / (high - low)
    return float(positions[index - 1] + fraction * (positions[index] - positions[index - 1]))


def fit_logistic(
    columns: np.ndarray, successes: np.ndarray, trials: np.ndarray
) -> tuple[Any, float]:
    """Fit a logistic regression by maximum likelihood; return its weights and the deviance.

    `columns` has one column for each explanatory variable.
    """
    # Newton's method. The terms 1e-9 keep the Hessian regular, and steps longer than 20 are
    # shortened. The exponents are clipped so that exp does not overflow.
    weights = np.zeros(columns.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        variance = trials * chance * (1 - chance) + 1e-9
        hessian = columns.T @ (columns * variance[:, None]) + 1e-9 * np.eye(len(weights))
        step = np.linalg.solve(hessian, columns.T @ (successes - trials * chance))
        weights = weights + step / max(1.0, np.abs(step).max() / 20)
        if np.abs(step).max() < 1e-9:
            break
    chance = np.clip(1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30))), 1e-12, 1 - 1e-12)
    share = np.clip(successes / trials, 1e-12, 1 - 1e-12)
    failures = trials - successes
    terms = successes * np.log(share / chance) + failures * np.log((1 - share) / (1 - chance))
    return weights, float(2 * terms.sum())


class CountLaw(NamedTuple):
    """The law P = 1 - exp(-e^(intercept + slope x)) for the probability that a board has a code.

    Here, x is the logarithm of the estimated number of codes. If the estimates are right and the
    codes are independent, `intercept` is 0 and `slope` is 1.
    """

    intercept: float
    slope: float
    intercept_error: float
    """Standard error of the intercept, from the Fisher information."""
    slope_error: float
    """Standard error of the slope."""

    def chance(self, log_counts: np.ndarray) -> np.ndarray:
        """Return the probability of each board, given the logarithms of the estimates."""
        return -np.expm1(-np.exp(np.clip(self.intercept + self.slope * log_counts, -700, 30)))


def chance_of(log_counts: np.ndarray) -> np.ndarray:
    """Return the probabilities of at least one code, 1 - exp(-N), from the logarithms of N."""
    return CountLaw(0.0, 1.0, 0.0, 0.0).chance(log_counts)


NUM_NODES = 40
"""Number of nodes of the numerical integration over a normal error."""


def chance_with_error(log_counts: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return the mean of 1 - exp(-N e^(error z)) over a standard normal variable z."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NUM_NODES)
    chances = chance_of(log_counts[:, None] + errors[:, None] * nodes)
    return np.asarray(chances @ (weights / weights.sum()))


class ErrorLaw(NamedTuple):
    """The law 1 - exp(-N) with a normal error and a shift of ln N.

    The documented error is the standard deviation of ln N according to
    `mmsat.constraints.expected_count` (`LOG_ERROR_FACTOR`).
    """

    factor: float
    """The standard deviation of ln N, in multiples of the documented error."""
    shift: float
    """The mean error of ln N, in multiples of the documented variance."""

    def chance(self, log_counts: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Return the probability of each board, given its estimate and documented error."""
        return chance_with_error(log_counts + self.shift * errors**2, self.factor * errors)


def fit_error_law(
    log_counts: np.ndarray, errors: np.ndarray, is_consistent: np.ndarray
) -> ErrorLaw:
    """Fit the size of the error and the shift by maximum likelihood."""

    def loss(weights: np.ndarray) -> float:
        law = ErrorLaw(abs(weights[0]), weights[1])
        return log_loss(law.chance(log_counts, errors), is_consistent)

    # The default simplex at [1, 0] is only 0.00025 wide in the shift, and the search would stop
    # before it finds a shift.
    simplex = [[1.0, 0.0], [1.5, 0.0], [1.0, 0.5]]
    options = {"initial_simplex": simplex, "xatol": 1e-4, "fatol": 1e-4}
    result = scipy().optimize.minimize(loss, simplex[0], method="Nelder-Mead", options=options)
    return ErrorLaw(float(abs(result.x[0])), float(result.x[1]))


def log_loss(chances: np.ndarray, is_consistent: np.ndarray) -> float:
    """Return the negative log-likelihood of verdicts, in nats."""
    bounded = np.clip(chances, 1e-12, 1 - 1e-12)
    return float(-np.where(is_consistent, np.log(bounded), np.log1p(-bounded)).sum())


def fit_count_law(log_counts: np.ndarray, is_consistent: np.ndarray) -> CountLaw:
    """Fit the law by maximum likelihood (complementary log-log regression).

    Boards whose estimate is 0 are omitted.
    """
    is_finite = np.isfinite(log_counts)
    values, verdicts = log_counts[is_finite], is_consistent[is_finite]

    def loss(weights: np.ndarray) -> float:
        law = CountLaw(float(weights[0]), float(weights[1]), 0.0, 0.0)
        return log_loss(law.chance(values), verdicts)

    intercept, slope = scipy().optimize.minimize(loss, [0.0, 1.0]).x
    law = CountLaw(float(intercept), float(slope), 0.0, 0.0)
    # The standard errors follow from the expected information of the complementary log-log link,
    # with the weights (dP/dx)^2 / (P (1 - P)) of the boards.
    chance = np.clip(law.chance(values), 1e-12, 1 - 1e-12)
    hazard = -np.log1p(-chance)
    weights = (hazard * (1 - chance)) ** 2 / (chance * (1 - chance))
    columns = np.column_stack([np.ones(len(values)), values])
    errors = np.sqrt(np.diag(np.linalg.pinv(columns.T @ (columns * weights[:, None]))))
    return law._replace(intercept_error=float(errors[0]), slope_error=float(errors[1]))


class SizeTests(NamedTuple):
    """The p-values of two tests that a fitted law of the number of codes is the same at all sizes.

    These are tests of the ratio of likelihoods, with the logarithm of the size as a further
    variable. Both are NaN if all boards have one size.
    """

    intercept: float
    """The test against an intercept that depends on the size."""
    both: float
    """The test against an intercept and a slope that depend on the size."""


def compare_sizes(
    log_counts: np.ndarray, sizes: np.ndarray, is_consistent: np.ndarray
) -> SizeTests:
    """Test whether the law 1 - exp(-e^(intercept + slope x)) is the same at all sizes.

    Boards whose estimate is 0 are omitted.
    """
    is_finite = np.isfinite(log_counts)
    values, verdicts = log_counts[is_finite], is_consistent[is_finite]
    log_sizes = np.log(sizes[is_finite])
    if not np.ptp(log_sizes):
        return SizeTests(math.nan, math.nan)
    log_sizes = log_sizes - log_sizes.mean()
    columns = np.column_stack([np.ones(len(values)), values, log_sizes, values * log_sizes])

    def least_loss(num_columns: int) -> float:
        """Return the loss of the best fit that uses the first `num_columns` columns."""

        def loss(weights: np.ndarray) -> float:
            return log_loss(chance_of(columns[:, :num_columns] @ weights), verdicts)

        start = [0.0, 1.0, 0.0, 0.0][:num_columns]
        return float(scipy().optimize.minimize(loss, start).fun)

    common = least_loss(2)
    return SizeTests(
        chi_square_tail(2 * (common - least_loss(3)), 1),
        chi_square_tail(2 * (common - least_loss(4)), 2),
    )


class Calibration(NamedTuple):
    """A comparison of probabilities with verdicts."""

    num_boards: int
    expected: float
    """Expected number of consistent boards."""
    observed: int
    deviation: float
    """`observed` minus `expected`, in standard deviations."""
    chi_square: float
    """Boards are grouped by similar probabilities. This is the sum over the groups of the squared
    deviation, each divided by its variance."""
    num_groups: int
    num_parameters: int = 0
    """Number of parameters of the law of the probabilities that were fitted to these verdicts."""

    @property
    def freedom(self) -> int:
        """The degrees of freedom of chi-square."""
        return max(self.num_groups - self.num_parameters, 1)

    @property
    def tail(self) -> float:
        """Probability of at least this chi-square if the probabilities are right."""
        return chi_square_tail(self.chi_square, self.freedom)

    @property
    def dispersion(self) -> float:
        """Chi-square per degree of freedom; about 1 if the probabilities are right."""
        return self.chi_square / self.freedom


NUM_GROUPS = 10
"""Number of groups of a calibration, as in the test of Hosmer and Lemeshow."""
MIN_GROUP_VARIANCE = 1.0
"""Groups in which the number of consistent boards has a smaller variance do not count, because the
normal approximation of chi-square is poor for them."""


def calibrate(
    chances: np.ndarray, is_consistent: np.ndarray, num_parameters: int = 0
) -> Calibration:
    """Compare probabilities with verdicts: of all boards, and of boards of similar probability."""
    order = np.argsort(chances, kind="stable")
    chances, verdicts = chances[order], is_consistent[order]
    variances = chances * (1 - chances)
    total = float(variances.sum())
    # Groups of equal variance, so that no group has only boards whose verdict is almost certain
    groups = np.minimum(
        (np.cumsum(variances) - variances / 2) / max(total, 1e-12) * NUM_GROUPS, NUM_GROUPS - 1
    ).astype(int)
    chi_square, num_groups = 0.0, 0
    for group in range(NUM_GROUPS):
        members = groups == group
        variance = float(variances[members].sum())
        if variance >= MIN_GROUP_VARIANCE:
            chi_square += float((verdicts[members].sum() - chances[members].sum()) ** 2 / variance)
            num_groups += 1
    expected, observed = float(chances.sum()), int(verdicts.sum())
    deviation = (observed - expected) / math.sqrt(total) if total else 0.0
    return Calibration(
        len(chances), expected, observed, deviation, chi_square, num_groups, num_parameters
    )


def curvature_tail(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the p-value of the quadratic term of a parabola, by the t-test.

    It is NaN for fewer than four points. A small value means that no straight line fits.
    """
    if len(x) < 4:
        return math.nan
    center = np.mean(x)
    columns = np.vander(np.asarray(x) - center, 3)
    weights, residual, _, _ = np.linalg.lstsq(columns, np.asarray(y), rcond=None)
    freedom = len(x) - 3
    variance = float(residual[0]) / freedom if len(residual) else 0.0
    error = math.sqrt(variance * float(np.linalg.inv(columns.T @ columns)[0, 0]))
    if not error:
        return 1.0 if abs(weights[0]) < 1e-9 else 0.0
    return float(2 * scipy().stats.t.sf(abs(weights[0]) / error, freedom))


def adjust(p_values: Sequence[float]) -> list[float]:
    """Return p-values that are adjusted for multiple tests (Benjamini and Hochberg 1995).

    NaN, the p-value of a test without data, is not counted as a test and remains NaN.
    """
    adjusted = np.array(p_values, float)
    is_tested = ~np.isnan(adjusted)
    if is_tested.any():
        adjusted[is_tested] = scipy().stats.false_discovery_control(adjusted[is_tested])
    return [float(value) for value in adjusted]


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the p-value of the test of Mann and Whitney that the distributions are equal."""
    return float(scipy().stats.mannwhitneyu(first, second).pvalue)


def van_elteren(
    values: np.ndarray, is_first: np.ndarray, strata: np.ndarray
) -> tuple[float, float]:
    """Compare two groups within strata by the test of van Elteren (1960).

    This is the sum of Wilcoxon's statistics of the strata with the weights 1 / (boards + 1), in
    its normal approximation with ties. Return the standardized statistic, which is positive if the
    values of the first group are larger, and the two-sided p-value. Both are NaN if no stratum has
    boards of both groups.
    """
    difference = variance = 0.0
    for stratum in np.unique(strata):
        group = is_first[strata == stratum]
        count, num_first = len(group), int(group.sum())
        if num_first in (0, count):
            continue
        ranks = scipy().stats.rankdata(values[strata == stratum])
        difference += (ranks[group].sum() - num_first * (count + 1) / 2) / (count + 1)
        spread = num_first * (count - num_first) / count * ranks.var(ddof=1)
        variance += spread / (count + 1) ** 2
    if not variance:
        return math.nan, math.nan
    z = float(difference / math.sqrt(variance))
    return z, float(2 * scipy().stats.norm.sf(abs(z)))


def rank_correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Return Spearman's rank correlation."""
    return float(scipy().stats.spearmanr(first, second).statistic)


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square variable is at least `value`."""
    return float(scipy().stats.chi2.sf(value, freedom))
