"""Every board of the library through the public doors: verdict, count, and the known slip."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.game.library import instances

EVERY = instances()
KNOWN = [each for each in EVERY if each.verdict != "unknown"]
listed = pytest.mark.parametrize("instance", KNOWN, ids=lambda each: each.name)


@listed
def test_the_verdict_is_as_stated(instance):
    verdict = mmsat.check(instance.board, seed=1)
    assert str(verdict.status) == instance.verdict
    if verdict.witness is not None:
        assert instance.board.is_consistent(verdict.witness)
    else:
        assert verdict.conflict is not None
        assert verdict.correction is not None


@pytest.mark.parametrize(
    "instance", [each for each in EVERY if each.count is not None], ids=lambda each: each.name
)
def test_the_count_is_as_stated(instance):
    counted = mmsat.count(instance.board)
    assert (counted.count, counted.exact) == (instance.count, True)


@pytest.mark.parametrize(
    "instance", [each for each in EVERY if each.slips], ids=lambda each: each.name
)
def test_the_slip_is_among_the_corrections(instance):
    found = mmsat.explain(instance.board)
    slips = {(slip.row, slip.before, slip.after) for slip in instance.slips}
    corrections = [
        {(change.row, change.before, change.after) for change in each.changes}
        for each in found.corrections
    ]
    assert slips in corrections
    assert found.all_corrections
    for conflict in found.conflicts:
        assert set(conflict.rows) & {slip.row for slip in instance.slips}
