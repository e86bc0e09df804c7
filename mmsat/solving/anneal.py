"""Simulated annealing: random exchanges and recolorings of pegs that reduce the violation [1].

Random boards with up to about thirty pegs are hard for clause learning, but if they have a code,
such a walk mostly finds one within a second. It never proves that there is no code, so it is not an
engine. It is interleaved with other solvers (`Portfolio`).

References
----------
[1] Kirkpatrick, Gelatt and Vecchi (1983), "Optimization by simulated annealing", Science 220.
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from mmsat._core import Annealer
from mmsat.constraints import System
from mmsat.errors import SizeError
from mmsat.solving import Work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game import Code


STEPS_PER_BUDGET = 1 << 18
"""Number of steps of annealing in a budget of 1: some milliseconds."""


ACCEPTANCE_CHANCES = (round(0.18 * 2**32), round(0.21 * 2**32), round(0.15 * 2**32))
"""Probabilities of accepting a step that increases the violation by one, times 2**32, used in turn.
They were tuned on the last moves of games of 24 pegs and 6 colors."""


MANY_COLORS_CHANCES = (round(0.09 * 2**32), round(0.10 * 2**32))
"""Probabilities used instead of `ACCEPTANCE_CHANCES` if there are more than half as many colors as
pegs. Boards of 30 pegs and 30 colors take several times as long with `ACCEPTANCE_CHANCES`."""


COLLECTING_CHANCE = round(0.24 * 2**32)
"""Probability of accepting a step that increases the violation by one, times 2**32, in a walk that
collects codes."""


class AnnealWork(Work):
    """A random walk that can be resumed."""

    name = "anneal"

    def __init__(self, system: System, seed: int | None = None, start: Code | None = None) -> None:
        """Start at a code, by default a random one; raises SizeError if there are conjunctions."""
        variables = system.variables
        constraints = [
            (constraint.literals, constraint.low, constraint.high)
            for constraint in system.constraints
        ]
        if system.conjunctions:
            raise SizeError("annealing does not support conjunctions; another engine takes over")
        self.chances = cycle(
            MANY_COLORS_CHANCES if 2 * variables.colors > variables.pegs else ACCEPTANCE_CHANCES
        )
        self.walk = Annealer(variables.pegs, variables.colors, seed or 0)
        self.walk.add(constraints)
        if start is not None:
            self.walk.set_code(start)

    def step(self, budget: int) -> bool:
        """Resume the walk. If it finds no code, the next step starts at a random code."""
        chance = next(self.chances)
        if self.walk.anneal(STEPS_PER_BUDGET * budget, chance, chance):
            self.code = self.walk.code
            return True
        self.walk.randomize()
        return False

    def collect(self, steps: int, max_codes: int) -> Sequence[Code]:
        """Return up to `max_codes` different codes that the walk visits within `steps` steps.

        Call this only after `step` has found a code.
        """
        sampling_interval = len(self.walk.code)
        return self.walk.sample(steps, COLLECTING_CHANCE, sampling_interval, max_codes)
