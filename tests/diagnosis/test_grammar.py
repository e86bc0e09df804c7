"""The sentences of explanations are grammatical, on boards of every kind."""

from __future__ import annotations

import random
import re

import pytest

import mmsat
from mmsat.constraints import System
from mmsat.diagnosis.explain import derive
from mmsat.diagnosis.sentences import explanation_sentences, verdict_sentences
from mmsat.game.scoring import SCORINGS
from mmsat.render.reports.verdicts import (
    discriminating_guess_sentences,
    hypothesis_rows,
    suspicion_sentences,
)
from tests.support.random_boards import (
    EVERY_SPACE,
    inconsistent_boards,
    known_boards,
    scorings_of,
    spaces_of,
)
from tests.support.tiers import at_least, share

PLURAL = (
    r"(?:literals|codes|colors|letters|rows|pegs|places|lies|words|conflicts|corrections|lemmas)"
)
SINGULAR = r"(?:literal|code|color|letter|row|peg|place|lie|word|conflict|correction)"
SCORE = r"(?: \([^)]*\))?"
WRONG_PATTERNS = [
    rf"(?<![\d,.])1 {PLURAL}\b",
    rf"(?<![\d,.])(?:0|[2-9]|\d\d+) (?:key )?{SINGULAR}\b(?! \d)",
    rf"\brow \d+{SCORE},? and \d+{SCORE}(?! \d| black| white| color)",
    rf"\brows \d+{SCORE} (?:can|tell|was|scored)",
    rf"\brows? \d+{SCORE} and \d+{SCORE} can(?:'t)? all\b",
    rf"\d{SCORE}, \d+{SCORE} and \d+{SCORE} can(?:'t)? both\b",
    r"  | [.,;:]|\(\)|\bNone\b|\.\.(?!\.)",
]
"""Patterns of ungrammatical sentences."""


@pytest.fixture(scope="module")
def boards():
    """Return inconsistent boards, then consistent ones."""
    inconsistent = list(inconsistent_boards(34, seed=205, pegs=4, colors=4, rows=5))
    consistent = [board for board, codes in known_boards(28, seed=206) if codes and board.rows]
    return [*inconsistent, *consistent]


def sentences_about(board, rng):
    """Yield all sentences about a board, with random lies and suspects."""
    explanation = mmsat.explain(board)
    yield from explanation_sentences(explanation)
    for conflict in explanation.conflicts:
        yield from derive(System.of(board), conflict)
    yield from verdict_sentences(mmsat.check(board))
    lies, by = rng.choice([1, 2]), rng.choice(["rows", "pegs"])
    yield from verdict_sentences(mmsat.check(board, lies=lies, by=by))
    yield from explanation_sentences(mmsat.explain(board, lies=lies, by=by))
    yield from (line.text for line in mmsat.steps(board).lines())
    count = len(board.rows)
    suspicion = mmsat.suspect(board, rng.sample(range(count), rng.randint(1, min(2, count))))
    yield from suspicion_sentences(suspicion)
    yield from discriminating_guess_sentences(suspicion)
    yield from (f"If {words}." for _, _, words in hypothesis_rows(suspicion))


def test_sentences_are_grammatical(boards):
    assert scorings_of(boards) == {*SCORINGS}
    assert spaces_of(boards) == EVERY_SPACE
    rng = random.Random(7)
    sentence_count = 0
    for board in boards[:: len(boards) // share(len(boards))]:
        for sentence in sentences_about(board, rng):
            sentence_count += 1
            assert sentence[-1] in ".]", (str(board), sentence)
            for pattern in WRONG_PATTERNS:
                assert not re.search(pattern, sentence), (str(board), sentence, pattern)
    assert sentence_count > at_least(600)


@pytest.mark.parametrize(
    "sentence",
    [
        "If row 1 was 2 color instead of 3 color, 24 codes remain.",
        "1 codes remain.",
        "Consistent within 2 lie.",
        "Rows 1, 2 and 3 can't both be right.",
        "Rows 1 (1 black) and 2 (3 black) can't all be right.",
        "rows 1 can't be right",
        "row 1 and 2 can't both be right",
    ],
)
def test_ungrammatical_sentences_are_detected(sentence):
    assert any(re.search(pattern, sentence, re.IGNORECASE) for pattern in WRONG_PATTERNS)
