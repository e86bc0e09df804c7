"""How likely colors are: the mixture of greatest entropy, and always shares of one."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mmsat.constraints.max_entropy import entropy, likely_colors
from tests.support import tiers


def random_system(rng):
    """Return equations with a solution in which every allowed color has a positive probability."""
    pegs, colors = rng.randint(1, 8), rng.randint(1, 5)
    allowed = [sorted(rng.sample(range(colors), rng.randint(1, colors))) for _ in range(pegs)]
    mixture = np.zeros((pegs, colors))
    for peg, own in enumerate(allowed):
        parts = np.array([rng.uniform(0.05, 1) for _ in own])
        mixture[peg, own] = parts / parts.sum()
    rows = rng.randint(0, 5)
    weights = np.array([rng.choice((0, 0, 1, -1, 2)) for _ in range(rows * pegs * colors)])
    weights = weights.reshape(rows, pegs * colors)
    return allowed, weights, weights @ mixture.ravel()


def test_it_satisfies_the_equations_and_has_the_greatest_entropy():
    rng = random.Random(1)
    for _ in range(tiers.share(300)):
        allowed, weights, totals = random_system(rng)
        likely = likely_colors(allowed, weights, totals).reshape(len(allowed), -1)
        assert np.abs(weights @ likely.ravel() - totals).max(initial=0) < 1e-3
        for peg, own in enumerate(allowed):
            assert likely[peg].sum() == pytest.approx(1)
            assert set(np.flatnonzero(likely[peg])) == set(own)
        # Where entropy is greatest, its slope is at right angles to every way that is open: the
        # logarithms are a sum of the equations and of a number for each peg.
        open_cells = np.flatnonzero(likely.ravel())
        by_peg = np.kron(np.eye(len(allowed)), np.ones(likely.shape[1]))
        normal = np.vstack([weights, by_peg])[:, open_cells].T
        logarithms = np.log(likely.ravel()[open_cells])
        shares = np.linalg.lstsq(normal, logarithms, rcond=None)[0]
        assert normal @ shares == pytest.approx(logarithms, abs=1e-6)


def test_colors_are_equally_likely_where_nothing_is_known():
    likely = likely_colors([(0, 2), (0, 1, 2)], np.zeros((0, 6)), [])
    assert likely == pytest.approx([1 / 2, 0, 1 / 2, 1 / 3, 1 / 3, 1 / 3])


def test_one_of_four_pegs_is_a_quarter_each():
    weights = np.kron(np.ones((1, 4)), np.array([[1, 0, 0]]))
    likely = likely_colors([(0, 1, 2)] * 4, weights, [1]).reshape(4, 3)
    assert likely == pytest.approx(np.tile([1 / 4, 3 / 8, 3 / 8], (4, 1)), abs=1e-4)


def test_entropy_is_in_bits():
    assert entropy(likely_colors([(0, 1), (1,), (0, 1, 2, 3)], np.zeros((0, 12)), [])) == 3
    assert entropy(np.array([0.5, 0.5, 0, 1, 0.25, 0.75])) == pytest.approx(1.8112781)


def test_shares_exist_even_if_no_mixture_satisfies_the_equations():
    rng = random.Random(2)
    for _ in range(tiers.share(200)):
        allowed, weights, totals = random_system(rng)
        off = totals + np.array([rng.choice((0, 3, 50, -50)) for _ in totals])
        likely = likely_colors(allowed, weights, off).reshape(len(allowed), -1)
        assert likely.sum(axis=1) == pytest.approx(1)
        assert (likely >= 0).all()
