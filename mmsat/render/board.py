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
"""Color (from 0) of each mark, by name, as on the page; the empty name stands for no mark. The
marks are also below the guess, for readers who cannot tell the colors apart."""
CORRECTION_LEGEND = "score that may have been meant"
"""Legend of the arrow before a corrected score."""
CHANCE_HEAD = "wrong"
"""Head of the column with the probability that the score of a row is wrong."""
PLAIN, NARROW, WIDE, SPACED = "plain", "narrow", "wide", "spaced"
"""Kinds of cells of pegs: not painted; painted with a gap, with margins, or with both."""


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


class BoardTable:
    """The layout of a board as lines of spans."""

    cell_kind: str
    """The kind of the cells of pegs: PLAIN, NARROW, WIDE or SPACED."""
    pegs_per_line: int
    """Number of pegs per line of a guess."""

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
    ) -> None:
        """Lay out the columns.

        Rows with indices in `marked` get an exclamation mark, which the legend explains by
        `meaning`. Rows in `changes` get an arrow with another score, which the legend explains by
        `arrow`. `chances`, if given, has the probability for each row that its score is wrong.
        """
        self.chances = tuple(percent(chance) for chance in chances)
        self.board = board
        self.style = style
        self.marked = frozenset(marked)
        self.changes = dict(changes or {})
        self.legend = [
            *([f"! {meaning}"] if marked and meaning else []),
            *([f"-> {arrow}"] if changes and arrow else []),
        ]
        self.speller = speller(board.game)
        self.symbols = self.speller.printed_symbols or [
            str(c + 1) for c in range(board.game.colors)
        ]
        self.symbol_width = max(map(display_width, self.symbols))
        self.number_width = max(3, len(str(len(board.rows))))
        scoring = board.game.scoring
        self.marks = scoring.marks
        self.shapes = scoring.shapes if isinstance(scoring, Pairs) else 1
        has_few_pegs = board.game.pegs <= MAX_KEY_PEGS
        self.key_width = board.game.pegs * (1 + ("blue" in self.parts))
        self.key_width *= style.symbols and has_few_pegs and not self.marks
        self._name_columns(self.parts)
        if self.pegs_per_line < min(
            board.game.pegs, MAX_KEY_PEGS
        ):  # shorter heads on narrow screens
            self._name_columns([part[:2] for part in self.parts])
        if self.key_width and self.pegs_per_line < board.game.pegs:  # numbers alone are enough
            self.key_width = 0
            self.cell_kind, self.pegs_per_line = self._fit()

    def _name_columns(self, heads: Sequence[str]) -> None:
        """Set the heads of the columns of numbers, and compute the layout."""
        rows = self.board.rows
        self.heads: Sequence[str] = heads
        self.part_widths = [
            max(len(head), *(len(str(row.score[part])) for row in rows if row.score[part]), 0)
            for part, head in enumerate(heads)
        ]
        self.cell_kind, self.pegs_per_line = self._fit()

    def _fit(self) -> tuple[str, int]:
        """Return the kind of cells with which all columns fit, and the number of pegs per line."""
        fixed_width = len(self._row_label(0)) + sum(2 + width for width in self.part_widths)
        fixed_width += len("  " + "·" * self.key_width) * bool(self.key_width)
        fixed_width += len(f"  {CHANCE_HEAD}") * bool(self.chances)
        changes = () if self.marks else self.changes.values()
        arrows = [f"  -> {self.speller.print_score(score)}" for score in changes]
        available_width = self.style.width - fixed_width - max(map(len, arrows), default=0)
        pegs = self.board.game.pegs
        for kind in (SPACED, WIDE) if self.style.painted else ():
            # spaced cells need no gap after the last one
            if pegs * self._peg_width(kind) <= available_width + (kind == SPACED):
                return kind, pegs
        kind = NARROW if self.style.painted else PLAIN
        max_pegs = max(1, (available_width + 1) // self._peg_width(kind))
        if max_pegs < pegs:  # round numbers of pegs are easier to count
            max_pegs -= max_pegs % 10 if max_pegs >= 20 else max_pegs % 5 if max_pegs >= 5 else 0
        return kind, min(pegs, max_pegs)

    def _peg_width(self, kind: str) -> int:
        return self.symbol_width + {PLAIN: 1, NARROW: 1, WIDE: 2, SPACED: 3}[kind]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a score that have a column of numbers; () if scores are marks."""
        return () if self.marks else self.board.game.parts

    def _row_label(self, number: int) -> str:
        """Return the row number with its mark, or the head of the column if `number` is 0."""
        mark = "! " if number - 1 in self.marked else "  "
        return f"{mark}{number or 'row':>{self.number_width}}  "

    @property
    def guess_width(self) -> int:
        """Width of the column of guesses."""
        gap = 0 if self.cell_kind == WIDE else 1
        return max(self.pegs_per_line * self._peg_width(self.cell_kind) - gap, len("guess"))

    def lines(
        self,
        *,
        every_row: bool = False,
        code: Code | None = None,
        name: str = "code",
        is_named: bool = True,
    ) -> Iterator[Line]:
        """Yield the lines of the table, with `code` below it.

        If the board has many rows, only rows with a mark or an arrow are shown, unless `every_row`
        is true. If `is_named` is true, the first line is the game, so that `Board.parse` can read
        the table.
        """
        rows = list(enumerate(self.board.rows))
        marked_rows = self.marked | self.changes.keys()
        pegs = len(rows) * self.board.game.pegs
        if not every_row and (len(rows) > MAX_ROWS or pegs > MAX_TOTAL_PEGS):
            rows = [(number, row) for number, row in rows if number in marked_rows]
        if is_named:
            yield [Span(str(self.board.game), "dim")]
        if is_named or rows or code or self.board.known:
            yield self._head()
        for number, row in rows:
            yield from self._row(number, row)
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
        blank = " " * (self.key_width + 2) * bool(self.key_width)
        columns = zip(self.heads, self.part_widths, strict=True)
        parts = "".join(f"  {part:>{width}}" for part, width in columns)
        chance = f"  {CHANCE_HEAD}" * bool(self.chances)
        return [
            Span(f"{self._row_label(0)}{'guess':<{self.guess_width}}{blank}{parts}{chance}", "dim")
        ]

    def _row(self, number: int, row: Row) -> Iterator[Line]:
        in_conflict = number in self.marked
        line = [Span(self._row_label(number + 1), "conflict" if in_conflict else "dim")]
        line += self.pegs(row.guess[: self.pegs_per_line], row.score[: self.pegs_per_line])
        if not self.marks:
            line += self._numbers(number, row)
        elif self.chances:
            line.append(self._chance(number))
        yield line
        yield from self._marks(number, row, 0)
        for start in range(self.pegs_per_line, len(row.guess), self.pegs_per_line):
            section = slice(start, start + self.pegs_per_line)
            pegs = self.pegs(row.guess[section], row.score[section])
            yield [Span(" " * len(self._row_label(0))), *pegs]
            yield from self._marks(number, row, start)

    def _numbers(self, number: int, row: Row) -> Line:
        """Return the key pegs, the numbers, the probability and the corrected score of a row."""
        line = self._keys(row.score) if self.key_width else []
        for name, part, width in zip(self.parts, row.score, self.part_widths, strict=True):
            line.append(Span(f"  {'?' if part is None else part:>{width}}", name))
        if self.chances:
            line.append(self._chance(number))
        if number in self.changes:
            corrected_score = self.speller.print_score(self.changes[number])
            line.append(Span(f"  -> {corrected_score}", "correction"))
        return line

    def _chance(self, number: int) -> Span:
        chance = f"  {self.chances[number]:>{len(CHANCE_HEAD)}}"
        return Span(chance, "" if number in self.marked else "dim")

    def _marks(self, number: int, row: Row, start: int) -> Iterator[Line]:
        """Yield the marks below a line of a guess from peg `start` on, if scores are marks."""
        end = start + self.pegs_per_line
        edge = len(self._row_label(0))
        if self.marks:
            yield [Span(" " * edge), *self._cells(self._symbols(row.score[start:end]), "mark")]
        if self.marks and number in self.changes:
            corrected_marks = self._symbols(self.changes[number][start:end])
            yield [
                Span(f"{'->':<{edge}}", "correction"),
                *self._cells(corrected_marks, "correction"),
            ]

    def _symbols(self, score: Score) -> list[str]:
        return [str(mark or "?") for mark in self.board.game.scoring.to_json(score)]

    def _code(self, code: Code, name: str) -> Iterator[Line]:
        for start in range(0, len(code), self.pegs_per_line):
            edge = f"{'' if start else name:<{len(self._row_label(0)) - 2}}  "
            yield [Span(edge, "name"), *self.pegs(code[start : start + self.pegs_per_line])]

    def answer(self) -> Iterator[Line]:
        """Yield lines with an empty place for each peg of the code, to write the answer on."""
        num_pegs = self.board.game.pegs
        for start in range(0, num_pegs, self.pegs_per_line):
            edge = f"{'' if start else 'code':<{len(self._row_label(0)) - 2}}  "
            num_blanks = min(self.pegs_per_line, num_pegs - start)
            yield [Span(edge, "name"), *self._cells([""] * num_blanks, "blank")]

    def pegs(self, code: Sequence[int], score: Score = ()) -> Line:
        """Return pegs side by side, padded to the width of the column of guesses.

        Pairs have the paint of their first attribute. If scores are marks, a peg has the paint of
        its mark. Without a score, all letters of a word have the same paint.
        """
        paints = [color // self.shapes for color in code]
        if self.marks:
            names = [self.marks[mark].name if mark is not None else "" for mark in score]
            paints = [MARK_PAINTS[name] for name in names or [self.marks[-1].name] * len(code)]
        elif self.board.game.space.table() is not None:
            paints = [MARK_PAINTS[""]] * len(code)
        return self._cells([*map(self._symbol, code)], "peg", paints)

    def _symbol(self, color: int) -> str:
        return "?" if color == UNREAD else self.symbols[color]

    def _pad(self, symbol: str) -> str:
        return " " * (self.symbol_width - display_width(symbol)) + symbol

    def _cells(
        self, symbols: Sequence[str], style: str, paints: Sequence[int] | None = None
    ) -> Line:
        """Return symbols side by side in the column of guesses; one span if nothing is painted."""
        if not self.style.painted:
            text = " ".join(map(self._pad, symbols))
            return [Span(text + " " * (self.guess_width - display_width(text)), style)]
        margin = " " * (self.cell_kind in (WIDE, SPACED))
        gap = " " * (self.cell_kind != WIDE)
        texts = [f"{margin}{self._pad(name)}{margin}" for name in symbols]
        colors = [None] * len(texts) if paints is None else paints
        line = [Span(text, style, color) for text, color in zip(texts, colors, strict=True)]
        if gap:
            separator = Span(gap)
            line = [span for cell in line for span in (separator, cell)][1:]
        used_width = sum(display_width(span.text) for span in line)
        return [*line, Span(" " * (self.guess_width - used_width))]

    def _keys(self, score: Score) -> Line:
        """Return the key pegs for a score; unread parts count as 0."""
        remaining_width = self.key_width
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
MIN_COLUMN_WIDTH = 5
"""Minimum width of a column, in characters."""
MAX_NAMED_COLORS = 4
"""Maximum number of impossible colors that are named. If there are more, they are counted."""
CELL_INCHES = 0.12
"""A third of the width of a cell in a figure, and half of its height, in inches."""


def no_code_sentence(*, is_weighted: bool) -> str:
    """Return the sentence that there are no probabilities, because there is no code."""
    return f"no code {'with a weight above 0 gets' if is_weighted else 'gets exactly'} these scores"


def odds_table(odds: Odds, width: int) -> Iterator[Line]:
    """Yield a row per peg with a column per possible color, in blocks that fit the width."""
    game = odds.game
    if not odds.codes:
        yield [Span(no_code_sentence(is_weighted=odds.units is not None))]
        return
    used_colors = [color for color in range(game.colors) if any(row[color] for row in odds.table)]
    absent = [color_name(game, color) for color in range(game.colors) if color not in used_colors]
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
    shares = np.ma.masked_equal(odds.array(), 0)
    image = axes.imshow(shares, vmin=0, vmax=1, cmap="viridis", aspect="auto")
    image.set_cmap(image.get_cmap().with_extremes(bad=IMPOSSIBLE_SHADE))
    if game.pegs * game.colors <= MAX_NUMBERED_CELLS:
        for peg, row in enumerate(odds):
            for color, chance in enumerate(row):
                is_light = not chance or int(chance * len(SHADES)) >= FIRST_LIGHT_SHADE
                shade = "black" if is_light else "white"
                text = percent(chance).removesuffix("%")
                axes.text(color, peg, text, color=shade, ha="center", va="center", fontsize=7)
    if game.colors <= 60:
        axes.set_xticks(
            range(game.colors), [color_name(game, color) for color in range(game.colors)]
        )
    if game.pegs <= 60:
        axes.set_yticks(range(game.pegs), [str(peg + 1) for peg in range(game.pegs)])
    axes.set_xlabel(game.spelled.noun)
    axes.set_ylabel("peg")
    axes.set_title(f"{odds.codes:,} {plural('code', odds.codes)}")
    axes.figure.colorbar(image, ax=axes, label="chance (numbers: %)")
    return axes


def draw_odds(odds: Odds, path: str) -> None:
    """Draw the table as a file; equal odds give equal bytes."""
    plt = pyplot()
    pegs, colors = odds.game.pegs, odds.game.colors
    size = (max(2.5, 1.2 + 3 * CELL_INCHES * colors), max(1.8, 0.8 + 2 * CELL_INCHES * pegs))
    figure, axes = plt.subplots(figsize=tuple(min(20.0, inches) for inches in size))
    paint_odds(odds, axes)
    figure.tight_layout()
    save_figure(
        figure,
        path,
        f"The probability of every color at every peg, over {quantity(odds.codes, 'code')}",
    )
