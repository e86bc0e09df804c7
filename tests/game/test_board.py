"""Boards: their consistent codes, and boards derived from other boards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.game.scoring import MAX_SCORE_NUMBER
from tests.support import strategies, twins


@given(board=strategies.boards(strategies.small_games()))
def test_the_consistent_codes_are_those_of_the_twin(board):
    codes = set(twins.consistent(board))
    for code in strategies.product_of(board.game):
        assert board.is_consistent(code) == (code in codes)


@given(played=strategies.played_boards())
def test_the_board_of_a_played_game_is_consistent_with_its_code(played):
    board, code = played
    assert board.is_consistent(code)
    assert code in twins.consistent(board)


@given(boards=strategies.slipped_boards())
def test_a_slip_changes_one_score_and_undoing_it_restores_the_board(boards):
    board, slipped = boards
    changed_rows = [
        index
        for index, rows in enumerate(zip(board.rows, slipped.rows, strict=True))
        if len(set(rows)) > 1
    ]
    assert len(changed_rows) == 1
    assert slipped.changed({changed_rows[0]: board.rows[changed_rows[0]].score}) == board
    assert twins.least_wrong(slipped) <= 1


@given(board=strategies.boards(strategies.small_games()), data=st.data())
def test_codes_stay_consistent_if_rows_are_removed(board, data):
    kept_rows = data.draw(
        st.sets(st.integers(0, len(board.rows) - 1)) if board.rows else st.just(set())
    )
    smaller_board = board.only(sorted(kept_rows))
    assert smaller_board.rows == tuple(
        row for index, row in enumerate(board.rows) if index in kept_rows
    )
    assert set(twins.consistent(board)) <= set(twins.consistent(smaller_board))


@given(board=strategies.boards())
def test_equal_boards_have_equal_hashes(board):
    copy = Board(board.game, tuple(Row(list(g), list(s)) for g, s in board.rows))
    assert copy == board
    assert len({copy, board}) == 1


@pytest.mark.parametrize(
    ("guess", "score"),
    [
        ((0, 1, 2), (0, 0)),
        ((0, 1, 2, 6), (0, 0)),
        ((0, 1, 2, -2), (0, 0)),
        ((0, 1, 2, 1.0), (0, 0)),
        ((0, 1, 2, 3), (0,)),
        ((0, 1, 2, 3), (0, -1)),
        ((0, 1, 2, 3), (0, MAX_SCORE_NUMBER + 1)),
        ((0, 1, 2, 3), (0, True)),
        ((0, 1, 2, 3), (0, "1")),
    ],
)
def test_a_row_that_does_not_fit_the_game_is_an_input_error(guess, score):
    with pytest.raises(InputError, match="row 2"):
        Board(Game(4, 6), (Row((0, 0, 0, 0), (0, None)), Row(guess, score)))


@given(board=strategies.boards(strategies.word_games()))
def test_the_guess_of_a_row_may_be_outside_the_word_list(board):
    game = board.game
    row = Row((0,) * game.pegs, (None,) * len(game.parts))
    assert Board(game, (*board.rows, row)).rows[-1] == row
    assert board.with_row(*row).rows[-1] == row
    invalid_row = Row((game.colors,) * game.pegs, row.score)
    place = f"guess of row {len(board.rows) + 1}"
    with pytest.raises(InputError, match=f"{place}: expected a guess as text, or {game.pegs}"):
        Board(game, (*board.rows, invalid_row))


@pytest.mark.parametrize("name", ["daily-word", "secret-search-3"])
def test_an_unknown_mark_is_an_input_error(name):
    game = PUBLISHED_GAMES[name].game
    guess = game.space.codes[0]
    valid_score = tuple([0, 1, 2, None, 0][: game.pegs])
    assert Board(game, (Row(guess, valid_score),)).rows[0].score == valid_score
    for invalid_mark in (3, -1, True, "G", 1.0):
        with pytest.raises(InputError, match="or None for unread marks"):
            Board(game, (Row(guess, (*valid_score[:-1], invalid_mark)),))
    with pytest.raises(InputError, match="or None for unread marks"):
        Board(game, (Row(guess, valid_score[:-1]),))


@pytest.mark.parametrize(
    "value", [5, None, [1.5, 2, 3, 4], {0, 1, 2, 3}, {0: 1}, b"1122", (True,) * 4]
)
def test_a_code_that_is_not_a_sequence_of_whole_numbers_is_an_input_error(value):
    board = Board.parse("4x6/1122=1.1")
    for method in (board.is_consistent, board.game.contains):
        with pytest.raises(
            InputError, match=r"code: expected a code as text, or 4 colors from 0 to 5, found "
        ):
            method(value)
        assert not method((0, 0, 1))
        assert not method((0, 0, 1, 6))
