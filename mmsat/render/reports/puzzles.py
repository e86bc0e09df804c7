"""Reports of puzzles, and sheets of puzzles for print.

A puzzle is shown as its board and grade, or as its solution. A sheet has pages of boards, followed
by pages of solutions.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from mmsat.game.board import Board
from mmsat.play.puzzle import Puzzle, clues
from mmsat.render.board import BoardTable, Style
from mmsat.render.pdf import PdfDrawing
from mmsat.render.picture import COLUMN, EDGE, PEG_LINE_HEIGHT, PICTURE, TEXT_LINE_HEIGHT, draw_line
from mmsat.render.reports.verdicts import steps_lines
from mmsat.render.svg import Drawing
from mmsat.render.table import Line, Span, paragraphs, plain

WIDTH, HEIGHT = 794, 1123
"""Size of an A4 page in pixels."""
STYLE = Style(width=44, painted=True, symbols=True)
"""Style of boards, which are side by side."""
SENTENCE_WIDTH = 96
"""Width of a sentence of a solution, in columns."""
Block = Sequence[Line]
"""Lines that are kept together on a page."""


def puzzle_lines(
    puzzle: Puzzle, style: Style, *, in_full: bool, is_padlock: bool = False
) -> Iterator[Line]:
    """Yield the board and its grade; in full, the steps that lead to the code."""
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
    """Yield a board as a padlock puzzle: each guess with a sentence."""
    table = BoardTable(board, style)
    for row, text in zip(board.rows, clues(board), strict=True):
        yield [Span("  "), *table.pegs(row.guess), Span("  "), Span(text, "prose")]


class Sheet:
    """Pages, one below the other in one drawing."""

    def __init__(self, drawing: Drawing) -> None:
        """Create a sheet without pages."""
        self.drawing = drawing
        self.pages = 0
        self.y: float = HEIGHT

    def turn(self) -> None:
        """Start a new page."""
        self.y = EDGE + HEIGHT * self.pages
        self.pages += 1

    def put(self, blocks: Sequence[Block], across: float) -> None:
        """Draw blocks side by side, on a new page if they do not fit on the current one."""
        height = max(sum(map(line_height, block)) for block in blocks)
        if not self.pages or self.y + height > HEIGHT * self.pages - EDGE:
            self.turn()
        for number, block in enumerate(blocks):
            with self.drawing.group(number * across, self.y):
                y: float = 0
                for line in block:
                    draw_line(self.drawing, line, y, line_height(line))
                    y += line_height(line)
        self.y += height


def sheet(puzzles: Sequence[Puzzle], *, is_padlock: bool = False) -> str:
    """Return the puzzles as SVG; their solutions, step by step, begin on a new page."""
    drawing = Drawing(title(puzzles), "Puzzles, followed by their solutions.")
    pages = fill(drawing, puzzles, is_padlock=is_padlock)
    return "\n".join(drawing.lines(WIDTH, HEIGHT * pages)) + "\n"


def pdf_sheet(puzzles: Sequence[Puzzle], *, is_padlock: bool = False) -> bytes:
    """Return the same sheet as PDF on A4 pages with embedded fonts."""
    drawing = PdfDrawing(title(puzzles), WIDTH, HEIGHT)
    fill(drawing, puzzles, is_padlock=is_padlock)
    return drawing.data()


def title(puzzles: Sequence[Puzzle]) -> str:
    """Return the title of the sheet."""
    return f"Puzzles of a {puzzles[0].board.game} game"


def fill(drawing: Drawing, puzzles: Sequence[Puzzle], *, is_padlock: bool) -> int:
    """Draw all pages and return their number."""
    sheet_of_puzzles = Sheet(drawing)
    blocks = [
        tuple(question(number, puzzle, is_padlock=is_padlock))
        for number, puzzle in enumerate(puzzles, 1)
    ]
    width = max(len(plain(line)) for block in blocks for line in block) * COLUMN + EDGE
    columns = max(1, int((WIDTH - EDGE) // width))
    for start in range(0, len(blocks), columns):
        sheet_of_puzzles.put(blocks[start : start + columns], width)
    sheet_of_puzzles.turn()
    for number, puzzle in enumerate(puzzles, 1):
        for line in solution(number, puzzle):
            sheet_of_puzzles.put([[line]], 0)
    return sheet_of_puzzles.pages


def question(number: int, puzzle: Puzzle, *, is_padlock: bool) -> Iterator[Line]:
    """Yield a number, a grade and a board."""
    yield [Span(f"Puzzle {number}", "name"), Span(f"  grade {puzzle.grade}", "dim")]
    if is_padlock:
        yield from clue_lines(puzzle.board, STYLE)
    else:
        yield from BoardTable(puzzle.board, STYLE).lines(every_row=True, is_named=False)
    yield []


def solution(number: int, puzzle: Puzzle) -> Iterator[Line]:
    """Yield the code, and the steps that lead to it."""
    yield [Span(f"Puzzle {number}", "name")]
    yield from BoardTable(puzzle.board.only(()), PICTURE).lines(code=puzzle.code, is_named=False)
    for line in puzzle.steps.lines():
        margin = "    " * line.depth
        for spans in paragraphs([line.text], SENTENCE_WIDTH - len(margin)):
            yield [Span(margin), *spans]
    yield []


def line_height(line: Iterable[Span]) -> float:
    """Return the height of a line in pixels."""
    return PEG_LINE_HEIGHT if any(span.color is not None for span in line) else TEXT_LINE_HEIGHT


LINES: dict[str, Callable[..., Iterator[Line]]] = {
    "Puzzle": puzzle_lines,
}
"""The reports by the names of their classes."""
