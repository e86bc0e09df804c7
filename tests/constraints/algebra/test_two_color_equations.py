"""Boards as equations: each code satisfies the equations of exactly one weight."""

from __future__ import annotations

import pytest

from mmsat.constraints import is_linear_board
from mmsat.constraints.two_colors import possible_weights, read_equations
from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from tests.support import tiers
from tests.support.two_color_boards import known_boards, solutions


def test_each_code_satisfies_the_equations_of_exactly_one_weight():
    boards = known_boards(tiers.share(2500, least=800), seed=1)
    for board, codes in boards:
        results = [code for equations in read_equations(board) for code in solutions(equations)]
        assert sorted(results) == codes, str(board)
    weight_counts = [len(possible_weights(board)) for board, _ in boards]
    assert {0, 1, 2} < set(weight_counts)
    assert {bool(codes) for _, codes in boards} == {True, False}
    assert {str(board.game)[3:] for board, _ in boards} == {"", "b", "w", "d", "db", "dw"}


def test_each_equation_has_the_row_that_it_was_read_from():
    for board, _ in known_boards(tiers.share(200), seed=2):
        for equations in read_equations(board):
            assert len(equations.sources) == len(equations.totals) == len(equations.signs)
            assert (equations.sources[:1] == (None,)) == (equations.weight is not None)
            for source, signs in zip(equations.sources, equations.signs.tolist(), strict=True):
                guess = board.rows[source].guess if source is not None else (1,) * equations.pegs
                assert signs == [2 * color - 1 for color in guess]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("4x2b/1122=3", [None]),
        ("4x2b", [None]),
        ("4x2w/1122=3", [1, 3]),
        ("4x2w/1122=4", [2]),
        ("4x2/1111=1.0", [3]),
        ("4x2/1122=1.2", [1, 3]),
        ("4x2/1122=2.1", []),
        ("4x2/1122=1.1", []),
        ("4x2/1122=3.1", []),
        ("4x2/1122=?.2", [1, 2, 3]),
        ("4x2/1122=?.1", []),
        ("4x2w/1122=3/1112=4", [1]),
        ("4x2w/1111=2/2222=3", []),
        ("2x2!", [1]),
        ("1x2!w/1=0", [1]),
    ],
)
def test_each_row_excludes_some_weights(line, expected):
    assert possible_weights(Board.parse(line)) == expected


@pytest.mark.parametrize("size", ["4x3", "4x1", "4x2p", "4x2o", "4x1x2", "4x6b"])
def test_other_games_are_refused(size):
    assert not is_linear_board(Board(Game.parse(size)))
    for read in (possible_weights, lambda board: list(read_equations(board))):
        with pytest.raises(InputError, match="two colors") as caught:
            read(Board(Game.parse(size)))
        assert size in str(caught.value)
