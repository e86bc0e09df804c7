"""Three-dimensional matchings as boards with a color for each triple."""

from __future__ import annotations

import random
from itertools import combinations, product

from mmsat.reductions.boards import BlackWhiteLift
from mmsat.reductions.covers import ThreeDimensionalMatchingColors
from mmsat.reductions.sources import Triples
from tests.support.reduction_laws import holds


def choices(source: Triples):
    """Yield every choice of triples, as ascending indices."""
    for size in range(len(source.triples) + 1):
        yield from combinations(range(len(source.triples)), size)


def test_the_boards_of_up_to_three_triples_over_two_things_per_kind_are_right():
    all_triples = list(product((1, 2), repeat=3))
    results = []
    for num_triples in range(4):
        for triples in combinations(all_triples, num_triples):
            source = Triples(2, triples)
            results.append(holds(ThreeDimensionalMatchingColors(source), choices(source)))
    assert results.count(0) not in {0, len(results)}


def test_the_boards_of_random_triples_are_right():
    rng = random.Random(131)
    results = []
    for _ in range(60):
        size = rng.randint(1, 3)
        triples = [tuple(rng.randint(1, size) for _ in range(3)) for _ in range(rng.randint(0, 4))]
        if rng.random() < 0.6:
            orders = [rng.sample(range(1, size + 1), size) for _ in range(3)]
            triples += list(zip(*orders, strict=True))
        rng.shuffle(triples)
        source = Triples(size, tuple(triples))
        results.append(holds(ThreeDimensionalMatchingColors(source), choices(source)))
    assert 5 < results.count(0) < 55
    assert max(results) > 1


def test_the_lift_to_black_and_white_has_as_many_codes():
    source = Triples(2, ((1, 1, 1), (2, 2, 2), (1, 2, 2), (2, 1, 1)))
    reduction = ThreeDimensionalMatchingColors(source)
    lift = BlackWhiteLift(reduction.board)
    assert not lift.has_new_color
    codes = [
        reduction.encode(choice) for choice in choices(source) if reduction.is_certificate(choice)
    ]
    assert holds(lift, codes) == 2
