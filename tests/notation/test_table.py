"""What mmsat prints of a board, mmsat reads: the table of rows, pasted back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat.game.variants import VARIANTS
from mmsat.render.board import PIPE, BoardTable, Style
from mmsat.render.spans import plain
from tests.cli.runner import SLIPPED, run
from tests.strategies import boards, games

STYLES = [PIPE, Style(40), Style(80, painted=True, symbols=True), Style(30, True, True)]
CHANCES = [Fraction(0), Fraction(1, 3), Fraction(1, 1000), Fraction(1)]
published = st.sampled_from([game.game for game in VARIANTS.values()])


@given(boards(st.one_of(games(), published)), st.data())
def test_a_printed_table_is_the_board_again(board, data):
    """In a pipe, on a terminal, narrow or wide; with marks, chances, corrections and a code."""
    rows = st.sampled_from(range(len(board.rows))) if board.rows else st.nothing()
    marked = data.draw(st.sets(rows))
    changes = {row: board.rows[row].score for row in data.draw(st.sets(rows))}
    chances = data.draw(st.sampled_from([(), [data.draw(st.sampled_from(CHANCES))] * 5]))
    style = data.draw(st.sampled_from(STYLES))
    table = BoardTable(
        board, style, [*marked], changes, "in conflict", chances=chances[: len(board.rows)]
    )
    printed = [plain(line) for line in table.lines(every_row=True, code=(0,) * board.game.pegs)]
    below = ["", "Inconsistent: no code gets these scores.", "  1 black, as it is wrapped"]
    text = "\n".join([str(board.game), *printed, *below])
    assert mmsat.Board.parse(text) == board


def test_what_check_and_explain_print_is_taken_back():
    for command in ("check", "explain"):
        printed = run(command, SLIPPED).stdout
        assert run("check", "-", stdin=f"4x6\n{printed}").stdout == run("check", SLIPPED).stdout
        again = run("check", "-", stdin=printed)  # a guess repeats a color: this is 4x6
        assert again.exit_code == 20
        assert "read as 4x6" in again.stderr


def test_a_table_that_hides_rows_is_refused():
    line = "/".join(["4x6", *["1122=1.1"] * 60])
    printed = "\n".join(
        plain(row) for row in BoardTable(mmsat.Board.parse(line), PIPE, [3]).lines()
    )
    with pytest.raises(mmsat.InputError, match="expected every row"):
        mmsat.Board.parse(f"4x6\n{printed}")
