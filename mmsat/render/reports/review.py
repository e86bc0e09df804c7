"""A review of a played game: its guesses as a table, and in sentences."""

from collections.abc import Iterator

from mmsat.render.board import Style
from mmsat.render.review import HEADS, NUMBERS, rows
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table
from mmsat.results.review import Review
from mmsat.reviewing.sentences import review_sentences


def lines(found: Review, style: Style, *, in_full: bool) -> Iterator[Line]:
    """The table and what it comes to; in full, each guess in a sentence."""
    if found.moves:
        yield from table(HEADS, [*rows(found)], style.wrap, NUMBERS)
    if in_full:
        sentences = [f"{move.number + 1}. {move.sentence}" for move in found.moves]
        yield from paragraphs(sentences, style.wrap)
    yield from paragraphs(review_sentences(found), style.wrap)
