"""The odds of colors at pegs as a table whose shades tell them, in the terminal or drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmsat.english import percent, plural, quantity
from mmsat.game.row import UNREAD
from mmsat.render.printing import pyplot, save
from mmsat.render.spans import Line, Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from mmsat.enumeration.odds import Odds
    from mmsat.game.game import Game

SHADES = ("440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725")
"""Viridis (Smith, van der Walt 2015), from none to all: as light grows, so does the chance."""
DARK = 4
"""Shades from which dark text is read more easily."""
CELL = 5
"""Columns of a chance."""
FEW = 4
"""Colors that are named where no code has them; more are counted."""
SMALL = 0.12
"""Inches of a cell where there are many."""


def lines(odds: Odds, width: int) -> Iterator[Line]:
    """A row for each peg, a column for each color that is possible somewhere; folded to a width."""
    game = odds.game
    if not odds.codes:
        yield [Span("no code gets exactly these scores")]
        return
    used = [color for color in range(game.colors) if any(row[color] for row in odds.table)]
    absent = [name(game, color) for color in range(game.colors) if color not in used]
    without = (
        f", none uses {game.spelled.noun} {' or '.join(absent)}" if 0 < len(absent) <= FEW else ""
    )
    if len(absent) > FEW:
        without = f", {len(absent)} of {game.colors} columns are left out: no code has these"
    weighed = "" if odds.units is None else f" of weight {odds.units * odds.unit}"
    yield [Span(f"{odds.codes:,} {plural('code', odds.codes)}{weighed}{without}")]
    names = {color: name(game, color) for color in used}
    cell = max(CELL, 1 + max(map(len, names.values())))
    across = max(1, (width - CELL) // cell)
    rows = list(odds)
    for first in range(0, len(used), across):
        part = used[first : first + across]
        yield [Span("peg".rjust(CELL), "dim")] + [
            Span(names[color].rjust(cell), "name") for color in part
        ]
        for peg, row in enumerate(rows, 1):
            yield [Span(f"{peg:>{CELL}}", "dim")] + [
                Span(percent(row[color]).rjust(cell), heat(row[color])) for color in part
            ]


def name(game: Game, color: int) -> str:
    """A color as the game spells it, `?` where it was not read."""
    if color == UNREAD:
        return "?"
    symbols = game.spelled.names
    return symbols[color] if symbols else str(color + 1)


def heat(chance: Fraction) -> str:
    """The style of a chance: a shade, nothing for none."""
    return f"heat {min(len(SHADES) - 1, int(chance * len(SHADES)))}" if chance else "dim"


def styles() -> dict[str, str]:
    """The shades in rich's words."""
    return {
        f"heat {level}": f"#{'000000' if level >= DARK else 'ffffff'} on #{shade}"
        for level, shade in enumerate(SHADES)
    }


def paint(odds: Odds, axes: Any = None) -> Any:
    """Draw the table on matplotlib's axes, by default new ones, and return them."""
    if axes is None:
        from matplotlib import pyplot as plt  # noqa: PLC0415  (slow to load)

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
    """Draw the table into a file; the same odds give the same bytes."""
    plt = pyplot()
    pegs, colors = odds.game.pegs, odds.game.colors
    size = (max(2.5, 1.2 + 3 * SMALL * colors), max(1.8, 0.8 + 2 * SMALL * pegs))
    figure, axes = plt.subplots(figsize=tuple(min(20.0, inches) for inches in size))
    paint(odds, axes)
    figure.tight_layout()
    save(
        figure, path, f"The chance of every color at every peg, over {quantity(odds.codes, 'code')}"
    )
