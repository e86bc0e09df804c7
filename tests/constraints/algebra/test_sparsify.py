"""Sparsification: equations become shorter and keep their solutions."""

from __future__ import annotations

from mmsat.constraints.parities import Certificate
from mmsat.constraints.two_colors import (
    ContradictoryEquationsError,
    SignedEquation,
    read_equations,
    read_signed_equations,
    sparsify,
)
from mmsat.game.board import Board
from tests.support import tiers
from tests.support.two_color_boards import known_boards, short_solutions, solutions


def shorten(equations):
    """Return shorter equations, or a certificate that no solution exists."""
    try:
        rows = read_signed_equations(equations)
        sparsify(rows, equations.pegs)
    except ContradictoryEquationsError as contradiction:
        return contradiction.certificate
    return rows


def shorten_board(line):
    """Return the shorter equations of a board, or a certificate."""
    (equations,) = read_equations(Board.parse(line))
    return shorten(equations)


def sparse(row):
    """Return the coefficients and the total of an equation."""
    return row.coefficients(), row.total


def test_solutions_stay_the_same_and_certificates_are_valid():
    refuted = 0
    for board, _ in known_boards(tiers.share(1500), seed=3):
        for equations in read_equations(board):
            rows = shorten(equations)
            if isinstance(rows, Certificate):
                refuted += 1
                assert rows.proves(equations)
                assert solutions(equations) == []
            else:
                assert short_solutions(rows, board.game.pegs) == solutions(equations)
    assert refuted > tiers.at_least(100)


def test_every_equation_is_the_combination_of_its_multipliers_divided_by_its_factor():
    for board, _ in known_boards(tiers.share(300), seed=4):
        for equations in read_equations(board):
            rows = shorten(equations)
            for row in rows if isinstance(rows, list) else []:
                coefficients, total = equations.sum_up(row.multipliers)
                assert total == row.factor * row.total
                scaled = {peg: row.factor * sign for peg, sign in row.coefficients().items()}
                assert {peg: number for peg, number in enumerate(coefficients) if number} == scaled


def test_a_base_halves_the_other_equations():
    base, empty, first, second = shorten_board("6x2/111111=3.0/221111=3.2/221122=3.2")
    assert sparse(base) == (dict.fromkeys(range(6), 1), 3)
    assert sparse(empty) == ({}, 0)
    assert sparse(first) == ({0: 1, 1: 1}, 1)
    assert sparse(second) == ({2: -1, 3: -1}, -1)


def test_without_an_equation_of_the_weight_a_row_becomes_the_base():
    _, first, second = shorten_board("6x2b/121212=3/221212=4/122212=2")
    assert sparse(first) == ({0: 1}, 1)
    assert sparse(second) == ({2: 1}, 0)


def test_an_odd_total_of_a_half_sum_is_a_contradiction():
    result = shorten_board("6x2b/121212=3/221212=3")
    assert isinstance(result, Certificate)
    assert result.modulus == 2


def test_overlapping_rows_are_shortened_by_pairs():
    """Equation 1 is equation 3 with one more peg, and equation 2 is equation 1 with one more."""
    signs = (1, -1, 1, 1, -1, 1, 1, 1, 1, 1, 1, 1)
    plus = sum(1 << peg for peg, sign in enumerate(signs) if sign > 0)
    rows = [
        SignedEquation(plus & (1 << length) - 1, ~plus & (1 << length) - 1, length // 3, {index: 1})
        for index, length in enumerate((12, 6, 7, 5))
    ]
    rows[0].is_fixed = True
    expected = short_solutions(rows, 12)
    sparsify(rows, 12)
    assert [len(row) for row in rows] == [12, 1, 1, 5]
    assert [row.multipliers for row in rows] == [{0: 1}, {1: 1, 3: -1}, {2: 1, 1: -1}, {3: 1}]
    assert short_solutions(rows, 12) == expected != []
