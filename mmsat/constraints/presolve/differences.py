"""differences: shorten constraints by adding or subtracting other constraints.

Over the undecided literals, an equation has coefficients 1 and -1. A negated literal is 1 - x. If a
peg has two possible colors, the literal of one is 1 minus the literal of the other. So equations
are shortened in the same way as those of two-color boards (algebra/sparsify.py). The equations of
one color per peg and of known counts are used to shorten others, but are not changed.

Proof. By the proof in that module, the same codes satisfy the equations, and a combination is the
certificate of a contradiction. Each equation keeps its multipliers over the equations of the board,
so that later proofs can still be verified by adding up the equations of the board.
"""

from dataclasses import replace

from mmsat.constraints.algebra.sparsify import FlawError, SignedEquation, sparsify
from mmsat.constraints.presolve.domains import Infeasibility, ReasonedConstraint, bits
from mmsat.constraints.presolve.literal_equations import DerivedEquation, LiteralEquations
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.english import quantity
from mmsat.game.literals import CardinalityConstraint


def shorten(equations: LiteralEquations) -> list[DerivedEquation]:
    """Return the equations, some of them replaced by shorter ones.

    Raises FlawError for a contradiction.
    """
    rows, literals = sign_equations(equations)
    sparsify([row for row in rows if row is not None], len(literals))
    new_equations = []
    for row, old in zip(rows, equations.short, strict=True):
        if row is None or row.is_fixed or len(row) >= len(old.left):
            new_equations.append(old)
            continue
        left = {literals[bit]: 1 for bit in bits(row.plus)}
        left |= {literals[bit]: -1 for bit in bits(row.minus)}
        new_equations.append(
            DerivedEquation(left, row.total, row.multipliers, old.place, row.times)
        )
    return new_equations


def sign_equations(equations: LiteralEquations) -> tuple[list[SignedEquation | None], list[int]]:
    """Return the equations as bits, and the literal of each bit.

    An equation with coefficients other than 1 and -1 is None. Raises FlawError if a total is out of
    range.
    """
    # If a peg has two possible colors, only the literal of the first one is used.
    variables, domains = equations.variables, equations.domains
    pairs = {}
    for peg, possible_colors in enumerate(domains.domain):
        if possible_colors.bit_count() == 2:
            first, second = bits(possible_colors)
            pairs[variables.at(peg, second)] = variables.at(peg, first)
    bit_indices: dict[int, int] = {}
    rows: list[SignedEquation | None] = []
    for short in equations.short:
        coefficients, total, multipliers = dict(short.left), short.total, dict(short.multipliers)
        for literal in [literal for literal in coefficients if literal in pairs]:
            number, other = coefficients.pop(literal), pairs[literal]
            coefficients[other] = coefficients.get(other, 0) - number
            total -= number
            peg, _ = variables.peg_color(literal)
            used_equations = {equations.peg(peg): -number}
            for color in range(variables.colors):  # the colors that the peg cannot have
                if domains.value(other_color := variables.at(peg, color)) is False:
                    used_equations[equations.unit(other_color)] = number
            for index, times in used_equations.items():
                multipliers[index] = multipliers.get(index, 0) + times
        signs = {literal: number for literal, number in coefficients.items() if number}
        if short.times != 1 or not all(abs(number) == 1 for number in signs.values()):
            rows.append(None)
            continue
        plus = minus = 0
        for literal, number in signs.items():
            bit = 1 << bit_indices.setdefault(literal, len(bit_indices))
            if number > 0:
                plus |= bit
            else:
                minus |= bit
        row = SignedEquation(plus, minus, total, multipliers, is_fixed=short.place is None)
        row.check()
        rows.append(row)
    return rows, list(bit_indices)


def subtract_rows(problem: Problem) -> Change | Infeasibility:
    """Return the problem with shorter constraints, or a contradiction."""
    equations = problem.equations
    try:
        short = shorten(equations)
    except FlawError as flaw:
        return equations.refutation("differences", flaw.certificate)
    changed = [list(constraints) for constraints in problem.rows]
    count = before = after = 0
    for old, new in zip(equations.short, short, strict=True):
        if new is not old and new.place is not None:
            count += 1
            before += len(old.left)
            after += len(new.left)
            row, number = new.place
            changed[row][number] = ReasonedConstraint(
                constraint(new), equations.rows(new.multipliers)
            )
    if not count:
        return Change(problem)
    text = f"shortened {quantity(count, 'constraint')} from {before} to {after} literals"
    rows = tuple(map(tuple, changed))
    return Change(replace(problem, rows=rows, cached_equations=equations.with_short(short)), text)


def constraint(short: DerivedEquation) -> CardinalityConstraint:
    """Return an equation with coefficients 1 and -1 as a constraint."""
    literals = tuple(literal if number > 0 else -literal for literal, number in short.left.items())
    true_count = short.total + sum(number < 0 for number in short.left.values())
    return CardinalityConstraint(literals, true_count, true_count)
