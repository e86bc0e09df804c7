"""Odds as a table: its contents and its line breaks."""

from __future__ import annotations

from fractions import Fraction

import pytest
from matplotlib.figure import Figure

import mmsat
from mmsat.render import heat
from mmsat.render.figures import pyplot
from mmsat.render.palette import luminance
from mmsat.render.table import plain
from mmsat.render.terminal import STYLES


@pytest.mark.parametrize(
    ("chance", "told"),
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
def test_only_0_and_1_are_printed_as_never_and_always(chance, told):
    assert heat.percent(chance) == told


def test_shades_grow_with_the_chance_and_carry_readable_text():
    lights = [luminance(shade) for shade in heat.SHADES]
    assert lights == sorted(lights)
    for level, light in enumerate(lights):
        ink = 0.0 if level >= heat.FIRST_LIGHT_SHADE else 1.0
        contrast = (max(light, ink) + 0.05) / (min(light, ink) + 0.05)
        assert contrast >= 4.5
    levels = [heat.heat(Fraction(n, 100)) for n in range(1, 101)]
    assert levels == sorted(levels)
    assert set(levels) <= STYLES.keys()
    assert len(set(levels)) == len(heat.SHADES)


def test_colors_that_are_nowhere_have_no_column():
    board = mmsat.Board.parse("3x6/123=0.0/455=1.0")
    lines = [plain(line) for line in heat.lines(mmsat.codes(board).odds(), 80)]
    assert lines[0].endswith(", none uses color 1 or 2 or 3")
    assert lines[1].split() == ["peg", "4", "5", "6"]
    assert len(lines) == 2 + 3


def test_one_code_is_one():
    board = mmsat.Board.parse("2x2/12=2.0")
    lines = [plain(line).split() for line in heat.lines(mmsat.codes(board).odds(), 80)]
    assert lines == [["1", "code"], ["peg", "1", "2"], ["1", "100%", "-"], ["2", "-", "100%"]]


@pytest.mark.parametrize("width", [20, 40, 80])
def test_wide_tables_fold(width):
    board = mmsat.Board.parse("3x30")
    lines = [plain(line) for line in heat.lines(mmsat.codes(board).odds(), width)]
    assert max(map(len, lines)) <= width
    named = [word for line in lines if "peg" in line for word in line.split()[1:]]
    assert named == [str(color) for color in range(1, 31)]


def test_colors_are_spelled_as_in_their_game():
    board = mmsat.Board.parse("grand/1A2B3C4D=4.0.0")
    text = "\n".join(plain(line) for line in heat.lines(mmsat.codes(board).odds(), 80))
    assert all(pair in text for pair in ("1A", "2B", "3C", "4D"))


def test_odds_are_plotted_on_any_axes():
    """With the numbers of the table, on new axes or on one's own."""
    odds = mmsat.codes(mmsat.Board.parse("3x6/123=0.0/455=1.0")).odds()
    figure = Figure()
    own = figure.subplots()
    assert odds.plot(own) is own
    plt = pyplot()
    for axes in (own, odds.plot()):
        (image,) = axes.get_images()
        assert (image.get_array() == odds.array()).all()
        assert [label.get_text() for label in axes.get_xticklabels()] == list("123456")
    plt.close("all")
