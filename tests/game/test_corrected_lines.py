"""Texts that are nearly boards: the message has the board, or what to do instead."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.errors import InputError
from mmsat.game.notation import board_reader, board_text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("4x6/1122=1.1, 3345=0.2", "4x6/1122=1.1/3345=0.2"),
        ("4x6;1122=1.1;3345=0.2", "4x6/1122=1.1/3345=0.2"),
        ("4x6 1122 1.1 3345 0.2", "4x6/1122=1.1/3345=0.2"),
        ("wordle stare --Y-G", "wordle/stare=--Y-G"),
        ("4x6,1122=1.1", "4x6/1122=1.1"),
    ],
)
def test_rows_with_other_separators_are_corrected(text, line):
    with pytest.raises(InputError, match="did you mean") as caught:
        mmsat.Board.parse(text)
    assert f"did you mean {line}?" in str(caught.value)
    assert mmsat.Board.parse(line).rows


@pytest.mark.parametrize("text", ["4x6/1122=1.1, 3345=x", "4x6 hello world", "7y6;1122=1.1"])
def test_other_texts_keep_their_message(text):
    with pytest.raises(InputError) as caught:
        mmsat.Board.parse(text)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("game,turn,guess,black,white\n7,1,1122,1,1\n8,1,1122,0,0\n", "mmsat audit"),
        ("Game 1\n1122=1.1\n\nGame 2\n1122=1.1\n", "one board line per line"),
        ("4x6/1122=1.1\n5x8/11223=1.1\n", "2 boards, one per line"),
    ],
)
def test_files_of_several_games_are_refused_with_the_way_to_read_them(text, advice):
    with pytest.raises(InputError) as caught:
        mmsat.Board.parse(text)
    assert advice in str(caught.value)


def test_a_table_of_many_rows_is_refused_after_its_first_rows(monkeypatch):
    """Reading a row in all notations is slow; other files can be long."""
    rows_read = []
    cut_row = board_reader.BoardReader._cut_row

    def count_row(self, *arguments):
        rows_read.append(1)
        return cut_row(self, *arguments)

    monkeypatch.setattr(board_reader.BoardReader, "_cut_row", count_row)
    text = "game,turn,guess,black,white\n" + "7,1,1122,1,1\n" * 500
    with pytest.raises(InputError):
        mmsat.Board.parse(text)
    assert 0 < len(rows_read) <= 2 * len(board_text.CLASSIC_GAMES) * board_text.NUM_SAMPLE_ROWS


def test_errors_in_a_loaded_file_name_the_file(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text("4x6/1122=1.1\n5x8/11223=1.1\n")
    with pytest.raises(InputError, match=r"boards\.txt: expected one board"):
        mmsat.Board.load(path)


@pytest.mark.parametrize("name", ["4x6/1122=1.1", "wordle/CRANE=GGGGG"])
def test_a_board_in_place_of_a_game_is_recognized(name):
    with pytest.raises(InputError, match=f"only the game, {name.partition('/')[0]}, found"):
        mmsat.Game.parse(name)


def test_a_score_needs_a_code_of_the_game():
    with pytest.raises(InputError, match="a code of bulls-and-cows"):
        mmsat.score("bulls-and-cows", "1134", "1325")
    assert mmsat.score("bulls-and-cows", "1345", "1135") == (2, 1)
