"""The whole of the algebra: codes and their number unchanged, every refutation checked."""

from __future__ import annotations

import random
from collections import Counter

from mmsat.constraints.parities import Certificate
from mmsat.constraints.two_colors import read_equations, simplify, systems
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.limits import LIMITS
from mmsat.reductions.families import generate
from tests.support import tiers, twins
from tests.support.two_color_boards import known_boards, short_solutions


def test_the_codes_of_the_systems_are_those_of_the_board():
    kinds = Counter()
    for board, codes in known_boards(tiers.share(3000, least=1000), seed=6):
        results = [code for system in systems(board) for code, _ in twins.solutions(system)]
        assert sorted(results) == codes, str(board)
        for equations in read_equations(board):
            rows = simplify(equations)
            if isinstance(rows, Certificate):
                assert rows.proves(equations)
                kinds[rows.modulus] += 1
            else:
                kinds["fewer"] += len(rows) < len(equations.totals)
    assert min(kinds[kind] for kind in (0, 2, 4)) > tiers.at_least(5)
    assert kinds["fewer"] > tiers.at_least(300)


def test_a_contradiction_is_found_by_the_rows_that_make_it():
    """Each pair of rows is fine; by parity the three are not, as 2 (x + y + z) is odd in halves."""
    board = Board.parse("6x2/111111=3.0/221111=3.2/122111=3.2/212111=3.2/111222=2.4")
    (equations,) = read_equations(board)
    result = simplify(equations)
    assert isinstance(result, Certificate)
    assert result.proves(equations)
    assert twins.consistent(board) == []


def test_what_is_left_of_the_weight_speaks_of_nodes_alone():
    """Cubic vertex cover: all edges' equations together leave the number of nodes outside."""
    board = generate("vertex-cover-regular", 10, seed=1).board
    (equations,) = read_equations(board)
    rows = simplify(equations)
    assert isinstance(rows, list)
    longest = max(rows, key=len)
    assert len(longest) == 20
    assert all(len(row) == 3 for row in rows if row is not longest)


def test_rows_that_others_imply_are_dropped():
    rows = simplify(next(read_equations(generate("one-in-three-3sat", 30, seed=1).board)))
    assert isinstance(rows, list)
    assert max(map(len, rows)) == 3


def test_a_board_without_rows_or_with_one_row_often_stays_open():
    (equations,) = read_equations(Board.parse("5x2b"))
    assert simplify(equations) == []
    (equations,) = read_equations(Board(Game.parse("5x2b"), Board.parse("5x2b/11111=2").rows * 3))
    assert len(simplify(equations)) == 1


def test_large_boards_go_without_elimination_and_stay_the_same(monkeypatch):
    monkeypatch.setattr(LIMITS, "elimination_coefficients", 0)
    for board, codes in known_boards(tiers.share(300), seed=7):
        results = [code for system in systems(board) for code, _ in twins.solutions(system)]
        assert sorted(results) == codes, str(board)


def test_dense_boards_with_more_rows_than_pegs_are_solved_by_elimination_alone():
    rng = random.Random(8)
    game = Game.parse("40x2b")
    secret, *guesses = [tuple(rng.randrange(2) for _ in range(40)) for _ in range(61)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    (equations,) = read_equations(board)
    rows = simplify(equations)
    assert isinstance(rows, list)
    assert len(rows) == 40
    wrong = board.changed({50: (board.rows[50].score[0] + 2,)})
    (equations,) = read_equations(wrong)
    result = simplify(equations)
    assert isinstance(result, Certificate)
    assert result.proves(equations)
    assert result.modulus in (0, 4)


def test_short_rows_of_a_simplified_board_have_the_codes():
    for board, codes in known_boards(tiers.share(300), seed=9):
        results = []
        for equations in read_equations(board):
            rows = simplify(equations)
            if isinstance(rows, list):
                results += short_solutions(rows, board.game.pegs)
        assert sorted(results) == codes
