"""The numbering of literals in both directions, and the meaning of literals."""

from __future__ import annotations

from itertools import product

import pytest

from mmsat.game.space import CardinalityConstraint, VariableMap
from tests.support import twins

small_sizes = pytest.mark.parametrize(("pegs", "colors"), list(product(range(1, 5), repeat=2)))


@small_sizes
def test_literals_are_numbered_without_gaps(pegs, colors):
    variables = VariableMap(pegs, colors)
    at_literals = [variables.at(peg, color) for peg in range(pegs) for color in range(colors)]
    least_literals = [
        variables.least(color, count) for color in range(colors) for count in range(1, pegs + 1)
    ]
    assert at_literals + least_literals == list(range(1, 2 * pegs * colors + 1))
    assert all(variables.is_at(literal) and variables.is_at(-literal) for literal in at_literals)
    assert not any(
        variables.is_at(literal) or variables.is_at(-literal) for literal in least_literals
    )


@small_sizes
def test_a_literal_and_its_negation_have_the_same_meaning(pegs, colors):
    variables = VariableMap(pegs, colors)
    for peg, color in product(range(pegs), range(colors)):
        for sign in (1, -1):
            assert variables.peg_color(sign * variables.at(peg, color)) == (peg, color)
            assert variables.color_count(sign * variables.least(color, peg + 1)) == (color, peg + 1)


@small_sizes
def test_names_are_unique_and_numbered_from_one(pegs, colors):
    variables = VariableMap(pegs, colors)
    names = [variables.name(literal) for literal in range(1, 2 * pegs * colors + 1)]
    assert len(set(names)) == len(names)
    assert names[0] == "peg1color1"
    assert names[-1] == f"color{colors}least{pegs}"


@pytest.mark.parametrize(("pegs", "colors"), [(1, 1), (1, 4), (4, 1), (2, 3), (3, 3), (4, 2)])
def test_holds_agrees_with_its_twin(pegs, colors):
    variables = VariableMap(pegs, colors)
    for code in product(range(colors), repeat=pegs):
        for literal in range(1, 2 * pegs * colors + 1):
            assert variables.holds(literal, code) == twins.holds(variables, literal, code)
            assert variables.holds(-literal, code) != variables.holds(literal, code)


def test_a_conjunction_holds_if_all_of_its_members_hold():
    variables = VariableMap(2, 2)
    literals = [sign * literal for literal in range(1, 9) for sign in (1, -1)]
    for code in product(range(2), repeat=2):
        assert variables.holds((), code)
        for one, other in product(literals, repeat=2):
            holds_both = variables.holds(one, code) and variables.holds(other, code)
            assert variables.holds((one, other), code) == holds_both
            assert twins.holds(variables, (one, other), code) == holds_both
            assert variables.satisfies(code, CardinalityConstraint(((one, other), one), 1, 1)) == (
                variables.holds(one, code) and not holds_both
            )


def test_a_constraint_bounds_the_number_of_true_literals():
    variables = VariableMap(3, 2)
    literals = (variables.at(0, 0), variables.at(1, 0), -variables.at(2, 0))
    num_true = 2  # of the code 0 1 1: the first and the last
    for low, high in product(range(-1, 5), repeat=2):
        assert variables.satisfies((0, 1, 1), CardinalityConstraint(literals, low, high)) == (
            low <= num_true <= high
        )
