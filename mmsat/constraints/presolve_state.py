"""The state of presolve: the constraints of a system as linear equations, and its domains.

`LiteralEquations` states a board as linear equations over literals, whose values are 0 or 1. The
equations are

- the constraints that exactly m literals are true, if none of these is a conjunction (a negated
  literal is 1 - x);
- one color per peg: the literals "this peg has color c", for all c, add up to 1;
- known counts: the literals "peg p has this color", for all p, add up to the count of the color;
- known literals: x = 0 or x = 1.

These are the `proof_equations`. A proof is a combination of them, and names the rows that imply the
known counts and literals in it. For elimination, known literals are substituted (`reduced`).
Equations that cannot contribute to a proof are then omitted (`active`): one of their literals is in
no other equation, so that it cannot be cancelled.

`Problem` has the constraints, with the rows that imply them, and the domains. Conclusions about the
colors of pegs and about counts are stored in `domains`. The constraints that imply them stay
unchanged, so that the proofs of later steps can add up the equations of the board. Known literals
are substituted into the constraints only at the end (`reduce`), which removes most constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from math import lcm, prod
from typing import NamedTuple

from mmsat._util.text import linear_combination, quantity
from mmsat.constraints import SoftRow, System
from mmsat.constraints.domains import (
    Domains,
    Infeasibility,
    ReasonedConstraint,
    bits,
    name_rows,
)
from mmsat.constraints.linear_algebra import Equation, SparseVector, combine_vectors
from mmsat.constraints.parities import Certificate
from mmsat.errors import InternalError
from mmsat.game import Code
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap

GameConstraints = tuple[CardinalityConstraint, ...]
"""The constraints of the game."""
RowConstraints = tuple[tuple[ReasonedConstraint, ...], ...]
"""The constraints of each row."""

MAX_COEFFICIENTS = 200_000
"""Maximum number of coefficients of the equations of a board. With more, elimination would take too
long, so the board gets no equations."""
MAX_LISTED_TERMS = 12
"""Maximum number of terms of a combination that a sentence lists."""


class LiteralEquation(NamedTuple):
    """An equation over literals, with its reason and its name."""

    coefficients: SparseVector
    total: int
    rows: int
    """The rows that imply the equation, as bits."""
    text: str
    """A name such as `row 3`, `row 3's colors`, `color 5 (2 pegs)` or `peg 1 (not color 2)`."""
    source: tuple[int, int] | None = None
    """The row, and the index of its constraint, that the equation states; None for others."""


class DerivedEquation(NamedTuple):
    """An equation in which known literals are substituted."""

    coefficients: SparseVector
    total: int
    multipliers: SparseVector
    """The multipliers that combine `proof_equations` to this equation times `factor`."""
    source: tuple[int, int] | None
    """The row, and the index of its constraint, that the equation replaces; None for others."""
    factor: int = 1
    """The number by which this equation is multiplied in that combination."""


class LiteralEquations:
    """The equations of a problem."""

    def __init__(self, domains: Domains, game: GameConstraints, rows: RowConstraints) -> None:
        """Read the constraints; there are no equations if they may exceed `MAX_COEFFICIENTS`."""
        self.variables = domains.variables
        self.domains = domains
        self.proof_equations: list[LiteralEquation] = []
        """The original equations, and those of known literals."""
        self.reduced: list[DerivedEquation] = []
        """The original equations with known literals substituted."""
        self.active: list[DerivedEquation] = []
        """The reduced equations that a contradiction can use."""
        self._literal_indices: dict[int, int] = {}
        """The index of the equation of each known literal."""
        self._peg_indices: dict[int, int] = {}
        """For each peg, the index of the equation that the peg has one color."""
        constraints = (*game, *(reasoned.constraint for row in rows for reasoned in row))
        num_coefficients = sum(len(constraint.literals) for constraint in constraints)
        if (
            num_coefficients > MAX_COEFFICIENTS
            or self.variables.pegs * self.variables.colors > MAX_COEFFICIENTS
        ):
            return
        self.proof_equations = [*read_constraints(self.variables, game, rows)]
        used_literals = {
            literal for equation in self.proof_equations for literal in equation.coefficients
        }
        counted_colors = []
        for color, equation in count_equations(domains, used_literals):
            counted_colors.append(color)
            self.proof_equations.append(equation)
        for peg in complete_pegs(domains, used_literals, counted_colors):
            self.peg_index(peg)
        self.reduced = [self._reduce(index) for index in range(len(self.proof_equations))]
        self.active = drop_unusable(self.reduced)

    @property
    def active_equations(self) -> list[Equation]:
        """The coefficients and totals of the active equations."""
        return [(equation.coefficients, equation.total) for equation in self.active]

    def peg_index(self, peg: int) -> int:
        """Return the index of the equation that a peg has one color; add it if it is new."""
        if peg not in self._peg_indices:
            self._peg_indices[peg] = len(self.proof_equations)
            self.proof_equations.append(peg_equation(self.variables, peg))
        return self._peg_indices[peg]

    def _reduce(self, index: int) -> DerivedEquation:
        """Return an original equation with known literals substituted."""
        equation = self.proof_equations[index]
        coefficients, total, multipliers = {}, equation.total, {index: 1}
        for literal, coefficient in equation.coefficients.items():
            value = self.domains.value(literal)
            if value is None:
                coefficients[literal] = coefficient
                continue
            multipliers[self.literal_index(literal)] = -coefficient
            total -= coefficient * value
        return DerivedEquation(coefficients, total, multipliers, equation.source)

    def literal_index(self, literal: int) -> int:
        """Return the index of the equation of a known literal; add it if it is new."""
        if literal not in self._literal_indices:
            self._literal_indices[literal] = len(self.proof_equations)
            value = self.domains.value(literal)
            text = name_literal(self.variables, literal, is_true=value is True)
            rows = self.domains.reason_of(literal)
            self.proof_equations.append(
                LiteralEquation({literal: 1}, int(value is True), rows, text)
            )
        return self._literal_indices[literal]

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[list[int], int]:
        """Return the nonzero coefficients and the total of a combination of `proof_equations`."""
        coefficients = combine_vectors(
            multipliers, lambda index: self.proof_equations[index].coefficients
        )
        total = sum(
            multiplier * self.proof_equations[index].total
            for index, multiplier in multipliers.items()
        )
        return list(coefficients.values()), total

    def rows_of(self, index: int) -> tuple[int, ...]:
        """Return the rows that imply an equation."""
        return tuple(bits(self.proof_equations[index].rows))

    def with_reduced(self, reduced: list[DerivedEquation]) -> LiteralEquations:
        """Return a copy with the same equations for proofs, and other reduced equations."""
        new_equations = copy(self)
        new_equations.reduced = reduced
        # `reduced` has one equation for each of `self.reduced`. Equations of pegs that were added
        # while it was computed (`peg_index`) have higher indices, and are reduced here.
        added_pegs = [index for index in self._peg_indices.values() if index >= len(reduced)]
        added = (self._reduce(index) for index in added_pegs)
        new_equations.active = drop_unusable([*reduced, *added])
        return new_equations

    def expand(self, multipliers: SparseVector) -> tuple[SparseVector, int]:
        """Express a combination of `active` by `proof_equations`.

        Return multipliers, which combine `proof_equations` to the given combination times a factor,
        and the factor.
        """
        factor = lcm(*(self.active[index].factor for index in multipliers))
        scaled = {
            index: multiplier * (factor // self.active[index].factor)
            for index, multiplier in multipliers.items()
        }
        return combine_vectors(scaled, lambda index: self.active[index].multipliers), factor

    def rows(self, multipliers: Mapping[int, int]) -> int:
        """Return the rows that imply a combination of `proof_equations`, as bits."""
        rows = 0
        for index, multiplier in multipliers.items():
            if multiplier:
                rows |= self.proof_equations[index].rows
        return rows

    def refutation(self, step: str, certificate: Certificate) -> Infeasibility:
        """Return the refutation by a contradictory combination of `proof_equations`.

        Raises InternalError if the certificate is invalid.
        """
        # The sentence lists the terms by index and should not begin with a negative one.
        if min(certificate.multipliers.items(), default=(0, 0))[1] < 0:
            negated = {index: -number for index, number in certificate.multipliers.items()}
            certificate = replace(certificate, multipliers=negated)
        if not certificate.proves(self):
            raise InternalError(f"the certificate of {step} is invalid: {certificate}")
        coefficients, total = self.sum_up(certificate.multipliers)
        if not coefficients:
            conclusion = f"all terms cancel out, but the stated numbers sum to {total}"
        elif certificate.modulus == 2:
            conclusion = f"the sum is even for every code, but {total} is stated"
        elif certificate.modulus:
            multiple = f"a multiple of {certificate.modulus}"
            conclusion = f"the sum is {multiple} for every code, but {total} is stated"
        else:
            minimum = sum(number for number in coefficients if number < 0)
            maximum = sum(number for number in coefficients if number > 0)
            conclusion = f"the sum is {minimum} to {maximum} for every code, but {total} is stated"
        sentence = self.sentence(certificate.multipliers)
        lines = [f"{sentence[0].upper()}{sentence[1:]}, taken together: {conclusion}."]
        combined = [self.proof_equations[index] for index in sorted(certificate.multipliers)]
        derived_facts = [fact for fact in combined if fact.source is None and fact.rows]
        for fact in derived_facts[:MAX_LISTED_TERMS]:
            text = f"{fact.text} follows from {name_rows(fact.rows)}."
            lines.append(text[0].upper() + text[1:])
        if len(derived_facts) > MAX_LISTED_TERMS:
            lines.append(f"And {len(derived_facts) - MAX_LISTED_TERMS} more such facts.")
        return Infeasibility(step, certificate.rows(self), tuple(lines), certificate, self)

    def sentence(self, multipliers: Mapping[int, int]) -> str:
        """Return a combination in words: `row 1 plus twice row 3 less row 4`."""
        terms = linear_combination(
            (multiplier, self.proof_equations[index].text)
            for index, multiplier in sorted(multipliers.items())
        )
        if len(terms) > MAX_LISTED_TERMS:
            terms = [*terms[:MAX_LISTED_TERMS], f"and {len(terms) - MAX_LISTED_TERMS} more"]
        return " ".join(terms)


def name_literal(variables: VariableMap, literal: int, *, is_true: bool) -> str:
    """Return a short name of a known literal: `peg 1 (not color 2)`."""
    negation = "" if is_true else "not "
    if variables.is_at(literal):
        peg, color = variables.peg_color(literal)
        return f"peg {peg + 1} ({negation}color {color + 1})"
    color, count = variables.color_count(literal)
    return f"color {color + 1} ({negation}{count} pegs or more)"


def read_constraints(
    variables: VariableMap, game: GameConstraints, rows: RowConstraints
) -> Iterator[LiteralEquation]:
    """Yield the constraints that state an equation, as equations over literals."""
    for constraint in game:
        coefficients_and_total = to_equation(constraint.literals, constraint.low, constraint.high)
        if coefficients_and_total is not None:
            yield LiteralEquation(*coefficients_and_total, 0, "the rules")
    for row, constraints in enumerate(rows):
        for constraint_index, reasoned in enumerate(constraints):
            coefficients_and_total = to_equation(
                reasoned.constraint.literals, reasoned.constraint.low, reasoned.constraint.high
            )
            if coefficients_and_total is not None:
                text = (
                    name_constraint(variables, reasoned)
                    if len(constraints) > 1
                    else name_rows(reasoned.rows)
                )
                yield LiteralEquation(
                    *coefficients_and_total, reasoned.rows, text, (row, constraint_index)
                )


def name_constraint(variables: VariableMap, reasoned: ReasonedConstraint) -> str:
    """Return a name that distinguishes a constraint from others of its row: `row 3's colors`."""
    literals = [literal for literal in reasoned.constraint.literals if isinstance(literal, int)]
    num_at_literals = sum(map(variables.is_at, literals))
    topic = "colors"
    if num_at_literals:
        topic = "places" if num_at_literals == len(literals) else "places and colors"
    rows = name_rows(reasoned.rows)
    return f"{rows}'{'s' * rows.startswith('row ')} {topic}"  # "row 3's", but "rows 2 and 3'"


def to_equation(literals: tuple[object, ...], low: int, high: int) -> Equation | None:
    """Return a constraint as an equation, or None if it has a conjunction or different bounds."""
    if low != high:
        return None
    coefficients: SparseVector = {}
    for literal in literals:
        if not isinstance(literal, int):
            return None
        coefficients[abs(literal)] = 1 if literal > 0 else -1
    num_negated = sum(coefficient < 0 for coefficient in coefficients.values())
    return coefficients, low - num_negated  # a negated literal is 1 - x


def count_equations(
    domains: Domains, used_literals: set[int]
) -> Iterator[tuple[int, LiteralEquation]]:
    """Yield the equations of known counts of colors that other equations mention."""
    variables = domains.variables
    for color, (low, high) in enumerate(zip(domains.low, domains.high, strict=True)):
        literals = [variables.at(peg, color) for peg in range(variables.pegs)]
        if low == high and any(literal in used_literals for literal in literals):
            rows = domains.reason_low[color] | domains.reason_high[color]
            text = f"color {color + 1} ({quantity(low, 'peg')})"
            yield color, LiteralEquation(dict.fromkeys(literals, 1), low, rows, text)


def complete_pegs(
    domains: Domains, used_literals: set[int], counted_colors: list[int]
) -> Iterator[int]:
    """Yield the undecided pegs for which every possible color is in another equation.

    The equation of another peg has a literal that nothing can cancel, so no proof can use it.
    """
    variables = domains.variables
    for peg, colors in enumerate(domains.possible_colors):
        possible_colors = [*bits(colors)]
        if len(possible_colors) > 1 and all(
            color in counted_colors or variables.at(peg, color) in used_literals
            for color in possible_colors
        ):
            yield peg


def peg_equation(variables: VariableMap, peg: int) -> LiteralEquation:
    """Return the equation that a peg has one color."""
    coefficients = {variables.at(peg, color): 1 for color in range(variables.colors)}
    return LiteralEquation(coefficients, 1, 0, f"peg {peg + 1}")


def drop_unusable(equations: Iterable[DerivedEquation]) -> list[DerivedEquation]:
    """Return the largest subset of equations in which every literal is in at least two of them.

    Equations with a literal that is in no other equation are dropped repeatedly.
    """
    equation_list = list(equations)
    users: dict[int, set[int]] = {}  # for each literal, the indices of the equations with it
    for index, equation in enumerate(equation_list):
        for literal in equation.coefficients:
            users.setdefault(literal, set()).add(index)
    single_literals = [literal for literal, indices in users.items() if len(indices) == 1]
    dropped: set[int] = set()
    while single_literals:
        literal = single_literals.pop()
        for index in users[literal]:
            dropped.add(index)
            for other_literal in equation_list[index].coefficients:
                if other_literal != literal:
                    users[other_literal].discard(index)
                    if len(users[other_literal]) == 1:
                        single_literals.append(other_literal)
        users[literal] = set()
    return [equation for index, equation in enumerate(equation_list) if index not in dropped]


OrbitSize = Callable[[Code], int]
"""A function from a code to the number of codes that it represents after a symmetry step, itself
included."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A system during presolve. Problems are immutable; steps return new ones."""

    system: System
    """The original system."""
    domains: Domains
    game: GameConstraints
    """The constraints that follow from the game alone, without any row."""
    rows: RowConstraints
    """The current constraints of each row of the board."""
    symmetry_breaking: tuple[CardinalityConstraint, ...] = ()
    """Constraints that keep only one or some codes of each orbit."""
    orbit_sizes: tuple[OrbitSize, ...] = ()
    """The functions for orbit sizes, one for each broken symmetry."""
    cached_equations: LiteralEquations | None = None
    """The constraints as equations, if a step has already computed them."""

    @classmethod
    def of(cls, system: System) -> Problem:
        """Return the initial problem of a system, with full domains."""
        rows = tuple(
            tuple(ReasonedConstraint(constraint, 1 << row) for constraint in constraints)
            for row, constraints in enumerate(system.row_constraints)
        )
        return cls(system, Domains.full(system.variables), system.hard, rows)

    @property
    def variables(self) -> VariableMap:
        """The numbering of the literals."""
        return self.system.variables

    def reasoned_constraints(self) -> Iterator[ReasonedConstraint]:
        """Yield all constraints with their reasons; those without rows come first."""
        for constraint in (*self.game, *self.symmetry_breaking):
            yield ReasonedConstraint(constraint, 0)
        for row in self.rows:
            yield from row

    @cached_property
    def equations(self) -> LiteralEquations:
        """The constraints that are equations."""
        return self.cached_equations or LiteralEquations(self.domains, self.game, self.rows)

    def with_domains(self, domains: Domains) -> Problem:
        """Return the problem with other domains."""
        return replace(self, domains=domains, cached_equations=None)

    @property
    def constraints_to_preserve(self) -> list[CardinalityConstraint]:
        """The original and the symmetry-breaking constraints, which a symmetry must preserve.

        The other constraints and the domains follow from these. Reasons stay valid, too: symmetries
        are found by comparing the literals of each constraint, so they preserve each row by itself.
        """
        return [*self.system.constraints, *self.symmetry_breaking]

    def break_symmetry(
        self, constraints: Iterable[CardinalityConstraint], orbit_size: OrbitSize
    ) -> Problem:
        """Return the problem with constraints that only some codes of each orbit satisfy.

        `orbit_size` returns the number of codes that a remaining code represents.
        """
        return replace(
            self,
            symmetry_breaking=(*self.symmetry_breaking, *constraints),
            orbit_sizes=(*self.orbit_sizes, orbit_size),
            cached_equations=None,
        )

    def orbit_size(self, code: Code) -> int:
        """Return the number of codes of the original system that a remaining code represents."""
        return prod([orbit_size(code) for orbit_size in self.orbit_sizes])

    def reduce(self) -> System:
        """Return the reduced system, whose codes are the codes of this problem.

        Known literals are substituted into all constraints. Hard constraints state the domains.
        """
        rows = tuple(
            tuple(
                constraint
                for reasoned in row
                if (constraint := substitute(reasoned.constraint, self.domains)) is not None
            )
            for row in self.rows
        )
        constraints = (*self.game, *self.symmetry_breaking)
        game = [
            reduced
            for constraint in constraints
            if (reduced := substitute(constraint, self.domains)) is not None
        ]
        reduced_constraints = [*game, *(constraint for row in rows for constraint in row)]
        hard = (*domain_constraints(self, reduced_constraints), *game)
        table = self.system.table
        if table is not None:
            table = tuple(code for code in table if self.domains.allows(code))
        return System(self.variables, hard, tuple(map(SoftRow, rows)), table)


