"""The compiler from equations to boards, on all small systems of a given weight."""

from __future__ import annotations

import random
from itertools import combinations, product

from mmsat.reductions.equations import EquationCompiler
from tests.support.reduction_laws import black_twin, codes_of


def solutions(pegs, equations):
    return [
        values
        for values in product((0, 1), repeat=pegs)
        if all(sum(values[peg] for peg in chosen) == ones for chosen, ones in equations)
    ]


def test_the_codes_of_one_equation_are_its_solutions_of_the_weight():
    for pegs in range(1, 5):
        for size in range(pegs + 1):
            for chosen in combinations(range(pegs), size):
                for ones, weight in product(range(-1, pegs + 2), repeat=2):
                    system = EquationCompiler()
                    for _ in range(pegs):
                        system.peg("x", "x")
                    system.exactly(ones, chosen, "e", "e")
                    system.weight = weight
                    board = system.board()
                    expected = solutions(pegs, [(chosen, ones), (range(pegs), weight)])
                    assert codes_of(board) == expected, (board, weight)
                    assert codes_of(black_twin(board)) == expected, (board, weight)
                    assert len(board.rows) == 2


def test_the_codes_of_several_equations_are_their_solutions():
    rng = random.Random(11)
    num_solvable = 0
    for _ in range(200):
        pegs = rng.randint(3, 8)
        secret = [rng.randint(0, 1) for _ in range(pegs)]
        system = EquationCompiler()
        for _ in range(pegs):
            system.peg("x", "x")
        equations = []
        for _ in range(rng.randint(1, 4)):
            chosen = rng.sample(range(pegs), rng.randint(0, pegs))
            equations.append(
                (chosen, sum(secret[peg] for peg in chosen) + rng.choice([0] * 9 + [1]))
            )
            system.exactly(equations[-1][1], chosen, "e", "e")
        system.weight = sum(secret)
        expected = solutions(pegs, [*equations, (range(pegs), sum(secret))])
        assert codes_of(system.board()) == expected
        num_solvable += bool(expected)
    assert 50 < num_solvable < 200


def test_the_free_pegs_determine_the_other_pegs():
    system = EquationCompiler()
    a, b = system.peg("x", "a"), system.peg("x", "b")
    not_a = system.complement(a, "x", "not a")
    system.peg("x", "both", lambda values: values[b] * (1 - values[not_a]))
    assert system.code([True, True]) == (1, 1, 0, 1)
    assert system.code((0, 1)) == (0, 1, 1, 0)
    assert system.free_values((0, 1, 1, 0)) == (0, 1)


def test_a_board_without_pegs_gets_one_peg_of_value_zero():
    system = EquationCompiler()
    assert codes_of(system.board()) == [system.code(())] == [(0,)]
    assert len(system.gadgets().pegs) == 1
    system.exactly(1, (), "e", "nothing is one")
    assert codes_of(system.board()) == []
