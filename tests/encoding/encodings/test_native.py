"""Solvers of native constraints count as the native encoding relies on, repeats included."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.formula import Formula
from tests.support.formula_models import inputs, models, partial, solver

SOLVERS = ["minicard", "gluecard3", "gluecard4"]


@pytest.mark.parametrize("name", SOLVERS)
def test_a_literal_counts_as_often_as_it_is_listed(name):
    random = Random(1)
    n = 6
    for _ in range(150):
        formula = Formula(n, n)
        for _ in range(random.randint(1, 5)):
            some = [random.choice((1, -1)) * random.randint(1, n) for _ in range(12)]
            formula.add_at_most(some[: random.randint(2, 12)], random.randint(0, 8))
        for _ in range(random.randint(0, 8)):
            formula.add(*(random.choice((1, -1)) * v for v in random.sample(range(1, n + 1), 3)))
        obeying = 0
        for values in product((1, -1), repeat=n):
            true = {sign * v for v, sign in enumerate(values, 1)}
            obeying += all(any(x in true for x in clause) for clause in formula.clauses) and all(
                sum(x in true for x in some) <= bound for some, bound in formula.at_most
            )
        with solver(formula, name) as opened:
            assert len(list(opened.enum_models())) == obeying


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("n", range(1, 6))
def test_native_counts_and_claims_hold_in_every_native_solver(name, n):
    native = ENCODINGS["native"]
    for low, high in product(range(n + 1), repeat=2):
        if low > high:
            continue
        formula, literals = inputs(n)
        outputs = native.count(literals, max(high, 1), formula)
        selector = formula.new()
        native.between(literals, low, high, selector, formula)
        with solver(formula, name) as opened:
            for known_value, true, unknown in partial(literals):
                obeyed = true <= high and low <= true + unknown
                assert opened.solve(assumptions=[*known_value, selector]) == obeyed
                assert opened.solve(assumptions=[*known_value, -selector])
                if unknown == 0:
                    model = opened.get_model()
                    assert [output in model for output in outputs] == [
                        true >= t for t in range(1, len(outputs) + 1)
                    ]


def test_native_adds_no_clause_but_the_order_of_its_outputs():
    formula, literals = inputs(9)
    outputs = ENCODINGS["native"].count(literals, 4, formula)
    ENCODINGS["native"].between(literals, 3, 5, outputs[0], formula)

    assert formula.clauses == [[-outputs[t + 1], outputs[t]] for t in range(3)]
    assert len(formula.at_most) == 4
    assert models(formula)
