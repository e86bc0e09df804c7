"""Presolve: apply steps, in a fixed order, that make a system smaller or refute it.

`simplify` uses algebra (constraints/two_colors.py) for most boards of two colors, and these steps
for all others.

The steps of this module are described below. Each proof shows that the step keeps the set of codes,
and that a contradiction follows from the rows of its reason or certificate. The steps that break
symmetries, `colors` and `pegs`, are in symmetries.py.

bounds: unit and bound propagation over constraints, pegs and counts of colors.

Proof. Each rule of propagation.py and domains.py uses only properties of all codes: the
constraints, one color per peg, and counts that add up to the number of pegs. So each conclusion
holds for every code that satisfies the constraints, and the set of codes does not change. The
reason of a conclusion has the rows of its constraint and of all earlier conclusions that it uses,
so the rows of a contradiction are contradictory without any other row.

histograms: bounds of the counts of colors, from all constraints about counts together.

Proof. Every code has a histogram, the counts of its colors, which satisfies all constraints about
counts alone, because these depend on nothing else. histograms.py drops a count only if no
histogram has it, for one of two reasons: the enumeration has found all histograms, or a weighted
sum of the constraints, which every histogram satisfies, is out of reach with this count. For colors
in no constraint, only the total number of their pegs matters. So the count of each color is within
the bounds for every code, and the set of codes does not change. The reason of a conclusion has the
rows of all constraints about counts and of the previous bounds of the counts.

differences: shorten constraints by adding or subtracting other constraints.

Over the undecided literals, an equation has coefficients 1 and -1, because a negated literal is
1 - x. If a peg has two possible colors, the literal of one is 1 minus the literal of the other. So
equations are shortened in the same way as those of two-color boards (constraints/two_colors.py).
The equations of one color per peg and of known counts shorten others, but do not change.

Proof. By the proof in constraints/two_colors.py, the same codes satisfy the equations, and a
combination is the certificate of a contradiction. Each equation keeps its multipliers over the
equations of the board, so that later proofs can still be verified by adding up the equations of the
board.

parity: equations whose sum has even coefficients and an odd total.

Proof. Elimination modulo 2 finds a combination of equations with even coefficients and an odd
total. Literals are 0 or 1, so the left side is even for every code, and no code satisfies the
combined equations. The combination is the certificate. The problem is not changed.

hermite: equations without a solution in integers, for any modulus.

Proof. A column echelon form (as in the Hermite normal form) is obtained by an invertible integer
substitution of the unknowns. If one of the new unknowns has no integer value, there is a
combination of equations whose coefficients are all divisible by a modulus that does not divide its
total, or whose coefficients are 0 and whose total is not. This combination is the certificate. The
modulus 2 is parity; this step finds all other moduli as well. The problem is not changed.

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
from typing import Any, NamedTuple, TypeVar

from mmsat._core import SearchStatus, WeightedSearch
from mmsat._util import np
from mmsat._util.text import quantity
from mmsat.constraints import System, is_linear_board
from mmsat.constraints.domains import (
    ContradictionError,
    Infeasibility,
    ReasonedConstraint,
    bits,
    explain_contradiction,
)
from mmsat.constraints.histograms import Counts, count_bounds
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
from mmsat.constraints.presolve_state import Change, DerivedEquation, LiteralEquations, Problem
from mmsat.constraints.propagation import ConstraintPropagator
from mmsat.constraints.symmetries import merge_colors, sort_pegs
from mmsat.constraints.two_colors import (
    ContradictoryEquationsError,
    SignedEquation,
    possible_weights,
    simplify_two_colors,
    sparsify,
)
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.limits import LIMITS

T = TypeVar("T")


def propagate(problem: Problem) -> Change | Infeasibility:
    """Return the problem with smaller domains, or a contradiction."""
    domains = problem.domains.copy()
    try:
        ConstraintPropagator(problem.reasoned_constraints(), domains).run()
    except ContradictionError as contradiction:
        return explain_contradiction("bounds", contradiction.rows, contradiction.predicate)
    before, after = problem.domains.tally(), domains.tally()
    if before == after:
        return Change(problem)
    pegs, colors, counts = (new - old for old, new in zip(before, after, strict=True))
    text = (
        f"fixed {quantity(pegs, 'peg')}, ruled out {quantity(colors, 'color')} at pegs, "
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
        predicate = f"leave no way to distribute {pegs} pegs over {colors} colors"
        return explain_contradiction("histograms", counts.rows, predicate)
    domains = problem.domains.copy()
    num_changed = num_fixed = 0
    for color, old_domain, (low, high) in zip(counts.colors, counts.domains, bounds, strict=True):
        if low > domains.low[color]:
            domains.low[color], domains.reason_low[color] = low, counts.rows
        if high < domains.high[color]:
            domains.high[color], domains.reason_high[color] = high, counts.rows
        num_changed += (old_domain[0], old_domain[-1]) != (low, high)
        num_fixed += len(old_domain) > 1 and low == high
    if not num_changed:
        return Change(problem)
    return Change(
        problem.with_domains(domains),
        f"tightened the counts of {quantity(num_changed, 'color')}, and fixed {num_fixed} of them",
    )


def shorten_equations_of_literals(equations: LiteralEquations) -> list[DerivedEquation]:
    """Return the equations, some of them replaced by shorter ones.

    Raises ContradictoryEquationsError for a contradiction.
    """
    rows, literals = to_signed_equations(equations)
    sparsify([row for row in rows if row is not None], len(literals))
    new_equations = []
    for row, old in zip(rows, equations.reduced, strict=True):
        if row is None or row.is_fixed or len(row) >= len(old.coefficients):
            new_equations.append(old)
            continue
        coefficients = {literals[bit]: 1 for bit in bits(row.plus)}
        coefficients |= {literals[bit]: -1 for bit in bits(row.minus)}
        new_equations.append(
            DerivedEquation(coefficients, row.total, row.multipliers, old.source, row.factor)
        )
    return new_equations


def to_signed_equations(
    equations: LiteralEquations,
) -> tuple[list[SignedEquation | None], list[int]]:
    """Return the reduced equations as signed equations, and the literal of each of their bits.

    None replaces an equation with a factor, or with coefficients other than 1 and -1. Raises
    ContradictoryEquationsError if a total is out of range.
    """
    # If a peg has two possible colors, the literal of the second one is 1 minus that of the first.
    # To replace it, multiples of two kinds of equations are added: the equation of the peg (its
    # literals sum to 1) times -coefficient, and the equations of the impossible colors (literal =
    # 0) times coefficient.
    variables, domains = equations.variables, equations.domains
    complements = {}
    for peg, possible_colors in enumerate(domains.possible_colors):
        if possible_colors.bit_count() == 2:
            first, second = bits(possible_colors)
            complements[variables.at(peg, second)] = variables.at(peg, first)
    bit_indices: dict[int, int] = {}
    rows: list[SignedEquation | None] = []
    for equation in equations.reduced:
        coefficients, total = dict(equation.coefficients), equation.total
        multipliers = dict(equation.multipliers)
        for literal in [literal for literal in coefficients if literal in complements]:
            coefficient, complement = coefficients.pop(literal), complements[literal]
            coefficients[complement] = coefficients.get(complement, 0) - coefficient
            total -= coefficient
            peg, _ = variables.peg_color(literal)
            added_multipliers = {equations.peg_index(peg): -coefficient}
            for color in range(variables.colors):  # the colors that the peg cannot have
                if domains.value(excluded_literal := variables.at(peg, color)) is False:
                    added_multipliers[equations.literal_index(excluded_literal)] = coefficient
            for index, multiplier in added_multipliers.items():
                multipliers[index] = multipliers.get(index, 0) + multiplier
        signs = {
            literal: coefficient for literal, coefficient in coefficients.items() if coefficient
        }
        if equation.factor != 1 or not all(abs(coefficient) == 1 for coefficient in signs.values()):
            rows.append(None)
            continue
        plus = minus = 0
        for literal, coefficient in signs.items():
            bit = 1 << bit_indices.setdefault(literal, len(bit_indices))
            if coefficient > 0:
                plus |= bit
            else:
                minus |= bit
        row = SignedEquation(plus, minus, total, multipliers, is_fixed=equation.source is None)
        row.check()
        rows.append(row)
    return rows, list(bit_indices)


def subtract_rows(problem: Problem) -> Change | Infeasibility:
    """Return the problem with shorter constraints, or a contradiction."""
    equations = problem.equations
    try:
        shortened = shorten_equations_of_literals(equations)
    except ContradictoryEquationsError as contradiction:
        return equations.refutation("differences", contradiction.certificate)
    new_rows = [list(constraints) for constraints in problem.rows]
    num_changed = old_length = new_length = 0
    for old, new in zip(equations.reduced, shortened, strict=True):
        if new is not old and new.source is not None:
            num_changed += 1
            old_length += len(old.coefficients)
            new_length += len(new.coefficients)
            row, constraint_index = new.source
            new_rows[row][constraint_index] = ReasonedConstraint(
                to_constraint(new), equations.rows(new.multipliers)
            )
    if not num_changed:
        return Change(problem)
    text = (
        f"shortened {quantity(num_changed, 'constraint')} "
        f"from {old_length} to {new_length} literals"
    )
    rows = tuple(map(tuple, new_rows))
    new_equations = equations.with_reduced(shortened)
    return Change(replace(problem, rows=rows, cached_equations=new_equations), text)


def to_constraint(equation: DerivedEquation) -> CardinalityConstraint:
    """Return an equation with coefficients 1 and -1 as a constraint."""
    literals = tuple(
        literal if coefficient > 0 else -literal
        for literal, coefficient in equation.coefficients.items()
    )
    true_count = equation.total + sum(
        coefficient < 0 for coefficient in equation.coefficients.values()
    )
    return CardinalityConstraint(literals, true_count, true_count)


MAX_HERMITE_EQUATIONS = 200
"""Maximum number of equations for which an echelon form over the integers is computed."""


def check_parity(problem: Problem) -> Change | Infeasibility:
    """Return the unchanged problem, or a refutation by parity."""
    equations = problem.equations
    active = equations.active_equations
    literals = {literal for coefficients, _ in active for literal in coefficients}
    if len(active) ** 2 * (len(literals) + len(active)) > LIMITS.parity_work:
        return Change(problem)
    combination = find_odd_combination(active)
    if combination is None:
        return Change(problem)
    # The expansion multiplies the combination by `factor`, and so also its modulus.
    multipliers, factor = equations.expand(dict.fromkeys(bits(combination), 1))
    return equations.refutation("parity", Certificate(multipliers, 2 * factor))


def check_integers(problem: Problem) -> Change | Infeasibility:
    """Return the unchanged problem, or a refutation by an echelon form over the integers."""
    equations = problem.equations
    if len(equations.active) > MAX_HERMITE_EQUATIONS:
        return Change(problem)
    contradiction = find_integer_contradiction(equations.active_equations, LIMITS.hermite_work)
    if contradiction is None:
        return Change(problem)
    multipliers, modulus = contradiction
    combination, factor = equations.expand(multipliers)
    return equations.refutation("hermite", Certificate(combination, modulus * factor))


MAX_RATIONAL_WORK = 500_000
"""Maximum number of coefficients and multipliers that the step `rational` processes, in less than
1 s."""
MAX_DENSE_PRODUCTS = 40_000_000
"""Maximum number of multiplications of a dense elimination, a fast test of independence."""
MIN_DENSE_COEFFICIENTS = 2_000
"""Minimum number of coefficients for the dense test; with fewer, sparse elimination is as fast."""
DENSE_PRIME = (1 << 31) - 1
"""The modulus of the dense test; products of residues fit in 64 bits."""


def drop_dependent(problem: Problem) -> Change | Infeasibility:
    """Drop the constraints that others imply, or return a contradiction."""
    equations = problem.equations
    active = equations.active_equations
    if not active or are_independent(active):
        return Change(problem)
    elimination, dependencies = find_dependencies(active, MAX_RATIONAL_WORK)
    for multipliers, total in dependencies.values():
        if total:
            combination, _ = equations.expand(multipliers)
            return equations.refutation("rational", Certificate(combination))
    implied_literals = find_implied_literals(elimination, equations)
    if isinstance(implied_literals, Certificate):
        return equations.refutation("rational", implied_literals)
    implied = [equations.active[index] for index in dependencies]
    dropped = {
        equation.source
        for equation in implied
        if equation.source is not None and equation.coefficients
    }
    return drop_implied(problem, dropped, implied_literals)


def drop_implied(
    problem: Problem, dropped: set[tuple[int, int]], implied_literals: dict[int, int]
) -> Change:
    """Drop constraints, each given by its row and its index, and add implied literals.

    `implied_literals` has the rows, as bits, that imply each literal.
    """
    if not dropped and not implied_literals:
        return Change(problem)
    kept_constraints = [
        [
            reasoned
            for constraint_index, reasoned in enumerate(constraints)
            if (row, constraint_index) not in dropped
        ]
        for row, constraints in enumerate(problem.rows)
    ]
    game = list(problem.game)
    for literal, rows in sorted(implied_literals.items()):
        constraint = CardinalityConstraint((literal,), 1, 1)
        if rows:
            # The constraint may be stored with any of these rows; its reason has all of them.
            last_row = rows.bit_length() - 1
            kept_constraints[last_row].append(ReasonedConstraint(constraint, rows))
        else:
            game.append(constraint)
    new_problem = replace(
        problem, game=tuple(game), rows=tuple(map(tuple, kept_constraints)), cached_equations=None
    )
    return Change(
        new_problem,
        f"dropped {quantity(len(dropped), 'implied constraint')}, "
        f"found {quantity(len(implied_literals), 'literal')}",
    )


def are_independent(equations: list[Equation]) -> bool:
    """Return whether a dense elimination shows that no equation is a combination of others.

    Equations that are independent modulo a prime are independent over the rationals. Return False
    if the test would be too slow, or slower than the elimination that it saves.
    """
    columns: dict[int, int] = {}
    for coefficients, _ in equations:
        for literal in coefficients:
            columns.setdefault(literal, len(columns))
    height, width = len(equations), len(columns)
    num_coefficients = sum(len(coefficients) for coefficients, _ in equations)
    if height > width or num_coefficients < MIN_DENSE_COEFFICIENTS:
        return False
    # A row is only subtracted from the rows below it, so there are height**2 * width / 2 products.
    if height**2 * width > 2 * MAX_DENSE_PRODUCTS:
        return False
    matrix = np.zeros((height, width), dtype=np.int64)
    for index, (coefficients, _) in enumerate(equations):
        for literal, coefficient in coefficients.items():
            matrix[index, columns[literal]] = coefficient % DENSE_PRIME
    return None not in pivot_columns(matrix, DENSE_PRIME)


def find_implied_literals(
    elimination: ModularElimination, equations: LiteralEquations
) -> dict[int, int] | Certificate:
    """Return the literals that combinations of equations imply, with the rows, as bits, of each.

    If a combination implies a value other than 0 and 1, return the certificate of this
    contradiction instead.
    """
    rows_of_literals: dict[int, int] = {}
    for index, row in enumerate(elimination.rows):
        if len(row.coefficients) != 1:
            continue
        multipliers = elimination.multipliers(index)
        if multipliers is None:
            continue
        coefficients, total = combine_equations(multipliers, elimination.equations)
        if len(coefficients) != 1:
            continue
        ((literal, coefficient),) = coefficients.items()
        combination, factor = equations.expand(multipliers)
        if total % coefficient:
            return Certificate(combination, abs(coefficient) * factor)
        if total not in (0, coefficient):
            return Certificate(combination)
        rows_of_literals[literal if total else -literal] = equations.rows(combination)
    return rows_of_literals


Step = Callable[[Problem], Change | Infeasibility]
"""A function that makes a problem smaller, or refutes it.

