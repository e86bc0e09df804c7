"""Tables of a board and of odds: rows with guesses and scores, and colors at pegs.

A board is an aligned table of its game, row numbers, guesses and scores:

    4x6
    row  guess    black  white
      1  1 1 2 2      1      1
    ! 2  3 3 4 5      0      2  -> 1.1

`!` marks rows in conflict. An arrow precedes a score that may have been meant. A legend below the
table explains both. Long guesses continue on the next line. On a terminal, key pegs are shown
between the guess and the numbers. If a score has a mark for each peg, the marks are below the
guess:

      2  C R A N E
         G - Y - -
    ->   G - - - -

The odds of colors at pegs are a table with shaded cells on a terminal, or a figure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mmsat._util.text import join_words, percent, plural, quantity
from mmsat.game import UNREAD
from mmsat.game.notation.board_reader import speller
from mmsat.game.scoring import Pairs
from mmsat.game.symbols import OMITTED_NOUNS
from mmsat.render import (
    NAMED_COLORS,
    Line,
    Span,
    display_width,
    matplotlib,
    pyplot,
    save_figure,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from mmsat.counting.listing import Odds
    from mmsat.game import Code, Row, Score
    from mmsat.game.board import Board
    from mmsat.game.game import Game
    from mmsat.game.scoring.scoring import Mark

MAX_ROWS = 40
"""If a board has more rows, only marked rows are shown, unless all rows are requested."""
MAX_TOTAL_PEGS = 10_000
"""If the rows of a board have more pegs in total, only marked rows are shown, unless all rows are
requested. This many pegs fill about 300 lines."""
MAX_KEY_PEGS = 8
"""Maximum number of pegs for which key pegs are drawn."""
KEYS = {"black": "●", "white": "○", "color": "●", "blue": "◆"}
"""Sign of each kind of key peg; the keys are names of parts of a score."""
MARK_PAINTS = {
    name: [*NAMED_COLORS].index(color)
    for name, color in {
        "in place": "green",
        "elsewhere": "yellow",
        "absent": "black",
        "right": "green",
        "earlier": "yellow",
        "later": "blue",
        "": "black",
    }.items()
}
"""Color (from 0) of each mark, by its name, as on the web page. The key "" is for pegs without a
mark. The marks are also shown below the guess, for readers who cannot distinguish the colors."""
CORRECTION_LEGEND = "score that may have been meant"
"""Legend of the arrow before a corrected score."""
CHANCE_HEAD = "wrong"
"""Head of the column with the probability that the score of a row is wrong."""
PLAIN, NARROW, WIDE, SPACED = "plain", "narrow", "wide", "spaced"
"""Kinds of cells of pegs. PLAIN cells are not painted. NARROW cells are painted with a gap between
them, WIDE cells with margins around the symbols, and SPACED cells with both."""


class Style(NamedTuple):
    """Properties of the output device on which a board is shown."""

    width: int = 80
    """Width in columns."""
    painted: bool = False
    """Whether pegs are painted in addition to their names."""
    symbols: bool = False
    """Whether the output can show the signs of key pegs."""
    wrap: int | None = None
    """Width to which sentences are wrapped. None for pipes, in which each sentence is one line."""


PIPE = Style()
"""The style of output that is not shown on a terminal."""


class Columns(NamedTuple):
    """The columns of a table."""

    heads: Sequence[str]
    """The heads of the columns of numbers."""
    part_widths: list[int]
    """The widths of the columns of numbers."""
    key_width: int
    """The number of key pegs, 0 if they are not shown."""
    cell_kind: str
    """The kind of the cells of pegs: PLAIN, NARROW, WIDE or SPACED."""
    pegs_per_line: int
    """Number of pegs per line of a guess."""


class BoardTable:
    """The layout of a board as lines of spans."""

    def __init__(
        self,
        board: Board,
        style: Style = PIPE,
        marked: Sequence[int] = (),
        changes: Mapping[int, Score] | None = None,
        meaning: str = "",
        *,
        arrow: str = "",
        chances: Sequence[Fraction] = (),
        heads: Sequence[str] = (),
        is_colored: bool = True,
    ) -> None:
        """Lay out the columns.

        Rows with indices in `marked` get an exclamation mark, which the legend explains by
        `meaning`. Rows in `changes` get an arrow with another score, which the legend explains by
        `arrow`. `chances`, if given, has the probability for each row that its score is wrong.
        `heads` has other heads for the parts of a score. Without `is_colored`, the layout is the
        same, but pegs have no paint.
        """
        self.is_colored = is_colored
        self.chances = tuple(percent(chance) for chance in chances)
        self.board = board
        self.style = style
        self.marked = frozenset(marked)
        self.changes = dict(changes or {})
        self.legend = [
            *([f"! {meaning}"] if marked and meaning else []),
            *([f"-> {arrow}"] if changes and arrow else []),
        ]
        game = board.game
        self.symbols = speller(game).printed_symbols or [str(c + 1) for c in range(game.colors)]
        self.symbol_width = max(map(display_width, self.symbols))
        # If colors are pairs of a color and a shape, a peg can have a blue key peg and a white one.
        key_width = 2 * game.pegs if "blue" in self.parts else game.pegs
        if not style.symbols or game.pegs > MAX_KEY_PEGS or self.marks:
            key_width = 0
        columns = self._fit(heads or self.parts, key_width)
        if columns.pegs_per_line < min(game.pegs, MAX_KEY_PEGS):  # shorter heads on narrow screens
            columns = self._fit([part[:2] for part in self.parts], key_width)
        # If the guesses do not fit in one line, the numbers alone are enough.
        if key_width and columns.pegs_per_line < game.pegs:
            columns = self._fit(columns.heads, 0)
        self.columns = columns

    @property
    def marks(self) -> Sequence[Mark]:
        """The marks of scores; empty if scores are numbers."""
        return self.board.game.scoring.marks

    @property
    def shapes(self) -> int:
        """The number of colors that have the same paint.

        If colors are pairs of a color and a shape, this is the number of shapes; otherwise 1.
        """
        scoring = self.board.game.scoring
        return scoring.shapes if isinstance(scoring, Pairs) else 1

    def _fit(self, heads: Sequence[str], key_width: int) -> Columns:
        """Return the columns that fit in the width, with these heads and this many key pegs."""
        rows = self.board.rows
        part_widths = [  # 0 and ? need one column, which the head always has
            max(len(head), *(len(str(row.score[part])) for row in rows if row.score[part]), 0)
            for part, head in enumerate(heads)
        ]
        fixed_width = len(self._row_label(0)) + sum(2 + width for width in part_widths)
        if key_width:
            fixed_width += len("  ") + key_width
        if self.chances:
            fixed_width += len(f"  {CHANCE_HEAD}")
        changes = () if self.marks else self.changes.values()
        arrows = [f"  -> {self._print_score(score)}" for score in changes]
        available_width = self.style.width - fixed_width - max(map(len, arrows), default=0)
        pegs = self.board.game.pegs
        for kind in (SPACED, WIDE) if self.style.painted else ():
            # The gap after the last spaced cell is not needed.
            if pegs * self._peg_width(kind) <= available_width + (kind == SPACED):
                return Columns(heads, part_widths, key_width, kind, pegs)
        kind = NARROW if self.style.painted else PLAIN
        max_pegs = max(1, (available_width + 1) // self._peg_width(kind))
        if max_pegs < pegs:  # round numbers of pegs are easier to count
            max_pegs -= max_pegs % 10 if max_pegs >= 20 else max_pegs % 5 if max_pegs >= 5 else 0
        return Columns(heads, part_widths, key_width, kind, min(pegs, max_pegs))

    def _print_score(self, score: Score) -> str:
        """Return the printed form of a score."""
        return speller(self.board.game).print_score(score)

    def _peg_width(self, kind: str) -> int:
        """Return the width of a cell of this kind, with the gap after it."""
        return self.symbol_width + {PLAIN: 1, NARROW: 1, WIDE: 2, SPACED: 3}[kind]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a score that have a column of numbers; () if scores are marks."""
        return () if self.marks else self.board.game.parts

    def _row_label(self, number: int) -> str:
        """Return the row number, after `!` if the row is marked.

        Rows are numbered from 1. If `number` is 0, return the head of the column.
        """
        prefix = "! " if number - 1 in self.marked else "  "
        number_width = max(3, len(str(len(self.board.rows))))
        return f"{prefix}{number or 'row':>{number_width}}  "

    @property
    def guess_width(self) -> int:
        """Width of the column of guesses."""
        gap = 0 if self.columns.cell_kind == WIDE else 1
        return max(
            self.columns.pegs_per_line * self._peg_width(self.columns.cell_kind) - gap, len("guess")
        )

    def lines(
        self,
        *,
        every_row: bool = False,
        code: Code | None = None,
        name: str = "code",
        is_named: bool = True,
    ) -> Iterator[Line]:
        """Yield the lines of the table, with `code` below it.

        If the board has many rows, only rows with `!` or an arrow are shown, unless `every_row`
        is true. If `is_named` is true, the first line is the game, so that `Board.parse` can read
        the table.
        """
        rows = list(enumerate(self.board.rows))
        marked_rows = self.marked | self.changes.keys()
        pegs = len(rows) * self.board.game.pegs
        if not every_row and (len(rows) > MAX_ROWS or pegs > MAX_TOTAL_PEGS):
            rows = [(index, row) for index, row in rows if index in marked_rows]
        if is_named:
            yield [Span(str(self.board.game), "dim")]
        if is_named or rows or code or self.board.known:
            yield self._head()
        for index, row in rows:
            yield from self._row(index, row)
        num_hidden = len(self.board.rows) - len(rows)
        if num_hidden:
            text = f"and {num_hidden:,} more rows" if rows else f"{num_hidden:,} rows, not shown"
            yield [Span(f"  {text}", "dim")]
        for known_code in self.board.known:
            yield from self._code(known_code, "known")
        if code:
            yield from self._code(code, name)
        if self.legend:
            yield [Span("   ".join(self.legend), "dim")]

    def _head(self) -> Line:
        """Return the line with the heads of the columns."""
        key_width = self.columns.key_width
        blank = " " * (2 + key_width) if key_width else ""
        columns = zip(self.columns.heads, self.columns.part_widths, strict=True)
        parts = "".join(f"  {part:>{width}}" for part, width in columns)
        chance = f"  {CHANCE_HEAD}" * bool(self.chances)
        return [
            Span(f"{self._row_label(0)}{'guess':<{self.guess_width}}{blank}{parts}{chance}", "dim")
        ]

    def _row(self, index: int, row: Row) -> Iterator[Line]:
        """Yield the lines of the row with this index."""
        is_marked = index in self.marked
        line = [Span(self._row_label(index + 1), "conflict" if is_marked else "dim")]
        line += self.pegs(
            row.guess[: self.columns.pegs_per_line], row.score[: self.columns.pegs_per_line]
        )
        if not self.marks:
            line += self._numbers(index, row)
        elif self.chances:
            line.append(self._chance(index))
        yield line
        yield from self._marks(index, row, 0)
        for start in range(self.columns.pegs_per_line, len(row.guess), self.columns.pegs_per_line):
            section = slice(start, start + self.columns.pegs_per_line)
            pegs = self.pegs(row.guess[section], row.score[section])
            yield [Span(" " * len(self._row_label(0))), *pegs]
            yield from self._marks(index, row, start)

    def _numbers(self, index: int, row: Row) -> Line:
        """Return the key pegs, the numbers, the probability and the corrected score of a row."""
        line = self._keys(row.score) if self.columns.key_width else []
        for name, part, width in zip(self.parts, row.score, self.columns.part_widths, strict=True):
            line.append(Span(f"  {'?' if part is None else part:>{width}}", name))
        if self.chances:
            line.append(self._chance(index))
        if index in self.changes:
            corrected_score = self._print_score(self.changes[index])
            line.append(Span(f"  -> {corrected_score}", "correction"))
        return line

    def _chance(self, index: int) -> Span:
        """Return the cell with the probability that the score of a row is wrong."""
        chance = f"  {self.chances[index]:>{len(CHANCE_HEAD)}}"
        return Span(chance, "" if index in self.marked else "dim")

    def _marks(self, index: int, row: Row, start: int) -> Iterator[Line]:
        """Yield the marks of one line of a guess, which begins with peg `start`.

        Nothing is yielded if scores are not marks.
        """
        end = start + self.columns.pegs_per_line
        edge = len(self._row_label(0))
        if self.marks:
            yield [Span(" " * edge), *self._cells(self._symbols(row.score[start:end]), "mark")]
        if self.marks and index in self.changes:
            corrected_marks = self._symbols(self.changes[index][start:end])
            yield [
                Span(f"{'->':<{edge}}", "correction"),
                *self._cells(corrected_marks, "correction"),
            ]

    def _symbols(self, score: Score) -> list[str]:
        """Return the symbols of marks."""
        return [str(mark or "?") for mark in self.board.game.scoring.to_json(score)]

    def _code(self, code: Code, name: str) -> Iterator[Line]:
        """Yield the lines of a code, with `name` in place of the row number."""
        for start in range(0, len(code), self.columns.pegs_per_line):
            edge = f"{'' if start else name:<{len(self._row_label(0)) - 2}}  "
            yield [Span(edge, "name"), *self.pegs(code[start : start + self.columns.pegs_per_line])]

    def answer(self) -> Iterator[Line]:
        """Yield lines with an empty place for each peg of the code, to write the answer on."""
        num_pegs = self.board.game.pegs
        for start in range(0, num_pegs, self.columns.pegs_per_line):
            edge = f"{'' if start else 'code':<{len(self._row_label(0)) - 2}}  "
            num_blanks = min(self.columns.pegs_per_line, num_pegs - start)
            yield [Span(edge, "name"), *self._cells([""] * num_blanks, "blank")]

    def pegs(self, code: Sequence[int], score: Score = ()) -> Line:
        """Return pegs side by side, padded to the width of the column of guesses.

        Pegs have the paint of their color, with these exceptions: if a color is a pair of a color
        and a shape, the shape does not matter. If scores are marks, a peg has the paint of its mark
        or, without a score, of the mark of the right color. In other games of words, all letters
        have the same paint.
        """
        shapes = self.shapes
        paints: list[int] | None = [color // shapes for color in code]
        if not self.is_colored:
            paints = None
        elif self.marks:
            names = [self.marks[mark].name if mark is not None else "" for mark in score]
            # The last mark of each scoring is that of the right color.
            paints = [MARK_PAINTS[name] for name in names or [self.marks[-1].name] * len(code)]
        elif self.board.game.space.table() is not None:
            paints = [MARK_PAINTS[""]] * len(code)
        return self._cells([*map(self._symbol, code)], "peg", paints)

    def _symbol(self, color: int) -> str:
        """Return the symbol of a color, or of an unread peg."""
        return "?" if color == UNREAD else self.symbols[color]

    def _pad(self, symbol: str) -> str:
        """Return a symbol, right-aligned in the width of the widest symbol."""
        return " " * (self.symbol_width - display_width(symbol)) + symbol

    def _cells(
        self, symbols: Sequence[str], style: str, paints: Sequence[int] | None = None
    ) -> Line:
        """Return symbols side by side in the column of guesses; one span if nothing is painted."""
        if not self.style.painted:
            text = " ".join(map(self._pad, symbols))
            return [Span(text + " " * (self.guess_width - display_width(text)), style)]
        margin = " " * (self.columns.cell_kind in (WIDE, SPACED))
        gap = " " * (self.columns.cell_kind != WIDE)
        texts = [f"{margin}{self._pad(name)}{margin}" for name in symbols]
        colors = [None] * len(texts) if paints is None else paints
        line = [Span(text, style, color) for text, color in zip(texts, colors, strict=True)]
        if gap:
            line = [span for cell in line for span in (Span(gap), cell)][1:]  # gaps between cells
        used_width = sum(display_width(span.text) for span in line)
        return [*line, Span(" " * (self.guess_width - used_width))]

    def _keys(self, score: Score) -> Line:
        """Return the key pegs for a score, in which unread parts count as 0."""
        remaining_width = self.columns.key_width
        line = [Span("  ")]
        for name, part in zip(self.parts, score, strict=True):
            num_keys = min(part or 0, remaining_width)
            line.append(Span(KEYS[name] * num_keys, f"key {name}"))
            remaining_width -= num_keys
        line.append(Span("·" * remaining_width, "dim"))
        return line


SHADES = ("440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725")
"""Viridis (Smith, van der Walt 2015), from probability 0 to 1; lighter shades are more likely."""
FIRST_LIGHT_SHADE = 4
"""Index of the first shade on which dark text is easier to read than light text."""
IMPOSSIBLE_SHADE = "#dddddd"
"""The color of impossible cells in a figure."""
MAX_NUMBERED_CELLS = 300
"""Maximum number of cells of a figure in which each cell has its percentage."""
MAX_LABELS = 60
"""Maximum number of pegs, or of colors, for which a figure labels each of them."""
MIN_COLUMN_WIDTH = 5
"""Minimum width of a column, in characters."""
MAX_NAMED_COLORS = 4
"""Maximum number of impossible colors that are named. If there are more, they are counted."""
CELL_WIDTH_INCHES, CELL_HEIGHT_INCHES = 0.36, 0.24
"""Size of a cell in a figure, in inches."""


def no_code_sentence(*, is_weighted: bool) -> str:
    """Return the sentence that replaces the table if no codes remain."""
    return f"no code {'with a weight above 0 gets' if is_weighted else 'gets exactly'} these scores"


def odds_table(odds: Odds, width: int) -> Iterator[Line]:
    """Yield a row per peg with a column per possible color, in blocks that fit the width."""
    game = odds.game
    if not odds.codes:
        yield [Span(no_code_sentence(is_weighted=odds.units is not None))]
        return
    used_colors = [color for color in range(game.colors) if any(row[color] for row in odds.table)]
    absent = [color_name(game, color) for color in range(game.colors) if color not in used_colors]
    noun = game.color_symbols.noun
    place = "place" if game.scoring.marks or game.space.table() is not None else "peg"
    unused_colors = (
        f", none uses {'' if noun in OMITTED_NOUNS else f'{noun} '}{join_words(absent, 'or')}"
        if 0 < len(absent) <= MAX_NAMED_COLORS
        else ""
    )
    if len(absent) > MAX_NAMED_COLORS:
        unused_colors = f", none uses the other {len(absent)} {noun}s"
    # If codes have weights, the total weight is the number of units times the weight of a unit.
    weight = "" if odds.units is None else f" of weight {odds.units * odds.unit}"
    yield [Span(f"{odds.codes:,} {plural('code', odds.codes)}{weight}{unused_colors}")]
    names = {color: color_name(game, color) for color in used_colors}
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
                Span(percent(row[color]).rjust(cell_width), shade_style(row[color]))
                for color in block
            ]


