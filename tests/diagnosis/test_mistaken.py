"""The chance of each row to be the mistaken one, by its definition: every code looked at."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

import mmsat
from mmsat.board import Board
from mmsat.diagnosis.sentences import (
    CHANGES,
    MODEL,
    likely_sentences,
    mistaken_sentences,
    verdict_sentences,
)
from mmsat.diagnosis.slips import WEIGHTS, rank_weight
from mmsat.limits import LIMITS
from mmsat.results.count import Count
from tests import slip_model, twins
from tests.laws.random_boards import inconsistent_boards, known_boards
from tests.tiers import at_least, share


def test_chances_are_those_of_the_model():
    for board in inconsistent_boards(share(60), seed=81, pegs=4, colors=3, rows=5):
        found = mmsat.explain(board, limit=10_000)
        assert found.mistaken_exactly
        assert found.mistaken == slip_model.chances(board), str(board)
        least = twins.least_wrong(board)
        assert sum(found.mistaken) == least


def test_chances_are_the_same_where_brute_force_does_not_reach(monkeypatch):
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    for board in inconsistent_boards(12, seed=82, pegs=3, colors=3, rows=4):
        found = mmsat.explain(board, limit=10_000)
        assert (found.mistaken_exactly, found.mistaken) == (True, slip_model.chances(board))


LIKELY = re.compile(r"^(?:At least (\d+) scores are wrong\. )?(Rows?) ([\d, and]+) .*\((\d+)%")


def test_check_names_the_most_likely_mistakes_of_the_model_first():
    """What the sentence says is compared with the chances of the model, computed from all codes."""
    kinds = Counter()
    for board in inconsistent_boards(share(240, least=60), seed=84, pegs=4, colors=3, rows=5):
        verdict = mmsat.check(board, reason=60)
        chances = slip_model.chances(board)
        assert verdict.mistaken == chances, str(board)
        highest, wrong = max(chances), sum(chances)
        likely = {row for row, chance in enumerate(chances, 1) if chance == highest}
        first = verdict_sentences(verdict)[1]
        if match := LIKELY.match(first):
            assert int(match[1] or 1) == wrong
            assert {*map(int, re.findall(r"\d+", match[3]))} == likely
            assert int(match[4]) == round(100 * highest) < 100
            kinds["likely"] += 1
        elif "equally likely" in first:
            assert first.startswith(f"{len(likely)} rows are equally likely mistakes")
            assert len(likely) > CHANGES
            kinds["many"] += 1
        else:
            assert (highest, len(likely)) == (1, wrong)
            assert {*map(int, re.findall(r"(?<=[s ])\d+(?= )|(?<=Row )\d+", first))} >= likely
            kinds["certain"] += 1
    assert kinds["likely"] > at_least(60)
    assert kinds["certain"] > at_least(20)


def test_corrections_that_may_not_be_all_are_told():
    board = Board.parse("4x6/1122=1.1/1122=0.2/3456=0.2")
    whole = mmsat.check(board)
    assert likely_sentences(whole) == ["Rows 1 and 2 are the most likely mistakes (50% each)."]
    some = replace(whole, all_corrections=False)
    assert likely_sentences(some) == [
        "Rows 1 and 2 are the most likely mistakes in the corrections found so far (about 50% each)."
    ]
    assert likely_sentences(replace(some, corrections=whole.corrections[:1])) == []
    assert likely_sentences(replace(whole, corrections=())) == []


def test_a_consistent_board_has_no_mistakes():
    for board, codes in known_boards(share(60), seed=83):
        if codes:
            found = mmsat.explain(board)
            assert (found.mistaken, found.mistaken_exactly) == ((), True)


def test_what_is_not_known_exactly_is_told():
    board = Board.parse("4x6/1122=1.1/1122=0.2/3456=0.2")
    whole = mmsat.explain(board)
    assert mistaken_sentences(whole) == [MODEL]
    cut = mmsat.explain(board, limit=1)
    assert not cut.mistaken_exactly
    bound = Count(3, exact=False, method="auto", seconds=0.0)
    loose = replace(
        whole, corrections=tuple(replace(each, codes=bound) for each in whole.corrections)
    )
    assert not loose.mistaken_exactly
    assert "estimate" in mistaken_sentences(loose)[0]
    unknown = replace(
        whole, corrections=tuple(replace(each, codes=None) for each in whole.corrections)
    )
    assert unknown.mistaken == ()
    assert mistaken_sentences(unknown) == []


@pytest.mark.parametrize(("rank", "expected"), [(0, 8), (1, 4), (2, 2), (3, 1), (17, 1)])
def test_weights(rank, expected):
    assert rank_weight(rank) == expected
    assert str(WEIGHTS[min(rank, 3)]) in MODEL
