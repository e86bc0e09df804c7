"""Simulated annealing: a walk over codes, from peg exchanged to peg recolored, downhill in misses.

Random boards with up to some thirty pegs, which clause learning finds hard, mostly have a code
within a second of such a walk (Kirkpatrick, Gelatt and Vecchi 1983). It never tells that there is
none, so that it is no engine of its own: it works beside others (portfolio.py).
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from mmsat._core import Annealer
from mmsat.errors import SizeError
from mmsat.solving.portfolio import Work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints.system import System
    from mmsat.game.row import Code

STEPS = 1 << 18
"""The least budget, in steps: some milliseconds."""
CHANCES = (round(0.18 * 2**32), round(0.21 * 2**32), round(0.15 * 2**32))
"""How readily a step is taken that is worse by one, out of 2**32, in turn. Measured on the last
moves of games of 24 pegs and 6 colors ..."""
MANY = (round(0.09 * 2**32), round(0.10 * 2**32))
"""... and where there are more than half as many colors as pegs, of 30 pegs and 30 colors, which
take several times as long at the chances of the others."""
COLLECTING = round(0.24 * 2**32)
"""The same for a walk that goes on from code to code."""


class AnnealWork(Work):
    """A walk that goes on step by step."""

    name = "anneal"

    def __init__(self, system: System, seed: int | None = None, start: Code | None = None) -> None:
        """Begin at a code, or at any; raises SizeError where a constraint has conjunctions."""
        variables = system.variables
        constraints = [
            (constraint.literals, constraint.low, constraint.high)
            for constraint in system.constraints
        ]
        if system.conjunctions:
            raise SizeError("annealing knows no conjunctions; another engine takes over")
        self.chances = cycle(MANY if 2 * variables.colors > variables.pegs else CHANCES)
        self.walk = Annealer(variables.pegs, variables.colors, seed or 0)
        self.walk.add(constraints)
        if start is not None:
            self.walk.place(start)

    def step(self, budget: int) -> bool:
        """Walk on, and from somewhere else next time if that was in vain."""
        chance = next(self.chances)
        if self.walk.cool(STEPS * budget, chance, chance):
            self.code = self.walk.code
            return True
        self.walk.scatter()
        return False

    def collect(self, steps: int, most: int) -> Sequence[Code]:
        """Different codes that a walk of so many steps comes by, once one was found."""
        gap = len(self.walk.code)
        return self.walk.collect(steps, COLLECTING, gap, most)
