"""pegs: pegs that the board does not tell apart stand in the order of their colors.

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
from math import factorial, prod

from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.presolve.steps.presolve_step import Change, PresolveStep
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import Code

MOST = 100_000
"""Literals in all constraints that say the order, at most."""


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


class Pegs(PresolveStep):
    """Alike pegs in order."""

    name = "pegs"
    summary = "pegs that no row tells apart, put in the order of their colors"

    def apply(self, problem: Problem) -> Change:
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
            symmetry_breaking = pegs[:fits]
            classes.append(tuple(symmetry_breaking))
            for pair in pairwise(symmetry_breaking):
                constraints += order(problem, *pair)
            left -= colors * (colors - 1) * (len(symmetry_breaking) - 1)
        if not classes:
            return Change(problem)
        many = sum(map(len, classes))
        text = f"put {many} pegs in order, in {len(classes)} classes"
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
