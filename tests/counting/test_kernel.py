"""The compiled engine against a plain count of random layouts, negative amounts and all."""

from __future__ import annotations

import random
from array import array
from itertools import product

import pytest

from mmsat._core import Counter, Diagram

GIGABYTE = 1 << 30
SEEDS = range(400)


def random_layout(source, *, exact):
    """A small layout: pegs, sizes, once, allowed, amounts, steps, ranges."""
    pegs, labels, constraints = source.randint(1, 5), source.randint(1, 3), source.randint(0, 3)
    sizes = [source.choice([1, 1, 2, 3]) for _ in range(labels)]
    once = [int(source.random() < 0.2) for _ in range(labels)]
    allowed = [int(source.random() < 0.85) for _ in range(pegs * labels)]
    amounts, steps, ranges = [], [], []
    for constraint in range(constraints):
        kind = source.choice(["places", "counts", "both"])
        if kind != "counts":
            for peg, label in product(range(pegs), range(labels)):
                if source.random() < 0.5:
                    amounts.append((peg, label, constraint, source.choice([1, 1, 1, -1, 2])))
        if kind != "places":
            steps += [
                (label, count, constraint, source.choice([1, 1, 1, -1]))
                for label in range(labels)
                for count in range(1, source.randint(1, pegs) + 1)
                if not once[label]
            ]
        low = source.randint(-1, 3)
        ranges.append((low, low if exact else low + source.randint(0, 2)))
    return pegs, sizes, once, allowed, amounts, steps, ranges


def arguments(layout, bits=60):
    pegs, sizes, once, allowed, amounts, steps, ranges = layout
    flat = [
        array("i", [number for row in rows for number in row]) for rows in (amounts, steps, ranges)
    ]
    return pegs, array("i", sizes), array("i", once), array("i", allowed), *flat, bits


def solutions(layout):
    """Yield every satisfying label sequence with the color sequences it represents."""
    pegs, sizes, once, allowed, amounts, steps, ranges = layout
    for labels in product(range(len(sizes)), repeat=pegs):
        if not all(allowed[peg * len(sizes) + label] for peg, label in enumerate(labels)):
            continue
        ways = 1
        for label, size in enumerate(sizes):
            for used in range(labels.count(label)):
                ways *= size - used if once[label] else size
        sums = [0] * len(ranges)
        for peg, label, constraint, amount in amounts:
            sums[constraint] += amount * (labels[peg] == label)
        for label, count, constraint, amount in steps:
            sums[constraint] += amount * (labels.count(label) >= count)
        if ways > 0 and all(low <= s <= high for s, (low, high) in zip(sums, ranges, strict=True)):
            yield labels, ways


def built(layout, bits=60):
    diagram = Diagram(*arguments(layout, bits), GIGABYTE)
    while not diagram.advance(1):
        pass
    return diagram


def whole(number):
    return int.from_bytes(number, "little")


@pytest.mark.parametrize("exact", [True, False])
def test_counts_of_random_layouts(exact):
    found_count = 0
    for seed in SEEDS:
        layout = random_layout(random.Random(seed), exact=exact)
        expected = sum(ways for _, ways in solutions(layout))
        for work in (1, 1 << 20):
            counter = Counter(*arguments(layout), GIGABYTE)
            while not counter.advance(work):
                progress = counter.progress
                assert not progress.upper_bound or whole(progress.upper_bound) >= expected
            assert whole(counter.count) == expected, layout
        assert whole(built(layout).count) == expected, layout
        found_count += expected > 0
    assert found_count > len(SEEDS) // 4


@pytest.mark.parametrize("exact", [True, False])
def test_profiles_of_random_layouts(exact):
    """By peg and label, whatever pegs are fixed; a fixed label is one of its colors."""
    for seed in SEEDS:
        source = random.Random(seed)
        layout = random_layout(source, exact=exact)
        pegs, sizes, once = layout[:3]
        diagram = built(layout)
        if not whole(diagram.count):
            continue
        chosen = list(solutions(layout))
        fixed = [-1] * pegs
        path = source.choice(chosen)[0]
        for peg in source.sample(range(pegs), source.randint(0, pegs)):
            fixed[peg] = path[peg]
        expected = [0] * (pegs * len(sizes))
        for labels, ways in chosen:
            if any(label not in (-1, labels[peg]) for peg, label in enumerate(fixed)):
                continue
            share = ways
            for label, size in enumerate(sizes):
                held = fixed.count(label)
                for used in range(held):
                    share //= size - used if once[label] else size
            for peg, label in enumerate(labels):
                expected[peg * len(sizes) + label] += share
        assert list(map(whole, diagram.profile(fixed))) == expected, (layout, fixed)


