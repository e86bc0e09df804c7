"""Every encoding counts: each output has its meaning, and models are unique."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from pysat.card import CardEnc, EncType

from mmsat.encoding.encodings import ENCODINGS
from tests.support.formula_models import inputs, models, on, partial, solver, true_among

NAMES = sorted(ENCODINGS)
BOUNDS = [(n, bound) for n in range(1, 9) for bound in range(1, n + 1)]


def ranges(n: int) -> list[tuple[int, int]]:
    """Every low and high of n literals."""
    return [(low, high) for low in range(n + 1) for high in range(low, n + 1)]


SIZES = range(1, 9)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "bound"), BOUNDS)
def test_outputs_mean_at_least_t_and_every_assignment_has_one_model(name, n, bound):
    formula, literals = inputs(n)
    outputs = ENCODINGS[name].count(literals, bound, formula)
    result = models(formula)

    assert len(outputs) == bound
    assert len(result) == 2**n == len({on(literals, model) for model in result})
    for model in result:
        count = true_among(literals, model)
        assert [output in model for output in outputs] == [count >= t for t in range(1, bound + 1)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", SIZES)
def test_a_claim_has_one_model_for_each_assignment_that_obeys_it(name, n):
    for low, high in ranges(n):
        formula, literals = inputs(n)
        ENCODINGS[name].between(literals, low, high, None, formula)
        result = models(formula)
        obeying = [values for values in product((0, 1), repeat=n) if low <= sum(values) <= high]

        assert len(result) == len(obeying) == len({on(literals, model) for model in result})
        assert all(low <= true_among(literals, model) <= high for model in result)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", SIZES)
def test_a_claim_that_is_switched_off_says_nothing(name, n):
    for low, high in ranges(n):
        formula, literals = inputs(n)
        selector = formula.new()
        ENCODINGS[name].between(literals, low, high, selector, formula)
        off, on_ = models(formula, [-selector]), models(formula, [selector])

        assert len(off) == 2**n == len({on(literals, model) for model in off})
        assert len(on_) == len({on(literals, model) for model in on_})
        assert {on(literals, model) for model in on_} == {
            on(literals, model) for model in off if low <= true_among(literals, model) <= high
        }


@pytest.mark.parametrize("name", NAMES)
def test_a_switch_can_be_turned_on_and_off_again(name):
    n = 6
    formula, literals = inputs(n)
    first, second = formula.new(), formula.new()
    ENCODINGS[name].between(literals, 2, 3, first, formula)
    ENCODINGS[name].between(literals[::-1], 4, 5, second, formula)
    with solver(formula) as opened:
        for use in ([first], [first, second], [second], [-first, -second], [second, first]):
            assert opened.solve(assumptions=use) == (use not in ([first, second], [second, first]))


@pytest.mark.parametrize("name", NAMES)
def test_two_counters_of_the_same_literals_agree(name):
    formula, literals = inputs(7)
    one = ENCODINGS[name].count(literals, 5, formula)
    other = ENCODINGS["totalizer"].count(literals[::-1], 7, formula)
    for model in models(formula):
        assert [output in model for output in one] == [output in model for output in other[:5]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rival", [EncType.seqcounter, EncType.kmtotalizer, EncType.cardnetwrk])
def test_python_sat_says_the_same_of_the_literals(name, rival):
    n = 6
    for bound in range(1, n):
        formula, literals = inputs(n)
        ENCODINGS[name].between(literals, bound, bound, None, formula)
        theirs, _ = inputs(n)
        theirs.clauses = CardEnc.equals(lits=literals, bound=bound, encoding=rival).clauses
        theirs.variables = max(abs(literal) for clause in theirs.clauses for literal in clause)

        with solver(formula) as ours, solver(theirs) as rivals:
            for known_value, true, unknown in partial(literals):
                obeyed = true <= bound <= true + unknown
                assert (
                    ours.solve(assumptions=known_value)
                    == rivals.solve(assumptions=known_value)
                    == obeyed
                )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [20, 37])
def test_large_counts_are_right_on_samples(name, n):
    if name == "direct":
        n //= 2
    for bound in (1, 2, n // 4, n // 2 + 1, n):
        formula, literals = inputs(n)
        outputs = ENCODINGS[name].count(literals, bound, formula)
        with solver(formula) as opened:
            for low, step in product((0, 3, 7), (1, 2, 5)):
                chosen = set(literals[low::step])
                known_values = [literal if literal in chosen else -literal for literal in literals]
                true = {
                    output if len(chosen) >= t else -output for t, output in enumerate(outputs, 1)
                }
                assert opened.solve(assumptions=known_values)
                assert true <= set(opened.get_model())
                for output in true:  # and no other value is possible
                    assert not opened.solve(assumptions=[*known_values, -output])


def test_cutting_never_makes_a_cardinality_network_larger_than_a_sorting_network():
    for n in range(1, 40):
        sizes = []
        for bound in range(1, n + 1):
            created = []
            for name in ("cardinality-network", "sorting-network"):
                formula, literals = inputs(n)
                ENCODINGS[name].count(literals, bound, formula)
                created.append(len(formula.clauses))
            sizes.append(created[0])
            assert created[0] <= created[1]
        assert all(less <= more for less, more in pairwise(sizes))
