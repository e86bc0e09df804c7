"""Digits joined by `-` are symbols or the numbers of colors; if both fit, the board is refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmsat.errors import InputError
from mmsat.game import UNREAD
from mmsat.game.board import Board
from mmsat.game.game import Game

SYMBOLS = {
    "bulls-and-cows": "0123456789",
    "electronic-4": "0123456789",
    "pin": "0123456789",
    "mastermind": "123456",
    "blanks": "123456_",
}
TEXTS = st.one_of(
    st.lists(st.integers(0, 10).map(str), min_size=4, max_size=4).map("-".join),
    st.text("0123456789", min_size=4, max_size=4),
)


def meanings(texts, symbols):
    """Return the possible codes of all texts, as symbols or as numbers: the plain reference."""
    by_symbol = [text.split("-") if "-" in text else [*text] for text in texts]
    by_number = [
        [symbols[int(n) - 1] if 1 <= int(n) <= len(symbols) else "x" for n in text.split("-")]
        if "-" in text
        else [*text]
        for text in texts
    ]
    return {
        tuple(map(tuple, codes))
        for codes in (by_symbol, by_number)
        if all(symbol in {*symbols} for code in codes for symbol in code)
    }


@given(texts=st.lists(TEXTS, min_size=1, max_size=3), name=st.sampled_from([*SYMBOLS]))
def test_digits_are_read_if_exactly_one_meaning_fits_the_board(texts, name):
    symbols = SYMBOLS[name]
    expected = meanings(texts, symbols)
    board, typed_board = None, Board(Game.parse(name))
    try:
        board = Board.parse("/".join([name, *(f"{text}=1.1" for text in texts)]))
    except InputError:
        assert len(expected) != 1
    else:
        guesses = tuple(tuple(symbols[color] for color in row.guess) for row in board.rows)
        assert expected == {guesses}
    try:
        for text in texts:
            typed_board = typed_board.with_row(text, "1.1")
    except InputError:
        return
    assert typed_board == board


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("bulls-and-cows/1-2-3-4=1.1", 16),
        ("moo/1-2-3-4=1.1", 5),
        ("bulls-and-cows/5678=1.1/1-2-3-4=1.1", 25),
        ("bulls-and-cows/0-5-6-7=1.1/10-5-6-7=1.1", 0),
        ("ab/1\u20132\u20133\u20134=1.1", 4),
    ],
)
def test_ambiguous_or_mixed_texts_are_one_error(text, column):
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    (fault,) = caught.value.faults
    if column:
        alphabets = "digits 0 to 9 joined by '-' and digits 0 to 9, or 1 to 10 joined by '-'"
        assert fault.rule == (
            f"it may mean 1234 or 0123: {alphabets} fit the whole board; write 1234 or 0123"
        )
        assert fault.column == column
    else:
        assert fault.rule.startswith("all codes of a board use one alphabet; ")


@pytest.mark.parametrize("colors", [*range(2, 10), *range(11, 34)])
def test_numbers_between_commas_are_numbers_joined_by_hyphens(colors):
    """Ten colors are excluded: their digits may start at 0 or at 1."""
    rng = random.Random(colors)
    for pegs in (2, 3, 9, 20):
        numbers = [rng.randint(1, colors) for _ in range(pegs - 1)] + [colors]
        boards = {
            str(Board.parse(f"{pegs}x{colors}/{form % joint.join(map(str, numbers))}=1.0"))
            for joint, form in (("-", "%s"), (",", "%s"), (", ", "[%s]"), (" ", "%s"), (";", "%s"))
        }
        assert len(boards) == 1
        unread = ",".join(["?", *map(str, numbers[1:])])
        assert Board.parse(f"{pegs}x{colors}/{unread}=1.0").rows[0].guess[0] == UNREAD


def test_a_ten_in_a_list_decides_that_digits_start_at_1():
    board = Board.parse("4x10/1,2,3,4=1.1/1,2,3,10=2.0")
    assert board.rows[1].guess == (0, 1, 2, 9)
    with pytest.raises(InputError, match="ABCD or BCDE"):
        Board.parse("4x10/1,2,3,4=1.1")
