"""Unit propagation is as strong as the catalogue states for each encoding."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from mmsat.encoding import ENCODINGS, Formula
from mmsat.encoding.cnf import load
from tests.support.formula_models import inputs, partial, solver

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = sorted(ENCODINGS)
MAX_LITERALS = 6


def unpropagated_by_constraints(name: str) -> Iterator[str]:
    """Yield every consequence or contradiction of a constraint that propagation does not find."""
    for n in range(1, MAX_LITERALS + 1):
        for low, high in product(range(n + 1), repeat=2):
            if low > high or (low, high) == (0, n):
                continue
            formula, literals = inputs(n)
            selector = formula.new()
            ENCODINGS[name].between(literals, low, high, selector, formula)
            with solver(formula) as sat_solver:
                for assumed, true, unknown in partial(literals):
                    is_consistent, propagated = sat_solver.propagate([selector, *assumed])
                    unassigned = [x for x in literals if x not in assumed and -x not in assumed]
                    implied = {-x for x in unassigned} if true == high else set()
                    if true + unknown == low:
                        implied = set(unassigned)
                    if true > high or true + unknown < low:
                        if is_consistent:
                            yield f"contradiction of {low} to {high} and {assumed}"
                    elif not implied <= set(propagated):
                        yield f"consequence of {low} to {high} and {assumed}"


def unpropagated_outputs(name: str, *, only_complete: bool) -> Iterator[str]:
    """Yield every case in which literals imply an output that propagation does not find."""
    for n in range(1, MAX_LITERALS + 1):
        for bound in range(1, n + 1):
            formula, literals = inputs(n)
            outputs = ENCODINGS[name].count(literals, bound, formula)
            with solver(formula) as sat_solver:
                for assumed, true, unknown in partial(literals):
                    if unknown and only_complete:
                        continue
                    _, propagated = sat_solver.propagate(assumed)
                    decided = {*outputs[:true], *(-x for x in outputs[true + unknown :])}
                    if not decided <= {*propagated, *assumed}:
                        yield f"outputs up to {bound} of {assumed}"


@pytest.mark.parametrize("name", NAMES)
def test_constraints_are_propagated_as_the_catalogue_states(name):
    unpropagated = next(unpropagated_by_constraints(name), None)

    assert (unpropagated is None) == (load(name).propagation in {"complete", "claims"}), (
        unpropagated
    )


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_propagated_as_the_catalogue_states(name):
    unpropagated = next(unpropagated_outputs(name, only_complete=False), None)

    assert (unpropagated is None) == (load(name).propagation == "complete"), unpropagated


@pytest.mark.parametrize("name", [name for name in NAMES if not ENCODINGS[name].is_native])
def test_a_full_assignment_propagates_to_every_output_of_clauses(name):
    assert next(unpropagated_outputs(name, only_complete=True), None) is None


# A sorting network also sorts beyond the bound. A modulo totalizer has clauses that only define its
# auxiliary variables.
MINIMAL = ["cardinality-network", "direct", "sequential", "totalizer"]


@pytest.mark.parametrize("name", MINIMAL)
@pytest.mark.parametrize("bound", range(1, 6))
def test_without_any_one_clause_a_counter_propagates_less(name, bound):
    formula, literals = inputs(5)
    outputs = ENCODINGS[name].count(literals, bound, formula)
    for omitted in range(len(formula.clauses)):
        clauses = formula.clauses[:omitted] + formula.clauses[omitted + 1 :]
        results = set()
        with solver(Formula(formula.variables, 5, clauses)) as sat_solver:
            for assumed, true, unknown in partial(literals):
                implied = {*outputs[:true], *(-x for x in outputs[true + unknown :])}
                results.add(implied <= {*sat_solver.propagate(assumed)[1], *assumed})

        assert False in results, formula.clauses[omitted]
