"""Unit propagation is as strong as the catalogue states for each encoding."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from mmsat.encoding.catalogue import load
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.formula import Formula
from tests.support.formula_models import inputs, partial, solver

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = sorted(ENCODINGS)
LARGEST = 6


def missed_by_claims(name: str) -> Iterator[str]:
    """Every consequence or contradiction of a constraint that propagation leaves to search."""
    for n in range(1, LARGEST + 1):
        for low, high in product(range(n + 1), repeat=2):
            if low > high or (low, high) == (0, n):
                continue
            formula, literals = inputs(n)
            selector = formula.new()
            ENCODINGS[name].between(literals, low, high, selector, formula)
            with solver(formula) as opened:
                for known_value, true, unknown in partial(literals):
                    possible, result = opened.propagate([selector, *known_value])
                    remainder = [
                        x for x in literals if x not in known_value and -x not in known_value
                    ]
                    follows = {-x for x in remainder} if true == high else set()
                    if true + unknown == low:
                        follows = set(remainder)
                    if true > high or true + unknown < low:
                        if possible:
                            yield f"contradiction of {low} to {high} and {known_value}"
                    elif not follows <= set(result):
                        yield f"consequence of {low} to {high} and {known_value}"


def missed_by_outputs(name: str, *, only_complete: bool) -> Iterator[str]:
    """Every output that is decided by the known literals but not by propagation."""
    for n in range(1, LARGEST + 1):
        for bound in range(1, n + 1):
            formula, literals = inputs(n)
            outputs = ENCODINGS[name].count(literals, bound, formula)
            with solver(formula) as opened:
                for known_value, true, unknown in partial(literals):
                    if unknown and only_complete:
                        continue
                    _, result = opened.propagate(known_value)
                    decided = {*outputs[:true], *(-x for x in outputs[true + unknown :])}
                    if not decided <= {*result, *known_value}:
                        yield f"outputs up to {bound} of {known_value}"


@pytest.mark.parametrize("name", NAMES)
def test_claims_are_propagated_as_the_catalogue_says(name):
    missed = next(missed_by_claims(name), None)

    assert (missed is None) == (load(name).propagation in {"complete", "claims"}), missed


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_propagated_as_the_catalogue_says(name):
    missed = next(missed_by_outputs(name, only_complete=False), None)

    assert (missed is None) == (load(name).propagation == "complete"), missed


@pytest.mark.parametrize("name", [name for name in NAMES if not ENCODINGS[name].is_native])
def test_known_literals_decide_every_output_of_clauses(name):
    assert next(missed_by_outputs(name, only_complete=True), None) is None


# A sorting network sorts what the bound does not ask for; a modulo totalizer needs its clauses only
# to define its helpers.
TIGHT = ["cardinality-network", "direct", "sequential", "totalizer"]


@pytest.mark.parametrize("name", TIGHT)
@pytest.mark.parametrize("bound", range(1, 6))
def test_no_clause_of_a_counter_can_be_left_out(name, bound):
    whole, literals = inputs(5)
    outputs = ENCODINGS[name].count(literals, bound, whole)
    for left_out in range(len(whole.clauses)):
        clauses = whole.clauses[:left_out] + whole.clauses[left_out + 1 :]
        decided = set()
        with solver(Formula(whole.variables, 5, clauses)) as opened:
            for known_value, true, unknown in partial(literals):
                follows = {*outputs[:true], *(-x for x in outputs[true + unknown :])}
                decided.add(follows <= {*opened.propagate(known_value)[1], *known_value})

        assert False in decided, whole.clauses[left_out]
