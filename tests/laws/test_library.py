"""Every board of the library through the public doors: verdict, count, and the known slip."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.library import instances

EVERY = instances()
COUNTED = [each for each in EVERY if each.count is not None]
LARGE = [each for each in EVERY if each.count is None]
"""Boards of the families that commands made, up to any hardness."""
SECONDS = 1.0
"""For a large board: not all are decided in it, and some nobody has decided."""
named = {"ids": lambda each: each.name}


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
    known = {instance.verdict, str(verdict.status)} - {"unknown"}
    assert len(known) <= 1
    assert (verdict.witness is not None) == (verdict.is_consistent is True)


def test_most_large_boards_of_the_reductions_are_decided_in_time():
    """Not each by its name, as machines differ; every fifth will do to see it."""
    some = [each for each in LARGE if each.family == "reductions"][::5]
    found = [str(mmsat.check(each.board, timeout=SECONDS, reason=0).status) for each in some]
    assert some
    for instance, status in zip(some, found, strict=True):
        assert status in (instance.verdict, "unknown")
    assert 2 * found.count("unknown") < len(some)


@pytest.mark.parametrize("instance", COUNTED, **named)
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
