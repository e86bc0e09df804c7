"""Boards that are too large to be looked at before the clock is: the same answers, from afar."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.counting.count import count
from mmsat.counting.listing import SearchBudget, list_codes
from mmsat.game.board import Board
from mmsat.limits import LIMITS
from mmsat.solving import deadline, searches
from mmsat.solving.deadline import Deadline, TimeUpError

BOARDS = [
    "4x6/1122=1.1/3345=0.2",
    "4x6/1122=3.1",
    "4x6/1122=0.4/1122=0.2",
    "3x3!/123=1.2",
    "5x3b/11223=2/31231=?",
    "2x2",
]


@pytest.fixture
def everything_is_large(monkeypatch):
    """Let every board count as large."""
    monkeypatch.setattr(LIMITS, "large_board", 0)
    assert all(deadline.is_large(Board.parse(text)) for text in BOARDS)


def answers(text):
    """Return all answers about a board, without times."""
    board = Board.parse(text)
    verdicts = [mmsat.check(board, engine=engine) for engine in ("auto", "brute")]
    counts = [count(board, method=method) for method in ("auto", "brute", "enumeration", "ganak")]
    return (
        [
            (verdict.status, verdict.witness, verdict.engine, verdict.conflict)
            for verdict in verdicts
        ],
        [(count.count, count.exact, count.method) for count in counts],
        list(list_codes(board, Deadline())),
        list(list_codes(board, Deadline(), budget=SearchBudget(0))),
        [correction.changes for correction in mmsat.explain(board).corrections],
    )


@pytest.mark.parametrize("text", BOARDS)
def test_a_large_board_gets_the_same_answers(text, request):
    near = answers(text)
    request.getfixturevalue("everything_is_large")
    assert answers(text) == near


@pytest.mark.usefixtures("everything_is_large")
def test_a_large_board_is_not_looked_at_when_the_time_is_up():
    board = Board.parse(BOARDS[0])
    late = Deadline(0)
    assert searches.Brute().decide(board, late).status == "unknown"
    assert mmsat.check(board, timeout=0).status == "unknown"
    assert not count(board, timeout=0).exact
    with pytest.raises(TimeUpError):
        next(list_codes(board, late))


@pytest.mark.parametrize("rows", [0, 1, 10, 1000, 100_000])
def test_the_pace_is_the_slower_the_more_there_is_to_look_at(rows):
    row = Board.parse("4x6/1122=1.1").rows[0]
    board = Board(mmsat.Game(4, 6), (row,) * rows)
    system = searches.System.of(board)
    nodes = searches.nodes_per_slice(system)
    assert 1 <= nodes <= searches.MAX_SLICE_NODES
    assert nodes * len(system.constraints) <= max(
        searches.MAX_SLICE_EVALUATIONS, len(system.constraints)
    )
    assert searches.nodes_per_slice(system, 3) == min(3, nodes)
