"""The direct encoding refuses a formula that would be too large before it adds any clause."""

from __future__ import annotations

import pytest

from mmsat.constraints import System
from mmsat.encoding import MAX_CLAUSES, Direct
from mmsat.encoding.cnf import cnf, formula_size
from mmsat.errors import SizeError
from mmsat.game.board import Board
from tests.support.formula_models import inputs


def test_a_count_that_is_too_large_is_refused_and_adds_nothing():
    formula, literals = inputs(40)
    with pytest.raises(SizeError, match="choose the encoding totalizer"):
        Direct().count(literals, 20, formula)

    assert (formula.variables, formula.clauses) == (40, [])


def test_a_constraint_that_is_too_large_is_refused_and_adds_nothing():
    formula, literals = inputs(40)
    with pytest.raises(SizeError, match=f"{MAX_CLAUSES:,} clauses"):
        Direct().between(literals, 20, 20, None, formula)

    assert formula.clauses == []


def test_the_limit_counts_all_clauses_of_the_formula():
    formula, literals = inputs(12)
    formula.clauses = [[1]] * (MAX_CLAUSES - 100)
    Direct().between(literals, 1, 1, None, formula)
    with pytest.raises(SizeError):
        Direct().between(literals, 4, 4, None, formula)


def test_the_size_of_a_refused_board_is_still_computed():
    system = System.of(Board.parse("60x2b/" + "1" * 60 + "=30"))
    with pytest.raises(SizeError):
        cnf(system, "direct")

    assert formula_size(system, "direct").clauses > MAX_CLAUSES
