"""Presolve steps that refute equations because their unknowns are integers.

parity: equations whose sum has even coefficients and an odd total.

Proof. Elimination modulo 2 finds a combination of equations with even coefficients and an odd
total. Literals are 0 or 1, so the left side is even for every code, and no code satisfies the
combined equations. The combination is the certificate. The problem is not changed.

hermite: equations without a solution in integers, for any modulus.

Proof. A Hermite normal form is an invertible integer substitution of the unknowns. If one of the
new unknowns has no integer value, there is a combination of equations whose coefficients are all
divisible by a modulus that does not divide its total, or whose coefficients are 0 and whose total
is not. This combination is the certificate. The modulus 2 is parity; this step finds all other
moduli as well. The problem is not changed.
"""

from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.linear_algebra import find_integer_contradiction, find_odd_combination
from mmsat.constraints.presolve.domains import Infeasibility, bits
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.limits import LIMITS

MAX_HERMITE_ROWS = 200
"""The maximum number of equations for which a Hermite form is computed."""


def check_parity(problem: Problem) -> Change | Infeasibility:
    """Return the unchanged problem, or the combination that refutes it."""
    equations = problem.equations
    rows = equations.active_equations
    columns = {literal for left, _ in rows for literal in left}
    if len(rows) ** 2 * (len(columns) + len(rows)) > LIMITS.parity_work:
        return Change(problem)
    combination = find_odd_combination(rows)
    if combination is None:
        return Change(problem)
    multipliers, times = equations.expand(dict.fromkeys(bits(combination), 1))
    return equations.refutation("parity", Certificate(multipliers, 2 * times))


def check_integers(problem: Problem) -> Change | Infeasibility:
    """Return the unchanged problem, or the combination that refutes it."""
    equations = problem.equations
    if len(equations.active) > MAX_HERMITE_ROWS:
        return Change(problem)
    contradiction = find_integer_contradiction(equations.active_equations, LIMITS.hermite_work)
    if contradiction is None:
        return Change(problem)
    multipliers, modulus = contradiction
    combination, times = equations.expand(multipliers)
    return equations.refutation("hermite", Certificate(combination, modulus * times))
