"""Boards as tables: contents, widths and line breaks."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat.game import Row
from mmsat.game.notation.board_reader import speller
from mmsat.render import NAMED_COLORS, plain
from mmsat.render.board import MAX_ROWS, MAX_TOTAL_PEGS, BoardTable, Style, paint_odds
from tests.support.strategies import boards

WIDTHS = st.integers(40, 160)
STYLES = st.builds(Style, WIDTHS, painted=st.booleans(), symbols=st.booleans())
KEYS = "●○◆·"


def lines(board, style, marked=(), changes=None, *, is_named=False, **options):
    table = BoardTable(board, style, marked, changes)
    return [plain(line) for line in table.lines(is_named=is_named, **options)]


def read_back(shown, board):
    """Return the rows that a table shows, parsed like a reader does."""
    game = board.game
    symbols = list(speller(game).symbols) or [str(color + 1) for color in range(game.colors)]
    marks = [mark.symbol for mark in game.scoring.marks]
    parts = 0 if marks else len(game.parts)
    rows = []
    for number, line in enumerate(shown[1:]):
        words = [word for word in line.removeprefix("!").split() if not set(word) <= set(KEYS)]
        if marks and number % 2:
            rows[-1][1].extend(None if word == "?" else marks.index(word) for word in words)
        elif line[2:5].strip():
            pegs = words[1 : len(words) - parts]
            score = [None if word == "?" else int(word) for word in words[len(words) - parts :]]
            rows.append(([symbols.index(word) for word in pegs], score))
        else:
            rows[-1][0].extend(symbols.index(word) for word in words)
    return tuple(Row(tuple(guess), tuple(score)) for guess, score in rows)


@given(boards(), STYLES)
def test_tables_read_back(board, style):
    """All pegs and scores are printed in order, for any width and style."""
    shown = lines(board, style)
    assert read_back(shown, board) == board.rows
    assert bool(shown) == bool(board.rows)
    named = "\n".join(lines(board, style, is_named=True, every_row=True))
    assert mmsat.Board.parse(named) == board


@given(boards(), STYLES)
def test_tables_fit(board, style):
    """No line is wider than the terminal, or than 40 columns if the terminal is narrower."""
    min_width = 40
    for line in lines(board, style):
        assert len(line) <= max(style.width, min_width)


@given(boards(max_rows=6), STYLES, st.data())
def test_only_marked_rows_have_a_mark_and_only_corrected_rows_an_arrow(board, style, data):
    numbers = st.integers(0, max(0, len(board.rows) - 1))
    row_lists = st.lists(numbers, unique=True) if board.rows else st.just([])
    marked, corrected = data.draw(row_lists), data.draw(row_lists)
    correction = (1,) * len(board.game.parts)
    shown = lines(board, style, marked, dict.fromkeys(corrected, correction))[1:]
    rows = [line for line in shown if line[2:5].strip()]
    assert [n for n, line in enumerate(rows) if line.startswith("!")] == sorted(marked)
    if board.game.scoring.marks:
        starts = {line.partition("->")[0] for line in shown if "->" in line}
        assert starts <= {""}
        assert sum("->" in line for line in shown) >= len(corrected)
    else:
        arrow = f"  -> {speller(board.game).print_score(correction)}"
        assert [n for n, line in enumerate(rows) if line.endswith(arrow)] == sorted(corrected)


def test_the_table_of_a_small_board():
    board = mmsat.Board.parse("4x6/1122=1.1/3345=0.?")
    assert lines(board, Style(), [1], {1: (0, 2)}, code=(0, 1, 2, 3), is_named=True) == [
        "4x6",
        "  row  guess    black  white",
        "    1  1 1 2 2      1      1",
        "!   2  3 3 4 5      0      ?  -> 0.2",
        "code   1 2 3 4",
    ]


def test_marks_are_printed_below_their_letters():
    board = mmsat.Board.parse("5x26p/CRANE=G-Y-?")
    assert lines(board, Style(), [0], {0: (0, 0, 1, 1, None)}) == [
        "  row  guess",
        "!   1  C R A N E",
        "       G - Y - ?",
        "->     - - Y Y ?",
    ]


@pytest.mark.parametrize(
    ("line", "paints"),
    [
        ("4x6/1123=1.1", ["red", "red", "green", "blue"]),
        ("word/GIRL=1.1", ["black"] * 4),
        ("daily-word/CRANE=G-Y-?", ["green", "black", "yellow", "black", "black"]),
        ("5x26o/CRANE=RLEEL", ["green", "blue", "yellow", "yellow", "blue"]),
    ],
)
def test_letters_have_the_paint_of_their_mark(line, paints):
    board = mmsat.Board.parse(line)
    (row,) = board.rows
    shown = BoardTable(board, Style(painted=True)).pegs(row.guess, row.score)
    names = [*NAMED_COLORS]
    assert [names[span.color] for span in shown if span.style == "peg"] == paints


def test_blue_key_pegs_are_diamonds():
    board = mmsat.Board.parse("4x5x5/1A2B3C4D=1.1.3")
    assert "●○◆◆◆···" in lines(board, Style(symbols=True))[1]


def test_key_pegs_show_the_score():
    board = mmsat.Board.parse("4x6/1122=1.2/1122=?.?/1122=4.0/1122=9.9")
    table = lines(board, Style(symbols=True))
    assert [re.findall(f"[{KEYS}]+", line) for line in table[1:]] == [
        ["●○○·"],
        ["····"],
        ["●●●●"],
        ["●●●●"],
    ]


@pytest.mark.parametrize(("pegs", "pegs_per_line"), [(29, 29), (30, 30), (31, 30), (100, 30)])
def test_wide_guesses_break_at_round_numbers(pegs, pegs_per_line):
    """Thirty pegs fit on a line of eighty columns; more are wrapped in groups of thirty."""
    rng = random.Random(pegs)
    game = mmsat.Game.parse(f"{pegs}x6")
    guess = tuple(rng.randrange(6) for _ in range(pegs))
    board = mmsat.Board(game, (Row(guess, (1, 1)),))

    assert BoardTable(board, Style()).columns.pegs_per_line == pegs_per_line


def test_large_boards_show_only_marked_rows():
    rows = ["1122=1.1"] * (MAX_ROWS + 1)
    board = mmsat.Board.parse("/".join(["4x6", *rows]))
    cut = lines(board, Style(), [3], {7: (1, 1)})

    assert len(cut) == 4
    assert cut[-1] == f"  and {MAX_ROWS - 1} more rows"
    assert len(lines(board, Style(), [3], every_row=True)) == MAX_ROWS + 2
    assert lines(board, Style()) == [f"  {MAX_ROWS + 1} rows, not shown"]


def test_boards_with_long_rows_show_only_marked_rows():
    game = mmsat.Game(MAX_TOTAL_PEGS // 2, 6)
    board = mmsat.Board(game, [Row((0,) * game.pegs, (1, 1))] * 3)

    assert lines(board, Style()) == ["  3 rows, not shown"]
    assert lines(board, Style(), [1])[-1] == "  and 2 more rows"
    for shown in (lines(board.only([0, 1]), Style()), lines(board, Style(), every_row=True)):
        assert len(shown) > MAX_TOTAL_PEGS // 40
        assert "more" not in shown[-1]


def test_long_row_numbers_are_aligned():
    board = mmsat.Board.parse("/".join(["4x6", *["1122=1.1"] * 10_000]))
    shown = lines(board, Style(), every_row=True)

    assert {len(line) for line in shown} == {len(shown[0])}
    assert shown[-1].split()[0] == "10000"


def test_the_colors_of_odds_are_scaled_to_the_highest_chance():
    """Cells and scale are in percent, so that small chances are still distinguished."""
    pytest.importorskip("matplotlib")
    for line in ("bulls-and-cows/9305=1A2B", "4x6/1234=4.0", "4x6/1122=1.1"):
        odds = mmsat.codes(line).odds()
        axes = paint_odds(odds)
        (image,) = axes.images
        highest = 100 * odds.array().max()
        assert image.get_clim() == (0, pytest.approx(highest or 100))
        assert float(image.get_array().max() or 0) == pytest.approx(highest)
        numbers = [text.get_text().strip("<>") for text in axes.texts]
        assert max(float(number) for number in numbers if number != "-") == pytest.approx(
            highest, abs=1
        )
