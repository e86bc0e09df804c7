"""Reports of matches, of reviews of played games, of audits, and of puzzles.

The report of a match is a table of points and rounds, or of strategies if several boards are played
at once. The report of a review is a table of guesses with sentences. The report of an audit is a
summary in sentences. Reviews and audits can also be plotted.

A puzzle is shown as its board and grade, or as its solution. A sheet of puzzles for print begins
with the rules. It has pages of boards, each with empty places for the answer, followed by pages of
solutions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from mmsat._util.text import in_short, quantity
from mmsat.auditing.summary import (
    NO_ERROR_FOUND,
    OUTCOMES,
    UNNAMED,
    Summary,
    summary_sentences,
)
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.play.match import MatchResult, SeveralMatch
from mmsat.play.puzzle import Puzzle, clues
from mmsat.play.review_result import (
    Move,
    Review,
    amount,
    moves_by_unit,
    percent,
    review_sentences,
)
from mmsat.render import Line, Span, paragraphs, plain, pyplot, save_figure, save_svg_and_png, table
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


def match_lines(result: MatchResult, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the points and the winner; in full, first one line per round."""
    if in_full:
        yield from match_rounds(result, style)
        yield []
    rows = []
    for player, name in enumerate(result.names):
        num_rounds, num_found, num_guesses = result.guesses(player)
        average = f"{num_guesses / num_rounds:.2f}" if num_rounds else "-"
        share = f"{num_found} of {num_rounds}" if num_rounds else "-"
        rows.append([str(player + 1), name, str(result.points[player]), share, average])
    heads = ["", "player", "points", "found", "guesses each"]
    yield from table(heads, rows, style.wrap, right_aligned=(2,))
    if result.winner is not None:
        message = f"Player {result.winner + 1}, {result.names[result.winner]}, wins."
    else:
        message = "A draw." if result.is_complete else "The match was not played to its end."
    yield []
    yield from paragraphs([message], style.wrap)


def match_rounds(result: MatchResult, style: Style) -> Iterator[Line]:
    """Yield one line per round."""
    rows = [
        [
            str(number),
            result.names[played.maker],
            "-" if played.secret is None else speller(result.game).print_code(played.secret),
            str(len(played.board.rows)),
            "yes" if played.is_found else "no",
            " ".join(map(str, played.points)),
        ]
        for number, played in enumerate(result.played, 1)
    ]
    heads = ["round", "codemaker", "code", "guesses", "found", "points"]
    yield from table(heads, rows, style.wrap, right_aligned=(0, 3))


