"""parity: equations that add up to an even number on the left and an odd one on the right.

Proof. Elimination modulo 2 finds a combination of equations whose left side has even coefficients
only, and an odd total. Literals are 0 or 1, so every code makes the left side even: no code
satisfies the equations that were combined. The combination is the certificate, and adds up over the
whole numbers what the constraints say. Nothing else is changed.

An equation is one whole number, a bit for each odd coefficient, so that elimination is quick.
"""

from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.presolve.infeasibility import Infeasibility
from mmsat.constraints.presolve.literal_equations import DerivedEquation
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.presolve.steps.presolve_step import Change, PresolveStep

WORK = 400_000_000
"""Bits that are added at most, about: a second at worst."""


class Parity(PresolveStep):
    """Elimination modulo 2."""

    name = "parity"
    summary = "equations whose sum is even on the left and odd on the right"

    def apply(self, problem: Problem) -> Change | Infeasibility:
        """The problem as it is, or the combination that refutes it."""
        equations = problem.equations
        combination = find_odd_sum(equations.active)
        if combination is None:
            return Change(problem)
        found, times = equations.expand(dict.fromkeys(combination, 1))
        return equations.refutation(self.name, Certificate(found, 2 * times))


def find_odd_sum(rows: list[DerivedEquation]) -> list[int] | None:
    """Equations, by index, whose sum is even on the left only; None if there are none."""
    columns: dict[int, int] = {}
    for row in rows:
        for literal in row.left:
            columns.setdefault(literal, len(columns))
    if len(rows) ** 2 * (len(columns) + len(rows)) > WORK:
        return None
    pivots: dict[int, tuple[int, int, int]] = {}
    for index, row in enumerate(rows):
        left = sum(1 << columns[literal] for literal, number in row.left.items() if number % 2)
        total, made = row.total % 2, 1 << index
        while left:
            highest = left.bit_length()
            if highest not in pivots:
                pivots[highest] = left, total, made
                break
            other, odd_total, combination = pivots[highest]
            left, total, made = left ^ other, total ^ odd_total, made ^ combination
        if not left and total:
            return list(bits(made))
    return None
