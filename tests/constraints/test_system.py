"""The system of a board is satisfied by exactly its consistent codes, row by row."""

from __future__ import annotations

from itertools import product

from hypothesis import given

from mmsat.constraints.system import System, highest_counts
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.space import CardinalityConstraint, VariableMap
from tests.support import strategies, tiers, twins
from tests.support.random_boards import known_boards
from tests.support.systems import systems


def test_the_codes_that_satisfy_a_system_are_the_consistent_ones():
    for board, codes in known_boards(tiers.share(400), seed=91, pegs=4, colors=3):
        system = System.of(board)
        every = strategies.product_of(board.game)
        assert [code for code in every if system.satisfies(code)] == list(codes), str(board)
        assert [code for code, _ in twins.solutions(system)] == list(codes)


def test_rows_and_hard_constraints_are_equivalent_to_the_rules():
    for board, _ in known_boards(tiers.share(100), seed=92, pegs=3, colors=3):
        system = System.of(board)
        assert len(system.rows) == len(board.rows)
        for code in strategies.product_of(board.game):
            assert twins.satisfies(system.variables, system.hard, code) == board.game.contains(code)
            wrong = [
                row
                for row, constraints in enumerate(system.rows)
                if not twins.satisfies(system.variables, constraints, code)
            ]
            assert wrong == twins.wrong_rows(board, code)


@given(board=strategies.boards())
def test_claims_are_about_facts_of_the_game_each_named_once(board):
    """Boards of any size: every literal is in range and no constraint counts one twice."""
    system = System.of(board)
    last = 2 * board.game.pegs * board.game.colors
    for constraint in system.constraints:
        assert len(set(constraint.literals)) == len(constraint.literals)
        plain = [literal for literal in constraint.literals if isinstance(literal, int)]
        for members in (
            plain,
            *(literal for literal in constraint.literals if isinstance(literal, tuple)),
        ):
            assert len({abs(literal) for literal in members}) == len(members)
            assert all(1 <= abs(literal) <= last for literal in members)
    assert system.constraints == [
        *system.hard,
        *(constraint for row in system.rows for constraint in row),
    ]


@given(board=strategies.boards())
def test_each_read_number_makes_one_claim_or_a_mark_two_and_an_unread_one_none(board):
    maximum = 2 if board.game.scoring.marks else 1
    for (_, score), constraints in zip(board.rows, System.of(board).rows, strict=True):
        read = sum(part is not None for part in score)
        assert read <= len(constraints) <= read * maximum


def test_the_depth_of_a_color_is_the_most_pegs_that_a_guess_gives_it():
    board = Board.parse("5x6/11122=1.1/33456=?.2/66661=2.?")
    assert System.of(board).highest_counts() == {0: 3, 1: 2, 2: 2, 3: 1, 4: 1, 5: 1}
    assert System.of(Board.parse("5x6b/11122=1")).highest_counts() == {}
    assert System.of(Board(Game.parse("4x6"))).highest_counts() == {}


@given(systems())
def test_a_system_is_satisfied_by_its_solutions(system):
    every = product(range(system.variables.colors), repeat=system.variables.pegs)
    codes = [code for code in every if system.satisfies(code)]
    assert codes == [code for code, _ in twins.solutions(system)]


def test_a_count_in_a_conjunction_is_as_deep_as_another():
    variables = VariableMap(4, 2)
    joint = (variables.at(0, 1), -variables.least(0, 4), variables.least(1, 1))
    assert highest_counts(
        variables, [CardinalityConstraint((joint, variables.least(1, 2)), 0, 1)]
    ) == {
        0: 4,
        1: 2,
    }


def test_a_denied_count_is_as_deep_as_its_opposite():
    variables = VariableMap(4, 2)
    constraints = [
        CardinalityConstraint((-variables.least(0, 3), variables.at(0, 1)), 0, 1),
        CardinalityConstraint((variables.least(0, 2),), 1, 1),
    ]
    assert highest_counts(variables, constraints) == {0: 3}
