"""A proof: the board with the rows that it uses, and what the file proves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.english import quantity
from mmsat.render.board import BoardTable, Style
from mmsat.render.reports.verify import rows_in_words
from mmsat.render.table import paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.proof.prove import Proof
    from mmsat.render.spans import Line


METHODS = {"witness": "a code", "algebra": "adding up rows", "lrat": "lemmas"}
"""Methods of proofs, in words."""


def lines(proof: Proof, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board and a sentence."""
    table = BoardTable(proof.board, style, proof.rows, meaning="no code gets all these scores")
    yield from table.lines(every_row=in_full)
    yield []
    rows = rows_in_words([row + 1 for row in proof.rows])
    about = f"{rows} of the board {'is' if len(proof.rows) == 1 else 'are'}"
    sentence = (
        f"Proven by {METHODS[proof.method]}: {about if proof.rows else 'the board is'} "
        f"{proof.status}. The proof has {quantity(len(proof.text.encode()), 'byte')}, and was "
        "checked."
    )
    yield from paragraphs([sentence], style.wrap)
