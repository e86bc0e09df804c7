"""What is to be explained of a consistent board: what all its codes share, said without repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.diagnosis.steps.chain import holds

if TYPE_CHECKING:
    from collections.abc import Collection

    from mmsat.diagnosis.steps.counting import Counting


def goals(counting: Counting, forced: Collection[int]) -> tuple[int, ...]:
    """Of all forced literals, those to be told: colors of pegs, absent colors, numbers of colors.

    What follows from earlier ones by the rules of the game is left out, and so is what follows from
    the rules alone.
    """
    variables = counting.variables
    pegs = [
        variables.at(peg, color)
        for peg in range(variables.pegs)
        for color in range(variables.colors)
        if variables.at(peg, color) in forced
    ]
    absent = [
        -variables.least(color, 1)
        for color in range(variables.colors)
        if -variables.least(color, 1) in forced
    ]
    counts = []
    for color in range(variables.colors):
        for count in range(1, variables.pegs + 1):
            more = -variables.least(color, count + 1) if count < variables.pegs else None
            if variables.least(color, count) in forced and (more is None or more in forced):
                counts += [variables.least(color, count), *([] if more is None else [more])]
    told: list[int] = []
    state = counting.follow(told)
    for literal in (*pegs, *absent, *counts):
        if not holds(state, literal):
            told.append(literal)
            state = counting.follow(told)
    return tuple(told)
