"""Steps of the presolve that bound: what follows at once, and the counts of colors.

bounds: unit and bound propagation over constraints, pegs and counts of colors.

Proof. Each rule of `propagation.py` and `domain_propagator.py` concludes from what all codes have
in common: the constraints, one color a peg, and counts that add up to the pegs. So every code that
satisfies the constraints has what is concluded, and nothing else is added: codes and their number
stay. A conclusion carries the rows of the constraint that it came from and those of everything that
the constraint's count rests on, so that a contradiction names rows that make it without any other
row.

histograms: the counts of colors that the totals allow together.

Proof. Every code has a histogram, the counts of its colors, and it satisfies all constraints that
speak of counts alone, as these depend on nothing else. `histogram_search.py` leaves out counts only
where no histogram has them: the walk has seen all of them, and weights that add up true equations
make a true equation, whose least possible left side bounds it. Of colors that no constraint asks
about, only how many pegs they leave matters. So each color's count lies between the ends that are
left, for every code; codes and their number stay. All constraints about counts, and what the bounds
of the counts follow from, are the rows of what is concluded.
"""

from mmsat.constraints.presolve.domain_propagator import ContradictionError
from mmsat.constraints.presolve.domains import Infeasibility, explain_contradiction
from mmsat.constraints.presolve.histogram_search import Counts, histogram_bounds, surrogate_bounds
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.constraints.presolve.propagation import ConstraintPropagator


def propagate(problem: Problem) -> Change | Infeasibility:
    """The same constraints, with more known."""
    domains = problem.domains.copy()
    try:
        ConstraintPropagator(problem.reasoned_constraints(), domains).run()
    except ContradictionError as found:
        return explain_contradiction("bounds", found.rows, found.leaving)
    before, after = problem.domains.tally(), domains.tally()
    if before == after:
        return Change(problem)
    pegs, places, counts = (new - old for old, new in zip(before, after, strict=True))
    text = f"settled {pegs} pegs, ruled out {places} colors of pegs and {counts} counts"
    return Change(problem.with_domains(domains), text)


def bound_counts(problem: Problem) -> Change | Infeasibility:
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
        return explain_contradiction("histograms", counts.rows, leaving)
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
