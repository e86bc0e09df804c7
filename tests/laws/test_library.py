"""Every board of the library through the public doors: verdict, count, and the known slip."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.game.library import instances

EVERY = instances()
COUNTED = [entry for entry in EVERY if entry.count is not None]
LARGE = [entry for entry in EVERY if entry.count is None]
"""Boards of the families that commands made, up to any hardness."""
SECONDS = 1.0
"""For a large board: not all are decided in it, and some nobody has decided."""
named = {"ids": lambda item: item.name}


@pytest.mark.parametrize("instance", COUNTED, **named)
def test_the_verdict_is_as_stated(instance):
    verdict = mmsat.check(instance.board, seed=1)
    assert str(verdict.status) == instance.verdict
    if verdict.witness is not None:
        assert instance.board.is_consistent(verdict.witness)
    else:
        assert verdict.conflict is not None
        assert verdict.correction is not None


@pytest.mark.slow
@pytest.mark.parametrize("instance", LARGE, **named)
def test_no_verdict_is_other_than_stated(instance):
    verdict = mmsat.check(instance.board, seed=1, timeout=SECONDS, reason=0)
    verdicts = {instance.verdict, str(verdict.status)} - {"unknown"}
    assert len(verdicts) <= 1
    assert (verdict.witness is not None) == (verdict.is_consistent is True)


def test_most_large_boards_of_the_reductions_are_decided_in_time():
    """Not each by its name, as machines differ; every fifth will do to see it."""
    some = [entry for entry in LARGE if entry.family == "reductions"][::5]
    results = [str(mmsat.check(entry.board, timeout=SECONDS, reason=0).status) for entry in some]
    assert some
    for instance, status in zip(some, results, strict=True):
        assert status in (instance.verdict, "unknown")
    assert 2 * results.count("unknown") < len(some)


@pytest.mark.parametrize("instance", COUNTED, **named)
def test_the_count_is_as_stated(instance):
    counted = mmsat.count(instance.board)
    assert (counted.count, counted.exact) == (instance.count, True)


@pytest.mark.parametrize(
    "instance", [entry for entry in EVERY if entry.slips], ids=lambda item: item.name
)
def test_the_slip_is_among_the_corrections(instance):
    explanation = mmsat.explain(instance.board)
    slips = {(slip.row, slip.before, slip.after) for slip in instance.slips}
    corrections = [
        {(change.row, change.before, change.after) for change in correction.changes}
        for correction in explanation.corrections
    ]
    assert slips in corrections
    assert explanation.all_corrections
    for conflict in explanation.conflicts:
        assert set(conflict.rows) & {slip.row for slip in instance.slips}
