"""A suggestion: the next guess and its reasons."""

from collections.abc import Iterator

from mmsat.render.board import BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs
from mmsat.results.suggestion import Suggestion
from mmsat.strategy.suggest import suggestion_sentences


def lines(suggestion: Suggestion, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the guess with its reasons; if pegs are painted, or in full, below the board."""
    if style.painted or in_full:
        table = BoardTable(suggestion.board, style)
        yield from table.lines(every_row=in_full, code=suggestion.guess, name="guess")
        yield []
    yield from paragraphs(suggestion_sentences(suggestion), style.wrap)
