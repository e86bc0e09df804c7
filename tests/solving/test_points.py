"""Pruned walks: whatever is cut off, they find only solutions of the equations."""

from __future__ import annotations

import random

import pytest

from mmsat._core import Lattice as Kernel
from mmsat.solving import finish
from mmsat.solving.lattice import (
    CHECK_COST,
    MIN_PRUNED_BUDGET,
    POINTS_PER_BUDGET,
    PointWalk,
    PrunedWalks,
    read_lattice_equations,
    reorder,
    systems_to_solve,
)
from tests.support.lattice_equations import codes_of, random_equations
from tests.support.planted_boards import planted


def pruned_codes(equations, offset):
    """Return the solutions that a walk finds if its pruning bounds have this offset."""
    kernel = Kernel(equations.colors, equations.allowed, equations.coefficients, equations.totals)
    levels = len(kernel.basis)
    kernel.prune([offset + (1 - offset) * (levels - level) / levels for level in range(levels)])
    return codes_of(kernel)


def read_planted(size, rows, seed):
    """Return the system of a two-color board, and its equations."""
    (system,) = systems_to_solve(planted(size, rows, seed))
    (equations,) = read_lattice_equations(system).by_histogram
    return system, equations


@pytest.mark.parametrize("seed", range(8))
def test_pruned_walks_find_a_subset_of_the_solutions(seed):
    _, equations = read_planted("24x2", 4, seed)
    kernel = Kernel(equations.colors, equations.allowed, equations.coefficients, equations.totals)
    all_codes = codes_of(kernel)
    assert len(set(all_codes)) == len(all_codes) > 1
    assert sorted(pruned_codes(equations, 1.0)) == sorted(all_codes)
    results = [pruned_codes(equations, offset) for offset in (0.5, 0.2, 0.0)]
    for larger, smaller in zip([all_codes, *results], results, strict=False):
        assert set(smaller) <= set(larger)
    assert len(results[0]) > 0
    assert len(results[2]) < len(all_codes)


class UnsatisfiableSystem:
    """A system that no code satisfies, whatever its equations are."""

    def __init__(self):
        self.num_checks = 0

    def satisfies(self, _code):
        self.num_checks += 1
        return False


def test_checking_a_solution_costs_points():
    _, equations = read_planted("24x2", 4, 0)
    system = UnsatisfiableSystem()
    assert not PointWalk([equations], system).step(1)
    assert system.num_checks == POINTS_PER_BUDGET // CHECK_COST


def test_every_solution_of_the_equations_is_checked_against_the_system():
    _, equations = read_planted("24x2", 4, 0)
    kernel = Kernel(equations.colors, equations.allowed, equations.coefficients, equations.totals)
    system = UnsatisfiableSystem()
    assert finish(PointWalk([equations], system)).code is None
    assert system.num_checks == len(codes_of(kernel)) > POINTS_PER_BUDGET // CHECK_COST


@pytest.mark.parametrize("seed", range(8))
def test_reordered_pegs_have_the_same_codes(seed):
    _, equations = read_planted("16x2", 5, seed)
    order = random.Random(seed).sample(range(16), 16)
    restored_codes = [
        tuple(code[order.index(peg)] for peg in range(16))
        for code in pruned_codes(reorder(equations, order), 1.0)
    ]
    assert sorted(restored_codes) == sorted(pruned_codes(equations, 1.0))


@pytest.mark.parametrize("seed", range(4))
def test_pruned_walks_find_the_same_code_in_each_run(seed):
    system, equations = read_planted("64x2", 24, seed)
    results = []
    for _ in range(2):
        work = PrunedWalks(equations, system)
        assert not work.step(MIN_PRUNED_BUDGET - 1)
        while not work.step(MIN_PRUNED_BUDGET):
            pass
        assert system.satisfies(work.code)
        results.append(work.code)
    assert results[0] == results[1]


def test_pruning_needs_a_bound_for_each_basis_vector():
    allowed, weights, totals = random_equations(random.Random(1), 5, 3)
    with pytest.raises(ValueError, match="a number for each vector"):
        Kernel(3, allowed, weights, totals).prune([1.0] * 99)