@dataclass(frozen=True, slots=True)
class Change:
    """The result of a presolve step that did not refute the problem."""

    problem: Problem
    text: str = ""
    """A description of the changes in one line; empty if nothing changed."""


def substitute(constraint: CardinalityConstraint, domains: Domains) -> CardinalityConstraint | None:
    """Return a constraint without its known literals, or None if it is always satisfied.

    The variables and conjunctions of a constraint must be distinct. Therefore the constraint is
    returned unchanged if conjunctions without their known members would equal other literals.
    """
    open_literals: list[Literal] = []
    true_count = 0
    for literal in constraint.literals:
        if isinstance(literal, tuple):
            members = [member for member in literal if not domains.value(member)]
            if any(domains.value(member) is False for member in members):
                continue  # the conjunction is false
            if members:
                open_literals.append(tuple(members) if len(members) > 1 else members[0])
            else:
                true_count += 1
            continue
        match domains.value(literal):
            case None:
                open_literals.append(literal)
            case value:
                true_count += value
    low, high = constraint.low - true_count, constraint.high - true_count
    if low <= 0 and high >= len(open_literals):
        return None
    unsigned = [abs(literal) if isinstance(literal, int) else literal for literal in open_literals]
    if len(unsigned) != len(set(unsigned)):
        return constraint
    return CardinalityConstraint(tuple(open_literals), low, high)


