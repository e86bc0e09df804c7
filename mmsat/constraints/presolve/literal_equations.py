"""Constraints of any board as linear equations over its literals, which are 0 or 1.

The equations are

- constraints that exactly m literals are true, if none of these literals is a conjunction; a
  negated literal counts as 1 - x;
- one color per peg: the literals of a peg add up to 1;
- known counts: the literals of a color add up to its count;
- known literals: x = 0 or x = 1.

The list `all` has the equations unchanged. Proofs add up only these equations, and state the rows
that imply known counts and literals. For elimination, known literals are substituted (`short`), and
equations that cannot contribute to a proof are omitted (`active`): a literal in only one equation
cannot be cancelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from math import lcm
from typing import NamedTuple

from mmsat._util.text import linear_combination, quantity
from mmsat.constraints.linear_algebra import Equation, SparseVector, combine_vectors
from mmsat.constraints.parities import Certificate
from mmsat.constraints.presolve.domains import (
    Domains,
    Infeasibility,
    ReasonedConstraint,
    bits,
    name_rows,
)
from mmsat.errors import InternalError
from mmsat.game.space import CardinalityConstraint, VariableMap

Game = tuple[CardinalityConstraint, ...]
Rows = tuple[tuple[ReasonedConstraint, ...], ...]

MAX_COEFFICIENTS = 200_000
"""The maximum number of coefficients of equations; with more, elimination would take too long."""
MAX_LISTED_TERMS = 12
"""The maximum number of terms of a combination that a sentence lists."""


class LiteralEquation(NamedTuple):
    """An equation over literals, with its reason and its name."""

    left: SparseVector
    total: int
    rows: int
    """The rows that imply the equation, as bits."""
    text: str
    """A name: `row 3`, `row 3's colors`, `peg 2`, `color 5 (2 pegs)`, `peg 1 (not color 2)`."""
    place: tuple[int, int] | None = None
    """The row and the index of its constraint, if the equation is a constraint of a row."""


class DerivedEquation(NamedTuple):
    """An equation in which known literals are substituted."""

    left: SparseVector
    total: int
    multipliers: SparseVector
    """The multipliers that combine equations of `all` to this equation times `times`."""
    place: tuple[int, int] | None
    """The row and the index of the constraint that the equation replaces, if any."""
    times: int = 1


class LiteralEquations:
    """The equations of a problem."""

    def __init__(self, domains: Domains, game: Game, rows: Rows) -> None:
        """Read the constraints of the game and the rows. If they are too large, read nothing."""
        self.variables = domains.variables
        self.domains = domains
        self.all: list[LiteralEquation] = []
        self.short: list[DerivedEquation] = []
        """The equations, except for those of known literals, with known literals substituted."""
        self.active: list[DerivedEquation] = []
        """The equations of `short` that a contradiction can use."""
        self._units: dict[int, int] = {}
        self._pegs: dict[int, int] = {}
        constraints = (*game, *(reasoned.constraint for row in rows for reasoned in row))
        size = sum(len(constraint.literals) for constraint in constraints)
        if (
            size > MAX_COEFFICIENTS
            or self.variables.pegs * self.variables.colors > MAX_COEFFICIENTS
        ):
            return
        self.all = [*read_constraints(self.variables, game, rows)]
        used_literals = {literal for equation in self.all for literal in equation.left}
        counted = []
        for color, equation in counts(domains, used_literals):
            counted.append(color)
            self.all.append(equation)
        for peg in whole_pegs(domains, used_literals, counted):
            self.peg(peg)
        self.short = [self._short(index) for index in range(len(self.all))]
        self.active = drop_unusable(self.short)

    @property
    def active_equations(self) -> list[Equation]:
        """The coefficients and totals of the active equations."""
        return [(row.left, row.total) for row in self.active]

    def peg(self, peg: int) -> int:
        """Return the index of the equation that a peg has one color, adding it if necessary."""
        if peg not in self._pegs:
            self._pegs[peg] = len(self.all)
            self.all.append(one_color(self.variables, peg))
        return self._pegs[peg]

    def _short(self, index: int) -> DerivedEquation:
        """Return an equation of `all` with known literals substituted."""
        equation = self.all[index]
        left, total, multipliers = {}, equation.total, {index: 1}
        for literal, number in equation.left.items():
            value = self.domains.value(literal)
            if value is None:
                left[literal] = number
                continue
            multipliers[self.unit(literal)] = -number
            total -= number * value
        return DerivedEquation(left, total, multipliers, equation.place)

    def unit(self, literal: int) -> int:
        """Return the index of the equation that a known literal is 0 or 1, adding it if needed."""
        if literal not in self._units:
            self._units[literal] = len(self.all)
            value = self.domains.value(literal)
            text = plain(self.variables, literal, is_true=value is True)
            rows = self.domains.rows(literal)
            self.all.append(LiteralEquation({literal: 1}, int(value is True), rows, text))
        return self._units[literal]

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[list[int], int]:
        """Return the nonzero coefficients and the total of a combination of `all`."""
        left = combine_vectors(multipliers, lambda index: self.all[index].left)
        total = sum(number * self.all[index].total for index, number in multipliers.items())
        return list(left.values()), total

    def rows_of(self, index: int) -> tuple[int, ...]:
        """Return the rows that imply an equation."""
        return tuple(bits(self.all[index].rows))

    def with_short(self, short: list[DerivedEquation]) -> LiteralEquations:
        """Return a copy with the same equations for proofs, and other derived equations."""
        other = copy(self)
        other.short = short
        short_indices = range(len(short))
        pegs = [index for index in self._pegs.values() if index not in short_indices]
        other.active = drop_unusable([*short, *(self._short(index) for index in pegs)])
        return other

    def expand(self, multipliers: SparseVector) -> tuple[SparseVector, int]:
        """Express a combination of `active` by equations of `all`; return multipliers and a factor.

        The multipliers combine equations of `all` to the given combination times the factor.
        """
        times = lcm(*(self.active[index].times for index in multipliers))
        scaled = {i: number * (times // self.active[i].times) for i, number in multipliers.items()}
        return combine_vectors(scaled, lambda index: self.active[index].multipliers), times

    def rows(self, multipliers: Mapping[int, int]) -> int:
        """Return the rows that imply a combination of `all`, as bits."""
        rows = 0
        for index, number in multipliers.items():
            if number:
                rows |= self.all[index].rows
        return rows

    def refutation(self, step: str, certificate: Certificate) -> Infeasibility:
        """Return the refutation by a contradictory combination of `all`, verified and explained."""
        if (
            min(certificate.multipliers.items(), default=(0, 0))[1] < 0
        ):  # a positive first term reads better
            negated = {index: -number for index, number in certificate.multipliers.items()}
            certificate = replace(certificate, multipliers=negated)
        if not certificate.proves(self):
            raise InternalError(f"the certificate of {step} is invalid: {certificate}")
        left, total = self.sum_up(certificate.multipliers)
        if not left:
            why = f"all terms cancel out, but the stated numbers sum to {total}"
        elif certificate.modulus == 2:
            why = f"the sum is even for every code, but {total} is stated"
        elif certificate.modulus:
            times = f"a multiple of {certificate.modulus}"
            why = f"the sum is {times} for every code, but {total} is stated"
        else:
            minimum = sum(number for number in left if number < 0)
            maximum = sum(number for number in left if number > 0)
            why = f"the sum is {minimum} to {maximum} for every code, but {total} is stated"
        sentence = self.sentence(certificate.multipliers)
        lines = [f"{sentence[0].upper()}{sentence[1:]}, taken together: {why}."]
        used = [self.all[index] for index in sorted(certificate.multipliers)]
        derived_facts = [fact for fact in used if fact.place is None and fact.rows]
        for fact in derived_facts[:MAX_LISTED_TERMS]:
            text = f"{fact.text} follows from {name_rows(fact.rows)}."
            lines.append(text[0].upper() + text[1:])
        if len(derived_facts) > MAX_LISTED_TERMS:
            lines.append(f"And {len(derived_facts) - MAX_LISTED_TERMS} more such facts.")
        return Infeasibility(step, certificate.rows(self), tuple(lines), certificate, self)

    def sentence(self, multipliers: Mapping[int, int]) -> str:
        """Return a combination in words: `row 1 plus twice row 3 less row 4`."""
        terms = linear_combination(
            (number, self.all[index].text) for index, number in sorted(multipliers.items())
        )
        if len(terms) > MAX_LISTED_TERMS:
            terms = [*terms[:MAX_LISTED_TERMS], f"and {len(terms) - MAX_LISTED_TERMS} more"]
        return " ".join(terms)


def plain(variables: VariableMap, literal: int, *, is_true: bool) -> str:
    """Return a short name of a known literal: `peg 1 (not color 2)`."""
    denied = "" if is_true else "not "
    if variables.is_at(literal):
        peg, color = variables.peg_color(literal)
        return f"peg {peg + 1} ({denied}color {color + 1})"
    color, count = variables.color_count(literal)
    return f"color {color + 1} ({denied}{count} pegs or more)"


def read_constraints(variables: VariableMap, game: Game, rows: Rows) -> Iterator[LiteralEquation]:
    """Yield the constraints that are equations."""
    for constraint in game:
        coefficients_and_total = equation(constraint.literals, constraint.low, constraint.high)
        if coefficients_and_total is not None:
            yield LiteralEquation(*coefficients_and_total, 0, "the rules")
    for row, constraints in enumerate(rows):
        for constraint_index, reasoned in enumerate(constraints):
            coefficients_and_total = equation(
                reasoned.constraint.literals, reasoned.constraint.low, reasoned.constraint.high
            )
            if coefficients_and_total is not None:
                text = (
                    text_of(variables, reasoned)
                    if len(constraints) > 1
                    else name_rows(reasoned.rows)
                )
                yield LiteralEquation(
                    *coefficients_and_total, reasoned.rows, text, (row, constraint_index)
                )


def text_of(variables: VariableMap, reasoned: ReasonedConstraint) -> str:
    """Return a name that distinguishes a constraint from others of its row: `row 3's colors`."""
    stated = [abs(literal) for literal in reasoned.constraint.literals if isinstance(literal, int)]
    at = sum(variables.is_at(literal) for literal in stated)
    about = "colors" if at == 0 else "places" if at == len(stated) else "places and colors"
    rows = name_rows(reasoned.rows)
    return f"{rows}'{'s' * rows.startswith('row ')} {about}"


def equation(stated: tuple[object, ...], low: int, high: int) -> Equation | None:
    """Return a constraint as an equation, or None if it is not an equation."""
    if low != high:
        return None
    left: SparseVector = {}
    for literal in stated:
        if not isinstance(literal, int):
            return None
        left[abs(literal)] = 1 if literal > 0 else -1
    return left, low - sum(number < 0 for number in left.values())


def counts(domains: Domains, mentioned: set[int]) -> Iterator[tuple[int, LiteralEquation]]:
    """Yield the equations of known counts, for colors with `at` literals in other equations."""
    variables = domains.variables
    for color, (low, high) in enumerate(zip(domains.low, domains.high, strict=True)):
        at = [variables.at(peg, color) for peg in range(variables.pegs)]
        if low == high and any(literal in mentioned for literal in at):
            rows = domains.reason_low[color] | domains.reason_high[color]
            text = f"color {color + 1} ({quantity(low, 'peg')})"
            yield color, LiteralEquation(dict.fromkeys(at, 1), low, rows, text)


def whole_pegs(domains: Domains, mentioned: set[int], counted: list[int]) -> Iterator[int]:
    """Yield the undecided pegs for which every possible color is in an equation."""
    variables = domains.variables
    for peg, colors in enumerate(domains.domain):
        possible_colors = [*bits(colors)]
        if len(possible_colors) > 1 and all(
            c in counted or variables.at(peg, c) in mentioned for c in possible_colors
        ):
            yield peg


def one_color(variables: VariableMap, peg: int) -> LiteralEquation:
    """Return the equation that a peg has one color."""
    left = {variables.at(peg, color): 1 for color in range(variables.colors)}
    return LiteralEquation(left, 1, 0, f"peg {peg + 1}")


def drop_unusable(equations: Iterable[DerivedEquation]) -> list[DerivedEquation]:
    """Return the largest set of equations in which every literal is in at least two of them.

    An equation with a literal that is in no other equation is dropped, repeatedly.
    """
    rows = list(equations)
    users: dict[int, set[int]] = {}
    for index, row in enumerate(rows):
        for literal in row.left:
            users.setdefault(literal, set()).add(index)
    single_literals = [literal for literal, indices in users.items() if len(indices) == 1]
    dropped: set[int] = set()
    while single_literals:
        literal = single_literals.pop()
        for index in users[literal]:
            dropped.add(index)
            for other in rows[index].left:
                if other != literal:
                    users[other].discard(index)
                    if len(users[other]) == 1:
                        single_literals.append(other)
        users[literal] = set()
    return [row for index, row in enumerate(rows) if index not in dropped]
