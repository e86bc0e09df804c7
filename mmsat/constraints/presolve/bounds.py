"""Presolve steps that tighten bounds: propagation, and bounds of the counts of colors.

bounds: unit and bound propagation over constraints, pegs and counts of colors.

Proof. Each rule of `propagation.py` and `domain_propagator.py` uses only properties of all codes:
the constraints, one color per peg, and counts that add up to the number of pegs. So each conclusion
holds for every code that satisfies the constraints, and the set of codes does not change. A
conclusion carries the rows of its constraint and of all earlier conclusions that it uses, so the
rows of a contradiction are contradictory without any other row.

histograms: bounds of the counts of colors, from all constraints about counts together.

Proof. Every code has a histogram, the counts of its colors, which satisfies all constraints about
counts alone, because these depend on nothing else. `histogram_search.py` drops counts only if no
histogram has them: the enumeration has seen all histograms, and a weighted sum of true equations is
a true equation, bounded by the minimum of its left side. For colors in no constraint, only their
number of pegs matters. So each color's count is within the bounds for every code, and the set of
codes does not change. The rows of a conclusion are those of all constraints about counts and of
the previous bounds of the counts.
"""

from mmsat.constraints.presolve.domain_propagator import ContradictionError
from mmsat.constraints.presolve.domains import Infeasibility, explain_contradiction
from mmsat.constraints.presolve.histogram_search import Counts, count_bounds
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.constraints.presolve.propagation import ConstraintPropagator
from mmsat.english import quantity


def propagate(problem: Problem) -> Change | Infeasibility:
    """Return the problem with smaller domains, or a contradiction."""
    domains = problem.domains.copy()
    try:
        ConstraintPropagator(problem.reasoned_constraints(), domains).run()
    except ContradictionError as contradiction:
        return explain_contradiction("bounds", contradiction.rows, contradiction.leaving)
    before, after = problem.domains.tally(), domains.tally()
    if before == after:
        return Change(problem)
    pegs, places, counts = (new - old for old, new in zip(before, after, strict=True))
    text = (
        f"fixed {quantity(pegs, 'peg')}, ruled out {quantity(places, 'color')} of pegs "
        f"and {quantity(counts, 'count')}"
    )
    return Change(problem.with_domains(domains), text)


def bound_counts(problem: Problem) -> Change | Infeasibility:
    """Return the problem with tighter bounds of the counts of colors, or a contradiction."""
    counts = Counts.of(problem)
    if counts is None or all(len(domain) == 1 for domain in counts.domains):
        return Change(problem)
    bounds = count_bounds(counts)
    if not bounds:
        pegs, colors = problem.variables
        leaving = f"leave no way to distribute {pegs} pegs over {colors} colors"
        return explain_contradiction("histograms", counts.rows, leaving)
    domains = problem.domains.copy()
    changed = settled = 0
    for color, before, (low, high) in zip(counts.colors, counts.domains, bounds, strict=True):
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
        f"tightened the counts of {quantity(changed, 'color')}, and fixed {settled} of them",
    )
