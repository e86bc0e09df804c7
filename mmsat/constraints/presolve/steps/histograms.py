"""histograms: the counts of colors that the totals allow together.

Proof. Every code has a histogram, the counts of its colors, and it satisfies all constraints that
speak of counts alone, as these depend on nothing else. `histogram_search.py` leaves out counts only
where no histogram has them: the walk has seen all of them, and weights that add up true equations
make a true equation, whose least possible left side bounds it. Of colors that no constraint asks
about, only how many pegs they leave matters. So each color's count lies between the ends that are
left, for every code; codes and their number stay. All constraints about counts, and what the bounds
of the counts follow from, are the rows of what is concluded.
"""

from mmsat.constraints.presolve.histogram_search import Counts, histogram_bounds, surrogate_bounds
from mmsat.constraints.presolve.infeasibility import Infeasibility, explain_contradiction
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.presolve.steps.presolve_step import Change, PresolveStep


class Histograms(PresolveStep):
    """Ends of counts, by a walk through the histograms, or by weights where there are many."""

    name = "histograms"
    summary = "how many pegs of each color the totals of all rows allow together"

    def apply(self, problem: Problem) -> Change | Infeasibility:
        """The same constraints, with narrower counts."""
        counts = Counts.of(problem)
        if counts is None or all(len(may) == 1 for may in counts.may):
            return Change(problem)
        fewer = surrogate_bounds(counts) if counts.is_long else counts
        found = [] if fewer is None else histogram_bounds(fewer)
        if found is None and fewer is not None:
            found = [(may[0], may[-1]) for may in fewer.may]
        if not found:
            pegs, colors = problem.variables
            leaving = f"leave no way to share out {pegs} pegs among {colors} colors"
            return explain_contradiction(self.name, counts.rows, leaving)
        domains = problem.domains.copy()
        changed = settled = 0
        for color, before, (low, high) in zip(counts.colors, counts.may, found, strict=True):
            if low > domains.low[color]:
                domains.low[color], domains.reason_low[color] = low, counts.rows
            if high < domains.high[color]:
                domains.high[color], domains.reason_high[color] = high, counts.rows
            changed += (before[0], before[-1]) != (low, high)
            settled += len(before) > 1 and low == high
        if not changed:
            return Change(problem)
        return Change(
            problem.with_domains(domains),
            f"bounded the pegs of {changed} colors, and settled those of {settled}",
        )
