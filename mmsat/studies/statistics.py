"""Confidence intervals and fits with scipy (extra `study`). All random choices are seeded.

The bootstrap is implemented here because the one of scipy resamples arrays only, while boards are
resampled by size. So is the logistic regression, which scipy does not have.
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

    Censored values are given as infinity, and a bound can be infinite. With fewer than 6 values,
    the interval is unbounded.
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
    low, high = np.quantile(estimates, [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
    return Estimate(estimate(None), float(low), float(high))


def resample(values: Sequence[float], rng: np.random.Generator | None) -> list[float]:
    """Resample the values with replacement; without a generator, return them unchanged."""
    return list(values) if rng is None else [*rng.choice(np.asarray(values), len(values))]


class Shares(NamedTuple):
    """Numbers of boards and of consistent boards, by size and position."""

    size: np.ndarray
    position: np.ndarray
    """Rows divided by the expected threshold."""
    num_consistent: np.ndarray
    num_boards: np.ndarray

    def resample(self, rng: np.random.Generator | None) -> Shares:
        """Resample the boards; without a generator, return the data unchanged."""
        if rng is None:
            return self
        return self._replace(
            num_consistent=rng.binomial(self.num_boards, self.num_consistent / self.num_boards)
        )


def fit_logistic(
    columns: np.ndarray, successes: np.ndarray, trials: np.ndarray
) -> tuple[Any, float]:
    """Fit a logistic regression by maximum likelihood; return its weights and the deviance.

    `columns` has the explanatory variables.
    """
    # Newton's method. The small terms keep the Hessian regular, and long steps are shortened.
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


class Collapse(NamedTuple):
    """A scaling law: the odds of consistency are exp(-steepness (r - location) N^exponent).

    N is the number of pegs and r the number of rows divided by the expected threshold. The width of
    the transition shrinks with the power -exponent of the size; 1 / exponent is usually called nu.
    """

    location: float
    exponent: float
    steepness: float
    deviance: float
    """Deviance of the data from the law; it is about `freedom` if the law holds."""
    freedom: int
    """Number of degrees of freedom."""

    def scale(self, size: Any, position: Any) -> Any:
        """Return the scaled variable, in which the curves of all sizes coincide."""
        return (position - self.location) * size**self.exponent

    def chance(self, scaled: Any) -> Any:
        """Return the probability of consistency at values of the scaled variable."""
        return 1 / (1 + np.exp(self.steepness * scaled))


EXPONENT_BOUNDS = (-1.0, 3.0)
"""Bounds of the search for the exponent."""
EXPONENT_TOLERANCE = 1e-6
"""Maximum absolute error of the exponent of a fit."""


def fit_collapse(data: Shares) -> Collapse:
    """Fit the scaling law by maximum likelihood, with Brent's method for the exponent.

    For a given exponent, the law is a logistic regression.
    """

    def fit(exponent: float) -> tuple[Any, float]:
        # relative to the mean size, so that the columns have similar magnitudes
        powers = (data.size / data.size.mean()) ** exponent
        columns = np.column_stack([powers, powers * data.position])
        return fit_logistic(columns, data.num_consistent, data.num_boards)

    exponent = float(
        scipy()
        .optimize.minimize_scalar(
            lambda exponent: fit(exponent)[1],
            bounds=EXPONENT_BOUNDS,
            method="bounded",
            options={"xatol": EXPONENT_TOLERANCE},
        )
        .x
    )
    (intercept, slope), deviance = fit(exponent)
    steepness = -slope / float(data.size.mean()) ** exponent
    freedom = len(data.size) - 3
    return Collapse(-intercept / slope, exponent, float(steepness), deviance, freedom)


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square variable is at least `value`."""
    return float(scipy().stats.chi2.sf(value, freedom))