def domain_constraints(
    problem: Problem, other_constraints: Iterable[CardinalityConstraint]
) -> Iterator[CardinalityConstraint]:
    """Yield constraints for the domains: first of the pegs, then of the counts of colors.

    `other_constraints` are the other constraints of the reduced system. The count of a color is

    - stated as a sum of `at` literals if it is known exactly, so that solvers need no counter for
      `least` literals. If all counts are known, the last sum is omitted: the others imply it;
    - not stated if its bounds decide no `least` literal of the original system;
    - stated by the decided `least` literals if `other_constraints` have `least` literals of the
      color, so that a counter exists anyway;
    - otherwise stated by its bounds, as a sum.
    """
    variables, domains = problem.variables, problem.domains
    known_literals = tuple(domains.literals())
    if known_literals:
        yield CardinalityConstraint(known_literals, len(known_literals), len(known_literals))
    counts_by_color: dict[int, set[int]] = {}
    for color, count in mentioned_counts(variables, problem.system.constraints):
        counts_by_color.setdefault(color, set()).add(count)
    counted_colors = {color for color, _ in mentioned_counts(variables, other_constraints)}
    sums = []
    for color in range(variables.colors):
        min_count, max_count = domains.low[color], domains.high[color]
        bit = 1 << color
        open_pegs = [
            peg
            for peg, colors in enumerate(domains.possible_colors)
            if colors & bit and colors != bit
        ]
        true_count = sum(colors == bit for colors in domains.possible_colors)
        # The highest true and the lowest false literal imply all others. Literals that the pegs
        # alone decide are not stated.
        decided_literals = []
        if highest_true_count := max(
            (count for count in counts_by_color.get(color, ()) if true_count < count <= min_count),
            default=0,
        ):
            decided_literals.append(variables.least(color, highest_true_count))
        if lowest_false_count := min(
            (
                count
                for count in counts_by_color.get(color, ())
                if max_count < count <= true_count + len(open_pegs)
            ),
            default=0,
        ):
            decided_literals.append(-variables.least(color, lowest_false_count))
        if not open_pegs or not (decided_literals or min_count == max_count):
            continue
        if min_count < max_count and color in counted_colors:
            yield CardinalityConstraint(
                tuple(decided_literals), len(decided_literals), len(decided_literals)
            )
        else:
            sums.append(
                CardinalityConstraint(
                    tuple(variables.at(peg, color) for peg in open_pegs),
                    min_count - true_count,
                    max_count - true_count,
                )
            )
    are_all_known = all(map(int.__eq__, domains.low, domains.high))
    yield from sums[:-1] if are_all_known else sums


def mentioned_counts(
    variables: VariableMap, constraints: Iterable[CardinalityConstraint]
) -> Iterator[tuple[int, int]]:
    """Yield the color and the count of each `least` literal, including those in conjunctions."""
    last_at_literal = variables.pegs * variables.colors
    for constraint in constraints:
        for literal in constraint.literals:
            if isinstance(literal, tuple):
                yield from (
                    variables.color_count(member)
                    for member in literal
                    if abs(member) > last_at_literal
                )
            elif abs(literal) > last_at_literal:
                yield variables.color_count(literal)
