"""Simplification of two-color boards: it keeps the codes, and its certificates are valid."""

from __future__ import annotations

import random
from collections import Counter

from mmsat.constraints.parities import Certificate
from mmsat.constraints.two_colors import read_equations, simplify_equations, simplify_two_colors
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.limits import LIMITS
from mmsat.reductions.families import generate
from tests.support import tiers, twins
from tests.support.two_color_boards import known_boards, short_solutions


def test_the_codes_of_the_systems_are_those_of_the_board():
    outcomes = Counter()
    for board, codes in known_boards(tiers.share(3000, least=1000), seed=6):
        results = [
            code for system in simplify_two_colors(board) for code, _ in twins.solutions(system)
        ]
        assert sorted(results) == codes, str(board)
        for equations in read_equations(board):
            rows = simplify_equations(equations)
            if isinstance(rows, Certificate):
                assert rows.proves(equations)
                outcomes[rows.modulus] += 1
            else:
                outcomes["fewer equations"] += len(rows) < len(equations.totals)
    assert min(outcomes[modulus] for modulus in (0, 2, 4)) > tiers.at_least(5)
    assert outcomes["fewer equations"] > tiers.at_least(300)


def test_a_contradiction_of_several_rows_is_found():
    """Each two rows are consistent, but the parities of three rows contradict each other."""
    board = Board.parse("6x2/111111=3.0/221111=3.2/122111=3.2/212111=3.2/111222=2.4")
    (equations,) = read_equations(board)
    result = simplify_equations(equations)
    assert isinstance(result, Certificate)
    assert result.proves(equations)
    assert twins.consistent(board) == []


def test_a_long_equation_is_shortened_to_the_variables_of_nodes():
    """In a cubic graph, the equations of all edges together shorten that of the weight."""
    board = generate("vertex-cover-regular", 10, seed=1).board
    (equations,) = read_equations(board)
    rows = simplify_equations(equations)
    assert isinstance(rows, list)
    longest_row = max(rows, key=len)
    assert len(longest_row) == 20
    assert all(len(row) == 3 for row in rows if row is not longest_row)


def test_implied_long_equations_are_dropped():
    rows = simplify_equations(next(read_equations(generate("one-in-three-3sat", 30, seed=1).board)))
    assert isinstance(rows, list)
    assert max(map(len, rows)) == 3


def test_no_rows_give_no_equations_and_equal_rows_give_one():
    (equations,) = read_equations(Board.parse("5x2b"))
    assert simplify_equations(equations) == []
    (equations,) = read_equations(Board(Game.parse("5x2b"), Board.parse("5x2b/11111=2").rows * 3))
    assert len(simplify_equations(equations)) == 1


def test_without_elimination_the_codes_are_the_same(monkeypatch):
    monkeypatch.setattr(LIMITS, "elimination_coefficients", 0)
    for board, codes in known_boards(tiers.share(300), seed=7):
        results = [
            code for system in simplify_two_colors(board) for code, _ in twins.solutions(system)
        ]
        assert sorted(results) == codes, str(board)


def test_elimination_solves_dense_boards_with_more_rows_than_pegs():
    rng = random.Random(8)
    game = Game.parse("40x2b")
    secret, *guesses = [tuple(rng.randrange(2) for _ in range(40)) for _ in range(61)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    (equations,) = read_equations(board)
    rows = simplify_equations(equations)
    assert isinstance(rows, list)
    assert len(rows) == 40
    wrong_board = board.changed({50: (board.rows[50].score[0] + 2,)})
    (equations,) = read_equations(wrong_board)
    result = simplify_equations(equations)
    assert isinstance(result, Certificate)
    assert result.proves(equations)
    assert result.modulus in (0, 4)


def test_the_simplified_equations_have_the_codes_of_the_board():
    for board, codes in known_boards(tiers.share(300), seed=9):
        results = []
        for equations in read_equations(board):
            rows = simplify_equations(equations)
            if isinstance(rows, list):
                results += short_solutions(rows, board.game.pegs)
        assert sorted(results) == codes
