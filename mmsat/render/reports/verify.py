"""Result of checking a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.english import noun_phrase
from mmsat.render.table import paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.proof.verify import Verification
    from mmsat.render.board import Style
    from mmsat.render.spans import Line


SHOWN = 8
"""Maximum number of rows that are named."""


def lines(found: Verification, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Return one sentence."""
    return paragraphs([sentence(found)], style.wrap)


def sentence(found: Verification) -> str:
    """Return the outcome of the check as a sentence."""
    if found.holds is None:
        return f"Undecided: {found.reason.removeprefix('undecided: ')}."
    if not found.holds:
        return f"Rejected: {found.reason}."
    by = f" by {rows_in_words([row + 1 for row in found.rows])}" if found.rows else ""
    return f"The proof holds: {found.board} is {found.verdict}{by}; {found.reason}."


def rows_in_words(rows: list[int]) -> str:
    """Return rows (from 1) in words; many rows are counted."""
    if len(rows) > SHOWN:
        return f"{len(rows)} of its rows"
    return noun_phrase("row", rows)
