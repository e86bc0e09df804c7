"""Steps of the presolve that keep one code of several that are alike.

colors: of colors that no row mentions, the first stands for all.

Where colors may repeat, no constraint speaks of such colors at all, and each peg that has one of
them may have any. Where they may not, the only constraint about each is that it is at one peg at
most (or at exactly one), the same for all.

Proof. With repeats: giving a peg another color of these changes no constraint. So behind each code
that has only the first of u such colors, on n pegs, stand u^n codes, and every code stands behind
one. Without: exchanging two such colors turns codes into codes. So behind each code that uses the
first m of them, in the order of its pegs, stand u! / (u - m)! codes, and every code stands behind
one.

pegs: pegs that the board does not tell apart stand in the order of their colors.

Two pegs are alike if every constraint counts the same literals of both, color by color. That is so
where every guess has one color at both.

Proof. Exchanging the colors of two such pegs changes no count of any constraint, and no color's
count: codes become codes. So behind each code whose alike pegs are in the order of their colors
stand all codes that put the same colors on these pegs in another order, and every code stands
behind one. Of m pegs with n_1, n_2, ... of the colors there are m! / (n_1! n_2! ...) orders.

The order of two pegs p and q says for each color: if q has it or an earlier one, so has p.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import factorial, perm, prod

from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.english import quantity
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


def merge_colors(problem: Problem) -> Change:
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


@dataclass(frozen=True, slots=True)
class InOrder:
    """How many orders there are of the colors of pegs that are alike."""

    classes: tuple[tuple[int, ...], ...]

    def __call__(self, code: Code) -> int:
        """The product over all classes."""
        orders = 1
        for pegs in self.classes:
            colors = [code[peg] for peg in pegs]
            counts = [colors.count(color) for color in set(colors)]
            orders *= factorial(len(pegs)) // prod(map(factorial, counts))
        return orders


def sort_pegs(problem: Problem) -> Change:
    """One code for each choice of colors of alike pegs."""
    if problem.system.table is not None:
        return Change(problem)
    left = MOST
    classes = []
    constraints: list[CardinalityConstraint] = []
    for pegs in find_alike_pegs(problem):
        colors = problem.domains.domain[pegs[0]].bit_count()
        fits = left // max(1, colors * (colors - 1)) + 1
        if fits < 2:
            break
        ordered_pegs = pegs[:fits]
        classes.append(tuple(ordered_pegs))
        for pair in pairwise(ordered_pegs):
            constraints += order(problem, *pair)
        left -= colors * (colors - 1) * (len(ordered_pegs) - 1)
    if not classes:
        return Change(problem)
    many = sum(map(len, classes))
    text = f"put {quantity(many, 'peg')} in order, in {quantity(len(classes), 'class')}"
    return Change(problem.break_symmetry(constraints, InOrder(tuple(classes))), text)


def find_alike_pegs(problem: Problem) -> list[list[int]]:
    """Classes of pegs that are alike, of two or more each, without pegs that are settled."""
    variables, domains = problem.variables, problem.domains
    last = variables.pegs * variables.colors
    signs: list[list[tuple[int, int]]] = [[] for _ in range(variables.pegs)]
    lone: set[int] = set()
    for index, constraint in enumerate(problem.symmetric):
        for literal in constraint.literals:
            if isinstance(literal, tuple):
                lone.update(
                    variables.peg_color(each)[0] for each in literal if variables.is_at(each)
                )
            elif -last <= literal <= last:
                peg, color = variables.peg_color(literal)
                signs[peg].append((index, color + 1 if literal > 0 else -color - 1))
    classes: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for peg, sign in enumerate(signs):
        if peg not in lone and domains.color(peg) is None:
            classes.setdefault(tuple(sorted(sign)), []).append(peg)
    # what is known was found of both or of none, unless a budget ended between them
    return [
        pegs
        for pegs in classes.values()
        if len(pegs) > 1 and len({domains.domain[peg] for peg in pegs}) == 1
    ]


def order(problem: Problem, first: int, second: int) -> Iterator[CardinalityConstraint]:
    """The color of the first peg is not after that of the second."""
    variables = problem.variables
    colors = list(bits(problem.domains.domain[first]))
    for number in range(1, len(colors)):
        earlier = colors[:number]
        stated = [variables.at(first, color) for color in earlier]
        stated += [-variables.at(second, color) for color in earlier]
        yield CardinalityConstraint(tuple(stated), number, 2 * number)
