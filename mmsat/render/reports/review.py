"""A review of a played game: its guesses as a table, in sentences, and as a graph."""

from collections.abc import Iterator

from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.printing import pyplot, save
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table
from mmsat.results.review import BEST_PLAY, Move, Review
from mmsat.reviewing.sentences import amount, percent, review_sentences

HEADS = (
    "row",
    "guess",
    "codes",
    "left",
    "cost",
    "best cost",
    "best guess",
    "skill",
    "luck",
    "luckier than",
)
NUMBERS = (0, 2, 3, 4, 5, 7, 8, 9)
"""Indices of the columns of numbers."""
DARK, RED, GREEN = "#472d7b", "#c1121f", "#8fd3b6"
UNITS = {True: "guesses", False: "codes"}


def lines(review: Review, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the table and a summary; in full, also a sentence per guess."""
    if review.moves:
        yield from table(HEADS, [*rows(review)], style.wrap and style.width, NUMBERS)
    if in_full:
        sentences = [f"{move.number + 1}. {move.sentence}" for move in review.moves]
        yield from paragraphs(sentences, style.wrap)
    yield from paragraphs(review_sentences(review), style.wrap)


def rows(review: Review) -> Iterator[list[str]]:
    """Yield the cells of the table, one row per guess."""
    spell = speller(review.board.game)
    for move in review.moves:
        yield [
            str(move.number + 1),
            spell.print_row(move.row),
            "?" if move.codes_before is None else f"{move.codes_before:,}",
            "?" if move.codes_after is None else f"{move.codes_after:,}",
            f"{amount(move.cost)} {UNITS[move.by == BEST_PLAY]}",
            amount(move.least),
            spell.print_code(move.best) if move.loss else "",
            percent(move.skill),
            "" if move.luck is None else amount(move.luck, "+"),
            "" if move.luckier is None else percent(move.luckier),
        ]


def draw(review: Review, path: str) -> None:
    """Draw the numbers of remaining and expected codes, and skill; equal games give equal bytes."""
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
            *zip(*start, *remaining, strict=False), marker="o", label="remaining codes", color=DARK
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
    save(figure, path, "Remaining codes after each guess, and the skill of each guess")


def expected_codes(move: Move) -> float:
    """Return the number of remaining codes to be expected by the information of the score."""
    return float(move.codes_before or 0) / 2**move.expected_bits
