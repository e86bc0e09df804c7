"""bounds: unit and bound propagation over constraints, pegs and counts of colors.

Proof. Each rule of `propagation.py` and `narrowing.py` concludes from what all codes have in
common: the constraints, one color a peg, and counts that add up to the pegs. So every code that
satisfies the constraints has what is concluded, and nothing else is added: codes and their number
stay. A conclusion carries the rows of the constraint that it came from and those of everything that
the constraint's count rests on, so that a contradiction names rows that make it without any other
row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.constraints.presolve.narrowing import ContradictionError
from mmsat.constraints.presolve.propagation import Propagation
from mmsat.constraints.presolve.refutation import led_to
from mmsat.constraints.presolve.steps.base import Change, Step

if TYPE_CHECKING:
    from mmsat.constraints.presolve.problem import Problem
    from mmsat.constraints.presolve.refutation import Refutation


class Bounds(Step):
    """Propagation to its end."""

    name = "bounds"
    summary = "what follows at once: colors ruled out, pegs settled, counts bounded"

    def apply(self, problem: Problem) -> Change | Refutation:
        """The same constraints, with more known."""
        known = problem.known.copy()
        try:
            Propagation(problem.said(), known).run()
        except ContradictionError as found:
            return led_to(self.name, found.rows, found.leaving)
        before, after = problem.known.tally(), known.tally()
        if before == after:
            return Change(problem)
        pegs, places, counts = (new - old for old, new in zip(before, after, strict=True))
        text = f"settled {pegs} pegs, ruled out {places} colors of pegs and {counts} counts"
        return Change(problem.knowing(known), text)