A step does not change the set of codes, except for the symmetry steps, which keep some of the
codes; `Problem.orbit_size` returns the number of codes that each of these represents. A step that
does not apply, or that exceeds its limit of work, returns the problem unchanged. Steps are
deterministic."""
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
HISTOGRAM_STEPS = ("bounds", "histograms", "bounds")
"""The steps that bound how many pegs each color has. They do not import numpy."""
ORDER = (
    *HISTOGRAM_STEPS,
    "differences",
    "parity",
    "hermite",
    "rational",
    "bounds",
    "colors",
    "pegs",
    "bounds",
)
"""The default order of steps.

Bounds are first, because they make the input of all other steps smaller. Differences precede the
other algebraic steps, which are faster on short equations. The symmetry steps, `colors` and `pegs`,
are last, when most pegs that can be decided are decided. Bounds follow each group of steps.
"""


class AppliedStep(NamedTuple):
    """A step that changed the problem."""

    step: str
    """The name of the step."""
    text: str
    """A description of the changes."""


@dataclass(frozen=True, slots=True, eq=False)
class Presolved:
    """The result of presolve: a smaller system, and the steps that produced it."""

    system: System
    """The reduced system. Its codes are those of the board, or some codes of each orbit."""
    applied_steps: tuple[AppliedStep, ...]
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
        # Skip a step if the problem has not changed since the step was last applied.
        if last_results.get(name) is problem:
            continue
        change = STEPS[name](problem)
        if isinstance(change, Infeasibility):
            return change
        last_results[name] = problem = change.problem
        if change.text:
            applied_steps.append(AppliedStep(name, change.text))
    return Presolved(problem.reduce(), tuple(applied_steps), problem)


SYMMETRY_STEPS = ("colors", "pegs")
"""Names of the presolve steps that keep one of several symmetric codes."""
MAX_WEIGHTS = 8
"""A two-color board is simplified by algebra if the code has at most this many possible weights
(its number of pegs of the second color). Each weight needs a separate system."""


class Simplified(NamedTuple):
    """The result of simplifying a board."""

    systems: list[System]
    """The systems of the simplified board. Each code of the board, up to symmetry, satisfies one of
    them. The list is empty if the board is refuted."""
    method: str
    """The method of simplification: algebra or presolve."""
    rows: tuple[int, ...] | None = None
    """The rows (from 0) by which presolve refuted the board, if they are known."""


def simplify(board: Board, *, symmetries: bool = True) -> Simplified:
    """Simplify a board: by algebra if `is_algebraic`, otherwise by presolve.

    - `symmetries`: whether presolve may break symmetries. If so, the systems need only have one of
      several symmetric codes.
    """
    if is_algebraic(board):
        return Simplified(simplify_two_colors(board), "algebra")
    presolved = presolve(
        board, [step for step in ORDER if symmetries or step not in SYMMETRY_STEPS]
    )
    if isinstance(presolved, Presolved):
        return Simplified([presolved.system], "presolve")
    return Simplified([], "presolve", presolved.rows)


def search_simplified(board: Board, max_failures: int) -> bool | None:
    """Return whether a board is consistent, or None if the searches reach `max_failures`.

    Each system of the simplified board is searched once, without a race of solvers. The result is
    the same on every machine. Word lists are not supported.
    """
    is_undecided = False
    for system in simplify(board).systems:
        search = WeightedSearch(*system.variables, list(system.hard), system.row_constraints)
        status = search.advance(max_failures)
        if status is SearchStatus.CODE_FOUND:
            return True
        is_undecided |= status is SearchStatus.BUDGET_SPENT
    return None if is_undecided else False


def exact_systems(board: Board, tolerance: Tolerance = STRICT) -> list[System]:
    """Return systems such that each code within the tolerance satisfies exactly one of them.

    The systems are simplified if the tolerance has no lies.
    """
    if tolerance.lies:
        return [System.of(board, tolerance)]
    return simplify(board, symmetries=False).systems


def apply_to_systems(
    function: Callable[..., T], board: Board, tolerance: Tolerance, *args: Any
) -> T:
    """Call `function` with the `exact_systems` of a board and `args`, and return its result.

    If a worker process calls this function, it creates the systems itself, so that they need not be
    sent to it.
    """
    return function(exact_systems(board, tolerance), *args)


def is_algebraic(board: Board) -> bool:
    """Return whether a board is a system of linear equations, or a few such systems."""
    return is_linear_board(board) and len(possible_weights(board)) <= MAX_WEIGHTS
