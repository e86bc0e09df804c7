"""Computed sizes are the sizes of the formulas that are built."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mmsat.constraints import System
from mmsat.encoding import ENCODINGS, Formula, at_most_one, exactly_one
from mmsat.encoding.cnf import (
    BYTES_PER_CLAUSE,
    Size,
    between_size,
    cnf,
    count_size,
    formula_size,
    one_hot_size,
)
from mmsat.errors import SizeError
from mmsat.game.board import Board
from mmsat.game.tolerance import Tolerance
from mmsat.limits import LIMITS
from tests.support.planted_boards import planted
from tests.support.strategies import boards, games, small_games
from tests.support.systems import systems

NAMES = sorted(ENCODINGS)


def added_size(formula: Formula) -> Size:
    """Return the size of everything that was added to a formula of code variables."""
    auxiliary = formula.variables - formula.code_variables
    return Size(auxiliary, len(formula.clauses), len(formula.at_most))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", range(1, 41))
def test_count_size_is_the_size_that_count_adds(name, n):
    num_compared = 0
    for bound in range(1, n + 1):
        if count_size(name, n, bound).clauses > 20_000:
            continue
        formula = Formula(n, n)
        ENCODINGS[name].count(range(1, n + 1), bound, formula)
        num_compared += 1
        assert count_size(name, n, bound) == added_size(formula), bound
    assert num_compared


@pytest.mark.parametrize("name", NAMES)
def test_count_size_is_the_size_that_large_counts_add(name):
    for n, bound in [(150, 1), (150, 2), (150, 3), (131, 16), (150, 40), (129, 64)]:
        if count_size(name, n, bound).clauses > 100_000:
            continue
        formula = Formula(n, n)
        ENCODINGS[name].count(range(1, n + 1), bound, formula)
        assert count_size(name, n, bound) == added_size(formula), (n, bound)


@pytest.mark.parametrize("name", NAMES)
def test_between_size_is_the_size_that_between_adds(name):
    for n in range(1, 11):
        for low in range(n + 1):
            for high in range(low, n + 1):
                for with_selectors in (False, True):
                    formula = Formula(n + 1, n + 1)
                    selector = n + 1 if with_selectors else None
                    ENCODINGS[name].between(range(1, n + 1), low, high, selector, formula)
                    assert between_size(name, n, low, high) == added_size(formula), (n, low, high)


@pytest.mark.parametrize("n", range(1, 21))
def test_one_hot_size_is_the_size_that_exactly_one_and_at_most_one_add(n):
    for pairs in (6, 10):
        for at_least, require in ((True, exactly_one), (False, at_most_one)):
            formula = Formula(n, n)
            require(range(1, n + 1), formula, (), pairs)
            assert one_hot_size(n, pairs, at_least=at_least) == added_size(formula)


@given(
    boards(games(pegs=st.integers(1, 8), colors=st.integers(1, 9))),
    st.sampled_from(NAMES),
    st.booleans(),
)
def test_formula_size_is_exact_for_boards(board, name, with_selectors):
    system = System.of(board)
    size = formula_size(system, name, with_selectors=with_selectors)
    assume(size.clauses <= 20_000)  # without counters, copies of a pair make millions
    formula = cnf(system, name, with_selectors=with_selectors)

    assert size == (formula.variables, len(formula.clauses), len(formula.at_most))


@given(
    boards(small_games(6, 6)),
    st.builds(Tolerance, st.integers(1, 4), st.sampled_from(["rows", "pegs"])),
    st.sampled_from(NAMES),
    st.booleans(),
)
def test_formula_size_is_exact_for_boards_with_lies(board, tolerance, name, with_selectors):
    assume(tolerance.by == "rows" or not board.has_unread_pegs)
    system = System.of(board, tolerance)
    size = formula_size(system, name, with_selectors=with_selectors)
    assume(size.clauses <= 20_000)
    formula = cnf(system, name, with_selectors=with_selectors)

    assert size == (formula.variables, len(formula.clauses), len(formula.at_most))


def test_a_formula_that_lies_make_too_large_is_refused(monkeypatch):
    """The clauses that bound the violations alone exceed the limit."""
    board = planted("60x6", 12, 1)
    strict, lenient = System.of(board), System.of(board, Tolerance(2))
    clauses = formula_size(lenient, "totalizer").clauses
    assert clauses > 1.5 * formula_size(strict, "totalizer").clauses
    monkeypatch.setattr(LIMITS, "small_formula", 0)
    monkeypatch.setattr(LIMITS, "clause_memory", BYTES_PER_CLAUSE * (clauses - 1))
    cnf(strict)
    with pytest.raises(SizeError, match="totalizer"):
        cnf(lenient)


@given(systems(), st.sampled_from(NAMES), st.booleans())
def test_formula_size_is_exact_for_any_constraints(system, name, with_selectors):
    formula = cnf(system, name, with_selectors=with_selectors)
    size = formula_size(system, name, with_selectors=with_selectors)

    assert size == (formula.variables, len(formula.clauses), len(formula.at_most))


@pytest.mark.parametrize("name", NAMES)
def test_the_size_of_the_largest_game_is_computed(name):
    guess = "-".join(["1", "2"] * 500)
    system = System.of(Board.parse(f"1000x1000/{guess}=300.400"))
    size = formula_size(system, name)

    assert size.variables >= 1000 * 1000
    assert size.clauses > 1000 * 1000
