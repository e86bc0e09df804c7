"""Estimated probabilities of colors: the distribution of maximum entropy."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mmsat.constraints.histograms import entropy, estimate_color_probabilities
from tests.support import tiers


def random_system(rng):
    """Return equations with a solution in which every allowed color has a positive probability."""
    pegs, colors = rng.randint(1, 8), rng.randint(1, 5)
    allowed = [sorted(rng.sample(range(colors), rng.randint(1, colors))) for _ in range(pegs)]
    mixture = np.zeros((pegs, colors))
    for peg, colors_of_peg in enumerate(allowed):
        shares = np.array([rng.uniform(0.05, 1) for _ in colors_of_peg])
        mixture[peg, colors_of_peg] = shares / shares.sum()
    rows = rng.randint(0, 5)
    coefficients = np.array([rng.choice((0, 0, 1, -1, 2)) for _ in range(rows * pegs * colors)])
    coefficients = coefficients.reshape(rows, pegs * colors)
    return allowed, coefficients, coefficients @ mixture.ravel()


def test_the_distribution_satisfies_the_equations_and_has_maximum_entropy():
    rng = random.Random(1)
    for _ in range(tiers.share(300)):
        allowed, coefficients, totals = random_system(rng)
        probabilities = estimate_color_probabilities(allowed, coefficients, totals).reshape(
            len(allowed), -1
        )
        assert np.abs(coefficients @ probabilities.ravel() - totals).max(initial=0) < 1e-3
        for peg, colors_of_peg in enumerate(allowed):
            assert probabilities[peg].sum() == pytest.approx(1)
            assert set(np.flatnonzero(probabilities[peg])) == set(colors_of_peg)
        # At the maximum, the gradient of the entropy is orthogonal to all feasible directions.
        # Therefore the logarithms are a linear combination of the equations and of one constant
        # per peg.
        positive_cells = np.flatnonzero(probabilities.ravel())
        by_peg = np.kron(np.eye(len(allowed)), np.ones(probabilities.shape[1]))
        normals = np.vstack([coefficients, by_peg])[:, positive_cells].T
        logarithms = np.log(probabilities.ravel()[positive_cells])
        factors = np.linalg.lstsq(normals, logarithms, rcond=None)[0]
        assert normals @ factors == pytest.approx(logarithms, abs=1e-6)


def test_without_equations_the_allowed_colors_are_equally_likely():
    probabilities = estimate_color_probabilities([(0, 2), (0, 1, 2)], np.zeros((0, 6)), [])
    assert probabilities == pytest.approx([1 / 2, 0, 1 / 2, 1 / 3, 1 / 3, 1 / 3])


def test_a_color_of_one_peg_in_four_has_probability_a_quarter_at_each():
    coefficients = np.kron(np.ones((1, 4)), np.array([[1, 0, 0]]))
    probabilities = estimate_color_probabilities([(0, 1, 2)] * 4, coefficients, [1]).reshape(4, 3)
    assert probabilities == pytest.approx(np.tile([1 / 4, 3 / 8, 3 / 8], (4, 1)), abs=1e-4)


def test_entropy_is_in_bits():
    assert (
        entropy(estimate_color_probabilities([(0, 1), (1,), (0, 1, 2, 3)], np.zeros((0, 12)), []))
        == 3
    )
    assert entropy(np.array([0.5, 0.5, 0, 1, 0.25, 0.75])) == pytest.approx(1.8112781)


def test_unsatisfiable_equations_still_give_probabilities():
    rng = random.Random(2)
    for _ in range(tiers.share(200)):
        allowed, coefficients, totals = random_system(rng)
        wrong_totals = totals + np.array([rng.choice((0, 3, 50, -50)) for _ in totals])
        probabilities = estimate_color_probabilities(allowed, coefficients, wrong_totals).reshape(
            len(allowed), -1
        )
        assert probabilities.sum(axis=1) == pytest.approx(1)
        assert (probabilities >= 0).all()
