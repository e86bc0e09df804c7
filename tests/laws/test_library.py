"""The public functions agree with the stated verdict, count and slips of each library board."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.game.library import instances

INSTANCES = instances()
COUNTED = [entry for entry in INSTANCES if entry.count is not None]
LARGE = [entry for entry in INSTANCES if entry.count is None]
"""Generated boards, which may be very hard."""
TIMEOUT = 1.0
"""Time limit in seconds for a large board. Some are not decided in time."""
names_as_ids = {"ids": lambda instance: instance.name}


@pytest.mark.parametrize("instance", COUNTED, **names_as_ids)
def test_the_verdict_is_as_stated(instance):
    verdict = mmsat.check(instance.board, seed=1)
    assert str(verdict.status) == instance.verdict
    if verdict.witness is not None:
        assert instance.board.is_consistent(verdict.witness)
    else:
        assert verdict.conflict is not None
        assert verdict.correction is not None


@pytest.mark.slow
@pytest.mark.parametrize("instance", LARGE, **names_as_ids)
def test_no_verdict_contradicts_the_stated_one(instance):
    verdict = mmsat.check(instance.board, seed=1, timeout=TIMEOUT, reason=0)
    verdicts = {instance.verdict, str(verdict.status)} - {"unknown"}
    assert len(verdicts) <= 1
    assert (verdict.witness is not None) == (verdict.is_consistent is True)


def test_most_large_boards_of_the_reductions_are_decided_in_time():
    """The share of decided boards is tested, because machines differ in speed."""
    boards = [entry for entry in LARGE if entry.family == "reductions"][::5]
    results = [str(mmsat.check(entry.board, timeout=TIMEOUT, reason=0).status) for entry in boards]
    assert boards
    for instance, status in zip(boards, results, strict=True):
        assert status in (instance.verdict, "unknown")
    assert 2 * results.count("unknown") < len(boards)


@pytest.mark.parametrize("instance", COUNTED, **names_as_ids)
def test_the_count_is_as_stated(instance):
    counted = mmsat.count(instance.board)
    assert (counted.count, counted.exact) == (instance.count, True)


@pytest.mark.parametrize(
    "instance", [entry for entry in INSTANCES if entry.slips], ids=lambda instance: instance.name
)
def test_the_slip_is_among_the_corrections(instance):
    explanation = mmsat.explain(instance.board)
    slips = {(slip.row, slip.recorded, slip.correct) for slip in instance.slips}
    corrections = [
        {(change.row, change.before, change.after) for change in correction.changes}
        for correction in explanation.corrections
    ]
    assert slips in corrections
    assert explanation.all_corrections
    for conflict in explanation.conflicts:
        assert set(conflict.rows) & {slip.row for slip in instance.slips}
