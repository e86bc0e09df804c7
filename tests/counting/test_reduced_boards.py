"""Boards of reductions have as many codes as their sources have answers.

Ganak counts the answers of the source on the formula itself, without any board.
"""

from __future__ import annotations

from itertools import islice

import pytest

import mmsat
from mmsat.constraints.presolve_steps import exact_systems
from mmsat.counting.count import count
from mmsat.errors import SizeError
from mmsat.limits import LIMITS
from tests.support import tiers, twins
from tests.support.random_boards import known_boards
from tests.support.reduced_boards import one_in_three, three_sat, tseitin

SOURCES = {
    "3SAT, 20 variables": [three_sat(20, seed) for seed in range(3)],
    "3SAT, 50 variables": [three_sat(50, 0)],
    "one in three, 200 pegs": [one_in_three(100, seed) for seed in range(3)],
    "Tseitin, grid of 4 by 4": [tseitin(4, odd) for odd in (False, True)],
}


@pytest.mark.parametrize("name", SOURCES)
def test_boards_have_as_many_codes_as_their_sources_have_answers(name):
    for reduction, expected in SOURCES[name]:
        counted = count(reduction.board)
        assert (counted.count, counted.exact) == (expected, True)


@pytest.mark.parametrize("name", [name for name in SOURCES if "one in" not in name])
def test_their_codes_are_listed_and_lift_to_answers(name):
    for reduction, expected in SOURCES[name][:2]:
        codes = list(islice(mmsat.codes(reduction.board), 5))
        assert len(codes) == min(5, expected)
        assert codes == sorted({*codes})
        for code in codes:
            assert reduction.is_certificate(reduction.decode(code))


def test_ganak_prints_nothing_on_standard_output(capfd):
    """Ganak prints a message of its own if there is no model."""
    reduction, _ = SOURCES["Tseitin, grid of 4 by 4"][1]
    assert count(reduction.board, method="ganak").count == 0
    assert capfd.readouterr().out == ""


def test_their_odds_are_those_of_all_codes():
    reduction, expected = next(pair for pair in SOURCES["3SAT, 20 variables"] if pair[1])
    codes = mmsat.codes(reduction.board)
    listed = list(codes)
    table = codes.odds().table
    assert len(listed) == codes.count == expected
    for peg, row in enumerate(table):
        assert row == tuple(sum(code[peg] == color for code in listed) for color in range(2))


def test_small_systems_have_each_code_once():
    """What counting starts from: no symmetry takes a code away, and the systems share none."""
    for board, codes in known_boards(tiers.share(500, least=150), seed=55):
        systems = exact_systems(board)
        for code in twins.codes(board.game):
            satisfied = sum(system.satisfies(code) for system in systems)
            assert satisfied == (code in {*codes}), (str(board), code)


def test_a_method_that_a_board_is_too_large_for_leaves_it_to_the_others(monkeypatch):
    """And where no method is left, all are named with what stopped them."""
    reduction, expected = SOURCES["one in three, 200 pegs"][0]
    monkeypatch.setattr(LIMITS, "clause_memory", 1)  # no formula fits into it
    monkeypatch.setattr(LIMITS, "small_formula", 0)
    counted = count(reduction.board)
    assert (counted.count, counted.method) == (expected, "diagram")
    with pytest.raises(SizeError) as caught:
        count(reduction.board, memory=1)
    for method in ("brute force", "the diagram", "SAT: ", "ganak: "):
        assert method in str(caught.value)
    for method in ("enumeration", "ganak"):
        with pytest.raises(SizeError, match="clauses"):
            count(reduction.board, method=method)
