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


MAX_NAMED_ROWS = 8
"""Maximum number of rows that are named."""


def lines(verification: Verification, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Return one sentence."""
    return paragraphs([sentence(verification)], style.wrap)


def sentence(verification: Verification) -> str:
    """Return the outcome of the check as a sentence."""
    if verification.holds is None:
        return f"Undecided: {verification.reason.removeprefix('undecided: ')}."
    if not verification.holds:
        return f"Rejected: {verification.reason}."
    row_words = (
        f" by {rows_in_words([row + 1 for row in verification.rows])}" if verification.rows else ""
    )
    return (
        f"The proof holds: {verification.board} is {verification.verdict}{row_words}; "
        f"{verification.reason}."
    )


def rows_in_words(rows: list[int]) -> str:
    """Return rows (from 1) in words; many rows are counted."""
    if len(rows) > MAX_NAMED_ROWS:
        return f"{len(rows)} of its rows"
    return noun_phrase("row", rows)
