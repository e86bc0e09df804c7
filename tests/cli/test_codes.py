"""mmsat count and mmsat list."""

from __future__ import annotations

import json

import pytest

import mmsat
from mmsat.codes.count import METHODS
from mmsat.codes.engine import Known
from mmsat.game.library import instances
from mmsat.solve.worker import TimeUpError
from tests import twins
from tests.cli.runner import CONSISTENT, LONG_COUNT, SLIPPED, run

KNOWN = [instance for instance in instances() if instance.count is not None]


@pytest.mark.parametrize("instance", KNOWN, ids=lambda instance: instance.name)
def test_counts_of_the_library(instance):
    """Every count that the library knows is printed as plain digits."""
    result = run("count", str(instance.board))

    assert result.exit_code == 0
    assert result.stdout == f"{instance.count}\n"


@pytest.mark.parametrize("method", METHODS)
def test_methods(method):
    result = run("count", CONSISTENT, "--method", method, "--json", "-v")

    document = json.loads(result.stdout)
    assert document["count"] == run("count", CONSISTENT).stdout.strip()
    assert document["exact"]
    assert "counted by" in result.stderr


def test_a_count_out_of_time_is_a_bound():
    result = run("count", LONG_COUNT, "--timeout", "0.1", "--method", "brute")

    assert result.exit_code == 1
    assert result.stdout.startswith("at least ")
    assert "time" in result.stderr


def test_list_is_what_brute_force_finds():
    board = mmsat.Board.parse(CONSISTENT)
    spelled = ["".join(str(color + 1) for color in code) for code in twins.consistent(board)]
    result = run("list", CONSISTENT)

    assert result.exit_code == 0
    assert result.stdout.splitlines() == spelled
    document = json.loads(run("list", CONSISTENT, "--json").stdout)
    assert document["complete"]
    assert ["".join(map(str, code)) for code in document["codes"]] == spelled


@pytest.mark.parametrize("limit", [1, 7])
def test_list_stops_at_the_limit(limit):
    assert run("list", CONSISTENT, "--limit", limit).stdout.count("\n") == limit
    document = json.loads(run("list", CONSISTENT, "--limit", limit, "--json").stdout)
    assert len(document["codes"]) == limit
    assert not document["complete"]


def test_list_of_an_inconsistent_board():
    assert run("list", SLIPPED).stdout == ""
    assert run("list", SLIPPED).exit_code == 0
    document = json.loads(run("list", SLIPPED, "--json").stdout)
    assert document == {"board": SLIPPED, "codes": [], "complete": True}


@pytest.mark.parametrize(
    ("trouble", "code", "word"),
    [(TimeUpError, 1, "time"), (KeyboardInterrupt, 130, "interrupted")],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_a_list_cut_short_is_kept(monkeypatch, trouble, code, word, as_json):
    """What was listed before the end of the time or Ctrl-C stays, in JSON as a whole document."""

    def list_codes(*_):
        yield (0, 1, 2, 3)
        raise trouble

    monkeypatch.setattr("mmsat.codes.listing.list_codes", list_codes)
    result = run("list", CONSISTENT, *["--json"] * as_json, "-v")

    assert result.exit_code == code
    assert word in result.stderr
    assert "1 codes in" in result.stderr
    if as_json:
        assert json.loads(result.stdout)["codes"] == [[1, 2, 3, 4]]
        assert not json.loads(result.stdout)["complete"]
    else:
        assert result.stdout == "1234\n"


def test_an_interrupted_count_tells_what_it_knows(monkeypatch):
    def count(*_, on_progress, **__):
        on_progress(Known(12, None, "counting"))
        on_progress(Known(12, 4000, "counting"))
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.codes.count.count", count)
    result = run("count", CONSISTENT)

    assert result.exit_code == 130
    assert result.stdout == "at least 12, at most 4000\n"
