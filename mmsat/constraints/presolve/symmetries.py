"""Presolve steps that break symmetries: they keep one code of each orbit of equivalent codes.

colors: the first of the colors that no row mentions represents all of them.

If colors may repeat, such colors are in no constraint, so each peg that has one of them can have
any of them. If colors may not repeat, the only constraint about each such color is that it is at
most at one peg (or at exactly one peg), and it is the same for all of them.

Proof. With repeats: if a peg gets another of these colors, no constraint changes. So a code that
has only the first of u such colors, on n pegs, represents u^n codes, and every code is represented
once. Without repeats: exchanging two such colors maps codes to codes. So a code that uses the first
m of them, in the order of its pegs, represents u! / (u - m)! codes, and every code is represented
once.

pegs: equivalent pegs have ascending colors.

Two pegs are equivalent if every constraint counts the same literals of both, color by color. This
is the case if each guess has the same color at both pegs.

Proof. Exchanging the colors of two such pegs changes no count of any constraint, and no color's
count, so it maps codes to codes. So a code whose equivalent pegs have ascending colors represents
all codes with the same colors on these pegs in another order, and every code is represented once.
For m pegs with n_1, n_2, ... of the colors, there are m! / (n_1! n_2! ...) orders.

The order of two pegs p and q means for each color: if q has this color or an earlier one, so has p.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import factorial, perm, prod

from mmsat._util.text import quantity
from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.game.row import Code
from mmsat.game.space import CardinalityConstraint

MAX_ORDER_LITERALS = 100_000
"""The maximum number of literals in all constraints for an order."""


@dataclass(frozen=True, slots=True)
class AnyColor:
    """The size of orbits if pegs with the first of some colors can have any of them."""

    colors: tuple[int, ...]

    def __call__(self, code: Code) -> int:
        """Return the number of codes that `code` represents: one choice for each such peg."""
        return int(len(self.colors) ** code.count(self.colors[0]))


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """The size of orbits if pegs with some colors can have any different ones of these colors."""

    colors: tuple[int, ...]

    def __call__(self, code: Code) -> int:
        """Return the number of codes that `code` represents: a falling factorial."""
        return perm(len(self.colors), sum(color in self.colors for color in code))


def merge_colors(problem: Problem) -> Change:
    """Keep one code of each orbit of the colors that no row mentions."""
    variables = problem.variables
    if problem.system.table is not None:
        return Change(problem)
    columns = find_unmentioned_colors(problem)
    merged_count = 0
    for bounds in sorted(set(columns.values())):
        colors = tuple(color for color in sorted(columns) if columns[color] == bounds)
        if len(colors) < 2:
            continue
        if not bounds:
            others = [variables.at(p, c) for p in range(variables.pegs) for c in colors[1:]]
            constraints = [CardinalityConstraint(tuple(others), 0, 0)]
            problem = problem.break_symmetry(constraints, AnyColor(colors))
        elif (
            max(high for _, high in bounds)
            <= 1
            <= MAX_ORDER_LITERALS // (len(colors) * variables.pegs**2)
        ):
            problem = problem.break_symmetry(order_colors(problem, colors), AnyOrder(colors))
        else:
            continue
        merged_count += len(colors)
    return Change(problem, f"found {merged_count} equivalent colors" if merged_count else "")


def find_unmentioned_colors(problem: Problem) -> dict[int, tuple[tuple[int, int], ...]]:
    """Return the colors that no row mentions, with the bounds of their counts by hard constraints.

    A hard constraint may mention such a color only by its `at` literals of all pegs, without other
    literals. The same constraint of a row counts as a mention, because a proof need not contain the
    row.
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
            for member in literal if isinstance(literal, tuple) else (literal,):
                is_at = variables.is_at(member)
                color = (
                    variables.peg_color(member)[1] if is_at else variables.color_count(member)[0]
                )
                mentioned.add(color)
                are_plain = are_plain and is_at and member > 0 and not isinstance(literal, tuple)
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
    """Yield constraints that each color is at a peg only if the previous color is at an earlier."""
    variables = problem.variables
    for previous, color in pairwise(colors):
        for peg in range(variables.pegs):
            earlier = [variables.at(other, previous) for other in range(peg)]
            literals = (-variables.at(peg, color), *earlier)
            yield CardinalityConstraint(literals, 1, len(literals))


