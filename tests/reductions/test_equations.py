"""The compiler from equations to boards, on all small systems of known weight."""

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


def test_codes_are_the_solutions_of_the_weight_for_every_equation():
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


def test_several_equations():
    rng = random.Random(11)
    found_count = 0
    for _ in range(200):
        pegs = rng.randint(3, 8)
        secret = [rng.randint(0, 1) for _ in range(pegs)]
        system = EquationCompiler()
        for _ in range(pegs):
            system.peg("x", "x")
        texts = []
        for _ in range(rng.randint(1, 4)):
            chosen = rng.sample(range(pegs), rng.randint(0, pegs))
            texts.append((chosen, sum(secret[peg] for peg in chosen) + rng.choice([0] * 9 + [1])))
            system.exactly(texts[-1][1], chosen, "e", "e")
        system.weight = sum(secret)
        expected = solutions(pegs, [*texts, (range(pegs), sum(secret))])
        assert codes_of(system.board()) == expected
        found_count += bool(expected)
    assert 50 < found_count < 200


def test_helpers_follow_from_the_free_pegs():
    system = EquationCompiler()
    a, b = system.peg("x", "a"), system.peg("x", "b")
    no = system.complement(a, "x", "not a")
    system.peg("x", "both", lambda values: values[b] * (1 - values[no]))
    assert system.code([True, True]) == (1, 1, 0, 1)
    assert system.code((0, 1)) == (0, 1, 1, 0)
    assert system.free_values((0, 1, 1, 0)) == (0, 1)


def test_no_pegs_are_one_that_is_zero():
    system = EquationCompiler()
    assert codes_of(system.board()) == [system.code(())] == [(0,)]
    assert len(system.gadgets().pegs) == 1
    system.exactly(1, (), "e", "nothing is one")
    assert codes_of(system.board()) == []
