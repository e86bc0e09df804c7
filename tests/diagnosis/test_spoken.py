"""What is said of boards of every kind, word by word: their conflicts, and their steps.

`spoken.txt` has the boards, each with what is said of it; it was read aloud before it was kept.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import mmsat
from mmsat.board import Board
from mmsat.diagnosis.clash import contradicting_facts, trim_scores
from mmsat.diagnosis.sentences import conflict_sentence
from mmsat.english import indefinite
from mmsat.game.row import Row
from mmsat.game.scoring import SCORINGS
from mmsat.results.verdict import Status
from tests import twins
from tests.laws.random_boards import inconsistent_boards
from tests.tiers import at_least, share

BLOCKS = [
    block.splitlines()
    for block in Path(__file__).with_name("spoken.txt").read_text("utf-8").strip().split("\n\n")
]


def spoken(board):
    """The smallest conflict, if there is one, and the steps."""
    found = mmsat.explain(board)
    smallest = min(found.conflicts, key=lambda conflict: conflict.sort_key(), default=None)
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
            if any(sentence.lower().startswith(f"{status}:") for sentence in sentences)
        }
        assert kinds == {*SCORINGS}


def test_what_rows_say_is_true_and_leaves_no_code():
    """By a look at every code: each row alone says its facts, or the parts that are told clash."""
    told = trimmed = 0
    for board in inconsistent_boards(share(600), seed=207, pegs=4, colors=4, rows=5):
        variables = board.game.variables
        for rows in sorted(twins.minimal_conflicts(board)):
            if len(rows) == 1:
                continue
            facts = contradicting_facts(board, rows)
            for row, literals in facts.items():
                codes = twins.consistent(board.only([row]))
                assert all(
                    twins.holds(variables, each, code) for code in codes for each in literals
                )
            every = [each for literals in facts.values() for each in literals]
            assert not facts or not any(
                all(twins.holds(variables, each, code) for each in every)
                for code in twins.codes(board.game)
            )
            told += bool(facts)
            if not facts and not board.game.scoring.marks:
                scores = trim_scores(board, rows)
                read = zip(rows, scores, strict=True)
                parts = [Row(board.rows[row].guess, score) for row, score in read]
                assert not twins.consistent(Board(board.game, tuple(parts)))
                trimmed += 1
    assert told > at_least(100)
    assert trimmed > at_least(30)


@pytest.mark.parametrize(
    ("name", "spoken_name"),
    [("R", "an R"), ("U", "a U"), ("H", "an H"), ("B", "a B"), ("8", "an 8"), ("1", "a 1")],
)
def test_letters_have_the_article_that_is_spoken(name, spoken_name):
    assert indefinite(name) == spoken_name
