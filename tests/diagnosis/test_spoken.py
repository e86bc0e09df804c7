"""The exact text about the conflicts and steps of boards of every kind.

`spoken.txt` has the boards and the expected text, which was proofread.
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


def sentences_about(board):
    """Yield the sentence about the smallest conflict, if there is one, and those of the steps."""
    explanation = mmsat.explain(board)
    smallest = min(explanation.conflicts, key=lambda conflict: conflict.sort_key(), default=None)
    if smallest is not None:
        yield conflict_sentence(board, smallest)
    yield from (line.text for line in mmsat.steps(board).lines())


@pytest.mark.parametrize("block", BLOCKS, ids=[block[0] for block in BLOCKS])
def test_the_text_is_the_expected_one(block):
    line, *sentences = block
    assert [*sentences_about(Board.parse(line))] == sentences


def test_every_kind_of_scoring_has_a_consistent_and_an_inconsistent_board():
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
    ("name", "phrase"),
    [
        ("R", "an R"),
        ("U", "a U"),
        ("H", "an H"),
        ("B", "a B"),
        ("8", "an 8"),
        ("1", "a 1"),
        ("11", "an 11"),
        ("110", "a 110"),
    ],
)
def test_the_article_of_a_letter_follows_its_pronunciation(name, phrase):
    assert indefinite(name) == phrase
