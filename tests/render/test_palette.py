"""The colors of pegs."""

from __future__ import annotations

import re

from mmsat.game.game import MAX_COLORS
from mmsat.render import NAMED_BACKGROUNDS, luminance, paint


def contrast(color, other):
    """Return the contrast ratio (WCAG) of two colors, from 1 to 21."""
    light, dark = sorted((luminance(color), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_symbols_can_be_read_on_every_color():
    """The contrast is at least that of WCAG 2, level AA."""
    for color in range(MAX_COLORS):
        background, foreground = paint(color)
        assert re.fullmatch("[0-9a-f]{6}", background)
        assert contrast(background, foreground) >= 4.5


def test_pegs_of_named_colors_are_visible_on_dark_and_on_light_screens():
    """No background is nearly black or nearly white."""
    for color in NAMED_BACKGROUNDS:
        assert contrast(color, "000000") > 2
        assert contrast(color, "ffffff") > 1.2


def test_the_first_hundred_colors_are_different():
    backgrounds = [paint(color).background for color in range(100)]
    assert len(set(backgrounds)) == len(backgrounds)


def test_luminance_of_black_and_white():
    assert luminance("000000") == 0
    assert abs(luminance("ffffff") - 1) < 1e-9
