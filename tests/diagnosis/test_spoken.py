"""The exact text about boards of every kind: their conflicts and their steps.

`spoken.txt` has the boards with the expected text, which was proofread.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import mmsat
from mmsat._util.text import indefinite
from mmsat.diagnosis.sentences import conflict_sentence
from mmsat.game.board import Board, Status
from mmsat.game.scoring import SCORINGS

BLOCKS = [
    block.splitlines()
    for block in Path(__file__).with_name("spoken.txt").read_text("utf-8").strip().split("\n\n")
]


def spoken(board):
    """The smallest conflict, if there is one, and the steps."""
    explanation = mmsat.explain(board)
    smallest = min(explanation.conflicts, key=lambda conflict: conflict.sort_key(), default=None)
    if smallest is not None:
        yield conflict_sentence(board, smallest)
    yield from (line.text for line in mmsat.steps(board).lines())


@pytest.mark.parametrize("block", BLOCKS, ids=[block[0] for block in BLOCKS])
def test_what_is_said(block):
    line, *sentences = block
    assert [*spoken(Board.parse(line))] == sentences


def test_every_kind_of_score_is_spoken_of():
    """With a code, and without."""
    for status in (Status.CONSISTENT, Status.INCONSISTENT):
        kinds = {
            Board.parse(line).game.scoring.name
            for line, *sentences in BLOCKS
            if any(
                sentence.lower().startswith((f"{status}:", f"{status}.")) for sentence in sentences
            )
        }
        assert kinds == {*SCORINGS}


@pytest.mark.parametrize(
    ("name", "spoken_name"),
    [("R", "an R"), ("U", "a U"), ("H", "an H"), ("B", "a B"), ("8", "an 8"), ("1", "a 1")],
)
def test_letters_have_the_article_that_is_spoken(name, spoken_name):
    assert indefinite(name) == spoken_name
