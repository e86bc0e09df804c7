"""Presolve: apply steps, in a fixed order, that make a system smaller or refute it.

The steps of this module are described below. The steps that break symmetries, `colors` and `pegs`,
are in symmetries.py.

bounds: unit and bound propagation over constraints, pegs and counts of colors.

Proof. Each rule of propagation.py and domains.py uses only properties of all codes: the
constraints, one color per peg, and counts that add up to the number of pegs. So each conclusion
holds for every code that satisfies the constraints, and the set of codes does not change. A
conclusion carries the rows of its constraint and of all earlier conclusions that it uses, so the
rows of a contradiction are contradictory without any other row.

histograms: bounds of the counts of colors, from all constraints about counts together.

Proof. Every code has a histogram, the counts of its colors, which satisfies all constraints about
counts alone, because these depend on nothing else. histogram_search.py drops counts only if no
histogram has them: the enumeration has seen all histograms, and a weighted sum of true equations is
a true equation, bounded by the minimum of its left side. For colors in no constraint, only their
number of pegs matters. So each color's count is within the bounds for every code, and the set of
codes does not change. The rows of a conclusion are those of all constraints about counts and of
the previous bounds of the counts.

differences: shorten constraints by adding or subtracting other constraints.

Over the undecided literals, an equation has coefficients 1 and -1. A negated literal is 1 - x. If a
peg has two possible colors, the literal of one is 1 minus the literal of the other. So equations
are shortened in the same way as those of two-color boards (constraints/two_colors.py). The
equations of one color per peg and of known counts are used to shorten others, but are not changed.

Proof. By the proof in constraints/two_colors.py, the same codes satisfy the equations, and a
combination is the certificate of a contradiction. Each equation keeps its multipliers over the
equations of the board, so that later proofs can still be verified by adding up the equations of the
board.

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

rational: drop equations that others imply, and find contradictions, over the rationals.

Proof. Elimination modulo a large prime proposes combinations of equations, and each combination is
verified in integers before anything is concluded. If the coefficients are 0 and the total is not,
no code satisfies the equations: the combination is the certificate. If both are 0, the equation
that was reduced to 0 is a combination of pivots, and its constraint is dropped: each code that
satisfies the pivots satisfies it. Pivots are never reduced to 0, so all of them are kept. If one
literal remains, its value follows; a value other than 0 and 1 is a contradiction. So the set of
codes does not change.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from mmsat._util.arrays import np
from mmsat._util.text import quantity
from mmsat.constraints.linear_algebra import (
    Equation,
    ModularElimination,
    combine_equations,
    find_dependencies,
    find_integer_contradiction,
    find_odd_combination,
    pivot_columns,
)
from mmsat.constraints.parities import Certificate
from mmsat.constraints.presolve.domains import (
    ContradictionError,
    Infeasibility,
    ReasonedConstraint,
    bits,
    explain_contradiction,
)
from mmsat.constraints.presolve.histogram_search import Counts, count_bounds
from mmsat.constraints.presolve.literal_equations import DerivedEquation, LiteralEquations
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.constraints.presolve.propagation import ConstraintPropagator
from mmsat.constraints.presolve.symmetries import merge_colors, sort_pegs
from mmsat.constraints.system import System
from mmsat.constraints.two_colors import FlawError, SignedEquation, sparsify
from mmsat.game.board import Board
from mmsat.game.row import Code
from mmsat.game.space import CardinalityConstraint
from mmsat.limits import LIMITS


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


MAX_WORK = 500_000
"""The maximum number of coefficients and multipliers that elimination processes (below 1 s)."""
MAX_DENSE_PRODUCTS = 40_000_000
"""The maximum number of multiplications of a dense elimination, a fast test of independence."""
MIN_DENSE_COEFFICIENTS = 2_000
"""The minimum number of coefficients for the dense test; below, sparse elimination is as fast."""
DENSE_PRIME = (1 << 31) - 1


def drop_dependent(problem: Problem) -> Change | Infeasibility:
    """Drop the constraints that others imply, or return a contradiction."""
    equations = problem.equations
    rows = equations.active_equations
    if not rows or are_independent(rows):
        return Change(problem)
    elimination, dependencies = find_dependencies(rows, MAX_WORK)
    for multipliers, total in dependencies.values():
        if total:
            combination, _ = equations.expand(multipliers)
            return equations.refutation("rational", Certificate(combination))
    implied_literals = find_implied_literals(elimination, equations)
    if isinstance(implied_literals, Certificate):
        return equations.refutation("rational", implied_literals)
    implied = [equations.active[index] for index in dependencies]
    places = {row.place for row in implied if row.place is not None and row.left}
    return drop_implied(problem, places, implied_literals)


def drop_implied(
    problem: Problem, places: set[tuple[int, int]], implied_literals: dict[int, int]
) -> Change:
    """Drop constraints, and add literals with the rows that imply them, as bits.

    `places` are the dropped constraints: a row and an index in it.
    """
    if not places and not implied_literals:
        return Change(problem)
    kept = [
        [
            reasoned
            for constraint_index, reasoned in enumerate(constraints)
            if (row, constraint_index) not in places
        ]
        for row, constraints in enumerate(problem.rows)
    ]
    game = list(problem.game)
    for literal, rows in sorted(implied_literals.items()):
        constraint = CardinalityConstraint((literal,), 1, 1)
        if rows:
            kept[rows.bit_length() - 1].append(ReasonedConstraint(constraint, rows))
        else:
            game.append(constraint)
    changed = replace(
        problem, game=tuple(game), rows=tuple(map(tuple, kept)), cached_equations=None
    )
    return Change(
        changed,
        f"dropped {quantity(len(places), 'implied constraint')}, "
        f"found {quantity(len(implied_literals), 'literal')}",
    )


def are_independent(rows: list[Equation]) -> bool:
    """Return True if a dense elimination shows that no equation is a combination of others.

    Equations that are independent modulo a prime are independent over the rationals. Return False
    if the test would be too slow, or slower than the elimination that it saves.
    """
    columns: dict[int, int] = {}
    for coefficients, _ in rows:
        for literal in coefficients:
            columns.setdefault(literal, len(columns))
    size = len(rows), len(columns)
    if size[0] > size[1] or sum(len(left) for left, _ in rows) < MIN_DENSE_COEFFICIENTS:
        return False
    if size[0] ** 2 * size[1] > 2 * MAX_DENSE_PRODUCTS:
        return False
    matrix = np.zeros(size, dtype=np.int64)
    for index, (coefficients, _) in enumerate(rows):
        for literal, number in coefficients.items():
            matrix[index, columns[literal]] = number % DENSE_PRIME
    return None not in pivot_columns(matrix, DENSE_PRIME)


def find_implied_literals(
    elimination: ModularElimination, equations: LiteralEquations
) -> dict[int, int] | Certificate:
    """Return the literals whose values a combination implies, each with its rows as bits.

    If a combination gives a literal a value other than 0 and 1, return the certificate of this
    contradiction instead.
    """
    rows_of_literals: dict[int, int] = {}
    for index, row in enumerate(elimination.rows):
        if len(row.coefficients) != 1:
            continue
        multipliers = elimination.multipliers(index)
        if multipliers is None:
            continue
        left, total = combine_equations(multipliers, elimination.equations)
        if len(left) != 1:
            continue
        ((literal, number),) = left.items()
        combination, times = equations.expand(multipliers)
        if total % number:
            return Certificate(combination, abs(number) * times)
        if total not in (0, number):
            return Certificate(combination)
        rows_of_literals[literal if total else -literal] = equations.rows(combination)
    return rows_of_literals


Step = Callable[[Problem], Change | Infeasibility]
"""A function that makes a problem smaller, or refutes it.

