"""The formulas of arbitrary constraints, compared with a list of all codes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmsat.constraints import System
from mmsat.encoding import ENCODINGS, Formula
from mmsat.encoding.cnf import BYTES_PER_CLAUSE, Builder, cnf, formula_size
from mmsat.errors import InputError, SizeError
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint
from mmsat.limits import LIMITS
from tests.support import tiers, twins
from tests.support.formula_models import models
from tests.support.systems import mixed, systems

NAMES = sorted(ENCODINGS)


def true_variables(system, code):
    return sorted(system.variables.at(*peg_and_color) for peg_and_color in enumerate(code))


def codes_of(formula, assumptions=()):
    """Return the sorted lists of the true code variables of all models."""
    return sorted(
        (sorted(v for v in model if 0 < v <= formula.code_variables))
        for model in models(formula, assumptions)
    )


@settings(max_examples=tiers.share(60))
@given(systems(pegs=3, most=6))
def test_each_satisfying_code_is_exactly_one_model(system):
    expected = sorted(true_variables(system, code) for code, _ in twins.solutions(system))
    for name in NAMES:
        assert codes_of(cnf(system, name)) == expected, name


@settings(max_examples=tiers.share(40))
@given(systems(pegs=3, colors=2, most=5), st.sampled_from(NAMES))
def test_with_disabled_rows_the_models_are_the_solutions_of_the_enabled_rows(system, name):
    formula = cnf(system, name, with_selectors=True)
    solutions = twins.solutions(system, slack=len(system.row_constraints))
    for row_bits in range(2 ** len(system.row_constraints)):
        is_row_enabled = [bool(row_bits >> row & 1) for row in range(len(system.row_constraints))]
        rows = [
            row
            for row, is_enabled in zip(system.row_constraints, is_row_enabled, strict=True)
            if is_enabled
        ]
        assumptions = [
            s if is_enabled else -s
            for s, is_enabled in zip(formula.selectors, is_row_enabled, strict=True)
        ]
        expected = [
            true_variables(system, code)
            for code, _ in solutions
            if all(twins.satisfies(system.variables, row, code) for row in rows)
        ]
        assert codes_of(formula, assumptions) == sorted(expected)


@settings(max_examples=tiers.share(60))
@given(st.data(), systems(pegs=3, most=5), st.sampled_from(NAMES))
def test_reify_returns_literals_that_are_true_exactly_if_the_constraint_holds(data, system, name):
    """The literals need not appear in the system, and some code reaches the bounds."""
    builder = Builder(system, name)
    solutions = [code for code, _ in twins.solutions(system)]
    for _ in range(3):
        literals = data.draw(mixed(system.variables, 5))
        low = data.draw(st.integers(-1, len(literals)))
        constraint = CardinalityConstraint(
            literals, low, data.draw(st.integers(max(low, 0), len(literals) + 1))
        )
        reified = builder.reify(constraint)
        size = builder.formula.variables
        assert builder.reify(constraint) == reified
        assert builder.formula.variables == size
        for assumed, holds in ((reified, True), ([-literal for literal in reified], False)):
            if holds or len(assumed) == 1:
                assert codes_of(builder.formula, assumed) == sorted(
                    true_variables(system, code)
                    for code in solutions
                    if twins.satisfies(system.variables, [constraint], code) == holds
                )


@given(systems(pegs=3, most=6))
def test_the_names_of_variables_are_distinct(system):
    builder = Builder(system)
    for color in range(system.variables.colors):
        for count in range(1, system.variables.pegs + 1):
            builder.literal(system.variables.least(color, count))
    names = list(builder.formula.names.values())
    assert len(set(names)) == len(names)


def test_a_formula_that_needs_too_much_memory_is_refused_with_its_size():
    row = "12" * 500
    board = Board.parse("1000x2b/" + "/".join(f"{row}={number}" for number in range(400, 460)))
    system = System.of(board)
    with pytest.raises(SizeError, match=r"totalizer: .* found 41,576,410 clauses, about 12 G"):
        cnf(system)
    size = formula_size(system, "totalizer").clauses
    assert (
        size * BYTES_PER_CLAUSE
        > LIMITS.clause_memory
        > formula_size(system, "modulo-totalizer").clauses * BYTES_PER_CLAUSE
    )


@pytest.mark.parametrize("argument", [[1, -2], (1,), range(3), "1", 1.0, None])
def test_a_clause_is_given_by_separate_literals(argument):
    formula = Formula(2)
    formula.add(1, -2)
    formula.add()
    formula.add(np.int64(-1))
    with pytest.raises(InputError, match=r"expected literals as separate arguments, such as add"):
        formula.add(argument)
    assert formula.clauses == [[1, -2], [], [-1]]
