"""The presolve keeps the codes; orders are orders."""

from __future__ import annotations

import random
from itertools import product

from mmsat.constraints import System
from mmsat.counting.layout import Orders, find_residual
from mmsat.game.board import Board
from tests.support import tiers
from tests.support.random_boards import known_boards


def test_the_codes_stay_the_same():
    decided = 0
    for board, codes in known_boards(tiers.share(1500), seed=81):
        system = System.of(board)
        if system.conjunctions:
            continue
        result = find_residual(system)
        if result is None:
            decided += 1
            assert codes == ()
            continue
        remaining = [
            code
            for code in product(*map(sorted, result.colors))
            if all(
                system.variables.satisfies(code, constraint) for constraint in result.constraints
            )
        ]
        assert remaining == list(codes), str(board)
    assert decided > tiers.at_least(20)


def test_claims_are_open():
    """No constraint that is left speaks of a decided peg, or is always true."""
    for board, _ in known_boards(tiers.share(300), seed=82):
        system = System.of(board)
        result = None if system.conjunctions else find_residual(system)
        if result is None:
            continue
        for constraint in result.constraints:
            assert 0 <= constraint.low <= constraint.high <= len(constraint.literals)
            for literal in constraint.literals:
                if system.variables.is_at(literal):
                    peg, color = system.variables.peg_color(literal)
                    assert color in result.colors[peg]
                    assert len(result.colors[peg]) > 1


def test_a_color_that_is_nowhere_is_gone_and_sparse_claims_come_to_light():
    system = System.of(Board.parse("4x3b/3333=0/1133=1/3311=1"))
    result = find_residual(system)
    assert result is not None
    assert result.colors == (frozenset({0, 1}),) * 4
    assert [len(constraint.literals) for constraint in result.constraints] == [2, 2]


def test_conjunctions_are_not_plain():
    assert System.of(Board.parse("3x2x2k/1A1B1A=1.0.1")).conjunctions


def test_orders_are_permutations_and_the_best_costs_least():
    source = random.Random(3)
    for _ in range(60):
        pegs = source.randint(1, 14)
        constraints = [
            source.sample(range(pegs), source.randint(1, pegs)) for _ in range(source.randint(0, 6))
        ]
        orders = Orders(pegs, constraints, [source.randint(1, pegs) for _ in constraints])
        for order in orders.candidates():
            assert sorted(order) == list(range(pegs))
            assert orders.cost(orders.best) <= orders.cost(order)


def test_a_path_is_walked_from_end_to_end():
    """Shuffled constraints on neighbors: the order finds them, and one sum is open at a time."""
    source = random.Random(7)
    names = source.sample(range(40), 40)
    constraints = [[names[n], names[n + 1]] for n in range(39)]
    orders = Orders(40, constraints, [1] * 39)
    assert orders.cost(orders.best) < 8 < orders.cost(orders.own)
    assert not orders.is_own_order_good
