"""The chance of each row to be the mistaken one, by its definition: every code looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mmsat
from mmsat.board import Board
from mmsat.diagnosis.sentences import MODEL, mistaken_sentences
from mmsat.diagnosis.slips import WEIGHTS, rank_weight
from mmsat.limits import LIMITS
from mmsat.results.count import Count
from tests import slip_model, twins
from tests.laws.random_boards import inconsistent_boards, known_boards
from tests.tiers import share


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