@dataclass(frozen=True, slots=True)
class InOrder:
    """The size of orbits if the colors of equivalent pegs can be in any order."""

    classes: tuple[tuple[int, ...], ...]

    def __call__(self, code: Code) -> int:
        """Return the number of codes that `code` represents: a product of multinomials."""
        orders = 1
        for pegs in self.classes:
            colors = [code[peg] for peg in pegs]
            counts = [colors.count(color) for color in set(colors)]
            orders *= factorial(len(pegs)) // prod(map(factorial, counts))
        return orders


def sort_pegs(problem: Problem) -> Change:
    """Keep the codes in which equivalent pegs have ascending colors."""
    if problem.system.table is not None:
        return Change(problem)
    remaining_literals = MAX_ORDER_LITERALS
    classes = []
    constraints: list[CardinalityConstraint] = []
    for pegs in find_alike_pegs(problem):
        colors = problem.domains.domain[pegs[0]].bit_count()
        max_pegs = remaining_literals // max(1, colors * (colors - 1)) + 1
        if max_pegs < 2:
            break
        ordered_pegs = pegs[:max_pegs]
        classes.append(tuple(ordered_pegs))
        for pair in pairwise(ordered_pegs):
            constraints += order(problem, *pair)
        remaining_literals -= colors * (colors - 1) * (len(ordered_pegs) - 1)
    if not classes:
        return Change(problem)
    peg_count = sum(map(len, classes))
    text = f"ordered {peg_count} equivalent pegs in {quantity(len(classes), 'class')}"
    return Change(problem.break_symmetry(constraints, InOrder(tuple(classes))), text)


def find_alike_pegs(problem: Problem) -> list[list[int]]:
    """Return the classes of at least two equivalent pegs, without pegs whose color is known."""
    variables, domains = problem.variables, problem.domains
    last = variables.pegs * variables.colors
    occurrences: list[list[tuple[int, int]]] = [[] for _ in range(variables.pegs)]
    pegs_in_conjunctions: set[int] = set()
    for index, constraint in enumerate(problem.symmetric):
        for literal in constraint.literals:
            if isinstance(literal, tuple):
                pegs_in_conjunctions.update(
                    variables.peg_color(member)[0] for member in literal if variables.is_at(member)
                )
            elif -last <= literal <= last:
                peg, color = variables.peg_color(literal)
                occurrences[peg].append((index, color + 1 if literal > 0 else -color - 1))
    classes: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for peg, peg_occurrences in enumerate(occurrences):
        if peg not in pegs_in_conjunctions and domains.color(peg) is None:
            classes.setdefault(tuple(sorted(peg_occurrences)), []).append(peg)
    # equivalent pegs have equal domains, unless a limit of work ended a step between them
    return [
        pegs
        for pegs in classes.values()
        if len(pegs) > 1 and len({domains.domain[peg] for peg in pegs}) == 1
    ]


def order(problem: Problem, first: int, second: int) -> Iterator[CardinalityConstraint]:
    """Yield constraints that the color of the first peg is at most that of the second."""
    variables = problem.variables
    colors = list(bits(problem.domains.domain[first]))
    for earlier_count in range(1, len(colors)):
        earlier = colors[:earlier_count]
        literals = [variables.at(first, color) for color in earlier]
        literals += [-variables.at(second, color) for color in earlier]
        yield CardinalityConstraint(tuple(literals), earlier_count, 2 * earlier_count)
