"""Symmetry steps: equivalent pegs and colors, and the number of codes that a code represents."""

from __future__ import annotations

from math import comb

import pytest

from mmsat.constraints import System
from mmsat.constraints.presolve_state import Problem
from mmsat.constraints.presolve_steps import presolve
from mmsat.constraints.symmetries import find_equivalent_pegs, find_unmentioned_colors
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint, VariableMap
from tests.support import twins
from tests.support.random_boards import known_boards


def reduced_codes(line, *steps):
    """Return the outcome of presolve, and the codes of the reduced system."""
    outcome = presolve(Board.parse(line), steps)
    return outcome, [code for code, _ in twins.solutions(outcome.system)]


@pytest.mark.parametrize(
    ("line", "classes"),
    [
        ("4x3/1122=1.1", [[0, 1], [2, 3]]),
        ("4x3/1122=1.1/1222=2.0", [[2, 3]]),
        ("4x3/1122=1.1/1222=2.0/1112=1.1", []),
        ("4x3", [[0, 1, 2, 3]]),
        ("4x5!w/1122=1", [[0, 1, 2, 3]]),
        ("4x3o/1122=LLEE", []),
        ("4x3p/1111=G---", []),
    ],
)
def test_pegs_are_equivalent_if_no_row_distinguishes_them(line, classes):
    problem = Problem.of(System.of(Board.parse(line)))
    assert find_equivalent_pegs(problem) == classes


def test_without_rows_one_sorted_code_of_each_multiset_remains():
    outcome, codes = reduced_codes("4x3", "pegs")
    assert len(codes) == comb(4 + 2, 2)
    assert all(list(code) == sorted(code) for code in codes)
    assert outcome.orbit_size((0, 0, 1, 2)) == 12
    assert outcome.orbit_size((1, 1, 1, 1)) == 1


def test_only_the_first_unmentioned_color_remains():
    outcome, codes = reduced_codes("3x6/112=1.0", "colors", "bounds")
    assert {color for code in codes for color in code} <= {0, 1, 2}
    assert outcome.orbit_size((0, 2, 2)) == 16
    assert outcome.orbit_size((0, 1, 0)) == 1


def test_without_repeats_unmentioned_colors_are_used_in_order():
    outcome, codes = reduced_codes("4x9!/1234=0.1", "colors")
    for code in codes:
        unmentioned = [color for color in code if color > 3]
        assert unmentioned == list(range(4, 4 + len(unmentioned)))
    assert {outcome.orbit_size(code) for code in codes} == {5 * 4 * 3}


def test_orbits_of_permutations_add_up_to_all_codes():
    outcome, codes = reduced_codes("4x4!b/1111=1", "colors")
    assert sum(map(outcome.orbit_size, codes)) == 24
    assert len(codes) == 4


def test_counts_negations_and_conjunctions_mention_a_color():
    variables = VariableMap(3, 6)
    constraints = (
        CardinalityConstraint((variables.at(1, 0),), 0, 1),
        CardinalityConstraint((variables.least(1, 2),), 0, 1),
        CardinalityConstraint(((variables.at(0, 2), -variables.least(3, 1)),), 0, 1),
        CardinalityConstraint((-variables.at(0, 4), variables.at(1, 4), variables.at(2, 4)), 0, 1),
        CardinalityConstraint(tuple(variables.at(peg, 5) for peg in range(3)), 0, 1),
    )
    assert find_unmentioned_colors(Problem.of(System(variables, constraints, ()))) == {5: ((0, 1),)}


def test_a_row_constraint_about_a_color_counts_as_a_mention():
    """With one peg, a row about a color has the same constraint as a rule; both rows are needed."""
    outcome = presolve(Board.parse("1x2p/1=G/2=G"), ("colors", "bounds"))
    assert outcome.rows == (0, 1)
    bounds_of_color = find_unmentioned_colors(Problem.of(System.of(Board.parse("3x5!b/111=1"))))
    assert bounds_of_color == dict.fromkeys(range(1, 5), ((0, 1),))


def test_decided_pegs_and_word_lists_are_not_ordered():
    outcome, _ = reduced_codes("3x2b/111=3", "bounds", "pegs")
    assert [applied.step for applied in outcome.applied_steps] == ["bounds"]
    num_lists = 0
    for board, _ in known_boards(80, seed=91):
        system = System.of(board)
        if system.table is not None:
            num_lists += 1
            outcome = presolve(system, ("pegs", "colors"))
            assert outcome.applied_steps == ()
            assert outcome.system.table == system.table
    assert num_lists > 5


def test_pegs_of_games_with_many_colors_are_not_ordered():
    """A thousand colors would need a million literals for each pair of pegs."""
    outcome = presolve(Board.parse("3x1000b"), ("pegs",))
    assert outcome.applied_steps == ()
