"""The odds of colors at pegs: as a table with shaded cells in the terminal, or as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmsat._util.text import join_words, percent, plural, quantity
from mmsat.game import UNREAD
from mmsat.game.symbols import OMITTED_NOUNS
from mmsat.render import Line, Span
from mmsat.render.figures import matplotlib, pyplot, save

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from mmsat.counting.listing import Odds
    from mmsat.game.game import Game

SHADES = ("440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725")
"""Viridis (Smith, van der Walt 2015), from probability 0 to 1; lighter shades are more likely."""
FIRST_LIGHT_SHADE = 4
"""Index of the first shade on which dark text is easier to read than light text."""
MIN_COLUMN_WIDTH = 5
"""Minimum width of a column, in characters."""
MAX_NAMED_COLORS = 4
"""Maximum number of impossible colors that are named. If there are more, they are counted."""
CELL_INCHES = 0.12
"""A third of the width of a cell in a figure, and half of its height, in inches."""


def lines(odds: Odds, width: int) -> Iterator[Line]:
    """Yield a row per peg with a column per possible color, in blocks that fit the width."""
    game = odds.game
    if not odds.codes:
        yield [Span("no code gets exactly these scores")]
        return
    used_colors = [color for color in range(game.colors) if any(row[color] for row in odds.table)]
    absent = [name(game, color) for color in range(game.colors) if color not in used_colors]
    noun = game.spelled.noun
    place = "place" if game.scoring.marks or game.space.table() is not None else "peg"
    unused_colors = (
        f", none uses {'' if noun in OMITTED_NOUNS else f'{noun} '}{join_words(absent, 'or')}"
        if 0 < len(absent) <= MAX_NAMED_COLORS
        else ""
    )
    if len(absent) > MAX_NAMED_COLORS:
        unused_colors = f", none uses the {len(absent)} of {game.colors} colors without a column"
    weight = "" if odds.units is None else f" of weight {odds.units * odds.unit}"
    yield [Span(f"{odds.codes:,} {plural('code', odds.codes)}{weight}{unused_colors}")]
    names = {color: name(game, color) for color in used_colors}
    cell_width = max(MIN_COLUMN_WIDTH, 1 + max(map(len, names.values())))
    columns_per_block = max(1, (width - MIN_COLUMN_WIDTH) // cell_width)
    rows = list(odds)
    for first in range(0, len(used_colors), columns_per_block):
        block = used_colors[first : first + columns_per_block]
        yield [Span(place.rjust(MIN_COLUMN_WIDTH), "dim")] + [
            Span(names[color].rjust(cell_width), "name") for color in block
        ]
        for peg, row in enumerate(rows, 1):
            yield [Span(f"{peg:>{MIN_COLUMN_WIDTH}}", "dim")] + [
                Span(percent(row[color]).rjust(cell_width), heat(row[color])) for color in block
            ]


def name(game: Game, color: int) -> str:
    """Return a color in the notation of the game; "?" for an unread peg."""
    if color == UNREAD:
        return "?"
    symbols = game.spelled.names
    return symbols[color] if symbols else str(color + 1)


def heat(chance: Fraction) -> str:
    """Return the style of a probability: a shade, or "dim" if it is 0."""
    return f"heat {min(len(SHADES) - 1, int(chance * len(SHADES)))}" if chance else "dim"


def styles() -> dict[str, str]:
    """Return the rich styles of all shades, by name."""
    return {
        f"heat {level}": f"#{'000000' if level >= FIRST_LIGHT_SHADE else 'ffffff'} on #{shade}"
        for level, shade in enumerate(SHADES)
    }


def paint(odds: Odds, axes: Any = None) -> Any:
    """Draw the table on matplotlib axes, by default on new axes, and return the axes.

    Raises MissingError if matplotlib is not installed.
    """
    if axes is None:
        matplotlib()
        from matplotlib import pyplot as plt

        _, axes = plt.subplots()
    game = odds.game
    image = axes.imshow(odds.array(), vmin=0, vmax=1, cmap="viridis", aspect="auto")
    if game.colors <= 60:
        axes.set_xticks(range(game.colors), [name(game, color) for color in range(game.colors)])
    if game.pegs <= 60:
        axes.set_yticks(range(game.pegs), [str(peg + 1) for peg in range(game.pegs)])
    axes.set_xlabel(game.spelled.noun)
    axes.set_ylabel("peg")
    axes.set_title(f"{odds.codes:,} {plural('code', odds.codes)}")
    axes.figure.colorbar(image, ax=axes, label="chance")
    return axes


def draw(odds: Odds, path: str) -> None:
    """Draw the table as a file; equal odds give equal bytes."""
    plt = pyplot()
    pegs, colors = odds.game.pegs, odds.game.colors
    size = (max(2.5, 1.2 + 3 * CELL_INCHES * colors), max(1.8, 0.8 + 2 * CELL_INCHES * pegs))
    figure, axes = plt.subplots(figsize=tuple(min(20.0, inches) for inches in size))
    paint(odds, axes)
    figure.tight_layout()
    save(
        figure,
        path,
        f"The probability of every color at every peg, over {quantity(odds.codes, 'code')}",
    )
