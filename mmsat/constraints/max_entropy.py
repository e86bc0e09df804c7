"""Estimated probabilities of the colors of each peg, given linear equations about a code.

Consider distributions of codes with independent pegs that satisfy the equations in expectation. The
distribution of maximum entropy approximates the uniform distribution on the codes that satisfy the
equations. In it, the probability of a color of a peg is proportional to the product of one factor
for each equation, to the power of the coefficient of the color [1, 2]. The logarithms of the
factors minimize a convex function. Newton's method finds them in about a dozen steps.

References
----------
[1] Jaynes (1957), "Information theory and statistical mechanics", Physical Review 106.
[2] Barvinok and Hartigan (2010), "Maximum entropy Gaussian approximations for the number of integer
    points and volumes of polytopes", Advances in Applied Mathematics 45. It treats linear equations
    about many small choices.
"""

from __future__ import annotations

from collections.abc import Sequence

from mmsat._util.arrays import Array, np

MAX_NEWTON_STEPS = 60
"""The maximum number of Newton steps.

A dozen are enough if a distribution satisfies the equations in expectation.
"""
TOTAL_TOLERANCE = 1e-4
"""The tolerance of the totals: Newton's method stops if all are this close."""
RIDGE = 1e-9
"""A multiple of the identity added to the Hessian, which is singular for dependent equations."""
STEP_SIZES = tuple(0.5**times for times in range(20))
"""The step sizes of the backtracking line search, in order; the first sufficient one is taken."""
MIN_DESCENT_FRACTION = 0.25
"""The required decrease as a fraction of the decrease predicted by the gradient (Armijo's rule)."""


def entropy(likely: Array) -> float:
    """Return the entropy of independent pegs with given probabilities of colors, in bits."""
    positive = likely[likely > 0]
    return -float(positive @ np.log2(positive))


def likely_colors(allowed: Sequence[Sequence[int]], weights: Array, totals: Sequence[int]) -> Array:
    """Return the probability of each color of each peg under maximum entropy.

    If no distribution satisfies the equations in expectation, the result is an approximation.

    - `allowed`: the possible colors of each peg.
    - `weights`: the coefficients of each equation, by peg * colors + color.
    - `totals`: the total of each equation.

    The result is indexed by peg * colors + color; the probabilities of each peg add up to 1.
    """
    pegs, colors = len(allowed), weights.shape[1] // len(allowed)
    additive_mask = np.full((pegs, colors), -np.inf)
    for peg, peg_colors in enumerate(allowed):
        additive_mask[peg, list(peg_colors)] = 0

    def draw(factors: Array) -> tuple[float, Array]:
        """Return the convex function and the probabilities for given logarithms of the factors."""
        powers = (factors @ weights).reshape(pegs, colors) + additive_mask
        max_powers = powers.max(axis=1, keepdims=True)
        exponentials = np.exp(powers - max_powers)
        sums = exponentials.sum(axis=1, keepdims=True)
        return float((max_powers + np.log(sums)).sum() - factors @ totals), exponentials / sums

    factors = np.zeros(len(totals))
    value, likely = draw(factors)
    for _ in range(MAX_NEWTON_STEPS):
        gaps = weights @ likely.ravel() - totals
        if np.abs(gaps).max(initial=0) < TOTAL_TOLERANCE:
            break
        weighted = weights * likely.ravel()
        means = weighted.reshape(-1, pegs, colors).sum(axis=2)
        curvature = weighted @ weights.T - means @ means.T + RIDGE * np.eye(len(totals))
        step = np.linalg.solve(curvature, gaps)
        min_decrease = MIN_DESCENT_FRACTION * float(gaps @ step)
        for step_size in STEP_SIZES:
            next_value, next_likely = draw(factors - step_size * step)
            if next_value <= value - step_size * min_decrease:
                break
        else:
            break
        factors, value, likely = factors - step_size * step, next_value, next_likely
    return likely.ravel()