def color_name(game: Game, color: int) -> str:
    """Return a color in the notation of the game; "?" for an unread peg."""
    if color == UNREAD:
        return "?"
    symbols = speller(game).printed_symbols
    return symbols[color] if symbols else str(color + 1)


def shade_style(chance: Fraction) -> str:
    """Return the style of a probability: a shade, or "dim" if it is 0."""
    return f"heat {min(len(SHADES) - 1, int(chance * len(SHADES)))}" if chance else "dim"


def shade_styles() -> dict[str, str]:
    """Return the rich styles of all shades, by name."""
    return {
        f"heat {level}": f"#{'000000' if level >= FIRST_LIGHT_SHADE else 'ffffff'} on #{shade}"
        for level, shade in enumerate(SHADES)
    }


def paint_odds(odds: Odds, axes: Any = None) -> Any:
    """Draw the table on matplotlib axes, by default on new axes, and return the axes.

    Raises MissingError if matplotlib is not installed.
    """
    if axes is None:
        matplotlib()
        from matplotlib import pyplot as plt

        _, axes = plt.subplots()
    import numpy as np

    game = odds.game
    percentages = np.ma.masked_equal(odds.array() * 100, 0)
    highest = max(map(max, odds)) or 1
    image = axes.imshow(percentages, vmin=0, vmax=highest * 100, cmap="viridis", aspect="auto")
    image.set_cmap(image.get_cmap().with_extremes(bad=IMPOSSIBLE_SHADE))
    if game.pegs * game.colors <= MAX_NUMBERED_CELLS:
        for peg, row in enumerate(odds):
            for color, chance in enumerate(row):
                is_light = not chance or int(chance / highest * len(SHADES)) >= FIRST_LIGHT_SHADE
                shade = "black" if is_light else "white"
                text = percent(chance).removesuffix("%")
                axes.text(color, peg, text, color=shade, ha="center", va="center", fontsize=7)
    if game.colors <= MAX_LABELS:
        axes.set_xticks(
            range(game.colors), [color_name(game, color) for color in range(game.colors)]
        )
    if game.pegs <= MAX_LABELS:
        axes.set_yticks(range(game.pegs), [str(peg + 1) for peg in range(game.pegs)])
    axes.set_xlabel(game.color_symbols.noun)
    axes.set_ylabel("peg")
    axes.set_title(f"{odds.codes:,} {plural('code', odds.codes)}")
    axes.figure.colorbar(image, ax=axes, label="chance in %")
    return axes


def draw_odds(odds: Odds, path: str) -> None:
    """Draw the table as a file; equal odds give equal bytes."""
    plt = pyplot()
    pegs, colors = odds.game.pegs, odds.game.colors
    size = (
        max(2.5, 1.2 + CELL_WIDTH_INCHES * colors),
        max(1.8, 0.8 + CELL_HEIGHT_INCHES * pegs),
    )
    figure, axes = plt.subplots(figsize=tuple(min(20.0, inches) for inches in size))
    paint_odds(odds, axes)
    figure.tight_layout()
    save_figure(
        figure,
        path,
        f"The probability of every color at every peg, over {quantity(odds.codes, 'code')}",
    )
