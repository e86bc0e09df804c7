"""Native solvers count as the native encoding assumes, also for repeated literals."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from mmsat.encoding import ENCODINGS, Formula
from tests.support.formula_models import inputs, models, partial, solver

SOLVERS = ["minicard", "gluecard3", "gluecard4"]


@pytest.mark.parametrize("name", SOLVERS)
def test_a_repeated_literal_counts_as_often_as_it_is_listed(name):
    random = Random(1)
    n = 6
    for _ in range(150):
        formula = Formula(n, n)
        for _ in range(random.randint(1, 5)):
            literals = [random.choice((1, -1)) * random.randint(1, n) for _ in range(12)]
            formula.add_at_most(literals[: random.randint(2, 12)], random.randint(0, 8))
        for _ in range(random.randint(0, 8)):
            formula.add(*(random.choice((1, -1)) * v for v in random.sample(range(1, n + 1), 3)))
        num_models = 0
        for values in product((1, -1), repeat=n):
            true = {sign * v for v, sign in enumerate(values, 1)}
            num_models += all(any(x in true for x in clause) for clause in formula.clauses) and all(
                sum(x in true for x in literals) <= bound for literals, bound in formula.at_most
            )
        with solver(formula, name) as native_solver:
            assert len(list(native_solver.enum_models())) == num_models


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("n", range(1, 6))
def test_native_counts_and_constraints_are_right_in_every_native_solver(name, n):
    native = ENCODINGS["native"]
    for low, high in product(range(n + 1), repeat=2):
        if low > high:
            continue
        formula, literals = inputs(n)
        outputs = native.count(literals, max(high, 1), formula)
        selector = formula.new()
        native.between(literals, low, high, selector, formula)
        with solver(formula, name) as native_solver:
            for assumed, true, unknown in partial(literals):
                is_satisfiable = true <= high and low <= true + unknown
                assert native_solver.solve(assumptions=[*assumed, selector]) == is_satisfiable
                assert native_solver.solve(assumptions=[*assumed, -selector])
                if unknown == 0:
                    model = native_solver.get_model()
                    assert [output in model for output in outputs] == [
                        true >= t for t in range(1, len(outputs) + 1)
                    ]


def test_native_adds_only_the_clauses_that_sort_its_outputs():
    formula, literals = inputs(9)
    outputs = ENCODINGS["native"].count(literals, 4, formula)
    ENCODINGS["native"].between(literals, 3, 5, outputs[0], formula)

    assert formula.clauses == [[-outputs[t + 1], outputs[t]] for t in range(3)]
    assert len(formula.at_most) == 4
    assert models(formula)
