"""differences: constraints made shorter by adding or subtracting others.

Over the literals that are undecided, an equation has coefficients 1 and -1: a denied literal is 1 -
x, and of the two colors of a peg that has two left, the one is 1 less the other. So equations are
made short as those of two colors are (algebra/sparsify.py); one color a peg and counts that are
known take part, but stay as they are.

Proof. By that module's, the same codes satisfy the equations, and a contradiction has a combination
as its certificate. The equations remember what they are made of, so that later proofs still add up
what the board says.
"""

from dataclasses import replace

from mmsat.constraints.algebra.sparsify import FlawError, SignedEquation, sparsify
from mmsat.constraints.presolve.domains import Infeasibility, ReasonedConstraint, bits
from mmsat.constraints.presolve.literal_equations import DerivedEquation, LiteralEquations
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.english import quantity
from mmsat.game.literals import CardinalityConstraint


def shorten(equations: LiteralEquations) -> list[DerivedEquation]:
    """The short equations, some of them replaced; raises FlawError."""
    rows, literals = sign_equations(equations)
    sparsify([row for row in rows if row is not None], len(literals))
    found = []
    for row, old in zip(rows, equations.short, strict=True):
        if row is None or row.is_fixed or len(row) >= len(old.left):
            found.append(old)
            continue
        left = {literals[bit]: 1 for bit in bits(row.plus)}
        left |= {literals[bit]: -1 for bit in bits(row.minus)}
        found.append(DerivedEquation(left, row.total, row.made, old.place, row.times))
    return found


def sign_equations(equations: LiteralEquations) -> tuple[list[SignedEquation | None], list[int]]:
    """The equations whose coefficients are 1 and -1, and the literals that their bits stand for."""
    variables, domains = equations.variables, equations.domains
    pairs = {}
    for peg, left in enumerate(domains.domain):
        if left.bit_count() == 2:
            first, second = bits(left)
            pairs[variables.at(peg, second)] = variables.at(peg, first)
    places: dict[int, int] = {}
    rows: list[SignedEquation | None] = []
    for short in equations.short:
        coefficients, total, made = dict(short.left), short.total, dict(short.made)
        for literal in [literal for literal in coefficients if literal in pairs]:
            number, other = coefficients.pop(literal), pairs[literal]
            coefficients[other] = coefficients.get(other, 0) - number
            total -= number
            peg, _ = variables.peg_color(literal)
            used = {equations.peg(peg): -number}
            for color in range(variables.colors):  # what is known of the peg's other colors
                if domains.value(each := variables.at(peg, color)) is False:
                    used[equations.unit(each)] = number
            for index, times in used.items():
                made[index] = made.get(index, 0) + times
        signs = {literal: number for literal, number in coefficients.items() if number}
        if short.times != 1 or not all(abs(number) == 1 for number in signs.values()):
            rows.append(None)
            continue
        plus = minus = 0
        for literal, number in signs.items():
            bit = 1 << places.setdefault(literal, len(places))
            if number > 0:
                plus |= bit
            else:
                minus |= bit
        row = SignedEquation(plus, minus, total, made, is_fixed=short.place is None)
        row.check()
        rows.append(row)
    return rows, list(places)


def subtract_rows(problem: Problem) -> Change | Infeasibility:
    """The problem with shorter constraints."""
    equations = problem.equations
    try:
        short = shorten(equations)
    except FlawError as found:
        return equations.refutation("differences", found.certificate)
    changed = [list(constraints) for constraints in problem.rows]
    done = before = after = 0
    for old, new in zip(equations.short, short, strict=True):
        if new is not old and new.place is not None:
            done += 1
            before += len(old.left)
            after += len(new.left)
            row, number = new.place
            changed[row][number] = ReasonedConstraint(constraint(new), equations.rows(new.made))
    if not done:
        return Change(problem)
    text = f"made {quantity(done, 'constraint')} shorter, from {before} literals to {after}"
    rows = tuple(map(tuple, changed))
    return Change(replace(problem, rows=rows, read=equations.with_short(short)), text)


def constraint(short: DerivedEquation) -> CardinalityConstraint:
    """What an equation says whose coefficients are 1 and -1."""
    stated = tuple(literal if number > 0 else -literal for literal, number in short.left.items())
    true = short.total + sum(number < 0 for number in short.left.values())
    return CardinalityConstraint(stated, true, true)