A step keeps the set of codes, except for symmetry steps: these keep some of the codes, and
`Problem.orbit_size` returns the number of codes that each of them represents. A step that does not
apply, or that exceeds its limit of work, returns the problem unchanged. Steps are deterministic."""
STEPS: dict[str, Step] = {
    "bounds": propagate,
    "histograms": bound_counts,
    "differences": subtract_rows,
    "parity": check_parity,
    "hermite": check_integers,
    "rational": drop_dependent,
    "colors": merge_colors,
    "pegs": sort_pegs,
}
"""The steps by name."""
ORDER = (
    *("bounds", "histograms", "bounds"),
    *("differences", "parity", "hermite", "rational", "bounds"),
    *("colors", "pegs", "bounds"),
)
"""The default order of steps.

Bounds are first, because they make the input of all other steps smaller. Differences are before the
other algebraic steps, which are faster on short equations. Symmetries are last, because the decided
pegs are then known.
"""


class AppliedStep(NamedTuple):
    """The name of a step, and a description of its changes."""

    step: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Presolved:
    """The result of presolve: a smaller system, and the steps that produced it."""

    system: System
    """The reduced system. It has the codes of the board, or one of each orbit of a symmetry."""
    done: tuple[AppliedStep, ...]
    """The steps that changed the problem, in order."""
    problem: Problem
    """The constraints with the rows that imply them, and the domains."""

    def orbit_size(self, code: Code) -> int:
        """Return the number of codes of the board that a code of the system represents."""
        return self.problem.orbit_size(code)


def presolve(board: Board | System, steps: Iterable[str] = ORDER) -> Presolved | Infeasibility:
    """Apply steps, given by name, in order. Return the reduced system or a refutation."""
    problem = Problem.of(board if isinstance(board, System) else System.of(board))
    applied_steps = []
    last_results: dict[str, Problem] = {}
    for name in steps:
        if last_results.get(name) is problem:
            continue  # unchanged since this step was last applied
        change = STEPS[name](problem)
        if isinstance(change, Infeasibility):
            return change
        last_results[name] = problem = change.problem
        if change.text:
            applied_steps.append(AppliedStep(name, change.text))
    return Presolved(problem.reduce(), tuple(applied_steps), problem)
