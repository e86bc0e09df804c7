"""Reports of puzzles, and sheets of puzzles for print.

A puzzle is shown as its board and grade, or as its solution. A sheet begins with the rules. It has
pages of boards, each with empty places for the answer, followed by pages of solutions.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from mmsat._util.text import quantity
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.play.puzzle import Puzzle, clues
from mmsat.render import Line, Span, paragraphs, plain
from mmsat.render.board import BoardTable, Style
from mmsat.render.picture import (
    COLUMN_WIDTH,
    MARGIN,
    PEG_LINE_HEIGHT,
    PICTURE_STYLE,
    TEXT_LINE_HEIGHT,
    Drawing,
    PdfDrawing,
    draw_line,
)
from mmsat.render.reports.verdicts import steps_lines

PAGE_WIDTH, PAGE_HEIGHT = 794, 1123
"""Size of an A4 page in pixels."""
PAGE_MARGIN = 48
"""Margin of a page in pixels, 12.7 mm, because printers cut the edge of the paper."""
BOARD_STYLE = Style(width=40, painted=True, symbols=True)
"""Style of the boards of puzzles, which are side by side."""
SENTENCE_WIDTH = 88
"""Width of a sentence of a solution, in columns."""
Block = Sequence[Line]
"""Lines that are kept together on a page."""


def puzzle_lines(
    puzzle: Puzzle, style: Style, *, in_full: bool, is_padlock: bool = False
) -> Iterator[Line]:
    """Yield the board and its grade or, in full, the steps that lead to the code."""
    if is_padlock:
        yield from clue_lines(puzzle.board, style)
        yield []
    if in_full:
        yield from steps_lines(puzzle.steps, style, in_full=False)
        return
    if not is_padlock:
        yield from BoardTable(puzzle.board, style).lines(every_row=True)
        yield []
    assert puzzle.steps.difficulty is not None  # noqa: S101
    yield from paragraphs([puzzle.steps.difficulty.sentence()], style.wrap)


def clue_lines(board: Board, style: Style) -> Iterator[Line]:
    """Yield a board as a padlock puzzle: each guess, followed by its score in words."""
    table = BoardTable(board, style)
    for row, text in zip(board.rows, clues(board), strict=True):
        yield [Span("  "), *table.pegs(row.guess), Span("  "), Span(text, "prose")]


class Sheet:
    """Pages that are one below the other in a drawing."""

    def __init__(self, drawing: Drawing) -> None:
        """Create a sheet without pages."""
        self.drawing = drawing
        self.num_pages = 0
        self.y: float = PAGE_HEIGHT

    def start_page(self) -> None:
        """Start a new page."""
        self.y = PAGE_MARGIN + PAGE_HEIGHT * self.num_pages
        self.num_pages += 1

    def add(self, blocks: Sequence[Block], width: float) -> None:
        """Draw blocks of this width side by side, on a new page if the current one has no space."""
        height = max(sum(map(line_height, block)) for block in blocks)
        if not self.num_pages or self.y + height > PAGE_HEIGHT * self.num_pages - PAGE_MARGIN:
            self.start_page()
        for number, block in enumerate(blocks):
            with self.drawing.group(PAGE_MARGIN - MARGIN + number * width, self.y):
                y: float = 0
                for line in block:
                    draw_line(self.drawing, line, y, line_height(line))
                    y += line_height(line)
        self.y += height


def sheet(puzzles: Sequence[Puzzle], *, is_padlock: bool = False) -> str:
    """Return the puzzles as SVG; their solutions by steps begin on a new page."""
    drawing = Drawing(title(puzzles), "Puzzles, followed by their solutions.")
    num_pages = draw_pages(drawing, puzzles, is_padlock=is_padlock)
    return "\n".join(drawing.lines(PAGE_WIDTH, PAGE_HEIGHT * num_pages)) + "\n"


def pdf_sheet(puzzles: Sequence[Puzzle], *, is_padlock: bool = False) -> bytes:
    """Return the same sheet as PDF on A4 pages with embedded fonts."""
    drawing = PdfDrawing(title(puzzles), PAGE_WIDTH, PAGE_HEIGHT)
    draw_pages(drawing, puzzles, is_padlock=is_padlock)
    return drawing.data()


def title(puzzles: Sequence[Puzzle]) -> str:
    """Return the title of the sheet."""
    return f"Puzzles of a {puzzles[0].board.game} game"


def draw_pages(drawing: Drawing, puzzles: Sequence[Puzzle], *, is_padlock: bool) -> int:
    """Draw all pages and return their number."""
    pages = Sheet(drawing)
    pages.add([tuple(introduction(puzzles))], 0)
    blocks = [
        tuple(question(number, puzzle, is_padlock=is_padlock))
        for number, puzzle in enumerate(puzzles, 1)
    ]
    width = max(len(plain(line)) for block in blocks for line in block) * COLUMN_WIDTH + MARGIN
    columns = max(1, int((PAGE_WIDTH - 2 * PAGE_MARGIN + MARGIN) // width))
    for start in range(0, len(blocks), columns):
        pages.add(blocks[start : start + columns], width)
    pages.start_page()
    for number, puzzle in enumerate(puzzles, 1):
        for block in solution(number, puzzle):
            pages.add([block], 0)
    return pages.num_pages


def introduction(puzzles: Sequence[Puzzle]) -> Iterator[Line]:
    """Yield the title and the rules of the game."""
    game = puzzles[0].board.game
    yield [Span(title(puzzles), "name")]
    noun = speller(game).noun
    if game.space.table() is not None:
        code = f"Find the code, one of {quantity(game.size, 'word')}."
    else:
        repeats = "may repeat" if game.space.has_repeats else "do not repeat"
        colors = f"{quantity(game.pegs, 'peg')}, {quantity(game.colors, noun)}"
        code = f"Find the code: {colors}; {noun}s {repeats}."
    scores = f"Each row has a guess and its score: {game.scoring.summary}."
    for sentence in (f"{code} Every puzzle has exactly one solution.", scores):
        yield from paragraphs([sentence], SENTENCE_WIDTH)
    yield []


def question(number: int, puzzle: Puzzle, *, is_padlock: bool) -> Iterator[Line]:
    """Yield the number, the grade and the board of a puzzle."""
    yield [Span(f"Puzzle {number}", "name"), Span(f"  grade {puzzle.grade}", "dim")]
    table = BoardTable(puzzle.board, BOARD_STYLE)
    if is_padlock:
        yield from clue_lines(puzzle.board, BOARD_STYLE)
    else:
        yield from table.lines(every_row=True, is_named=False)
    yield from table.answer()
    yield []


def solution(number: int, puzzle: Puzzle) -> Sequence[Block]:
    """Return the code of a puzzle with its first step, then each further step.

    The line about the verdict, the first one of the steps, is omitted: a puzzle has one code.
    """
    table = BoardTable(puzzle.board.only(()), PICTURE_STYLE)
    _, *code_lines = table.lines(code=puzzle.code, is_named=False)  # without the heads
    blocks: list[list[Line]] = [[[Span(f"Puzzle {number}", "name")], *code_lines]]
    _, *lines = puzzle.steps.lines()
    for index, line in enumerate(lines):
        margin = "    " * line.depth
        sentences = paragraphs([line.text], SENTENCE_WIDTH - len(margin))
        blocks += [[]] if index else []
        blocks[-1] += [[Span(margin), *spans] for spans in sentences]
    blocks[-1].append([])
    return blocks


def line_height(line: Iterable[Span]) -> float:
    """Return the height of a line in pixels."""
    has_pegs = any(span.color is not None or span.style == "blank" for span in line)
    return PEG_LINE_HEIGHT if has_pegs else TEXT_LINE_HEIGHT


LINES: dict[str, Callable[..., Iterator[Line]]] = {
    "Puzzle": puzzle_lines,
}
"""The functions of reports, by the names of the classes of results."""
