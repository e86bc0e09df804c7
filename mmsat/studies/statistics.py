"""Intervals and fits, in numpy alone; all random choices from a seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

RESAMPLES = 400
"""Of a bootstrap."""
LEVEL = 0.95
Z = 1.959964
"""The normal quantile of the level."""


class Estimate(NamedTuple):
    """A number with its interval."""

    value: float
    low: float
    high: float


def wilson(successes: int, many: int) -> tuple[float, float]:
    """The Wilson score interval of a share, at 95 %.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927).
    """
    if not many:
        return 0.0, 1.0
    share, square = successes / many, Z * Z / many
    middle = (share + square / 2) / (1 + square)
    half = Z / (1 + square) * math.sqrt(share * (1 - share) / many + square / many / 4)
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))


def median(values: Sequence[float]) -> Estimate:
    """The median with its interval by order statistics, which assumes nothing of the distribution.

    What was cut off counts as infinite, and a bound may be infinite. With fewer than 6 values the
    interval is everything.
    """
    ordered = sorted(values)
    many = len(ordered)
    middle = (ordered[(many - 1) // 2] + ordered[many // 2]) / 2
    chance, rank = 0.0, 0
    while (chance := chance + math.comb(many, rank) / 2**many) <= (1 - LEVEL) / 2:
        rank += 1
    if not rank:
        return Estimate(middle, -math.inf, math.inf)
    return Estimate(middle, ordered[rank - 1], ordered[many - rank])


class Line(NamedTuple):
    """A straight line through points, by least squares."""

    slope: float
    start: float
    residual: float
    """The sum of the squares of what is left."""


def fit_line(x: Sequence[float], y: Sequence[float]) -> Line:
    """Fit a line."""
    slope, start = np.polyfit(x, y, 1)
    return Line(float(slope), float(start), float(((np.polyval([slope, start], x) - y) ** 2).sum()))


def bootstrap(estimate: Callable[[np.random.Generator | None], float], seed: int = 1) -> Estimate:
    """An estimate, with the middle 95 % of those from samples of the data drawn anew.

    The function is called with None for the data as they are, else draws from them.
    """
    rng = np.random.default_rng(seed)
    many = [estimate(rng) for _ in range(RESAMPLES)]
    low, high = np.quantile(many, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(estimate(None), float(low), float(high))


def redraw(values: Sequence[float], rng: np.random.Generator | None) -> list[float]:
    """As many of the values, with repeats; or the values."""
    return list(values) if rng is None else [*rng.choice(np.asarray(values), len(values))]


class Shares(NamedTuple):
    """How many of some boards are consistent, by size and position."""

    size: np.ndarray
    position: np.ndarray
    """Rows by the expected threshold."""
    yes: np.ndarray
    many: np.ndarray

    def redraw(self, rng: np.random.Generator | None) -> Shares:
        """Boards drawn anew."""
        if rng is None:
            return self
        return self._replace(yes=rng.binomial(self.many, self.yes / self.many))


def fit_logistic(columns: np.ndarray, yes: np.ndarray, many: np.ndarray) -> tuple[Any, float]:
    """Weights of columns in the logarithm of the odds, by maximum likelihood; and the deviance."""
    weights = np.zeros(columns.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        spread = many * chance * (1 - chance) + 1e-9
        hessian = columns.T @ (columns * spread[:, None]) + 1e-9 * np.eye(len(weights))
        step = np.linalg.solve(hessian, columns.T @ (yes - many * chance))
        weights = weights + step / max(1.0, np.abs(step).max() / 20)
        if np.abs(step).max() < 1e-9:
            break
    chance = np.clip(1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30))), 1e-12, 1 - 1e-12)
    share = np.clip(yes / many, 1e-12, 1 - 1e-12)
    terms = yes * np.log(share / chance) + (many - yes) * np.log((1 - share) / (1 - chance))
    return weights, float(2 * terms.sum())


class Collapse(NamedTuple):
    """A scaling law: the odds of consistency are exp(-steepness (r - location) N^exponent).

    N are the pegs and r the rows by the expected threshold, so that the width of the transition
    shrinks with the power -exponent of the size; 1 / exponent is mostly called nu.
    """

    location: float
    exponent: float
    steepness: float
    deviance: float
    """Of the data from the law; about `freedom` where it holds."""
    freedom: int

    def scale(self, size: Any, position: Any) -> Any:
        """The variable by which the curves of all sizes are one."""
        return (position - self.location) * size**self.exponent

    def chance(self, scaled: Any) -> Any:
        """The chance of consistency at it."""
        return 1 / (1 + np.exp(self.steepness * scaled))


EXPONENTS = (-1.0, 3.0)
"""Between which the exponent is looked for."""
GOLDEN = (math.sqrt(5) - 1) / 2


def fit_collapse(data: Shares) -> Collapse:
    """Fit the scaling law by maximum likelihood; the exponent by golden sections."""

    def fit(exponent: float) -> tuple[Any, float]:
        grown = (data.size / data.size.mean()) ** exponent
        return fit_logistic(np.column_stack([grown, grown * data.position]), data.yes, data.many)

    low, high = EXPONENTS
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = fit(left)[1], fit(right)[1]
    while high - low > 1e-4:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = fit(left)[1]
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = fit(right)[1]
    exponent = (low + high) / 2
    (start, slope), deviance = fit(exponent)
    steepness = -slope / float(data.size.mean()) ** exponent
    freedom = len(data.size) - 3
    return Collapse(-start / slope, exponent, float(steepness), deviance, freedom)


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance that a chi-square is as large, by Wilson and Hilferty's approximation."""
    root = (value / freedom) ** (1 / 3)
    spread = 2 / (9 * freedom)
    return math.erfc((root - 1 + spread) / math.sqrt(2 * spread)) / 2
