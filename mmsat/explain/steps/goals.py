"""What is to be explained of a consistent board: what all its codes share, said without repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.explain.steps.chain import holds

if TYPE_CHECKING:
    from collections.abc import Collection

    from mmsat.explain.steps.counting import Counting


def goals(counting: Counting, forced: Collection[int]) -> tuple[int, ...]:
    """Of all forced facts, those to be told: colors of pegs, absent colors, numbers of colors.

    What follows from earlier ones by the rules of the game is left out, and so is what follows from
    the rules alone.
    """
    facts = counting.facts
    pegs = [
        facts.at(peg, color)
        for peg in range(facts.pegs)
        for color in range(facts.colors)
        if facts.at(peg, color) in forced
    ]
    absent = [
        -facts.least(color, 1) for color in range(facts.colors) if -facts.least(color, 1) in forced
    ]
    counts = []
    for color in range(facts.colors):
        for count in range(1, facts.pegs + 1):
            more = -facts.least(color, count + 1) if count < facts.pegs else None
            if facts.least(color, count) in forced and (more is None or more in forced):
                counts += [facts.least(color, count), *([] if more is None else [more])]
    told: list[int] = []
    state = counting.follow(told)
    for fact in (*pegs, *absent, *counts):
        if not holds(state, fact):
            told.append(fact)
            state = counting.follow(told)
    return tuple(told)
