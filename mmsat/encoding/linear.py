"""The constraint system of a board as linear constraints over 0/1 variables.

The code variables come first, numbered like the literals: 1 + peg * colors + color. After them
comes y_t = "at least t pegs have the color", for each color and each count up to the highest that a
constraint uses. Let x_1 .. x_n be the color's n code variables and d the highest count. Then

    y_1 >= y_2 >= ... >= y_d        x_1 + .. + x_n >= y_1 + .. + y_d
    x_1 + .. + x_n <= y_1 + .. + y_(d-1) + (n - d + 1) y_d

define y_t in both directions, so that each code has one assignment, and are as tight as linear
constraints on these variables can be. That makes d + 1 constraints for each color; for d = n the
two sums are one constraint. Last comes z = "these k literals hold together", for each conjunction
in some constraint. Let x_1 .. x_k be its members, with 1 - x for a negated one. Then

    z <= x_1    ...    z <= x_k        z >= x_1 + .. + x_k - (k - 1)

The writers of OPB and LP use these constraints, and Farkas multipliers refer to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap


class LinearConstraint(NamedTuple):
    """A sum of terms that is between low and high. At least one of the bounds is not None."""

    name: str
    """A name that is unique in its system: peg2, color3_low, together5_1, game_4, row1_2."""
    terms: tuple[tuple[int, int], ...]
    """Pairs of a coefficient, never 0, and a variable; each variable once."""
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class LinearSystem:
    """A board's linear constraints. Variables are numbered from 1."""

    variables: int
    """The number of variables."""
    code_variables: int
    """The number of code variables, which are numbered 1 + peg * colors + color."""
    names: Mapping[int, str]
    """The name of each variable: peg2color5, color5least3, together1."""
    hard: tuple[LinearConstraint, ...]
    """Constraints that do not depend on scores: one color per peg, definitions of auxiliary
    variables, and the rules of the game."""
    rows: tuple[tuple[LinearConstraint, ...], ...]
    """The constraints of each row's score, in the order of the board. A row may have none."""

    @classmethod
    def of(cls, system: System) -> LinearSystem:
        """Return linear constraints that exactly the codes of the system satisfy."""
        variables = system.variables
        code_variables = variables.pegs * variables.colors
        depths = sorted(system.highest_counts().items())
        counts = [variables.least(color, t) for color, depth in depths for t in range(1, depth + 1)]
        literals = [*range(1, code_variables + 1), *counts]
        numbers: dict[Literal, int] = {
            literal: number for number, literal in enumerate(literals, 1)
        }
        names = {number: variables.name(literal) for number, literal in enumerate(literals, 1)}
        hard = list(_peg_constraints(variables))
        for color, depth in depths:
            first_count = numbers[variables.least(color, 1)]
            hard += _count_constraints(
                variables, color, list(range(first_count, first_count + depth))
            )
        conjunctions = [members for members in system.conjunctions if len(members) != 1]
        for number, members in enumerate(conjunctions, 1):
            numbers[members] = variable = len(numbers) + 1
            names[variable] = f"together{number}"
            hard += _conjunction_constraints(
                names[variable], variable, [_term(m, numbers) for m in members]
            )
        hard += _cardinality_constraints("game", system.hard, numbers)
        rows = tuple(
            tuple(_cardinality_constraints(f"row{number}", constraints, numbers))
            for number, constraints in enumerate(system.rows, 1)
        )
        return cls(len(numbers), code_variables, names, tuple(hard), rows)

    @property
    def constraints(self) -> Iterator[LinearConstraint]:
        """All constraints: the hard ones, then row by row."""
        yield from self.hard
        for row in self.rows:
            yield from row


def _peg_constraints(variables: VariableMap) -> Iterator[LinearConstraint]:
    """Yield the constraints that each peg has exactly one color."""
    for peg in range(variables.pegs):
        terms = tuple((1, variables.at(peg, color)) for color in range(variables.colors))
        yield LinearConstraint(f"peg{peg + 1}", terms, 1, 1)


def _count_constraints(
    variables: VariableMap, color: int, least: list[int]
) -> Iterator[LinearConstraint]:
    """Yield the constraints that define "at least 1", "at least 2", ... pegs of a color."""
    name = f"color{color + 1}"
    pegs = tuple((1, variables.at(peg, color)) for peg in range(variables.pegs))
    last_coefficient = variables.pegs - len(least) + 1  # the coefficient n - d + 1 of y_d
    counts = tuple((-1, count) for count in least)
    if last_coefficient == 1:
        yield LinearConstraint(name, (*pegs, *counts), 0, 0)
    else:
        yield LinearConstraint(f"{name}_low", (*pegs, *counts), 0, None)
        yield LinearConstraint(
            f"{name}_high", (*pegs, *counts[:-1], (-last_coefficient, least[-1])), None, 0
        )
    for number, (fewer, more) in enumerate(pairwise(least), 1):
        yield LinearConstraint(f"{name}_{number}", ((1, fewer), (-1, more)), 0, None)


def _term(literal: Literal, variables: Mapping[Literal, int]) -> tuple[int, int]:
    """Return the coefficient and the variable of a literal.

    A negated literal has the value 1 - x. Its coefficient is -1, and the caller moves the 1 to the
    bounds.
    """
    match literal:
        case (member,):
            return _term(member, variables)
        case int() if literal < 0:
            return -1, variables[-literal]
    return 1, variables[literal]


def _conjunction_constraints(
    name: str, variable: int, members: list[tuple[int, int]]
) -> Iterator[LinearConstraint]:
    """Yield the constraints that define a conjunction of literals."""
    for number, (sign, member) in enumerate(members, 1):
        yield LinearConstraint(
            f"{name}_{number}", ((sign, member), (-1, variable)), min(sign, 0), None
        )
    offset = sum(sign > 0 for sign, _ in members) - 1
    others = tuple((-sign, member) for sign, member in members)
    yield LinearConstraint(f"{name}_all", ((1, variable), *others), -offset, None)


def _cardinality_constraints(
    name: str, constraints: tuple[CardinalityConstraint, ...], variables: Mapping[Literal, int]
) -> Iterator[LinearConstraint]:
    """Yield the linear constraints of cardinality constraints.

    A negated literal counts as 1 - x, which moves the bounds. A constraint that is always
    satisfied is omitted. A constraint without literals that cannot be satisfied becomes x_1 = 2.
    """
    for number, constraint in enumerate(constraints, 1):
        terms = tuple(_term(literal, variables) for literal in constraint.literals)
        negated_count = sum(sign < 0 for sign, _ in terms)
        exact = constraint.low == constraint.high
        low = constraint.low - negated_count if exact or constraint.low > 0 else None
        high = constraint.high - negated_count if exact or constraint.high < len(terms) else None
        if terms and (low is not None or high is not None):
            yield LinearConstraint(f"{name}_{number}", terms, low, high)
        elif not constraint.low <= 0 <= constraint.high and not terms:
            yield LinearConstraint(
                f"{name}_{number}", ((1, 1),), 2, 2
            )  # no language has an empty sum
