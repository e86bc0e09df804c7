"""What an audit comes to: numbers of games and slips, and how well slips were named."""

from collections.abc import Iterator

from mmsat.auditing.summary import Summary, summary_sentences
from mmsat.render.audit import confusion_table
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs


def lines(found: Summary, style: Style, *, in_full: bool) -> Iterator[Line]:  # noqa: ARG001
    """Sentences, and where the logs know of slips, what was said of each kind."""
    yield from paragraphs(summary_sentences(found), style.wrap)
    if found.knows_slips:
        yield from confusion_table(found, style.wrap)
