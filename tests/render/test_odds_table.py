"""Odds as a table: contents, line breaks and plots."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

import mmsat
from mmsat.render import board as tables
from mmsat.render import luminance, plain, pyplot
from mmsat.render.terminal import STYLES


@pytest.mark.parametrize(
    ("chance", "expected"),
    [
        (Fraction(0), "-"),
        (Fraction(1), "100%"),
        (Fraction(1, 10**30), "<1%"),
        (1 - Fraction(1, 10**30), ">99%"),
        (Fraction(1, 3), "33%"),
        (Fraction(2, 3), "67%"),
        (Fraction(995, 1000), ">99%"),
        (Fraction(994, 1000), "99%"),
        (Fraction(1, 100), "1%"),
        (Fraction(4, 1000), "<1%"),
    ],
)
def test_only_0_is_printed_as_a_dash_and_only_1_as_100_percent(chance, expected):
    assert tables.percent(chance) == expected


def test_shades_get_lighter_with_the_chance_and_text_is_readable():
    lights = [luminance(shade) for shade in tables.SHADES]
    assert lights == sorted(lights)
    for level, light in enumerate(lights):
        ink = 0.0 if level >= tables.FIRST_LIGHT_SHADE else 1.0
        contrast = (max(light, ink) + 0.05) / (min(light, ink) + 0.05)
        assert contrast >= 4.5
    levels = [tables.shade_style(Fraction(n, 100)) for n in range(1, 101)]
    assert levels == sorted(levels)
    assert set(levels) <= STYLES.keys()
    assert len(set(levels)) == len(tables.SHADES)


def test_impossible_colors_have_no_column():
    board = mmsat.Board.parse("3x6/123=0.0/455=1.0")
    lines = [plain(line) for line in tables.odds_table(mmsat.codes(board).odds(), 80)]
    assert lines[0].endswith(", none uses color 1, 2 or 3")
    assert lines[1].split() == ["peg", "4", "5", "6"]
    assert len(lines) == 2 + 3


def test_words_have_places_and_their_letters_need_no_noun():
    board = mmsat.Board.parse("word/QQZX=0.0")
    lines = [plain(line) for line in tables.odds_table(mmsat.codes(board).odds(), 200)]
    assert lines[0].endswith(", none uses Q, X or Z")
    assert lines[1].split()[:3] == ["place", "A", "B"]
    assert len(lines) == 2 + 4


def test_the_table_of_a_single_code():
    board = mmsat.Board.parse("2x2/12=2.0")
    lines = [plain(line).split() for line in tables.odds_table(mmsat.codes(board).odds(), 80)]
    assert lines == [["1", "code"], ["peg", "1", "2"], ["1", "100%", "-"], ["2", "-", "100%"]]


@pytest.mark.parametrize("width", [20, 40, 80])
def test_wide_tables_are_split_into_blocks(width):
    board = mmsat.Board.parse("3x30")
    lines = [plain(line) for line in tables.odds_table(mmsat.codes(board).odds(), width)]
    assert max(map(len, lines)) <= width
    columns = [word for line in lines if "peg" in line for word in line.split()[1:]]
    assert columns == [str(color) for color in range(1, 31)]


def test_colors_are_printed_in_the_notation_of_the_game():
    board = mmsat.Board.parse("grand/1A2B3C4D=4.0.0")
    text = "\n".join(plain(line) for line in tables.odds_table(mmsat.codes(board).odds(), 80))
    assert all(pair in text for pair in ("1A", "2B", "3C", "4D"))


def test_odds_are_plotted_on_any_axes():
    """The plot has the numbers of the table in percent, on new axes and on given axes."""
    odds = mmsat.codes(mmsat.Board.parse("3x6/123=0.0/455=1.0")).odds()
    figure = Figure()
    given_axes = figure.subplots()
    assert odds.plot(given_axes) is given_axes
    plt = pyplot()
    for axes in (given_axes, odds.plot()):
        (image,) = axes.get_images()
        percentages = np.ma.filled(image.get_array(), 0)  # impossible colors are masked
        np.testing.assert_allclose(percentages, 100 * odds.array())
        assert [label.get_text() for label in axes.get_xticklabels()] == list("123456")
    plt.close("all")
