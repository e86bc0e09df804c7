"""Rows subtracted from one another: shorter, and as true as before."""

from __future__ import annotations

import numpy as np

from mmsat.board import Board
from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.sparsify import SparseEquation, sparsify, subtract_pairs
from mmsat.constraints.algebra.two_color_equations import read_equations
from tests import tiers
from tests.constraints.algebra.two_colors import known_boards, short_solutions, solutions


def of(line):
    (equations,) = read_equations(Board.parse(line))
    return sparsify(equations)


def plain(row):
    return dict(zip(row.pegs.tolist(), row.signs.tolist(), strict=True)), row.total


def test_the_solutions_stay_and_a_contradiction_is_one():
    refuted = 0
    for board, _ in known_boards(tiers.share(1500), seed=3):
        for equations in read_equations(board):
            rows = sparsify(equations)
            if isinstance(rows, Certificate):
                refuted += 1
                assert rows.proves(equations)
                assert solutions(equations) == []
            else:
                assert short_solutions(rows, board.game.pegs) == solutions(equations)
    assert refuted > tiers.at_least(100)


def test_every_row_is_half_the_combination_that_it_names():
    for board, _ in known_boards(tiers.share(300), seed=4):
        for equations in read_equations(board):
            rows = sparsify(equations)
            for row in rows if isinstance(rows, list) else []:
                left, total = equations.sum_up(row.double)
                assert total == 2 * row.total
                assert {p: n // 2 for p, n in enumerate(left) if n} == plain(row)[0]


def test_a_row_has_at_most_half_of_the_pegs():
    base, nothing, first, second = of("6x2/111111=3.0/221111=3.2/221122=3.2")
    assert plain(base) == (dict.fromkeys(range(6), 1), 3)
    assert plain(nothing) == ({}, 0)
    assert plain(first) == ({0: 1, 1: 1}, 1)
    assert plain(second) == ({2: -1, 3: -1}, -1)


def test_masked_boards_of_black_are_as_short_by_a_base_of_their_own():
    _, first, second = of("6x2b/121212=3/221212=4/122212=2")
    assert plain(first) == ({0: 1}, 1)
    assert plain(second) == ({2: 1}, 0)


def test_a_parity_that_no_code_has_is_seen():
    found = of("6x2b/121212=3/221212=3")
    assert isinstance(found, Certificate)
    assert found.modulus == 2


def test_overlapping_rows_are_shortened_by_pairs():
    """The second is the first and one peg more, the third the first but one, and so with signs."""
    signs = np.array([1, -1, 1, 1, -1, 1, 1, 1, 1, 1, 1, 1], dtype=np.int8)
    lengths = (12, 6, 7, 5)
    rows = [
        SparseEquation(np.arange(length), signs[:length], length // 3, {index: 2})
        for index, length in enumerate(lengths)
    ]
    found = subtract_pairs(rows, 12)
    assert [len(row) for row in found] == [12, 1, 1, 5]
    assert [row.double for row in found] == [{0: 2}, {1: 2, 3: -2}, {2: 2, 1: -2}, {3: 2}]
    assert short_solutions(found, 12) == short_solutions(rows, 12) != []