def test_options_lead_to_every_sequence_of_labels():
    for seed in SEEDS:
        layout = random_layout(random.Random(seed), exact=seed % 2 == 0)
        diagram = built(layout)
        expected = sorted(labels for labels, _ in solutions(layout))
        results = []

        remaining = [((), 0, 0)] if expected else []
        while remaining:
            labels, node, index = remaining.pop()
            if len(labels) == layout[0]:
                results.append(labels)
                continue
            for label, to, at, ways in diagram.options(len(labels), node, index):
                assert whole(ways) > 0
                remaining.append(((*labels, label), to, at))
        assert sorted(results) == expected


@pytest.mark.parametrize("bits", [1, 64, 127, 200, 900, 4000])
def test_numbers_of_any_size(bits):
    """Pegs without constraints: as many codes as there are bits for, exactly."""
    pegs = bits
    layout = (pegs, [2], [0], [1] * pegs, [], [], [])
    assert whole(built(layout, bits).count) == 2**bits
    counter = Counter(*arguments(layout, bits), GIGABYTE)
    while not counter.advance(1 << 20):
        pass
    assert whole(counter.count) == 2**bits


def test_what_is_too_large_is_refused():
    layout = (5000, [2], [0], [1] * 5000, [], [], [])
    with pytest.raises(OverflowError):
        Counter(*arguments(layout, 5000), GIGABYTE)
    wide = [(peg, 0, constraint, 1) for constraint in range(300) for peg in range(40)]
    layout = (40, [1, 1], [0, 0], [1] * 80, wide, [], [(20, 20)] * 300)
    with pytest.raises(OverflowError):
        Diagram(*arguments(layout), GIGABYTE)


def test_memory_is_bounded():
    source = random.Random(1)
    amounts = [
        (peg, 1, constraint, 1)
        for constraint in range(8)
        for peg in range(60)
        if source.random() < 0.5
    ]
    layout = (60, [1, 1], [0, 0], [1] * 120, amounts, [], [(15, 15)] * 8)
    for kind in (Counter, Diagram):
        engine = kind(*arguments(layout), 1 << 20)
        with pytest.raises(MemoryError):
            engine.advance(1 << 40)
        assert engine.progress.peak_bytes <= 1 << 20


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({0: 0}, "pegs and labels"),
        ({1: []}, "pegs and labels"),
        ({1: [0, 1]}, "at least one color"),
        ({2: [0]}, "a number for each label"),
        ({3: [1]}, "each peg and label"),
        ({4: [(0, 0, 0)]}, "four numbers"),
        ({4: [(2, 0, 0, 1)]}, "an existing peg, label and constraint"),
        ({4: [(0, -1, 0, 1)]}, "an existing peg, label and constraint"),
        ({5: [(0, 0, 0, 1)]}, "existing label and constraint, and a count"),
        ({5: [(0, 3, 0, 1)]}, "existing label and constraint, and a count"),
        ({6: [(1,)]}, "two numbers"),
    ],
)
def test_nonsense_is_refused(change, rule):
    layout = [2, [1, 1], [0, 0], [1] * 4, [(0, 0, 0, 1)], [(1, 1, 0, 1)], [(1, 1)]]
    for place, value in change.items():
        layout[place] = value
    for kind in (Counter, Diagram):
        with pytest.raises(ValueError, match=rule):
            kind(*arguments(layout), GIGABYTE)


def test_states_that_do_not_exist_are_refused():
    diagram = built((2, [1, 1], [0, 0], [1] * 4, [], [], []))
    for place in ((2, 0, 0), (0, 1, 0), (0, 0, 1), (9, 9, 9)):
        with pytest.raises(IndexError):
            diagram.options(*place)
    with pytest.raises(IndexError):
        diagram.profile([-1])
    with pytest.raises(IndexError):
        diagram.profile([-1, 2])
