"""Pruned walks: they find codes of the lattice, and only those, whatever is cut off."""

from __future__ import annotations

import random

import pytest

from mmsat._core import Lattice as Kernel
from mmsat.solving.lattice import (
    CHECK_COST,
    MIN_PRUNED_BUDGET,
    POINTS_PER_BUDGET,
    Points,
    Pruned,
    read_places,
    reorder,
    short_equations,
)
from mmsat.solving.portfolio import finish
from tests.support.lattice_equations import codes_of, random_equations
from tests.support.planted_boards import planted


def pruned(places, share):
    """Return the solutions of a walk that prunes after this fraction of the path."""
    kernel = Kernel(places.colors, places.allowed, places.weights, places.totals)
    levels = len(kernel.basis)
    kernel.prune([share + (1 - share) * (levels - level) / levels for level in range(levels)])
    return codes_of(kernel)


def read(size, rows, seed):
    (system,) = short_equations(planted(size, rows, seed))
    (places,) = read_places(system).places
    return system, places


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_found_that_is_no_code(seed):
    _, places = read("24x2", 4, seed)
    kernel = Kernel(places.colors, places.allowed, places.weights, places.totals)
    everything = codes_of(kernel)
    assert len(set(everything)) == len(everything) > 1
    assert sorted(pruned(places, 1.0)) == sorted(everything)
    some = [pruned(places, share) for share in (0.5, 0.2, 0.0)]
    for more, fewer in zip([everything, *some], some, strict=False):
        assert set(fewer) <= set(more)
    assert len(some[0]) > 0
    assert len(some[2]) < len(everything)


class Refusal:
    """A system that no code satisfies, whatever its equations are."""

    def __init__(self):
        self.looks = 0

    def satisfies(self, _code):
        self.looks += 1
        return False


def test_a_look_at_a_point_is_work():
    _, places = read("24x2", 4, 0)
    system = Refusal()
    assert not Points([places], system).step(1)
    assert system.looks == POINTS_PER_BUDGET // CHECK_COST


def test_points_that_the_system_refuses_all_get_a_look():
    _, places = read("24x2", 4, 0)
    kernel = Kernel(places.colors, places.allowed, places.weights, places.totals)
    system = Refusal()
    assert finish(Points([places], system)).code is None
    assert system.looks == len(codes_of(kernel)) > POINTS_PER_BUDGET // CHECK_COST


@pytest.mark.parametrize("seed", range(8))
def test_another_order_of_pegs_has_the_same_codes(seed):
    _, places = read("16x2", 5, seed)
    order = random.Random(seed).sample(range(16), 16)
    back = [
        tuple(code[order.index(peg)] for peg in range(16))
        for code in pruned(reorder(places, order), 1.0)
    ]
    assert sorted(back) == sorted(pruned(places, 1.0))


@pytest.mark.parametrize("seed", range(4))
def test_a_code_is_found(seed):
    system, places = read("64x2", 24, seed)
    results = []
    for _ in range(2):
        work = Pruned(places, system)
        assert not work.step(MIN_PRUNED_BUDGET - 1)
        while not work.step(MIN_PRUNED_BUDGET):
            pass
        assert system.satisfies(work.code)
        results.append(work.code)
    assert results[0] == results[1]


def test_a_share_for_each_vector():
    allowed, weights, totals = random_equations(random.Random(1), 5, 3)
    with pytest.raises(ValueError, match="a share for each"):
        Kernel(3, allowed, weights, totals).prune([1.0] * 99)
