"""Random exact covers and matchings, planted, or unsolvable by a counting argument."""

import random
from collections.abc import Callable
from itertools import product

from mmsat.english import quantity
from mmsat.reductions.samples.sample import Answer, Sample
from mmsat.reductions.sources.cover import Cover, Triples
from mmsat.reductions.sources.formula import Formula

Triple = tuple[int, int, int]


def draw_cubic_cover(third: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw 3q elements and 3q sets of three, with every element in three sets; q is 3 or more.

    Large random instances almost always have no exact cover.
    """
    num_elements = 3 * third
    elements = list(range(1, num_elements + 1))
    rng.shuffle(elements)
    if answer is Answer.CONSISTENT:
        chosen = _deal(elements, rng)
        sets = [(triple, True) for triple in chosen]
        sets += [(triple, False) for triple in _deal(elements * 2, rng)]
        rng.shuffle(sets)
        certificate = tuple(index for index, (_, is_chosen) in enumerate(sets) if is_chosen)
        source = Cover(num_elements, tuple(triple for triple, _ in sets))
        recipe = (
            f"{quantity(third, 'planted set')}, and {quantity(2 * third, 'random set')} that "
            "contain every element twice."
        )
        return Sample.of(answer, source, certificate, recipe)
    if answer is Answer.INCONSISTENT:
        recipe = (
            "Every element has a hidden weight 0, 1 or 2. The weights of every set sum up to a "
            "multiple of 3, but those of all elements do not. So no sets cover each element "
            "exactly once."
        )
        return Sample.of(answer, _draw_weighted_cover(elements, rng), None, recipe)
    source = Cover(num_elements, tuple(_deal(elements * 3, rng)))
    return Sample.of(
        answer,
        source,
        None,
        f"{quantity(num_elements, 'random set')} of three; every element is in three sets.",
    )


def _deal(elements: list[int], rng: random.Random) -> list[Triple]:
    """Deal elements, which may repeat, into triples without a repeat within a triple."""
    cards = list(elements)
    rng.shuffle(cards)
    return _take_threes(cards, len(cards) // 3, rng)


def _draw_weighted_cover(elements: list[int], rng: random.Random) -> Cover:
    """Draw sets with weights 012, 111 or 000; the total weight of all elements is 1 modulo 3."""
    third = len(elements) // 3
    ones, zeros = 3 * (third // 9) + 1, 3 * (third // 9) + 2
    mixed = (len(elements) - ones - zeros) // 3
    light = elements[: mixed + zeros] * 3
    middle = elements[mixed + zeros : 2 * mixed + zeros + ones] * 3
    heavy = elements[2 * mixed + zeros + ones :] * 3
    for pile in (light, middle, heavy):
        rng.shuffle(pile)
    # Only sets of equal weights can repeat an element, so they are drawn first, from full piles.
    sets = [*_take_threes(light, zeros, rng), *_take_threes(middle, ones, rng)]
    sets += zip(light[3 * zeros :], middle[3 * ones :], heavy, strict=True)
    rng.shuffle(sets)
    return Cover(len(elements), tuple(sets))


def _take_threes(pile: list[int], sets: int, rng: random.Random) -> list[Triple]:
    """Return the first cards of a pile in triples, after swaps that remove repeats in triples."""
    while True:
        starts_with_repeat = [
            start for start in range(0, 3 * sets, 3) if len(set(pile[start : start + 3])) < 3
        ]
        if not starts_with_repeat:
            return [
                (pile[start], pile[start + 1], pile[start + 2]) for start in range(0, 3 * sets, 3)
            ]
        for start in starts_with_repeat:
            place, other = start + rng.randrange(3), rng.randrange(len(pile))
            pile[place], pile[other] = pile[other], pile[place]


def draw_matching(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw 3.35 triples per thing, of one thing of each of three kinds of `size` things."""
    things = range(1, size + 1)
    num_triples = max(335 * size // 100, size)

    def draw() -> Triple:
        return (rng.choice(things), rng.choice(things), rng.choice(things))

    if answer is Answer.INCONSISTENT:
        triples = _draw_even_triples(size, num_triples, rng, draw)
        rng.shuffle(triples)
        recipe = (
            "An odd number of things are marked, and every triple has an even number of marked "
            "things. So no triples contain every thing exactly once."
        )
        return Sample.of(answer, Triples(size, tuple(triples)), None, recipe)
    if answer is Answer.CONSISTENT:
        columns = [rng.sample(things, size) for _ in range(3)]
        planted: set[Triple] = set(zip(*columns, strict=True))
        triples = _fill(planted, num_triples, draw, size**3)
        rng.shuffle(triples)
        certificate = tuple(index for index, triple in enumerate(triples) if triple in planted)
        recipe = f"A planted matching among {quantity(len(triples), 'triple')}, the others random."
        return Sample.of(answer, Triples(size, tuple(triples)), certificate, recipe)
    triples = _fill(set(), num_triples, draw, size**3)
    return Sample.of(
        answer, Triples(size, tuple(triples)), None, f"{quantity(num_triples, 'random triple')}."
    )


def _draw_even_triples(
    size: int, count: int, rng: random.Random, draw: Callable[[], Triple]
) -> list[Triple]:
    """Mark an odd number of things, and draw triples with an even number of marked things each."""
    things = range(1, size + 1)
    marks = [[0, *(rng.randrange(2) for _ in things)] for _ in range(3)]
    for column in marks[:2]:  # both marks in two kinds, so that each thing has an even triple
        column[1:3] = 0, 1
    marks[2][1] ^= sum(map(sum, marks)) % 2 == 0

    def draw_even(kind: int | None = None, thing: int = 0) -> Triple:
        while True:
            x, y, z = (thing if at == kind else other for at, other in enumerate(draw()))
            if (marks[0][x] + marks[1][y] + marks[2][z]) % 2 == 0:
                return (x, y, z)

    triples: set[Triple] = set()
    for kind, thing in product(range(3), things):
        if all(triple[kind] != thing for triple in triples):
            triples.add(draw_even(kind, thing))
    possible = sum(
        sum(marks_of_triple) % 2 == 0
        for marks_of_triple in product(*(column[1:] for column in marks))
    )
    return _fill(triples, count, draw_even, possible)


def _fill(
    start: set[Triple], count: int, draw: Callable[[], Triple], possible: int
) -> list[Triple]:
    """Draw further triples until there are `count`, or all possible ones; return them in order."""
    triples = set(start)
    while len(triples) < min(count, possible):
        triples.add(draw())
    return sorted(triples)


def draw_triple_cover(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw an exact cover by sets of three: a matching problem without its kinds."""
    matching = draw_matching(size, rng, answer)
    names = list(range(1, 3 * size + 1))
    rng.shuffle(names)
    sets = matching.source.cover().sets
    renamed = tuple(tuple(names[element - 1] for element in triple) for triple in sets)
    return matching._replace(source=Cover(3 * size, renamed))


def to_positive_formula(sample: Sample) -> Sample:
    """Convert a cover to a one-in formula: variables are sets, and clauses are elements."""
    cover: Cover = sample.source
    clauses = tuple(tuple(index + 1 for index in holders) for holders in cover.holders())
    truth = None
    if sample.certificate is not None:
        truth = tuple(index in sample.certificate for index in range(len(cover.sets)))
    return sample._replace(source=Formula(len(cover.sets), clauses), certificate=truth)
