"""Boards made from formulas, with the number of models that ganak counts."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypeAlias

from pyganak import Counter

from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.samples import Answer, draw_one_in_three, draw_three_sat
from mmsat.reductions.sources import Formula

if TYPE_CHECKING:
    from mmsat.reductions.reduction import Reduction

Counted: TypeAlias = "tuple[Reduction[Any, Any], int]"
"""A reduction and the number of models of its source."""


def answers(formula: Formula) -> int:
    """Return the number of models of a formula, counted by ganak."""
    counter = Counter()
    counter.new_vars(formula.variables)
    counter.add_clauses(map(list, formula.clauses))
    return int(counter.count())


def three_sat(variables: int, seed: int) -> Counted:
    """Return the reduction of a random 3SAT formula near the threshold, and its count."""
    rng = random.Random(f"three-sat {variables} {seed}")
    formula = draw_three_sat(variables, rng, Answer.ANY).source
    return REDUCTIONS["sat"](formula), answers(formula)


def one_in_three(variables: int, seed: int) -> Counted:
    """Return the reduction of random one-in-three clauses, and its count.

    For ganak, "exactly one literal is true" is written as ordinary clauses.
    """
    rng = random.Random(f"one-in-three {variables} {seed}")
    source = draw_one_in_three(variables, 6 * variables // 10, rng, Answer.ANY).source
    plain: list[tuple[int, ...]] = list(source.clauses)
    for clause in source.clauses:
        plain += [(-one, -other) for one, other in combinations(clause, 2)]
    return REDUCTIONS["one-in-three-3sat"](source), answers(Formula(variables, tuple(plain)))


def tseitin(side: int, odd: bool) -> Counted:
    """Return the reduction of parities at the nodes of a grid, and its count.

    The count is 2 ** (edges - nodes + 1) if the sum of the parities is even, and 0 if it is odd.
    """
    nodes = list(product(range(side), repeat=2))
    edges = [
        (node, other)
        for node in nodes
        for other in ((node[0] + 1, node[1]), (node[0], node[1] + 1))
        if other in nodes
    ]
    clauses: list[tuple[int, ...]] = []
    for node in nodes:
        variables = [number for number, edge in enumerate(edges, 1) if node in edge]
        charge = odd and node == nodes[0]
        clauses += [
            tuple(sign * variable for sign, variable in zip(signs, variables, strict=True))
            for signs in product((1, -1), repeat=len(variables))
            if (signs.count(-1) % 2 == 1) != charge
        ]
    board = REDUCTIONS["sat"](Formula(len(edges), tuple(clauses)))
    return board, 0 if odd else 2 ** (len(edges) - len(nodes) + 1)
