"""Presolve steps that break symmetries: they keep some codes of each orbit of equivalent codes.

Step `colors` (`merge_colors`): of the colors that no row mentions, codes may use only the first
ones.

If colors may repeat, no constraint mentions these colors, so each peg that has one of them can have
any of them. If colors may not repeat, the only constraint about each of these colors is that at
most one peg (or exactly one peg) has it, and the constraint is the same for all of them.

Proof. Let u be the number of these colors. With repeats: if a peg gets another of these colors, the
same constraints hold. So a code that has only the first of them, at n pegs, represents u^n codes,
and every code is represented once. Without repeats: exchanging two of these colors maps codes to
codes. So a code that uses the first m of them, in the order of its pegs, represents u! / (u - m)!
codes, and every code is represented once.

Step `pegs` (`sort_pegs`): equivalent pegs have ascending colors.

Two pegs are equivalent if exchanging them maps each literal of each constraint to a literal of the
same constraint. This is the case if each guess has the same color at both pegs.

Proof. Exchanging the colors of two such pegs changes neither the number of true literals in a
constraint nor the count of a color, so it maps codes to codes. So a code whose equivalent pegs have
ascending colors represents all codes with the same colors at these pegs in any order, and every
code is represented once. If n_1 of m equivalent pegs have one color, n_2 another one, and so on,
there are m! / (n_1! n_2! ...) orders.

The constraints for the order of two pegs p and q state for each color: if q has this color or an
earlier one, so has p.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import factorial, perm, prod

from mmsat._util.text import quantity
from mmsat.constraints.domains import bits
from mmsat.constraints.presolve_state import Change, Problem
from mmsat.game import Code
from mmsat.game.space import CardinalityConstraint

MAX_ORDER_LITERALS = 100_000
"""Maximum number of literals in all constraints that order colors or pegs. It bounds the size of
the reduced system."""


@dataclass(frozen=True, slots=True)
class RepeatedColorChoices:
    """Function of a code: the number of codes that it represents if `colors` are interchangeable.

    Each of them may be on any number of pegs, and the code has only the first one.
    """

    colors: tuple[int, ...]

    def __call__(self, code: Code) -> int:
        """Return the number of codes that `code` represents: one choice for each such peg."""
        return int(len(self.colors) ** code.count(self.colors[0]))


@dataclass(frozen=True, slots=True)
class DistinctColorChoices:
    """Function of a code: the number of codes that it represents if `colors` are interchangeable.

    Each of them may be on at most one peg.
    """

    colors: tuple[int, ...]

    def __call__(self, code: Code) -> int:
        """Return the number of codes that `code` represents: a falling factorial."""
        return perm(len(self.colors), sum(color in self.colors for color in code))


def merge_colors(problem: Problem) -> Change:
    """Keep one code of each orbit under exchanges of colors that no row mentions."""
    variables = problem.variables
    if problem.system.table is not None:  # word lists have no useful symmetries
        return Change(problem)
    bounds_of_color = find_unmentioned_colors(problem)
    merged_count = 0
    for bounds in sorted(set(bounds_of_color.values())):
        colors = tuple(
            color for color in sorted(bounds_of_color) if bounds_of_color[color] == bounds
        )
        if len(colors) < 2:
            continue
        if not bounds:  # colors may repeat
            excluded_literals = [
                variables.at(peg, color) for peg in range(variables.pegs) for color in colors[1:]
            ]
            constraints = [CardinalityConstraint(tuple(excluded_literals), 0, 0)]
            problem = problem.break_symmetry(constraints, RepeatedColorChoices(colors))
            merged_count += len(colors)
            continue
        is_at_most_once = max(high for _, high in bounds) <= 1
        is_small = len(colors) * variables.pegs**2 <= MAX_ORDER_LITERALS
        if is_at_most_once and is_small:
            problem = problem.break_symmetry(
                order_colors(problem, colors), DistinctColorChoices(colors)
            )
            merged_count += len(colors)
    return Change(problem, f"found {merged_count} equivalent colors" if merged_count else "")


def find_unmentioned_colors(problem: Problem) -> dict[int, tuple[tuple[int, int], ...]]:
    """Return the colors that no row mentions, with the bounds of their counts in hard constraints.

    A hard constraint does not count as a mention if its literals are exactly the `at` literals of
    the color, one for each peg. The same constraint from a row is a mention: a proof may omit the
    row, and the symmetry must hold without it.
    """
    variables = problem.variables
    bounds_of_color: dict[int, list[tuple[int, int]]] = {
        color: [] for color in range(variables.colors)
    }
    num_hard = len(problem.system.hard)  # the hard constraints come first
    for index, constraint in enumerate(problem.constraints_to_preserve):
        if not bounds_of_color:
            break
        mentioned_colors = set()
        are_positive_at_literals = True
        for literal in constraint.literals:
            for member in literal if isinstance(literal, tuple) else (literal,):
                is_at = variables.is_at(member)
                color = (
                    variables.peg_color(member)[1] if is_at else variables.color_count(member)[0]
                )
                mentioned_colors.add(color)
                if not is_at or member < 0 or isinstance(literal, tuple):
                    are_positive_at_literals = False
        if (
            index < num_hard
            and are_positive_at_literals
            and len(mentioned_colors) == 1
            and len(constraint.literals) == variables.pegs
        ):
            color = mentioned_colors.pop()
            if color in bounds_of_color:
                bounds_of_color[color].append((constraint.low, constraint.high))
        for color in mentioned_colors:
            bounds_of_color.pop(color, None)
    return {color: tuple(sorted(bounds)) for color, bounds in bounds_of_color.items()}


def order_colors(problem: Problem, colors: tuple[int, ...]) -> Iterator[CardinalityConstraint]:
    """Yield constraints that a peg has a color only if an earlier peg has the previous color."""
    variables = problem.variables
    for previous, color in pairwise(colors):
        for peg in range(variables.pegs):
            earlier_literals = [variables.at(earlier_peg, previous) for earlier_peg in range(peg)]
            literals = (-variables.at(peg, color), *earlier_literals)
            yield CardinalityConstraint(literals, 1, len(literals))


@dataclass(frozen=True, slots=True)
class PegOrders:
    """Function of a code: the number of codes that it represents if pegs are interchangeable.

    The colors of the pegs of each class can be in any order.
    """

    classes: tuple[tuple[int, ...], ...]

    def __call__(self, code: Code) -> int:
        """Return the number of codes that `code` represents: a product of multinomials."""
        num_orders = 1
        for pegs in self.classes:
            colors = [code[peg] for peg in pegs]
            counts = [colors.count(color) for color in set(colors)]
            num_orders *= factorial(len(pegs)) // prod(map(factorial, counts))
        return num_orders


def sort_pegs(problem: Problem) -> Change:
    """Keep the codes in which equivalent pegs have ascending colors."""
    if problem.system.table is not None:  # word lists have no useful symmetries
        return Change(problem)
    remaining_literals = MAX_ORDER_LITERALS
    classes = []
    constraints: list[CardinalityConstraint] = []
    for pegs in find_equivalent_pegs(problem):
        # `order_pegs` yields colors * (colors - 1) literals for each pair of neighbors.
        colors = problem.domains.possible_colors[pegs[0]].bit_count()
        max_pegs = remaining_literals // max(1, colors * (colors - 1)) + 1
        if max_pegs < 2:
            break
        ordered_pegs = pegs[:max_pegs]
        classes.append(tuple(ordered_pegs))
        for pair in pairwise(ordered_pegs):
            constraints += order_pegs(problem, *pair)
        remaining_literals -= colors * (colors - 1) * (len(ordered_pegs) - 1)
    if not classes:
        return Change(problem)
    peg_count = sum(map(len, classes))
    text = f"ordered {peg_count} equivalent pegs in {quantity(len(classes), 'class')}"
    return Change(problem.break_symmetry(constraints, PegOrders(tuple(classes))), text)


def find_equivalent_pegs(problem: Problem) -> list[list[int]]:
    """Return the classes of at least two equivalent pegs.

    Pegs whose color is known, and pegs in conjunctions, are excluded.
    """
    variables, domains = problem.variables, problem.domains
    occurrences: list[list[tuple[int, int]]] = [[] for _ in range(variables.pegs)]
    pegs_in_conjunctions: set[int] = set()
    for index, constraint in enumerate(problem.constraints_to_preserve):
        for literal in constraint.literals:
            if isinstance(literal, tuple):
                pegs_in_conjunctions.update(
                    variables.peg_color(member)[0] for member in literal if variables.is_at(member)
                )
            elif variables.is_at(literal):
                peg, color = variables.peg_color(literal)
                signed_color = color + 1 if literal > 0 else -color - 1
                occurrences[peg].append((index, signed_color))
    classes: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for peg, peg_occurrences in enumerate(occurrences):
        if peg not in pegs_in_conjunctions and domains.color(peg) is None:
            classes.setdefault(tuple(sorted(peg_occurrences)), []).append(peg)
    # Equivalent pegs have equal domains, unless the work limit ended a step that had reduced only
    # some of them.
    return [
        pegs
        for pegs in classes.values()
        if len(pegs) > 1 and len({domains.possible_colors[peg] for peg in pegs}) == 1
    ]


def order_pegs(problem: Problem, first: int, second: int) -> Iterator[CardinalityConstraint]:
    """Yield constraints that the color of the first peg is at most that of the second."""
    variables = problem.variables
    colors = list(bits(problem.domains.possible_colors[first]))
    for earlier_count in range(1, len(colors)):
        earlier_colors = colors[:earlier_count]
        literals = [variables.at(first, color) for color in earlier_colors]
        literals += [-variables.at(second, color) for color in earlier_colors]
        # If the second peg has one of these colors, only earlier_count - 1 of its literals are
        # true, so the first peg has one of them, too.
        yield CardinalityConstraint(tuple(literals), earlier_count, 2 * earlier_count)
