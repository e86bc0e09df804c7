"""How likely each color of each peg is, where nothing is known of a code but some equations.

Of all ways to draw the pegs one by one that satisfy the equations on average, the one of greatest
entropy is the nearest to a code drawn at random from those that satisfy them. There each color of a
peg is as likely as the product of one factor for each equation that weighs it; the factors are
those where a convex function is least, which Newton's method finds in a dozen steps.

Source: E. T. Jaynes, Physical Review 106 (1957); for linear equations about many small choices, A.
Barvinok and J. A. Hartigan, Advances in Applied Mathematics 45 (2010).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

STEPS = 60
"""Of Newton's method, at most; a dozen do, where some mixture of codes satisfies the equations."""
NEAR = 1e-4
"""How far the totals may be off in the end."""
RIDGE = 1e-9
"""What keeps equations that follow from others from dividing by zero."""
PARTS = tuple(0.5**times for times in range(20))
"""How much of a step is taken, at most all of it: the first part that descends ..."""
DESCENT = 0.25
"""... by so much of what the slope promises."""


def entropy(likely: np.ndarray) -> float:
    """The entropy of such a draw, in bits."""
    some = likely[likely > 0]
    return -float(some @ np.log2(some))


def likely_colors(
    allowed: Sequence[Sequence[int]], weights: np.ndarray, totals: Sequence[int]
) -> np.ndarray:
    """How likely each color of each peg is, by peg * colors + color; those of a peg add up to 1.

    By peg, the colors that it may have; by equation, what each color of each peg adds to its total.
    Where no mixture of codes satisfies the equations, what comes near to one.
    """
    pegs, colors = len(allowed), weights.shape[1] // len(allowed)
    barred = np.full((pegs, colors), -np.inf)
    for peg, own in enumerate(allowed):
        barred[peg, list(own)] = 0

    def draw(factors: np.ndarray) -> tuple[float, np.ndarray]:
        """The convex function, and how likely each color is with these factors' logarithms."""
        powers = (factors @ weights).reshape(pegs, colors) + barred
        most = powers.max(axis=1, keepdims=True)
        parts = np.exp(powers - most)
        sums = parts.sum(axis=1, keepdims=True)
        return float((most + np.log(sums)).sum() - factors @ totals), parts / sums

    factors = np.zeros(len(totals))
    value, likely = draw(factors)
    for _ in range(STEPS):
        gaps = weights @ likely.ravel() - totals
        if np.abs(gaps).max(initial=0) < NEAR:
            break
        weighed = weights * likely.ravel()
        means = weighed.reshape(-1, pegs, colors).sum(axis=2)
        curvature = weighed @ weights.T - means @ means.T + RIDGE * np.eye(len(totals))
        step = np.linalg.solve(curvature, gaps)
        promised = DESCENT * float(gaps @ step)
        for part in PARTS:
            lower, nearer = draw(factors - part * step)
            if lower <= value - part * promised:
                break
        else:
            break
        factors, value, likely = factors - part * step, lower, nearer
    return likely.ravel()
