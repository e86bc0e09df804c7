"""Boards of consistent play, in which every guess is consistent with all scores before it.

The frame of the reductions to Consistent Mastermind. Its input is 0/1 vectors x with demands "at
least r of the pegs S are 1". It makes a board of two colors whose codes are the vectors that meet
every demand exactly, provided that the source has the *squeeze*; the pages of these reductions have
the proof (`mmsat reductions consistent-mastermind`).

Construction, with h demands, t = the maximum of all r and of the numbers of common pegs of two of
the S, and K = slack + t + h t, the weight of every code and of every guess except the first:

    B     t - r separate pegs for each demand; 1 in every code
    A     pegs of h colors and t copies; D_e, the pegs of A in guess e, has h t of them, t per color
    F     A by colors, each color filled up to K pegs with separate pegs; 0 in every code
    W     pegs in no guess, 1 in every code, as many as bring the weight of a code to K

    0 everywhere           -> weight K
    S_e, B_e and D_e       -> t of these pegs are 1      for each demand e
    F_c                    -> none of these pegs is 1    for each color c

In A, color c and copy i, the demand e meets the demand p = c - e modulo h: if p differs from e and
i < t - (common pegs of S_e and S_p) they share a peg, else each has one peg. Every pair e, p meets
in one color only, so the guesses of e and p have exactly t pegs in common, and every color has
exactly t pegs of every D.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from mmsat.reductions.equations import EquationCompiler


class Demand(NamedTuple):
    """The demand that `least` or more of these pegs are 1; in consistent codes, exactly `least`."""

    pegs: tuple[int, ...]
    least: int
    gadget: str
    """The element of the source, such as "clause 2"."""
    meaning: str
    """The meaning of the demand, such as "one of x1, -x2, x3"."""


def add_frame(system: EquationCompiler, weight: int, demands: Sequence[Demand]) -> None:
    """Add the frame of these demands after the pegs of x, of which `weight` are 1.

    Add the pegs of B, then of A and F by colors, then of W. Add the rows of the demands, then the
    rows of the colors.
    """
    common = {
        pair: len({*demands[pair[0]].pegs} & {*demands[pair[1]].pegs})
        for pair in combinations(range(len(demands)), 2)
    }
    ones = max(1, *common.values(), *(demand.least for demand in demands))
    slack = len(demands[0].pegs) - demands[0].least
    system.weight = slack + ones + len(demands) * ones

    def add_pegs(count: int, value: int, gadget: str, name: str) -> list[int]:
        return [system.peg(gadget, name, lambda _: value) for _ in range(count)]

    partners = [add_pegs(ones - demand.least, 1, demand.gadget, "always 1") for demand in demands]
    area: list[list[int]] = [[] for _ in demands]
    colors: list[list[int]] = []
    for color in range(len(demands)):
        gadget = f"color {color + 1}"
        pegs: list[int] = []
        for owners in _owners(color, ones, len(demands), common):
            whose = " and ".join(demands[owner].gadget for owner in owners)
            pegs += add_pegs(1, 0, gadget, f"always 0, of {whose}")
            for owner in owners:
                area[owner].append(pegs[-1])
        pegs += add_pegs(system.weight - len(pegs), 0, gadget, "always 0, a filler")
        colors.append(pegs)
    missing_weight = system.weight - weight - sum(map(len, partners))
    add_pegs(missing_weight, 1, "weight", "always 1, in no guess")
    for demand, b_pegs, a_pegs in zip(demands, partners, area, strict=True):
        system.exactly(ones, (*demand.pegs, *b_pegs, *a_pegs), demand.gadget, demand.meaning)
    for number, pegs in enumerate(colors, 1):
        system.exactly(0, pegs, f"color {number}", "none of these")


def _owners(
    color: int, ones: int, demands: int, common: dict[tuple[int, int], int]
) -> Iterator[tuple[int, ...]]:
    """Yield the demand of each peg of one color of A, or the two demands that share the peg."""
    for copy, one in product(range(ones), range(demands)):
        other = (color - one) % demands
        pair = (min(one, other), max(one, other))
        if one == other or copy >= ones - common[pair]:
            yield (one,)
        elif one < other:
            yield pair
