"""colors: of colors that no row mentions, the first stands for all.

Where colors may repeat, no constraint speaks of such colors at all, and each peg that has one of
them may have any. Where they may not, the only constraint about each is that it is at one peg at
most (or at exactly one), the same for all.

Proof. With repeats: giving a peg another color of these changes no constraint. So behind each code
that has only the first of u such colors, on n pegs, stand u^n codes, and every code stands behind
one. Without: exchanging two such colors turns codes into codes. So behind each code that uses the
first m of them, in the order of its pegs, stand u! / (u - m)! codes, and every code stands behind
one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import perm

from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.presolve.steps.presolve_step import Change, PresolveStep
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import Code

MOST = 100_000
"""Literals in all constraints that say the order, at most."""


@dataclass(frozen=True, slots=True)
class AnyColor:
    """How many codes have any of some colors where a code has the first."""

    colors: tuple[int, ...]

    def __call__(self, code: Code) -> int:
        """A choice for each peg."""
        return int(len(self.colors) ** code.count(self.colors[0]))


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """How many codes have different colors of some where a code has the first ones."""

    colors: tuple[int, ...]

    def __call__(self, code: Code) -> int:
        """A choice for the first peg, one fewer for the next, ..."""
        return perm(len(self.colors), sum(color in self.colors for color in code))


class Colors(PresolveStep):
    """Unmentioned colors, the first for all."""

    name = "colors"
    summary = "colors that no row mentions: the first stands for all"

    def apply(self, problem: Problem) -> Change:
        """One code for each way to place such colors."""
        variables = problem.variables
        if problem.system.table is not None:
            return Change(problem)
        columns = find_unmentioned_colors(problem)
        done = 0
        for bounds in sorted(set(columns.values())):
            colors = tuple(color for color in sorted(columns) if columns[color] == bounds)
            if len(colors) < 2:
                continue
            if not bounds:
                others = [variables.at(p, c) for p in range(variables.pegs) for c in colors[1:]]
                constraints = [CardinalityConstraint(tuple(others), 0, 0)]
                problem = problem.break_symmetry(constraints, AnyColor(colors))
            elif max(high for _, high in bounds) <= 1 <= MOST // (len(colors) * variables.pegs**2):
                problem = problem.break_symmetry(order_colors(problem, colors), AnyOrder(colors))
            else:
                continue
            done += len(colors)
        return Change(problem, f"let {done} colors be alike" if done else "")


def find_unmentioned_colors(problem: Problem) -> dict[int, tuple[tuple[int, int], ...]]:
    """The colors that only the rules mention, at all pegs together, and the bounds that they give.

    What a row says about all pegs is a mention: the row need not be among those of a proof.
    """
    variables = problem.variables
    columns: dict[int, list[tuple[int, int]]] = {color: [] for color in range(variables.colors)}
    rules = len(problem.system.hard)
    for index, constraint in enumerate(problem.symmetric):
        if not columns:
            break
        mentioned = set()
        are_plain = True
        for literal in constraint.literals:
            for each in literal if isinstance(literal, tuple) else (literal,):
                is_at = variables.is_at(each)
                color = variables.peg_color(each)[1] if is_at else variables.color_count(each)[0]
                mentioned.add(color)
                are_plain = are_plain and is_at and each > 0 and not isinstance(literal, tuple)
        is_rule = index < rules
        if (
            is_rule
            and are_plain
            and len(mentioned) == 1
            and len(constraint.literals) == variables.pegs
        ):
            color = mentioned.pop()
            if color in columns:
                columns[color].append((constraint.low, constraint.high))
        for color in mentioned:
            columns.pop(color, None)
    return {color: tuple(sorted(bounds)) for color, bounds in columns.items()}


def order_colors(problem: Problem, colors: tuple[int, ...]) -> Iterator[CardinalityConstraint]:
    """A color of these is at a peg only if the one before is at an earlier peg."""
    variables = problem.variables
    for before, color in pairwise(colors):
        for peg in range(variables.pegs):
            earlier = [variables.at(other, before) for other in range(peg)]
            stated = (-variables.at(peg, color), *earlier)
            yield CardinalityConstraint(stated, 1, len(stated))
