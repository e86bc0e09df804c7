"""Certificates: a combination is accepted as a proof only if it contradicts the equations."""

from __future__ import annotations

import pytest

from mmsat.constraints.parities import Certificate
from mmsat.constraints.two_colors import read_equations, simplify_equations
from mmsat.game.board import Board
from tests.support import tiers
from tests.support.two_color_boards import known_boards


def equations_of(line):
    """Return the only set of equations of a board."""
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
def test_only_contradictory_combinations_are_proofs(line, multipliers, modulus, is_proof):
    assert Certificate(multipliers, modulus).proves(equations_of(line)) is is_proof


def test_a_certificate_names_the_rows_of_the_board_that_it_uses():
    equations = equations_of("3x2/111=1.0/112=0.2/122=?.?/222=2.0")
    assert equations.sources == (None, 0, 1, 3)
    assert Certificate({0: 1, 3: -1, 1: 0}).rows(equations) == (3,)


def test_no_multipliers_refute_a_consistent_board():
    for board, codes in known_boards(tiers.share(400), seed=5):
        for equations in read_equations(board):
            has_code = any(
                equations.weight is None or sum(code) == equations.weight for code in codes
            )
            rows = simplify_equations(equations)
            assert not (has_code and isinstance(rows, Certificate))
            for modulus in (0, 2, 3, 4):
                for shift in (1, 2, 3):
                    multipliers = {
                        index: (index * shift) % 5 - 2 for index in range(len(equations.totals))
                    }
                    proves = Certificate(multipliers, modulus).proves(equations)
                    assert not (has_code and proves)
