"""Exactly the consistent codes of a board satisfy its system, and each of its rows."""

from __future__ import annotations

from itertools import product

from hypothesis import given

from mmsat.constraints import System, highest_counts
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.space import CardinalityConstraint, VariableMap
from tests.support import strategies, tiers, twins
from tests.support.random_boards import known_boards
from tests.support.systems import systems


def test_exactly_the_consistent_codes_satisfy_the_system_of_a_board():
    for board, codes in known_boards(tiers.share(400), seed=91, pegs=4, colors=3):
        system = System.of(board)
        all_codes = strategies.product_of(board.game)
        assert [code for code in all_codes if system.satisfies(code)] == list(codes), str(board)
        assert [code for code, _ in twins.solutions(system)] == list(codes)


def test_rows_and_hard_constraints_are_equivalent_to_the_rules():
    for board, _ in known_boards(tiers.share(100), seed=92, pegs=3, colors=3):
        system = System.of(board)
        assert len(system.row_constraints) == len(board.rows)
        for code in strategies.product_of(board.game):
            assert twins.satisfies(system.variables, system.hard, code) == board.game.contains(code)
            wrong_rows = [
                row
                for row, constraints in enumerate(system.row_constraints)
                if not twins.satisfies(system.variables, constraints, code)
            ]
            assert wrong_rows == twins.wrong_rows(board, code)


@given(board=strategies.boards())
def test_literals_are_in_range_and_no_constraint_repeats_one(board):
    system = System.of(board)
    last_literal = 2 * board.game.pegs * board.game.colors
    for constraint in system.constraints:
        assert len(set(constraint.literals)) == len(constraint.literals)
        integers = [literal for literal in constraint.literals if isinstance(literal, int)]
        for members in (
            integers,
            *(literal for literal in constraint.literals if isinstance(literal, tuple)),
        ):
            assert len({abs(literal) for literal in members}) == len(members)
            assert all(1 <= abs(literal) <= last_literal for literal in members)
    assert system.constraints == [
        *system.hard,
        *(constraint for row in system.row_constraints for constraint in row),
    ]


@given(board=strategies.boards())
def test_a_read_number_gives_one_constraint_and_a_read_mark_at_most_two(board):
    maximum = 2 if board.game.scoring.marks else 1
    for (_, score), constraints in zip(board.rows, System.of(board).row_constraints, strict=True):
        num_read = sum(part is not None for part in score)
        assert num_read <= len(constraints) <= num_read * maximum


def test_the_highest_count_of_a_color_is_its_maximum_in_a_guess():
    board = Board.parse("5x6/11122=1.1/33456=?.2/66661=2.?")
    assert System.of(board).highest_counts() == {0: 3, 1: 2, 2: 2, 3: 1, 4: 1, 5: 1}
    assert System.of(Board.parse("5x6b/11122=1")).highest_counts() == {}
    assert System.of(Board(Game.parse("4x6"))).highest_counts() == {}


@given(systems())
def test_exactly_the_solutions_satisfy_a_system(system):
    all_codes = product(range(system.variables.colors), repeat=system.variables.pegs)
    codes = [code for code in all_codes if system.satisfies(code)]
    assert codes == [code for code, _ in twins.solutions(system)]


def test_counts_in_conjunctions_are_included_in_the_highest_counts():
    variables = VariableMap(4, 2)
    conjunction = (variables.at(0, 1), -variables.least(0, 4), variables.least(1, 1))
    assert highest_counts(
        variables, [CardinalityConstraint((conjunction, variables.least(1, 2)), 0, 1)]
    ) == {
        0: 4,
        1: 2,
    }


def test_negated_counts_are_included_in_the_highest_counts():
    variables = VariableMap(4, 2)
    constraints = [
        CardinalityConstraint((-variables.least(0, 3), variables.at(0, 1)), 0, 1),
        CardinalityConstraint((variables.least(0, 2),), 1, 1),
    ]
    assert highest_counts(variables, constraints) == {0: 3}