def several_match_lines(result: SeveralMatch, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield one line per strategy; in full, first one line per game."""
    num_games = len(result.guesses)
    if in_full:
        print_code = speller(result.game).print_code
        games = [
            [" ".join(map(str, guesses)), " ".join(map(print_code, codes))]
            for codes, guesses in zip(result.codes, result.guesses, strict=True)
        ]
        yield from table(["guesses", "codes"], games, style.wrap)
        yield []
    rows = [
        [
            name,
            f"{result.wins(index)} of {num_games}",
            in_short(result.average(index)),
            str(result.max_guesses(index)),
        ]
        for index, name in enumerate(result.names)
        if num_games
    ]
    if rows:
        heads = ["strategy", "won", "guesses each", "most"]
        yield from table(heads, rows, style.wrap, right_aligned=(2,))
        yield []
    games_and_boards = f"{quantity(num_games, 'game')} of {quantity(result.count, 'board')}"
    yield from paragraphs(
        [f"{games_and_boards}, won within {quantity(result.turns, 'guess')}."], style.wrap
    )


REVIEW_HEADS = ("row", "guess", "codes", "left", "cost", "best", "skill", "luck", "luckier")
"""Heads of the table of a review, which is up to 80 columns wide in games of 5 letters.

The column "luckier" has `Move.luckier`: the fraction of the codes that remained before the guess
for which its score would have been less lucky. Codes with equal luck count half."""
NUMBER_COLUMNS = (0, 2, 3, 4, 5, 6, 7)
"""Indices of the columns that are aligned right in the table of a review."""
DARK, RED, GREEN = "#472d7b", "#c1121f", "#8fd3b6"
"""The colors of plots."""


def review_lines(review: Review, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield tables of guesses and a summary; in full, also a sentence per guess.

    There is a table for each unit of costs: codes, or guesses.
    """
    for number, (unit, _, moves) in enumerate(moves_by_unit(review)):
        if number:
            yield []
        yield [Span(f"Costs and luck in {unit}:", "prose")]
        rows = [*review_rows(review, moves)]
        # In pictures, sentences are wrapped at `style.wrap`, but a table may have the whole width.
        width = None if style.wrap is None else style.width
        yield from table(REVIEW_HEADS, rows, width, right_aligned=NUMBER_COLUMNS)
    if in_full:
        sentences = [f"{move.number + 1}. {move.sentence}" for move in review.moves]
        yield from paragraphs(sentences, style.wrap)
    yield from paragraphs(review_sentences(review), style.wrap)


def review_rows(review: Review, moves: Sequence[Move]) -> Iterator[list[str]]:
    """Yield the cells of the table of some guesses, whose costs have the same unit."""
    spell = speller(review.board.game)
    for move in moves:
        yield [
            str(move.number + 1),
            spell.print_row(move.row),
            "?" if move.codes_before is None else f"{move.codes_before:,}",
            "?" if move.codes_after is None else f"{move.codes_after:,}",
            amount(move.cost),
            f"{spell.print_code(move.best)} {amount(move.best_cost)}" if move.loss else "",
            percent(move.skill),
            "" if move.luck is None else amount(move.luck, "+"),
            "" if move.luckier is None else percent(move.luckier),
        ]


def draw_review(review: Review, path: str) -> None:
    """Plot the remaining and expected codes, and the skill; equal reviews give equal bytes."""
    plt = pyplot()
    moves = review.moves
    spell = speller(review.board.game)
    width = max(3.0, 0.7 * (len(moves) + 1))
    figure, (upper_axes, lower_axes) = plt.subplots(
        2, 1, figsize=(width, 4), sharex=True, layout="constrained"
    )
    counted_moves = [move for move in moves if move.codes_before]
    start = [(0, counted_moves[0].codes_before)] if counted_moves else []
    remaining = [(move.number + 1, move.codes_after) for move in counted_moves if move.codes_after]
    if start:
        upper_axes.plot(
            *zip(*start, *remaining, strict=True), marker="o", label="remaining codes", color=DARK
        )
        expected = [(move.number + 1, expected_codes(move)) for move in counted_moves]
        upper_axes.plot(
            *zip(*expected, strict=True), "_", markersize=12, label="expected", color=RED
        )
        upper_axes.legend()
    upper_axes.set_yscale("log")
    upper_axes.set_ylabel("codes left")
    numbers = [move.number + 1 for move in moves]
    lower_axes.bar(numbers, [float(100 * move.skill) for move in moves], color=GREEN)
    for move in moves:
        if move.loss:
            best_guess = spell.print_code(move.best)
            lower_axes.annotate(best_guess, (move.number + 1, 2), ha="center", rotation=90)
    lower_axes.set_ylim(0, 105)
    lower_axes.set_ylabel("skill in %")
    names = [spell.print_row(move.row) for move in moves]
    lower_axes.set_xticks(numbers, names, rotation=45, ha="right")
    save_figure(figure, path, "Remaining codes after each guess, and the skill of each guess")


def expected_codes(move: Move) -> float:
    """Return the number of remaining codes if the score gives the expected information."""
    return float(move.codes_before or 0) / 2**move.expected_bits


def summary_lines(summary: Summary, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield sentences, and a table of recorded errors and results if the logs record any error."""
    yield from paragraphs(summary_sentences(summary), style.wrap)
    if summary.has_recorded_slips:
        yield from confusion_table(summary, style.wrap)


def confusion_table(summary: Summary, width: int | None) -> Iterator[Line]:
    """Yield a table of games by recorded error (rows) and by result of the audit (columns).

    Games without an error, recorded or found, are in a sentence of the summary instead.
    """
    recorded_errors = sorted(
        {recorded for recorded, outcome in summary.confusion if outcome != NO_ERROR_FOUND}
    )
    rows = [
        [*(str(summary.confusion[recorded, outcome]) for outcome in OUTCOMES), recorded]
        for recorded in recorded_errors
    ]
    heads = [*OUTCOMES.values(), "actual error"]
    yield from table(heads, rows, width, right_aligned=range(len(OUTCOMES)))


def make_folder(path: str) -> Path:
    """Return the folder at a path; create it if it does not exist."""
    os.makedirs(path, exist_ok=True)
    return Path(path)


def draw_summary(summary: Summary, folder: Path) -> list[Path]:
    """Plot the slips and the skill, if there are any; equal summaries give equal bytes."""
    plt = pyplot()
    paths: list[Path] = []
    if summary.slips:
        words, games = zip(*reversed(summary.slips.most_common()), strict=True)
        height = max(1.2, 0.5 + 0.25 * len(words))
        figure, axes = plt.subplots(figsize=(5, height), layout="constrained")
        axes.barh([value or UNNAMED for value in words], games, color=RED)
        axes.set_xlabel("games")
        paths += save_svg_and_png(figure, folder, "slips")
    if summary.skills:
        figure, axes = plt.subplots(figsize=(5, 2.4), layout="constrained")
        first_records, means, _ = zip(*summary.skills, strict=True)
        axes.plot(first_records, [100 * mean for mean in means], marker="o", color=DARK)
        axes.set_xlabel("record")
        axes.set_ylabel("skill in %")
        paths += save_svg_and_png(figure, folder, "skill")
    return paths


PAGE_WIDTH, PAGE_HEIGHT = 794, 1123
"""Size of an A4 page in pixels."""
PAGE_MARGIN = 48
"""Margin of a page in pixels, 12.7 mm, because printers cut the edge of the paper."""
BOARD_STYLE = Style(width=40, painted=True, symbols=True)
"""Style of the boards of puzzles, which are side by side."""
SENTENCE_WIDTH = 100
"""Maximum number of characters in a line of a sentence, which fill the width of a page."""
COUNTED_PART = re.compile(r"\b(\d+) (black|white)\b")
"""A part of a score in a sentence, such as "2 black"."""
ANIMALS = {"black": "bull", "white": "cow"}
"""The usual names of the parts of a score in games of digits that do not repeat."""
Block = Sequence[Line]
"""Lines that are kept together on a page."""


def puzzle_lines(
    puzzle: Puzzle, style: Style, *, in_full: bool, is_padlock: bool = False
) -> Iterator[Line]:
    """Yield the board and its grade or, in full, the steps that lead to the code."""
    if is_padlock:
        yield from clue_lines(BoardTable(puzzle.board, style))
        yield []
    if in_full:
        yield from steps_lines(puzzle.steps, style, in_full=False)
        return
    if not is_padlock:
        yield from BoardTable(puzzle.board, style).lines(every_row=True)
        yield []
    assert puzzle.steps.difficulty is not None  # noqa: S101
    yield from paragraphs([puzzle.steps.difficulty.sentence()], style.wrap)


def clue_lines(table: BoardTable) -> Iterator[Line]:
    """Yield a board as a padlock puzzle: each guess, followed by its score in words."""
    board = table.board
    for row, text in zip(board.rows, clues(board), strict=True):
        yield [Span("  "), *table.pegs(row.guess), Span("  "), Span(text, "prose")]


def is_bulls_and_cows(game: Game) -> bool:
    """Return whether the scores of a game are usually called bulls and cows."""
    has_different_digits = game.color_symbols.noun == "digit" and not game.space.has_repeats
    return has_different_digits and game.parts == tuple(ANIMALS)


def sheet_table(board: Board, style: Style) -> BoardTable:
    """Return the table of a board on paper, in which digits are plain text."""
    if board.game.color_symbols.noun != "digit":
        return BoardTable(board, style)
    heads = [f"{animal}s" for animal in ANIMALS.values()] if is_bulls_and_cows(board.game) else ()
    return BoardTable(board, style._replace(symbols=False), heads=heads, is_colored=False)


def name_parts(game: Game, sentence: str) -> str:
    """Return a sentence with the usual names of the parts of scores, such as "2 bulls"."""
    if not is_bulls_and_cows(game):
        return sentence
    return COUNTED_PART.sub(lambda part: quantity(int(part[1]), ANIMALS[part[2]]), sentence)


class Sheet:
    """The pages of a sheet of puzzles, one below the other in a drawing."""

    def __init__(self, drawing: Drawing) -> None:
        """Create a sheet without pages."""
        self.drawing = drawing
        self.num_pages = 0
        self.y: float = PAGE_HEIGHT
        """The `y` coordinate of the next block, from the top of the first page."""

    def start_page(self) -> None:
        """Start a new page."""
        self.y = PAGE_MARGIN + PAGE_HEIGHT * self.num_pages
        self.num_pages += 1

    def add(self, blocks: Sequence[Block], width: float) -> None:
        """Draw blocks side by side, on a new page if the current one has not enough space.

        `width` is the distance of their left edges; it has no effect on a single block.
        """
        height = max(sum(map(line_height, block)) for block in blocks)
        if not self.num_pages or self.y + height > PAGE_HEIGHT * self.num_pages - PAGE_MARGIN:
            self.start_page()
        for number, block in enumerate(blocks):
            # `draw_line` adds MARGIN.
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
    # The last column needs no margin on its right.
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
    rule = game.scoring.summary
    if noun == "digit":
        rule = rule.replace("color", noun)
    if is_bulls_and_cows(game):
        for part, animal in ANIMALS.items():
            rule = rule.replace(part, f"{animal}s")
    scores = f"Each row has a guess and its score: {rule}."
    for sentence in (f"{code} Every puzzle has exactly one solution.", scores):
        yield from paragraphs([sentence], SENTENCE_WIDTH)
    yield []


def question(number: int, puzzle: Puzzle, *, is_padlock: bool) -> Iterator[Line]:
    """Yield the number, the grade and the board of a puzzle."""
    yield [Span(f"Puzzle {number}", "name"), Span(f"  grade {puzzle.grade}", "dim")]
    table = sheet_table(puzzle.board, BOARD_STYLE)
    if is_padlock:
        yield from clue_lines(table)
    else:
        yield from table.lines(every_row=True, is_named=False)
    yield from table.answer()
    yield []


def solution(number: int, puzzle: Puzzle) -> Sequence[Block]:
    """Return the code of a puzzle with its first step, then each further step.

    The line about the verdict, the first one of the steps, is omitted: a puzzle has one code.
    """
    game = puzzle.board.game
    table = sheet_table(puzzle.board.only(()), PICTURE_STYLE)
    _, *code_lines = table.lines(code=puzzle.code, is_named=False)  # without the heads
    blocks: list[list[Line]] = [[[Span(f"Puzzle {number}", "name")], *code_lines]]
    _, *lines = puzzle.steps.lines()
    for index, line in enumerate(lines):
        margin = "    " * line.depth
        sentences = paragraphs([name_parts(game, line.text)], SENTENCE_WIDTH - len(margin))
        if index:  # the first step is in the block of the code
            blocks.append([])
        blocks[-1] += [[Span(margin), *spans] for spans in sentences]
    blocks[-1].append([])
    return blocks


def line_height(line: Iterable[Span]) -> float:
    """Return the height of a line in pixels."""
    has_pegs = any(span.color is not None or span.style == "blank" for span in line)
    return PEG_LINE_HEIGHT if has_pegs else TEXT_LINE_HEIGHT


LINES: dict[str, Callable[..., Iterator[Line]]] = {
    "MatchResult": match_lines,
    "Puzzle": puzzle_lines,
    "Review": review_lines,
    "SeveralMatch": several_match_lines,
    "Summary": summary_lines,
}
"""The functions of reports, by the names of the classes of results."""
