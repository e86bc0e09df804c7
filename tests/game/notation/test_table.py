"""Tables of rows that commands print can be pasted as boards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.game.notation.board_reader import speller
from mmsat.render import plain
from mmsat.render.board import PIPE, BoardTable, Style
from tests.support.cli_runner import SLIPPED, run
from tests.support.strategies import boards, games

STYLES = [PIPE, Style(40), Style(80, painted=True, symbols=True), Style(30, True, True)]
CHANCES = [Fraction(0), Fraction(1, 3), Fraction(1, 1000), Fraction(1)]
published_games = st.sampled_from([game.game for game in PUBLISHED_GAMES.values()])


@given(boards(st.one_of(games(), published_games)), st.data())
def test_a_printed_table_reads_back_as_the_same_board(board, data):
    """The table has any width and style, with marked rows, chances, corrections and a code."""
    rows = st.sampled_from(range(len(board.rows))) if board.rows else st.nothing()
    marked_rows = data.draw(st.sets(rows))
    changes = {row: board.rows[row].score for row in data.draw(st.sets(rows))}
    chances = data.draw(st.sampled_from([(), [data.draw(st.sampled_from(CHANCES))] * 5]))
    style = data.draw(st.sampled_from(STYLES))
    table = BoardTable(
        board, style, [*marked_rows], changes, "in conflict", chances=chances[: len(board.rows)]
    )
    printed = [plain(line) for line in table.lines(every_row=True, code=(0,) * board.game.pegs)]
    text_below = ["", "Inconsistent: no code gets these scores.", "  1 black, as it is wrapped"]
    assert mmsat.Board.parse("\n".join([*printed, *text_below])) == board


def test_the_output_of_check_and_explain_reads_back():
    for command in ("check", "explain"):
        printed = run(command, SLIPPED).stdout
        checked_again = run("check", "-", stdin=printed)
        assert (checked_again.stdout, checked_again.stderr) == (run("check", SLIPPED).stdout, "")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("line", ["4x6/1122=1.1/1233=known/1234=known", "5x26p/CRANE=-Y-Y-"])
def test_known_codes_in_a_table_read_back(line, style):
    board = mmsat.Board.parse(line)
    code = mmsat.codes(board).sample(1, seed=1)[0]
    board = replace(board, known=(*board.known, code))
    printed = [plain(entry) for entry in BoardTable(board, style).lines(code=code)]
    assert mmsat.Board.parse("\n".join(printed)) == board


@pytest.mark.parametrize("game", [game.game for game in PUBLISHED_GAMES.values()], ids=str)
def test_a_table_of_any_game_reads_back_with_its_game(game):
    """Boards without rows, and rows that also fit 4x6 or bulls and cows, are tested, too."""
    for line in (f"{game}/{speller(game).example}", f"{game}"):
        board = mmsat.Board.parse(line)
        for result in (mmsat.check(board, reason=0), mmsat.explain(board)):
            assert mmsat.Board.parse(str(result)) == board


def test_a_table_that_omits_rows_is_an_input_error():
    line = "/".join(["4x6", *["1122=1.1"] * 60])
    printed = "\n".join(
        plain(row) for row in BoardTable(mmsat.Board.parse(line), PIPE, [3]).lines()
    )
    with pytest.raises(mmsat.InputError, match="expected all rows"):
        mmsat.Board.parse(printed)


@pytest.mark.parametrize("game", [game.game for game in PUBLISHED_GAMES.values()], ids=str)
def test_the_example_of_a_game_is_a_code_of_it(game):
    """The web page shows the example in an empty field for a guess."""
    (row,) = mmsat.Board.parse(f"{game}/{speller(game).example}").rows
    assert game.contains(row.guess)
