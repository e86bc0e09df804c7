"""The checker trusts only the equations of the board."""

from __future__ import annotations

import pytest

from mmsat.constraints.parities import Certificate
from mmsat.constraints.two_colors import read_equations, simplify
from mmsat.game.board import Board
from tests.support import tiers
from tests.support.two_color_boards import known_boards


def of(line):
    (equations,) = read_equations(Board.parse(line))
    return equations


@pytest.mark.parametrize(
    ("line", "multipliers", "modulus", "is_proof"),
    [
        ("3x2b/111=1/111=2", {0: 1, 1: -1}, 0, True),
        ("3x2b/111=1/111=2", {0: 1, 1: -1}, 2, True),
        ("3x2b/111=1/111=2", {0: 1, 1: 1}, 0, False),
        ("3x2b/111=1/111=1", {0: 1, 1: -1}, 0, False),
        ("3x2b/111=1/112=1", {0: 1, 1: 1}, 2, True),
        ("3x2b/111=1/112=1", {0: 1, 1: 1}, 1, False),
        ("3x2b/111=1/112=2", {0: 1, 1: 1}, 2, False),
        ("3x2b/111=4", {0: 1}, 0, True),
        ("3x2b/111=3", {0: 1}, 0, False),
        ("3x2b/111=0", {0: 1}, 0, False),
        ("3x2b/111=1", {}, 0, False),
        ("3x2b/111=1", {}, 2, False),
        ("3x2b/111=1/111=2", {0: 1 << 80, 1: -(1 << 80)}, 0, True),
        ("3x2b/111=1/111=1", {0: 1 << 80, 1: -(1 << 80)}, 0, False),
    ],
)
def test_a_combination_is_a_proof_or_not(line, multipliers, modulus, is_proof):
    assert Certificate(multipliers, modulus).proves(of(line)) is is_proof


def test_rows_are_those_of_the_board():
    equations = of("3x2/111=1.0/112=0.2/122=?.?/222=2.0")
    assert equations.sources == (None, 0, 1, 3)
    assert Certificate({0: 1, 3: -1, 1: 0}).rows(equations) == (3,)


def test_no_consistent_board_has_a_proof_whatever_the_numbers():
    for board, codes in known_boards(tiers.share(400), seed=5):
        for equations in read_equations(board):
            has_code = any(
                equations.weight is None or sum(code) == equations.weight for code in codes
            )
            rows = simplify(equations)
            assert not (has_code and isinstance(rows, Certificate))
            for modulus in (0, 2, 3, 4):
                for shift in (1, 2, 3):
                    multipliers = {
                        index: (index * shift) % 5 - 2 for index in range(len(equations.totals))
                    }
                    proves = Certificate(multipliers, modulus).proves(equations)
                    assert not (has_code and proves)
