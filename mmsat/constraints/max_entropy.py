"""Estimated probabilities of the colors of each peg, given linear equations about a code.

Consider distributions of codes with independent pegs that satisfy the equations in expectation. The
distribution of maximum entropy approximates the uniform distribution on the codes that satisfy the
equations. In this distribution, each equation has a factor. The probability of a color of a peg is
proportional to the product of the factors, each to the power of the coefficient of the color in its
equation [1, 2]. The logarithms of the factors minimize a convex function. Newton's method finds
them in about a dozen steps.

References
----------
[1] Jaynes (1957), "Information theory and statistical mechanics", Physical Review 106.
[2] Barvinok and Hartigan (2010), "Maximum entropy Gaussian approximations for the number of integer
    points and volumes of polytopes", Advances in Applied Mathematics 45. It treats linear equations
    about many independent variables with few values.
"""

from __future__ import annotations

from collections.abc import Sequence

from mmsat._util.arrays import Array, np

MAX_NEWTON_STEPS = 60
"""Maximum number of Newton steps. A dozen are enough if some distribution satisfies the equations
in expectation."""
TOTAL_TOLERANCE = 1e-4
"""Newton's method stops if the expectation of every equation is this close to its total."""
RIDGE = 1e-9
"""Multiple of the identity that is added to the Hessian, which is singular if equations depend on
each other."""
STEP_SIZES = tuple(0.5**times for times in range(20))
"""Step sizes of the backtracking line search. The first one with a sufficient decrease is used."""
MIN_DESCENT_FRACTION = 0.25
"""Required decrease, as a fraction of the decrease that the gradient predicts (Armijo's rule)."""


def entropy(probabilities: Array) -> float:
    """Return the entropy, in bits, of independent pegs with these probabilities of colors."""
    positive = probabilities[probabilities > 0]
    return -float(positive @ np.log2(positive))


def estimate_color_probabilities(
    allowed: Sequence[Sequence[int]], coefficients: Array, totals: Sequence[int]
) -> Array:
    """Return the probability of each color of each peg under maximum entropy.

    If no distribution satisfies the equations in expectation, the result is an approximation.

    - `allowed`: the possible colors of each peg.
    - `coefficients`: the coefficients of each equation, indexed by peg * colors + color.
    - `totals`: the total of each equation.

    The result is indexed by peg * colors + color; the probabilities of each peg add up to 1.
    """
    pegs, colors = len(allowed), coefficients.shape[1] // len(allowed)
    log_mask = np.full((pegs, colors), -np.inf)
    for peg, peg_colors in enumerate(allowed):
        log_mask[peg, list(peg_colors)] = 0

    def evaluate(factors: Array) -> tuple[float, Array]:
        """Return the convex function and the probabilities at the logarithms of the factors."""
        exponents = (factors @ coefficients).reshape(pegs, colors) + log_mask
        max_exponents = exponents.max(axis=1, keepdims=True)
        exponentials = np.exp(exponents - max_exponents)
        sums = exponentials.sum(axis=1, keepdims=True)
        return float((max_exponents + np.log(sums)).sum() - factors @ totals), exponentials / sums

    factors = np.zeros(len(totals))
    value, probabilities = evaluate(factors)
    for _ in range(MAX_NEWTON_STEPS):
        gaps = coefficients @ probabilities.ravel() - totals
        if np.abs(gaps).max(initial=0) < TOTAL_TOLERANCE:
            break
        weighted_coefficients = coefficients * probabilities.ravel()
        means = weighted_coefficients.reshape(-1, pegs, colors).sum(axis=2)
        curvature = (
            weighted_coefficients @ coefficients.T - means @ means.T + RIDGE * np.eye(len(totals))
        )
        step = np.linalg.solve(curvature, gaps)
        min_decrease = MIN_DESCENT_FRACTION * float(gaps @ step)
        for step_size in STEP_SIZES:
            next_value, next_probabilities = evaluate(factors - step_size * step)
            if next_value <= value - step_size * min_decrease:
                break
        else:
            break
        factors, value, probabilities = factors - step_size * step, next_value, next_probabilities
    return probabilities.ravel()
