"""What a board says: true of exactly its consistent codes, row by row."""

from __future__ import annotations

from itertools import product

from hypothesis import given

from mmsat.constraints.system import System, depths
from mmsat.game.board import Board
from mmsat.game.facts import Claim, Facts
from mmsat.game.game import Game
from tests import strategies, twins
from tests.constraints.systems import systems
from tests.laws.random_boards import known_boards


def test_the_codes_that_satisfy_a_system_are_the_consistent_ones():
    for board, codes in known_boards(400, seed=91, pegs=4, colors=3):
        system = System.of(board)
        every = strategies.product_of(board.game)
        assert [code for code in every if system.satisfies(code)] == list(codes), str(board)
        assert [code for code, _ in twins.solutions(system)] == list(codes)


def test_each_row_says_its_own_and_the_ground_says_the_rest():
    for board, _ in known_boards(100, seed=92, pegs=3, colors=3):
        system = System.of(board)
        assert len(system.rows) == len(board.rows)
        for code in strategies.product_of(board.game):
            assert twins.satisfies(system.facts, system.ground, code) == board.game.contains(code)
            wrong = [
                row
                for row, claims in enumerate(system.rows)
                if not twins.satisfies(system.facts, claims, code)
            ]
            assert wrong == twins.wrong_rows(board, code)


@given(board=strategies.boards())
def test_claims_are_about_facts_of_the_game_each_named_once(board):
    """Boards of any size: every fact is in range and no claim counts one twice."""
    system = System.of(board)
    last = 2 * board.game.pegs * board.game.colors
    for claim in system.claims:
        assert len(set(claim.facts)) == len(claim.facts)
        plain = [fact for fact in claim.facts if isinstance(fact, int)]
        for members in (plain, *(fact for fact in claim.facts if isinstance(fact, tuple))):
            assert len({abs(fact) for fact in members}) == len(members)
            assert all(1 <= abs(fact) <= last for fact in members)
    assert system.claims == [*system.ground, *(claim for row in system.rows for claim in row)]


@given(board=strategies.boards())
def test_each_read_number_makes_one_claim_or_a_mark_two_and_an_unread_one_none(board):
    most = 2 if board.game.scoring.marks else 1
    for (_, score), claims in zip(board.rows, System.of(board).rows, strict=True):
        read = sum(part is not None for part in score)
        assert read <= len(claims) <= read * most


def test_the_depth_of_a_color_is_the_most_pegs_that_a_guess_gives_it():
    board = Board.parse("5x6/11122=1.1/33456=?.2/66661=2.?")
    assert System.of(board).depths() == {0: 3, 1: 2, 2: 2, 3: 1, 4: 1, 5: 1}
    assert System.of(Board.parse("5x6b/11122=1")).depths() == {}
    assert System.of(Board(Game.parse("4x6"))).depths() == {}


@given(systems())
def test_a_system_is_satisfied_by_its_solutions(system):
    every = product(range(system.facts.colors), repeat=system.facts.pegs)
    codes = [code for code in every if system.satisfies(code)]
    assert codes == [code for code, _ in twins.solutions(system)]


def test_a_count_in_a_conjunction_is_as_deep_as_another():
    facts = Facts(4, 2)
    joint = (facts.at(0, 1), -facts.least(0, 4), facts.least(1, 1))
    assert depths(facts, [Claim((joint, facts.least(1, 2)), 0, 1)]) == {0: 4, 1: 2}


def test_a_denied_count_is_as_deep_as_its_opposite():
    facts = Facts(4, 2)
    claims = [Claim((-facts.least(0, 3), facts.at(0, 1)), 0, 1), Claim((facts.least(0, 2),), 1, 1)]
    assert depths(facts, claims) == {0: 3}
