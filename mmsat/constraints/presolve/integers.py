"""Steps of the presolve that refute equations by what whole numbers can be.

parity: equations that add up to an even number on the left and an odd one on the right.

Proof. Elimination modulo 2 finds a combination of equations whose left side has even coefficients
only, and an odd total. Literals are 0 or 1, so every code makes the left side even: no code
satisfies the equations that were combined. The combination is the certificate, and adds up over the
whole numbers what the constraints say. Nothing else is changed.

An equation is one whole number, a bit for each odd coefficient, so that elimination is quick.

hermite: equations without a solution in whole numbers, whatever the modulus.

Proof. Operations on columns bring the coefficients into Hermite's form, one pivot a row and nothing
right of it; they change unknowns into others, one to one and in whole numbers. The new unknowns
follow one by one, and if one of them is not whole, there is a combination of equations, with
multipliers that are fractions, whose left side is whole for all whole unknowns and whose total is
not. Times their common denominator that is a certificate with this modulus, added up over what the
constraints say. With the modulus 2 it is parity; this finds all others as well. A row without a
pivot must have the total that the unknowns make by then, or it is a contradiction over the
rationals. Nothing else is changed.
"""

from fractions import Fraction
from math import lcm

from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.elimination import Sparse
from mmsat.constraints.presolve.domains import Infeasibility, bits
from mmsat.constraints.presolve.literal_equations import DerivedEquation
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.limits import LIMITS

MOST_ROWS = 200
"""Equations from which the Hermite form is not tried ..."""
MOST_DIGITS = 1024
"""... and bits of a coefficient at which it ends."""


def check_parity(problem: Problem) -> Change | Infeasibility:
    """The problem as it is, or the combination that refutes it."""
    equations = problem.equations
    combination = find_odd_sum(equations.active)
    if combination is None:
        return Change(problem)
    found, times = equations.expand(dict.fromkeys(combination, 1))
    return equations.refutation("parity", Certificate(found, 2 * times))


def find_odd_sum(rows: list[DerivedEquation]) -> list[int] | None:
    """Equations, by index, whose sum is even on the left only; None if there are none."""
    columns: dict[int, int] = {}
    for row in rows:
        for literal in row.left:
            columns.setdefault(literal, len(columns))
    if len(rows) ** 2 * (len(columns) + len(rows)) > LIMITS.parity_work:
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


def check_integers(problem: Problem) -> Change | Infeasibility:
    """The problem as it is, or the combination that refutes it."""
    equations = problem.equations
    if len(equations.active) > MOST_ROWS:
        return Change(problem)
    found = find_integer_infeasibility(equations.active)
    if found is None:
        return Change(problem)
    fractions, is_by_modulus = found
    common = lcm(*(each.denominator for each in fractions.values()))
    multipliers = {index: int(each * common) for index, each in fractions.items()}
    combination, times = equations.expand(multipliers)
    modulus = common * times if is_by_modulus else 0
    return equations.refutation("hermite", Certificate(combination, modulus))


def find_integer_infeasibility(
    rows: list[DerivedEquation],
) -> tuple[dict[int, Fraction], bool] | None:
    """Multipliers that make the left side whole and not the total, or 0 and not the total.

    And which of the two; None if none are found.
    """
    columns: dict[int, Sparse] = {}
    for index, row in enumerate(rows):
        for literal, number in row.left.items():
            columns.setdefault(literal, {})[index] = number
    left = [columns[literal] for literal in sorted(columns)]
    pivots: list[tuple[int, Sparse]] = []
    """The rows with a pivot, and their columns."""
    unknowns: list[int] = []
    work = 0
    for index, row in enumerate(rows):
        here = [column for column in left if index in column]
        left = [column for column in left if index not in column]
        while len(here) > 1:
            pivot = min(here, key=lambda column: (abs(column[index]), len(column)))
            rest = []
            for column in here:
                if column is pivot:
                    continue
                work += len(pivot)
                reduce(column, pivot, column[index] // pivot[index])
                if index in column:
                    rest.append(column)
                elif column:
                    left.append(column)
            here = [pivot, *rest]
            if work > LIMITS.hermite_work or pivot[index].bit_length() > MOST_DIGITS:
                return None
        total = row.total
        for unknown, (_, column) in zip(unknowns, pivots, strict=True):
            total -= unknown * column.get(index, 0)
        if not here:  # it is a combination of those before
            if total:
                return cancel_columns(pivots, {index: Fraction(1)}), False
            continue
        if total % here[0][index]:
            return cancel_columns(pivots, {index: Fraction(1, here[0][index])}), True
        pivots.append((index, here[0]))
        unknowns.append(total // here[0][index])
    return None


def reduce(column: Sparse, pivot: Sparse, times: int) -> None:
    """Take a column so many times from another."""
    for index, number in pivot.items():
        if value := column.get(index, 0) - times * number:
            column[index] = value
        else:
            column.pop(index, None)


def cancel_columns(
    pivots: list[tuple[int, Sparse]], multipliers: dict[int, Fraction]
) -> dict[int, Fraction]:
    """More multipliers, of the rows with pivots, so that these columns add up to 0."""
    found = dict(multipliers)
    for index, column in reversed(pivots):
        below = [number * column[row] for row, number in found.items() if row in column]
        if total := sum(below, Fraction()):
            found[index] = -total / column[index]
    return found
