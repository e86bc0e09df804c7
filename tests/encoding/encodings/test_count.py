"""Every encoding counts: outputs mean "at least t", and each assignment has one model."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from pysat.card import CardEnc, EncType

from mmsat.encoding import ENCODINGS
from tests.support.formula_models import inputs, models, on, partial, solver, true_among

NAMES = sorted(ENCODINGS)
BOUNDS = [(n, bound) for n in range(1, 9) for bound in range(1, n + 1)]


def ranges(n: int) -> list[tuple[int, int]]:
    """Return every pair of a low and a high bound for n literals."""
    return [(low, high) for low in range(n + 1) for high in range(low, n + 1)]


SIZES = range(1, 9)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "bound"), BOUNDS)
def test_outputs_mean_at_least_t_and_every_assignment_has_one_model(name, n, bound):
    formula, literals = inputs(n)
    outputs = ENCODINGS[name].count(literals, bound, formula)
    found_models = models(formula)

    assert len(outputs) == bound
    assert len(found_models) == 2**n == len({on(literals, model) for model in found_models})
    for model in found_models:
        count = true_among(literals, model)
        assert [output in model for output in outputs] == [count >= t for t in range(1, bound + 1)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", SIZES)
def test_a_constraint_has_one_model_per_assignment_that_satisfies_it(name, n):
    for low, high in ranges(n):
        formula, literals = inputs(n)
        ENCODINGS[name].between(literals, low, high, None, formula)
        found_models = models(formula)
        allowed = [values for values in product((0, 1), repeat=n) if low <= sum(values) <= high]

        assert (
            len(found_models)
            == len(allowed)
            == len({on(literals, model) for model in found_models})
        )
        assert all(low <= true_among(literals, model) <= high for model in found_models)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", SIZES)
def test_a_disabled_constraint_allows_every_assignment(name, n):
    for low, high in ranges(n):
        formula, literals = inputs(n)
        selector = formula.new()
        ENCODINGS[name].between(literals, low, high, selector, formula)
        disabled, enabled = models(formula, [-selector]), models(formula, [selector])

        assert len(disabled) == 2**n == len({on(literals, model) for model in disabled})
        assert len(enabled) == len({on(literals, model) for model in enabled})
        assert {on(literals, model) for model in enabled} == {
            on(literals, model) for model in disabled if low <= true_among(literals, model) <= high
        }


@pytest.mark.parametrize("name", NAMES)
def test_constraints_can_be_enabled_and_disabled_again(name):
    n = 6
    formula, literals = inputs(n)
    first, second = formula.new(), formula.new()
    ENCODINGS[name].between(literals, 2, 3, first, formula)
    ENCODINGS[name].between(literals[::-1], 4, 5, second, formula)
    with solver(formula) as sat_solver:
        for selectors in ([first], [first, second], [second], [-first, -second], [second, first]):
            assert sat_solver.solve(assumptions=selectors) == (
                selectors not in ([first, second], [second, first])
            )


@pytest.mark.parametrize("name", NAMES)
def test_two_counters_of_the_same_literals_agree(name):
    formula, literals = inputs(7)
    one = ENCODINGS[name].count(literals, 5, formula)
    other = ENCODINGS["totalizer"].count(literals[::-1], 7, formula)
    for model in models(formula):
        assert [output in model for output in one] == [output in model for output in other[:5]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "other_encoding", [EncType.seqcounter, EncType.kmtotalizer, EncType.cardnetwrk]
)
def test_encodings_of_pysat_allow_the_same_assignments(name, other_encoding):
    n = 6
    for bound in range(1, n):
        formula, literals = inputs(n)
        ENCODINGS[name].between(literals, bound, bound, None, formula)
        other_formula, _ = inputs(n)
        other_formula.clauses = CardEnc.equals(
            lits=literals, bound=bound, encoding=other_encoding
        ).clauses
        other_formula.variables = max(
            abs(literal) for clause in other_formula.clauses for literal in clause
        )

        with solver(formula) as sat_solver, solver(other_formula) as other_solver:
            for assumed, true, unknown in partial(literals):
                is_satisfiable = true <= bound <= true + unknown
                assert (
                    sat_solver.solve(assumptions=assumed)
                    == other_solver.solve(assumptions=assumed)
                    == is_satisfiable
                )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [20, 37])
def test_large_counts_are_right_for_sampled_assignments(name, n):
    if name == "direct":
        n //= 2
    for bound in (1, 2, n // 4, n // 2 + 1, n):
        formula, literals = inputs(n)
        outputs = ENCODINGS[name].count(literals, bound, formula)
        with solver(formula) as sat_solver:
            for low, step in product((0, 3, 7), (1, 2, 5)):
                chosen = set(literals[low::step])
                assumed = [literal if literal in chosen else -literal for literal in literals]
                true = {
                    output if len(chosen) >= t else -output for t, output in enumerate(outputs, 1)
                }
                assert sat_solver.solve(assumptions=assumed)
                assert true <= set(sat_solver.get_model())
                for output in true:  # no other value is possible
                    assert not sat_solver.solve(assumptions=[*assumed, -output])


def test_a_cardinality_network_is_never_larger_than_a_sorting_network():
    for n in range(1, 40):
        sizes = []
        for bound in range(1, n + 1):
            num_clauses = []
            for name in ("cardinality-network", "sorting-network"):
                formula, literals = inputs(n)
                ENCODINGS[name].count(literals, bound, formula)
                num_clauses.append(len(formula.clauses))
            sizes.append(num_clauses[0])
            assert num_clauses[0] <= num_clauses[1]
        assert all(smaller <= larger for smaller, larger in pairwise(sizes))
