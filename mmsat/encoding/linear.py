"""The system of a board as linear constraints over variables that are 0 or 1.

The code variables come first, numbered like the literals: 1 + peg * colors + color. After them
comes y_t = "at least t pegs have the color", for each color and count that some score asks about.
With x the color's n code variables and d the highest count asked about,

    y_1 >= y_2 >= ... >= y_d        x_1 + .. + x_n >= y_1 + .. + y_d
    x_1 + .. + x_n <= y_1 + .. + y_(d-1) + (n - d + 1) y_d

which says y_t both ways, so that a code has one assignment, and is as tight as linear constraints
on these variables can be. That is d + 1 constraints a color; for d = n the two sums are one.
Last comes z = "these k literals hold together", for each conjunction in some constraint. With x its
members, and 1 - x for a denied one,

    z <= x_1    ...    z <= x_k        z >= x_1 + .. + x_k - (k - 1)

These are constraints for everybody who reads sums: OPB, LP and CP-SAT.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from mmsat.constraints.system import System
from mmsat.game.literals import CardinalityConstraint, Literal, VariableMap


class Line(NamedTuple):
    """One constraint: the sum of the terms is between low and high, at least one of them given."""

    name: str
    """What it is about, unique in its system: peg2, color3_low, together5_1, game_4, row1_2."""
    terms: tuple[tuple[int, int], ...]
    """Pairs of a coefficient, never 0, and a variable; each variable once."""
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class LinearSystem:
    """A board's linear constraints; variables count from 1."""

    variables: int
    """The number of variables."""
    code_variables: int
    """How many of them, the first ones, are the code: 1 + peg * colors + color."""
    names: Mapping[int, str]
    """What each variable means, in a word: peg2color5, color5least3, together1."""
    hard: tuple[Line, ...]
    """What holds whatever the scores: one color a peg, what helpers mean, the game's rules."""
    rows: tuple[tuple[Line, ...], ...]
    """What each row's score says, in the order of the board; a row may say nothing."""

    @classmethod
    def of(cls, system: System) -> LinearSystem:
        """The constraints of a system. A code satisfies them exactly when it satisfies that."""
        variables = system.variables
        places = variables.pegs * variables.colors
        depths = sorted(system.depths().items())
        counts = [variables.least(color, t) for color, depth in depths for t in range(1, depth + 1)]
        named = [*range(1, places + 1), *counts]
        numbers: dict[Literal, int] = {literal: number for number, literal in enumerate(named, 1)}
        names = {number: variables.name(literal) for number, literal in enumerate(named, 1)}
        hard = list(_pegs(variables))
        for color, depth in depths:
            first = numbers[variables.least(color, 1)]
            hard += _counts(variables, color, list(range(first, first + depth)))
        conjunctions = [members for members in system.conjunctions if len(members) != 1]
        for number, members in enumerate(conjunctions, 1):
            numbers[members] = variable = len(numbers) + 1
            names[variable] = f"together{number}"
            hard += _conjunction_lines(
                names[variable], variable, [_term(m, numbers) for m in members]
            )
        hard += _constraint_lines("game", system.hard, numbers)
        rows = tuple(
            tuple(_constraint_lines(f"row{number}", constraints, numbers))
            for number, constraints in enumerate(system.rows, 1)
        )
        return cls(len(numbers), places, names, tuple(hard), rows)

    @property
    def lines(self) -> Iterator[Line]:
        """All constraints, hard first, then row by row."""
        yield from self.hard
        for row in self.rows:
            yield from row


def _pegs(variables: VariableMap) -> Iterator[Line]:
    """Each peg has exactly one color."""
    for peg in range(variables.pegs):
        terms = tuple((1, variables.at(peg, color)) for color in range(variables.colors))
        yield Line(f"peg{peg + 1}", terms, 1, 1)


def _counts(variables: VariableMap, color: int, least: list[int]) -> Iterator[Line]:
    """What "at least 1", "at least 2", ... pegs of a color mean."""
    name = f"color{color + 1}"
    pegs = tuple((1, variables.at(peg, color)) for peg in range(variables.pegs))
    last = variables.pegs - len(least) + 1  # how many pegs the last count stands for
    counts = tuple((-1, count) for count in least)
    if last == 1:
        yield Line(name, (*pegs, *counts), 0, 0)
    else:
        yield Line(f"{name}_low", (*pegs, *counts), 0, None)
        yield Line(f"{name}_high", (*pegs, *counts[:-1], (-last, least[-1])), None, 0)
    for number, (fewer, more) in enumerate(pairwise(least), 1):
        yield Line(f"{name}_{number}", ((1, fewer), (-1, more)), 0, None)


def _term(literal: Literal, variables: Mapping[Literal, int]) -> tuple[int, int]:
    """The variable of a literal, with -1 before it where a denial counts as 1 - x."""
    match literal:
        case (member,):
            return _term(member, variables)
        case int() if literal < 0:
            return -1, variables[-literal]
    return 1, variables[literal]


def _conjunction_lines(name: str, variable: int, members: list[tuple[int, int]]) -> Iterator[Line]:
    """What it means that some literals hold together."""
    for number, (sign, member) in enumerate(members, 1):
        yield Line(f"{name}_{number}", ((sign, member), (-1, variable)), min(sign, 0), None)
    missing = sum(sign > 0 for sign, _ in members) - 1
    others = tuple((-sign, member) for sign, member in members)
    yield Line(f"{name}_all", ((1, variable), *others), -missing, None)


def _constraint_lines(
    name: str, constraints: tuple[CardinalityConstraint, ...], variables: Mapping[Literal, int]
) -> Iterator[Line]:
    """One constraint a constraint; a denied literal counts as 1 - x, which moves the bounds.

    A constraint about no literals at all is true and left out, or false and an impossible
    constraint.
    """
    for number, constraint in enumerate(constraints, 1):
        terms = tuple(_term(literal, variables) for literal in constraint.literals)
        denied = sum(sign < 0 for sign, _ in terms)
        exact = constraint.low == constraint.high
        low = constraint.low - denied if exact or constraint.low > 0 else None
        high = constraint.high - denied if exact or constraint.high < len(terms) else None
        if terms and (low is not None or high is not None):
            yield Line(f"{name}_{number}", terms, low, high)
        elif not constraint.low <= 0 <= constraint.high and not terms:
            yield Line(f"{name}_{number}", ((1, 1),), 2, 2)  # no language has an empty sum
