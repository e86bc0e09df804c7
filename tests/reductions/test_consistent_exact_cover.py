"""Regular exact cover as boards of consistent guesses."""

from __future__ import annotations

import random
from itertools import combinations

import networkx as nx
import pytest

from mmsat.errors import InputError
from mmsat.reductions.covers import ConsistentExactCover
from mmsat.reductions.sources import Cover
from tests.support.reduction_laws import holds, is_consistent_play


def choices(source: Cover):
    """Yield every choice of sets, as ascending indices."""
    for size in range(len(source.sets) + 1):
        yield from combinations(range(len(source.sets)), size)


def regular_cover(rng: random.Random, chosen: int, size: int, degree: int) -> Cover:
    """Return sets of one size, of which `chosen` could cover; each element is in `degree` sets."""
    elements = chosen * size
    while True:
        copies = [element for element in range(1, elements + 1) for _ in range(degree)]
        rng.shuffle(copies)
        sets = [tuple(copies[start : start + size]) for start in range(0, len(copies), size)]
        if all(len(set(entry)) == size for entry in sets):
            return Cover(elements, tuple(sets))


@pytest.mark.parametrize(
    ("chosen", "size", "degree"),
    [(1, 2, 1), (1, 3, 2), (2, 2, 2), (2, 2, 3), (3, 2, 2), (2, 3, 2), (2, 3, 3), (1, 4, 2)],
)
def test_the_boards_of_random_regular_covers_are_right(chosen, size, degree):
    rng = random.Random(f"{chosen} {size} {degree}")
    for _ in range(5):
        source = regular_cover(rng, chosen, size, degree)
        reduction = ConsistentExactCover(source)
        assert is_consistent_play(reduction.board), str(source)
        holds(reduction, choices(source))


def test_two_triangles_have_no_exact_cover():
    source = Cover(6, ((1, 2), (2, 3), (1, 3), (4, 5), (5, 6), (4, 6)))
    assert holds(ConsistentExactCover(source), choices(source)) == 0


@pytest.mark.slow
def test_the_petersen_graph_has_six_perfect_matchings():
    edges = nx.convert_node_labels_to_integers(nx.petersen_graph(), 1).edges
    source = Cover(10, tuple(edges))
    reduction = ConsistentExactCover(source)
    assert is_consistent_play(reduction.board)
    assert holds(reduction, choices(source)) == 6


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        (Cover(2, ((1,), (2,))), "sets of one size, 2 or more"),
        (Cover(3, ((1, 2), (1, 2, 3), (3, 1))), "sets of one size, 2 or more"),
        (Cover(3, ((1, 2), (2, 3), (3, 1))), "a multiple of 2 elements"),
        (Cover(4, ((1, 2), (2, 3), (3, 4))), "every element in the same number of sets"),
        (Cover(2), "sets of one size, 2 or more"),
    ],
)
def test_irregular_covers_are_refused(source, rule):
    with pytest.raises(InputError, match=rule):
        ConsistentExactCover(source)
