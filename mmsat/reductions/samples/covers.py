"""Random exact covers and matchings, planted, or impossible by a count that must be right."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from mmsat.reductions.samples.sample import Answer, Sample
from mmsat.reductions.sources.cover import Cover
from mmsat.reductions.sources.formula import Formula
from mmsat.reductions.sources.triples import Triples

Triple = tuple[int, int, int]


def cubic_cover(third: int, rng: random.Random, answer: Answer) -> Sample:
    """3q elements and 3q sets of three, every element in three of them; q is 3 or more.

    A random one has no exact cover, most likely, once it is large.
    """
    many = 3 * third
    elements = list(range(1, many + 1))
    rng.shuffle(elements)
    if answer is Answer.CONSISTENT:
        chosen = _dealt(elements, rng)
        sets = [(one, True) for one in chosen]
        sets += [(one, False) for one in _dealt(elements * 2, rng)]
        rng.shuffle(sets)
        certificate = tuple(index for index, (_, is_chosen) in enumerate(sets) if is_chosen)
        source = Cover(many, tuple(one for one, _ in sets))
        recipe = f"{third} planted sets, and {2 * third} random ones that cover all twice."
        return Sample.of(answer, source, certificate, recipe)
    if answer is Answer.INCONSISTENT:
        recipe = (
            "Every element has a hidden weight 0, 1 or 2. The weights of every set sum up to a "
            "multiple of 3, and those of all elements do not: no sets cover each exactly once."
        )
        return Sample.of(answer, _weighted(elements, rng), None, recipe)
    source = Cover(many, tuple(_dealt(elements * 3, rng)))
    return Sample.of(answer, source, None, f"{many} random sets of three, three at each element.")


def _dealt(elements: list[int], rng: random.Random) -> list[Triple]:
    """Elements, which may repeat, dealt out in threes without a repeat inside one."""
    cards = list(elements)
    rng.shuffle(cards)
    return _threes(cards, len(cards) // 3, rng)


def _weighted(elements: list[int], rng: random.Random) -> Cover:
    """Sets of the weights 012, 111 and 000 whose elements weigh 1 more than a multiple of 3."""
    third = len(elements) // 3
    ones, zeros = 3 * (third // 9) + 1, 3 * (third // 9) + 2
    mixed = (len(elements) - ones - zeros) // 3
    light = elements[: mixed + zeros] * 3
    middle = elements[mixed + zeros : 2 * mixed + zeros + ones] * 3
    heavy = elements[2 * mixed + zeros + ones :] * 3
    for pile in (light, middle, heavy):
        rng.shuffle(pile)
    # Only sets of equal weights can repeat an element; they are mended first, from the whole pile.
    sets = [*_threes(light, zeros, rng), *_threes(middle, ones, rng)]
    sets += zip(light[3 * zeros :], middle[3 * ones :], heavy, strict=True)
    rng.shuffle(sets)
    return Cover(len(elements), tuple(sets))


def _threes(pile: list[int], sets: int, rng: random.Random) -> list[Triple]:
    """The first cards of a pile in threes, after exchanges that leave no repeat inside one."""
    while True:
        repeats = [at for at in range(0, 3 * sets, 3) if len(set(pile[at : at + 3])) < 3]
        if not repeats:
            return [(pile[at], pile[at + 1], pile[at + 2]) for at in range(0, 3 * sets, 3)]
        for at in repeats:
            place, other = at + rng.randrange(3), rng.randrange(len(pile))
            pile[place], pile[other] = pile[other], pile[place]


def matching(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Triples of one thing of each of three kinds, 3.35 for each thing; some are to be a matching.

    The size counts the things of a kind.
    """
    things = range(1, size + 1)
    many = max(335 * size // 100, size)
    if answer is Answer.CONSISTENT:
        columns = [rng.sample(things, size) for _ in range(3)]
        planted: set[Triple] = set(zip(*columns, strict=True))
        triples = _filled(planted, many, lambda: _triple(things, rng), size**3)
        rng.shuffle(triples)
        certificate = tuple(index for index, each in enumerate(triples) if each in planted)
        recipe = f"A planted matching among {len(triples)} triples, the others random."
        return Sample.of(answer, Triples(size, tuple(triples)), certificate, recipe)
    if answer is Answer.INCONSISTENT:
        marks = [[0, *(rng.randrange(2) for _ in things)] for _ in range(3)]
        for column in marks[:2]:  # both marks in two kinds, so that every thing has an even triple
            column[1:3] = 0, 1
        marks[2][1] ^= sum(map(sum, marks)) % 2 == 0

        def even(fixed: tuple[int, int] | None = None) -> Triple:
            while True:
                drawn = list(_triple(things, rng))
                if fixed is not None:
                    drawn[fixed[0]] = fixed[1]
                if sum(marks[kind][thing] for kind, thing in enumerate(drawn)) % 2 == 0:
                    return (drawn[0], drawn[1], drawn[2])

        some: set[Triple] = set()
        for kind in range(3):
            for thing in things:
                if all(each[kind] != thing for each in some):
                    some.add(even((kind, thing)))
        possible = sum(
            (x + y + z) % 2 == 0 for x in marks[0][1:] for y in marks[1][1:] for z in marks[2][1:]
        )
        triples = _filled(some, many, even, possible)
        rng.shuffle(triples)
        recipe = (
            "Some things are marked, an odd number of them, and every triple has an even number of "
            "marked things: no triples have every thing once."
        )
        return Sample.of(answer, Triples(size, tuple(triples)), None, recipe)
    triples = _filled(set(), many, lambda: _triple(things, rng), size**3)
    return Sample.of(answer, Triples(size, tuple(triples)), None, f"{many} random triples.")


def _triple(things: Sequence[int], rng: random.Random) -> Triple:
    return (rng.choice(things), rng.choice(things), rng.choice(things))


def _filled(
    start: set[Triple], many: int, draw: Callable[[], Triple], possible: int
) -> list[Triple]:
    """A set of triples with further ones drawn until there are so many, or all; ascending."""
    found = set(start)
    while len(found) < min(many, possible):
        found.add(draw())
    return sorted(found)


def triple_cover(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Exact cover by sets of three: a matching problem whose kinds are forgotten."""
    made = matching(size, rng, answer)
    sets = tuple(
        tuple(kind * size + thing for kind, thing in enumerate(each))
        for each in made.source.triples
    )
    names = list(range(1, 3 * size + 1))
    rng.shuffle(names)
    renamed = tuple(tuple(names[element - 1] for element in each) for each in sets)
    return made._replace(source=Cover(3 * size, renamed))


def positive(made: Sample) -> Sample:
    """A cover as a formula: the sets are variables, and of the sets of an element one is true."""
    cover: Cover = made.source
    clauses = tuple(tuple(index + 1 for index in each) for each in cover.holders())
    truth = None
    if made.certificate is not None:
        truth = tuple(index in made.certificate for index in range(len(cover.sets)))
    return made._replace(source=Formula(len(cover.sets), clauses), certificate=truth)
