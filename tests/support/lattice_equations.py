"""Random equations for the lattice engine."""

from __future__ import annotations

import numpy as np

from mmsat._core import SearchStatus


def codes_of(kernel, threads=1, steps=1000):
    """Return all codes that the kernel's search finds, in its order."""
    results = []
    while (status := kernel.advance(steps, threads)) is not SearchStatus.EXHAUSTED:
        if status is SearchStatus.CODE_FOUND:
            results.append(kernel.code)
    return results


def random_equations(rng, pegs, colors):
    """Return the allowed colors of the pegs, and a few equations with small coefficients.

    Most of these have a solution.
    """
    allowed = [sorted(rng.sample(range(colors), rng.randint(1, colors))) for _ in range(pegs)]
    weights = np.array(
        [
            [rng.choice((0, 0, 1, -1, 2)) for _ in range(pegs * colors)]
            for _ in range(rng.randint(0, 4))
        ],
        dtype=np.int32,
    ).reshape(-1, pegs * colors)
    code = [rng.choice(entry) for entry in allowed]
    off = rng.choice((0, 0, 0, 1))  # with 1, the drawn code violates all equations
    return allowed, weights, [evaluate(row, code, colors) + off for row in weights]


def evaluate(row, code, colors):
    return int(sum(row[peg * colors + color] for peg, color in enumerate(code)))
