"""bounds: unit and bound propagation over constraints, pegs and counts of colors.

Proof. Each rule of `propagation.py` and `domain_propagator.py` concludes from what all codes have
in common: the constraints, one color a peg, and counts that add up to the pegs. So every code that
satisfies the constraints has what is concluded, and nothing else is added: codes and their number
stay. A conclusion carries the rows of the constraint that it came from and those of everything that
the constraint's count rests on, so that a contradiction names rows that make it without any other
row.
"""

from mmsat.constraints.presolve.domain_propagator import ContradictionError
from mmsat.constraints.presolve.infeasibility import Infeasibility, explain_contradiction
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.presolve.propagation import ConstraintPropagator
from mmsat.constraints.presolve.steps.presolve_step import Change, PresolveStep


class Bounds(PresolveStep):
    """Propagation to its end."""

    name = "bounds"
    summary = "what follows at once: colors ruled out, pegs settled, counts bounded"

    def apply(self, problem: Problem) -> Change | Infeasibility:
        """The same constraints, with more known."""
        domains = problem.domains.copy()
        try:
            ConstraintPropagator(problem.reasoned_constraints(), domains).run()
        except ContradictionError as found:
            return explain_contradiction(self.name, found.rows, found.leaving)
        before, after = problem.domains.tally(), domains.tally()
        if before == after:
            return Change(problem)
        pegs, places, counts = (new - old for old, new in zip(before, after, strict=True))
        text = f"settled {pegs} pegs, ruled out {places} colors of pegs and {counts} counts"
        return Change(problem.with_domains(domains), text)
