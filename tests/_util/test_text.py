"""English for messages."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mmsat._util.text import (
    capitalize,
    duration,
    join_words,
    noun_phrase,
    plural,
    quantities,
    quantity,
    read_number,
    whole_range,
)


@pytest.mark.parametrize(
    ("rows", "words"), [(["1"], "1"), (["1", "2"], "1 and 2"), ([1, 2, 5], "1, 2 and 5")]
)
def test_lists_in_words(rows, words):
    assert join_words(rows) == words
    assert join_words(rows, "or") == words.replace("and", "or")


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1000, "1,000 rows")]
)
def test_quantities(number, words):
    assert quantity(number, "row") == words


def test_plurals():
    assert [plural(noun, 2) for noun in ("guess", "box", "branch", "key peg")] == [
        "guesses",
        "boxes",
        "branches",
        "key pegs",
    ]


def test_a_noun_before_several_names_is_plural():
    assert noun_phrase("row", [3]) == "row 3"
    assert noun_phrase("peg", (1, 4)) == "pegs 1 and 4"


def test_only_the_first_letter_becomes_a_capital():
    assert capitalize("rows A and B") == "Rows A and B"
    assert capitalize("") == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (1.0, "1 second"),
        (1.0001, "1 second"),
        (0.5, "0.5 seconds"),
        (0.0001, "0 seconds"),
        (4.99951, "5 seconds"),
        (3600, "3,600 seconds"),
        (10_000_000, "10,000,000 seconds"),
    ],
)
def test_durations(seconds, words):
    assert duration(seconds) == words


def test_ranges_and_lists_of_quantities():
    assert whole_range(0) == "a whole number from 0"
    assert whole_range(1, 1_000_000) == "a whole number from 1 to 1,000,000"
    assert quantities(peg=1, color=6, row=1200) == "1 peg, 6 colors, 1,200 rows"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", Fraction(12)),
        (" +12 ", Fraction(12)),
        ("-0.5", Fraction(-1, 2)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1e-2", Fraction(1, 100)),
        ("2E3", Fraction(2000)),
        ("1/4", Fraction(1, 4)),
        ("50%", Fraction(1, 2)),
        ("12.5 %", Fraction(1, 8)),
        ("2Min", Fraction(120)),
    ],
)
def test_a_number_is_read_exactly(text, number):
    units = {"": 1, "%": 0.01, "min": 60}
    assert read_number(text, units) == number
    if text[-1].isdigit():
        assert read_number(text) == number


@pytest.mark.parametrize("number", ["1,000", "12,345,678", "1_000", "-1,000"])
def test_separators_of_thousands_are_read_in_whole_numbers(number):
    expected = Fraction(number.replace(",", "").replace("_", ""))
    assert read_number(number, has_separators=True) == expected
    assert read_number(number) is None


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ".", "e3", "%", "+", "1 0", "1  %", "1%%", "1km", "0x10", "nan", "inf", "1e999"),
        *("1/0", "1/2/3", "1/-2", "/2", "0,500", "1,00", "1,000.5", "1,000_000", "1__0", "\u0661"),
        *("1" * 41, "1\n2", "--1"),
    ],
)
def test_other_texts_are_not_numbers(text):
    assert read_number(text, {"": 1, "%": 0.01}, has_separators=True) is None
