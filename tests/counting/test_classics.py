"""Classical numbers come out exact from boards."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.counting.count import count
from tests.support.classic_counts import LARGE, SMALL


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_classical_counts(name):
    board, number = {**SMALL, **LARGE}[name]()
    counted = count(board, method="diagram")
    assert counted.exact
    assert counted.count == number


@pytest.mark.parametrize("name", SMALL)
def test_auto_counts_them_too(name):
    board, number = SMALL[name]()
    assert count(board).count == number


@pytest.mark.parametrize("name", ["domino tilings 8 x 8", "Latin squares of order 4"])
def test_their_codes_have_numbers(name):
    """Sparse boards use their own order and can be ranked, too."""
    board, number = {**SMALL, **LARGE}[name]()
    codes = mmsat.codes(board)
    assert codes.ranking.count == number
    code = codes[number // 3]
    assert board.is_consistent(code)
    assert codes.index(code) == number // 3
    odds = codes.odds()
    assert all(sum(row) == 1 for row in odds)
    assert all(board.is_consistent(entry) for entry in codes.sample(20, seed=1))
