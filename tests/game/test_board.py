"""Boards: which codes are consistent with them, and boards made of boards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.published import PUBLISHED_GAMES
from mmsat.game.row import Row
from mmsat.game.scoring import MAX_SCORE_NUMBER
from tests.support import strategies, twins


@given(board=strategies.boards(strategies.small_games()))
def test_the_consistent_codes_are_those_of_the_list(board):
    codes = set(twins.consistent(board))
    for code in strategies.product_of(board.game):
        assert board.is_consistent(code) == (code in codes)


@given(played=strategies.played_boards())
def test_a_game_is_consistent_with_its_code(played):
    board, code = played
    assert board.is_consistent(code)
    assert code in twins.consistent(board)


@given(boards=strategies.slipped_boards())
def test_a_slip_changes_one_score_and_undoing_it_brings_the_board_back(boards):
    true, slipped = boards
    differ = [
        n for n, rows in enumerate(zip(true.rows, slipped.rows, strict=True)) if len(set(rows)) > 1
    ]
    assert len(differ) == 1
    assert slipped.changed({differ[0]: true.rows[differ[0]].score}) == true
    assert twins.least_wrong(slipped) <= 1


@given(board=strategies.boards(strategies.small_games()), data=st.data())
def test_only_some_rows_leave_more_codes(board, data):
    picked = data.draw(
        st.sets(st.integers(0, len(board.rows) - 1)) if board.rows else st.just(set())
    )
    fewer = board.only(sorted(picked))
    assert fewer.rows == tuple(row for n, row in enumerate(board.rows) if n in picked)
    assert set(twins.consistent(board)) <= set(twins.consistent(fewer))


@given(board=strategies.boards())
def test_equal_boards_are_one_in_a_set(board):
    again = Board(board.game, tuple(Row(list(g), list(s)) for g, s in board.rows))
    assert again == board
    assert len({again, board}) == 1


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
def test_a_row_of_another_game_is_an_input_error(guess, score):
    with pytest.raises(InputError, match="row 2"):
        Board(Game(4, 6), (Row((0, 0, 0, 0), (0, None)), Row(guess, score)))


@given(board=strategies.boards(strategies.word_games()))
def test_a_guess_that_was_made_may_be_outside_the_list(board):
    game = board.game
    row = Row((0,) * game.pegs, (None,) * len(game.parts))
    assert Board(game, (*board.rows, row)).rows[-1] == row
    assert board.with_row(*row).rows[-1] == row
    beyond = Row((game.colors,) * game.pegs, row.score)
    with pytest.raises(InputError, match=rf"row {len(board.rows) + 1}: expected {game.pegs} color"):
        Board(game, (*board.rows, beyond))


@pytest.mark.parametrize("name", ["daily-word", "secret-search-3"])
def test_a_mark_is_one_of_the_marks(name):
    game = PUBLISHED_GAMES[name].game
    guess = game.space.codes[0]
    good = tuple([0, 1, 2, None, 0][: game.pegs])
    assert Board(game, (Row(guess, good),)).rows[0].score == good
    for wrong in (3, -1, True, "G", 1.0):
        with pytest.raises(InputError, match="or None for unread marks"):
            Board(game, (Row(guess, (*good[:-1], wrong)),))
    with pytest.raises(InputError, match="or None for unread marks"):
        Board(game, (Row(guess, good[:-1]),))


@pytest.mark.parametrize(
    "thing", [5, None, [1.5, 2, 3, 4], {0, 1, 2, 3}, {0: 1}, b"1122", (True,) * 4]
)
def test_only_a_sequence_of_whole_numbers_can_be_asked_for_as_a_code(thing):
    board = Board.parse("4x6/1122=1.1")
    for ask in (board.is_consistent, board.game.contains):
        with pytest.raises(
            InputError, match=r"code: expected a code as text, or 4 colors from 0 to 5, found "
        ):
            ask(thing)
        assert not ask((0, 0, 1))
        assert not ask((0, 0, 1, 6))
