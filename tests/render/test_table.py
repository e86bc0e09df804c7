"""Tables, fields and paragraphs: their words, widths and line breaks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmsat.render import Span, fields, paragraphs, plain, table

WORDS = st.text("abcxyz", min_size=1, max_size=9)
TEXTS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)


@given(st.lists(st.tuples(WORDS, WORDS, TEXTS), max_size=5), st.integers(50, 120))
def test_tables_keep_every_word_and_fit(rows, width):
    """All words are printed in order, and no line is too wide."""
    lines = [plain(line) for line in table(["one", "two", "three"], rows, width)]
    words = " ".join(" ".join(lines).split())
    assert words == " ".join(["one two three", *(" ".join(row) for row in rows)])
    assert max(map(len, lines)) <= width


@given(st.lists(st.tuples(WORDS, TEXTS), max_size=5))
def test_without_a_width_each_row_is_one_line(rows):
    assert len(list(table(["one", "two"], rows, None))) == len(rows) + 1
    assert len(list(paragraphs([text for _, text in rows], None))) == len(rows)


def test_columns_of_numbers_are_right_aligned():
    lines = [
        plain(line) for line in table(["n", "x"], [["1", "a"], ["100", "b"]], 80, right_aligned=[0])
    ]
    assert lines == ["  n  x", "  1  a", "100  b"]


@pytest.mark.parametrize("width", [None, 40])
def test_empty_fields_are_omitted(width):
    lines = [plain(line) for line in fields({"a": "1", "long": "", "b": "2 " * 15}, width)]

    assert lines[0] == "a     1"
    assert not any(line.startswith("long") for line in lines)
    assert len(lines) == 2


def test_words_are_never_broken():
    word = "4x6/" + "1122=1.1/" * 20
    lines = [plain(line) for line in fields({"board": word}, 40)]
    assert lines == [f"board  {word}"]


def test_paragraphs_wrap_with_an_indent():
    lines = [plain(line) for line in paragraphs(["word " * 20], 40)]
    assert len(lines) > 1
    assert not lines[0].startswith(" ")
    assert all(line.startswith("  word") for line in lines[1:])


def test_plain_text_has_no_trailing_blanks():
    assert plain([Span("a "), Span("  ", "dim")]) == "a"


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=4), st.integers(40, 100))
def test_no_table_is_wider_than_the_screen(rows, width):
    """If the columns do not fit side by side, they are stacked."""
    lines = [plain(line) for line in table(("name", "of", "what it is"), rows, width)]
    assert max(map(len, lines)) <= width
    text = " ".join(lines).replace(";", " ").split()
    all_rows = [("name", "of", "what it is"), *rows]
    assert sorted(text) == sorted(word for row in all_rows for cell in row for word in cell.split())
