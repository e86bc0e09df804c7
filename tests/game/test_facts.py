"""The numbering of facts, both ways, and what the facts say."""

from __future__ import annotations

from itertools import product

import pytest

from mmsat.game.facts import Claim, Facts
from tests import twins

sizes = pytest.mark.parametrize(("pegs", "colors"), list(product(range(1, 5), repeat=2)))


@sizes
def test_every_number_is_one_fact(pegs, colors):
    facts = Facts(pegs, colors)
    places = [facts.at(peg, color) for peg in range(pegs) for color in range(colors)]
    counts = [facts.least(c, count) for c in range(colors) for count in range(1, pegs + 1)]
    assert places + counts == list(range(1, 2 * pegs * colors + 1))
    assert all(facts.is_at(fact) and facts.is_at(-fact) for fact in places)
    assert not any(facts.is_at(fact) or facts.is_at(-fact) for fact in counts)


@sizes
def test_a_number_and_its_denial_tell_what_they_are_about(pegs, colors):
    facts = Facts(pegs, colors)
    for peg, color in product(range(pegs), range(colors)):
        for sign in (1, -1):
            assert facts.peg_color(sign * facts.at(peg, color)) == (peg, color)
            assert facts.color_count(sign * facts.least(color, peg + 1)) == (color, peg + 1)


@sizes
def test_names_are_unique_and_count_from_one(pegs, colors):
    facts = Facts(pegs, colors)
    names = [facts.name(fact) for fact in range(1, 2 * pegs * colors + 1)]
    assert len(set(names)) == len(names)
    assert names[0] == "peg1color1"
    assert names[-1] == f"color{colors}least{pegs}"


@pytest.mark.parametrize(("pegs", "colors"), [(1, 1), (1, 4), (4, 1), (2, 3), (3, 3), (4, 2)])
def test_facts_hold_as_the_table_of_them_says(pegs, colors):
    facts = Facts(pegs, colors)
    for code in product(range(colors), repeat=pegs):
        for fact in range(1, 2 * pegs * colors + 1):
            assert facts.holds(fact, code) == twins.holds(facts, fact, code)
            assert facts.holds(-fact, code) != facts.holds(fact, code)


def test_a_conjunction_holds_when_all_of_its_members_do():
    facts = Facts(2, 2)
    numbers = [sign * fact for fact in range(1, 9) for sign in (1, -1)]
    for code in product(range(2), repeat=2):
        assert facts.holds((), code)
        for one, other in product(numbers, repeat=2):
            both = facts.holds(one, code) and facts.holds(other, code)
            assert facts.holds((one, other), code) == both
            assert twins.holds(facts, (one, other), code) == both
            assert facts.satisfies(code, Claim(((one, other), one), 1, 1)) == (
                facts.holds(one, code) and not both
            )


def test_a_claim_counts_true_facts_between_its_bounds():
    facts = Facts(3, 2)
    numbers = (facts.at(0, 0), facts.at(1, 0), -facts.at(2, 0))
    true = 2  # of the code 0 1 1: the first and the last
    for low, high in product(range(-1, 5), repeat=2):
        assert facts.satisfies((0, 1, 1), Claim(numbers, low, high)) == (low <= true <= high)
