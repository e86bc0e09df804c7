"""Boards of consistent play: every guess could have been the code, by all that was told before it.

The frame of the reductions to Consistent Mastermind. It takes 0/1 vectors x with demands "at least
r of the pegs S are 1", and makes a board of two colors whose codes are the vectors that meet every
demand exactly, provided that the source has the *squeeze*: every S has the same slack |S| - r, and

    the sum over the demands of |x on S|, less |x|,  is at most the sum of r, less the weight of x

can only hold, where all demands are met, with equality in all of them. (Each source proves that.)

Construction, with h demands, t = the largest of all r and of all common pegs of two of the S, and
K = slack + t + h t, the weight of every code and of every guess but the first:

    B     t - r pegs for each demand, its own; 1 in every code
    A     pegs of h colors and t copies; D_e, the pegs of A in guess e, has h t of them, t a color
    F     A by colors, each color filled up to K pegs with pegs of its own; 0 in every code
    W     pegs in no guess, 1 in every code, as many as bring the weight of a code to K

    0 everywhere           -> weight K
    S_e, B_e and D_e       -> t of these pegs are 1      for each demand e
    F_c                    -> none of these pegs is 1    for each color c

In A, color c and copy i, the demand e meets the demand p = c - e modulo h: if p differs from e and
i < t - (common pegs of S_e and S_p) they share a peg, else each has its own. Every pair e, p meets
in one color only, so the guesses of e and p have exactly t pegs in common, and every color has
exactly t pegs of every D.

The guesses are consistent play: all of them have weight K; two guesses of demands have t common
pegs; one of a demand and F_c have the t pegs of color c; two F have none. That is what was
answered.

Proof that codes are what they should be. The F rows make A and the fillers 0. So the row of e says
that x on S_e and the code on B_e sum to t; B_e has t - r pegs, so x meets the demand. Over all rows
these sums make h t, and with the weight K of x, B and W together,

    sum of |x on S_e| - |x| = h t - K + |code on W|, at most h t - K + |W| = sum of r - weight,

so by the squeeze all demands are met exactly, and B and W are 1. The other way round, such an x
with B and W 1 and the rest 0 has weight K and answers every row. One x, one code.

Sizes: 1 + 2 h rows; x, and h K for F, and h t - (sum of r) for B, and K - weight - |B| for W.

Source: this project's own.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mmsat.reductions.equations import Equations


class Demand(NamedTuple):
    """At least so many of these pegs are 1; in the codes that count, exactly so many."""

    pegs: tuple[int, ...]
    least: int
    gadget: str
    """What it is in the source: "clause 2"."""
    says: str
    """What it asks: "one of x1, -x2, x3"."""


class Frame:
    """The pegs around a vector of the source, and the equations that hold them together."""

    def __init__(self, equations: Equations, weight: int, demands: tuple[Demand, ...]) -> None:
        """Write the frame of such demands after the pegs of x, which are in `equations` already."""
        self.equations = equations
        self.demands = demands
        self.common = {
            pair: len({*demands[pair[0]].pegs} & {*demands[pair[1]].pegs})
            for pair in combinations(range(len(demands)), 2)
        }
        """For two demands, ascending, the number of pegs that both speak of."""
        self.ones = max(1, *self.common.values(), *(demand.least for demand in demands))
        """How many ones each guess of a demand finds: t."""
        slack = len(demands[0].pegs) - demands[0].least
        equations.weight = slack + self.ones + len(demands) * self.ones
        self._write(weight)

    def _write(self, weight: int) -> None:
        """B, then A and F by colors, then W; the rows of the demands, then those of the colors."""
        partners = [
            self._pegs(self.ones - demand.least, 1, demand.gadget, "always 1")
            for demand in self.demands
        ]
        area: list[list[int]] = [[] for _ in self.demands]
        colors = [self._color(color, area) for color in range(len(self.demands))]
        rest = self.equations.weight - weight - sum(map(len, partners))
        self._pegs(rest, 1, "weight", "always 1, in no guess")
        for demand, one, many in zip(self.demands, partners, area, strict=True):
            named = (*demand.pegs, *one, *many)
            self.equations.exactly(self.ones, named, demand.gadget, demand.says)
        for number, pegs in enumerate(colors, 1):
            self.equations.exactly(0, pegs, f"color {number}", "none of these")

    def _pegs(self, many: int, value: int, gadget: str, name: str) -> list[int]:
        """New pegs that have this value in every code."""
        return [self.equations.peg(gadget, name, lambda _: value) for _ in range(many)]

    def _color(self, color: int, area: list[list[int]]) -> list[int]:
        """The pegs of one color of A, shared out among the demands, and its fillers."""
        most = len(self.demands)
        gadget = f"color {color + 1}"
        pegs: list[int] = []
        for copy in range(self.ones):
            for one in range(most):
                other = (color - one) % most
                pair = (min(one, other), max(one, other))
                shares = one != other and copy < self.ones - self.common[pair]
                if shares and other < one:
                    continue  # the other has made their peg
                owners = pair if shares else (one,)
                whose = " and ".join(self.demands[owner].gadget for owner in owners)
                pegs += self._pegs(1, 0, gadget, f"always 0, of {whose}")
                for owner in owners:
                    area[owner].append(pegs[-1])
        fillers = self.equations.weight - len(pegs)
        return pegs + self._pegs(fillers, 0, gadget, "always 0, a filler")
