"""Any board as linear equations over its literals, each 0 or 1.

What is read:

- a constraint that exactly so many literals are true, where none of them is a conjunction;
  a denied literal counts as 1 - x;
- one color a peg: the literals of a peg add up to 1;
- a color's count, where it is known: the literals of the color add up to it;
- a literal that is known: x = 0 or x = 1.

`all` has them as they are, for proofs: a proof adds up these and nothing else, and names what was
known before. For work, what is known is put in, and equations that no proof can use are left out:
one with a literal that no other equation has can't be cancelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from math import lcm
from typing import NamedTuple

from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.linear_algebra import Equation, SparseVector, combine_vectors
from mmsat.constraints.presolve.domains import (
    Domains,
    Infeasibility,
    ReasonedConstraint,
    bits,
    name_rows,
)
from mmsat.english import linear_combination, quantity
from mmsat.errors import InternalError
from mmsat.game.literals import CardinalityConstraint, VariableMap

Game = tuple[CardinalityConstraint, ...]
Rows = tuple[tuple[ReasonedConstraint, ...], ...]

MOST = 200_000
"""Coefficients from which equations are not read: elimination would take too long."""
SHOWN = 12
"""Terms of a combination that a sentence names."""


class LiteralEquation(NamedTuple):
    """What some literals add up to, and why."""

    left: SparseVector
    total: int
    rows: int
    """The rows that it follows from, as bits."""
    text: str
    """What it is: `row 3`, `row 3's colors`, `peg 2`, `color 5 (2 pegs)`, `peg 1 (not color 2)`."""
    place: tuple[int, int] | None = None
    """The row and the number of the constraint that it is, if it is one."""


class DerivedEquation(NamedTuple):
    """An equation with what is known put in."""

    left: SparseVector
    total: int
    made: SparseVector
    """The combination of equations that it is, or so many times what it is:"""
    place: tuple[int, int] | None
    times: int = 1


class LiteralEquations:
    """The equations of a problem."""

    def __init__(self, domains: Domains, game: Game, rows: Rows) -> None:
        """Read them off the game's constraints and those of the rows, unless they are too many."""
        self.variables = domains.variables
        self.domains = domains
        self.all: list[LiteralEquation] = []
        self.short: list[DerivedEquation] = []
        """The same, but for literals that are known, with what is known put in."""
        self.active: list[DerivedEquation] = []
        """The short equations that a combination can use."""
        self._units: dict[int, int] = {}
        self._pegs: dict[int, int] = {}
        every = (*game, *(reasoned.constraint for row in rows for reasoned in row))
        size = sum(len(constraint.literals) for constraint in every)
        if size > MOST or self.variables.pegs * self.variables.colors > MOST:
            return
        self.all = [*read_constraints(self.variables, game, rows)]
        mentioned = {literal for equation in self.all for literal in equation.left}
        counted = []
        for color, equation in counts(domains, mentioned):
            counted.append(color)
            self.all.append(equation)
        for peg in whole_pegs(domains, mentioned, counted):
            self.peg(peg)
        self.short = [self._short(index) for index in range(len(self.all))]
        self.active = drop_unusable(self.short)

    @property
    def active_equations(self) -> list[Equation]:
        """The coefficients and totals of the active equations."""
        return [(row.left, row.total) for row in self.active]

    def peg(self, peg: int) -> int:
        """The index of the equation that a peg has one color."""
        if peg not in self._pegs:
            self._pegs[peg] = len(self.all)
            self.all.append(one_color(self.variables, peg))
        return self._pegs[peg]

    def _short(self, index: int) -> DerivedEquation:
        """An equation less what is known."""
        equation = self.all[index]
        left, total, made = {}, equation.total, {index: 1}
        for literal, number in equation.left.items():
            value = self.domains.value(literal)
            if value is None:
                left[literal] = number
                continue
            made[self.unit(literal)] = -number
            total -= number * value
        return DerivedEquation(left, total, made, equation.place)

    def unit(self, literal: int) -> int:
        """The index of the equation that a known literal is 0 or 1."""
        if literal not in self._units:
            self._units[literal] = len(self.all)
            value = self.domains.value(literal)
            text = plain(self.variables, literal, is_true=value is True)
            rows = self.domains.rows(literal)
            self.all.append(LiteralEquation({literal: 1}, int(value is True), rows, text))
        return self._units[literal]

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[list[int], int]:
        """The left side's coefficients and the total of a combination."""
        left = combine_vectors(multipliers, lambda index: self.all[index].left)
        total = sum(number * self.all[index].total for index, number in multipliers.items())
        return list(left.values()), total

    def rows_of(self, index: int) -> tuple[int, ...]:
        """The rows that an equation follows from."""
        return tuple(bits(self.all[index].rows))

    def with_short(self, short: list[DerivedEquation]) -> LiteralEquations:
        """The same equations for proofs, and others that are made of them for work."""
        found = copy(self)
        found.short = short
        older = range(len(short))
        pegs = [index for index in self._pegs.values() if index not in older]
        found.active = drop_unusable([*short, *(self._short(index) for index in pegs)])
        return found

    def expand(self, multipliers: SparseVector) -> tuple[SparseVector, int]:
        """A combination of active equations, so many times, as one of all."""
        times = lcm(*(self.active[index].times for index in multipliers))
        scaled = {i: number * (times // self.active[i].times) for i, number in multipliers.items()}
        return combine_vectors(scaled, lambda index: self.active[index].made), times

    def rows(self, multipliers: Mapping[int, int]) -> int:
        """The rows that a combination of all equations uses, as bits."""
        rows = 0
        for index, number in multipliers.items():
            if number:
                rows |= self.all[index].rows
        return rows

    def refutation(self, step: str, certificate: Certificate) -> Infeasibility:
        """The refutation by a combination of all equations, checked and in words."""
        if min(certificate.multipliers.items(), default=(0, 0))[1] < 0:  # reads better
            turned = {index: -number for index, number in certificate.multipliers.items()}
            certificate = replace(certificate, multipliers=turned)
        if not certificate.proves(self):
            raise InternalError(f"a certificate of {step} proves nothing: {certificate}")
        left, total = self.sum_up(certificate.multipliers)
        if not left:
            why = f"all that they count cancels out, but by the numbers told {total} is left"
        elif certificate.modulus == 2:
            why = f"what they count makes an even number for any code, but they say {total}"
        elif certificate.modulus:
            times = f"a multiple of {certificate.modulus}"
            why = f"what they count makes {times} for any code, but they say {total}"
        else:
            least = sum(number for number in left if number < 0)
            most = sum(number for number in left if number > 0)
            why = f"what they count makes {least} to {most} for any code, but they say {total}"
        sentence = self.sentence(certificate.multipliers)
        lines = [f"{sentence[0].upper()}{sentence[1:]}, taken together: {why}."]
        used = [self.all[index] for index in sorted(certificate.multipliers)]
        known = [each for each in used if each.place is None and each.rows]
        for each in known[:SHOWN]:
            text = f"{each.text} follows from {name_rows(each.rows)}."
            lines.append(text[0].upper() + text[1:])
        if len(known) > SHOWN:
            lines.append(f"And {len(known) - SHOWN} more such facts.")
        return Infeasibility(step, certificate.rows(self), tuple(lines), certificate, self)

    def sentence(self, multipliers: Mapping[int, int]) -> str:
        """A combination in words: `row 1 plus twice row 3 less row 4`."""
        terms = linear_combination(
            (number, self.all[index].text) for index, number in sorted(multipliers.items())
        )
        if len(terms) > SHOWN:
            terms = [*terms[:SHOWN], f"and {len(terms) - SHOWN} more"]
        return " ".join(terms)


def plain(variables: VariableMap, literal: int, *, is_true: bool) -> str:
    """A literal that is known, in a few words: `peg 1 (not color 2)`."""
    denied = "" if is_true else "not "
    if variables.is_at(literal):
        peg, color = variables.peg_color(literal)
        return f"peg {peg + 1} ({denied}color {color + 1})"
    color, count = variables.color_count(literal)
    return f"color {color + 1} ({denied}{count} pegs or more)"


def read_constraints(variables: VariableMap, game: Game, rows: Rows) -> Iterator[LiteralEquation]:
    """The constraints that are equations."""
    for constraint in game:
        found = equation(constraint.literals, constraint.low, constraint.high)
        if found is not None:
            yield LiteralEquation(*found, 0, "the rules")
    for row, constraints in enumerate(rows):
        for number, each in enumerate(constraints):
            found = equation(each.constraint.literals, each.constraint.low, each.constraint.high)
            if found is not None:
                text = text_of(variables, each) if len(constraints) > 1 else name_rows(each.rows)
                yield LiteralEquation(*found, each.rows, text, (row, number))


def text_of(variables: VariableMap, each: ReasonedConstraint) -> str:
    """Which of a row's constraints it is, in a word or two."""
    stated = [abs(literal) for literal in each.constraint.literals if isinstance(literal, int)]
    at = sum(variables.is_at(literal) for literal in stated)
    about = "colors" if at == 0 else "places" if at == len(stated) else "places and colors"
    rows = name_rows(each.rows)
    return f"{rows}'{'s' * rows.startswith('row ')} {about}"


def equation(stated: tuple[object, ...], low: int, high: int) -> Equation | None:
    """A constraint as an equation, if it is one."""
    if low != high:
        return None
    left: SparseVector = {}
    for literal in stated:
        if not isinstance(literal, int):
            return None
        left[abs(literal)] = 1 if literal > 0 else -1
    return left, low - sum(number < 0 for number in left.values())


def counts(domains: Domains, mentioned: set[int]) -> Iterator[tuple[int, LiteralEquation]]:
    """Counts of colors that are known, where constraints speak of the color's pegs."""
    variables = domains.variables
    for color, (count, most) in enumerate(zip(domains.low, domains.high, strict=True)):
        at = [variables.at(peg, color) for peg in range(variables.pegs)]
        if count == most and any(literal in mentioned for literal in at):
            rows = domains.reason_low[color] | domains.reason_high[color]
            text = f"color {color + 1} ({quantity(count, 'peg')})"
            yield color, LiteralEquation(dict.fromkeys(at, 1), count, rows, text)


def whole_pegs(domains: Domains, mentioned: set[int], counted: list[int]) -> Iterator[int]:
    """Pegs of which equations speak with every color that is left."""
    variables = domains.variables
    for peg, colors in enumerate(domains.domain):
        left = [*bits(colors)]
        if len(left) > 1 and all(c in counted or variables.at(peg, c) in mentioned for c in left):
            yield peg


def one_color(variables: VariableMap, peg: int) -> LiteralEquation:
    """A peg has one color."""
    left = {variables.at(peg, color): 1 for color in range(variables.colors)}
    return LiteralEquation(left, 1, 0, f"peg {peg + 1}")


def drop_unusable(equations: Iterable[DerivedEquation]) -> list[DerivedEquation]:
    """The equations whose literals all occur in other equations, that are left, as well."""
    rows = list(equations)
    users: dict[int, set[int]] = {}
    for index, row in enumerate(rows):
        for literal in row.left:
            users.setdefault(literal, set()).add(index)
    alone = [literal for literal, indices in users.items() if len(indices) == 1]
    dropped: set[int] = set()
    while alone:
        literal = alone.pop()
        for index in users[literal]:
            dropped.add(index)
            for other in rows[index].left:
                if other != literal:
                    users[other].discard(index)
                    if len(users[other]) == 1:
                        alone.append(other)
        users[literal] = set()
    return [row for index, row in enumerate(rows) if index not in dropped]
