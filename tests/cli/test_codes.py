"""mmsat count and mmsat list."""

from __future__ import annotations

import json
import re

import pytest

import mmsat
from mmsat.counting.count import METHODS
from mmsat.counting.result import CountBounds
from mmsat.game.library import instances
from mmsat.solving.deadline import TimeUpError
from tests.support import twins
from tests.support.cli_runner import CONSISTENT, LONG_COUNT, SLIPPED, run
from tests.support.planted_boards import planted

KNOWN = [instance for instance in instances() if instance.count is not None]


@pytest.mark.parametrize("instance", KNOWN, ids=lambda instance: instance.name)
def test_counts_of_the_library(instance):
    """Every count that the library knows is printed as plain digits."""
    result = run("count", str(instance.board))

    assert result.exit_code == 0
    assert result.stdout == f"{instance.count}\n"


@pytest.mark.parametrize("method", METHODS)
def test_methods(method):
    result = run("count", CONSISTENT, "--engine", method, "--json", "-v")

    document = json.loads(result.stdout)
    assert document["count"] == run("count", CONSISTENT).stdout.strip()
    assert document["exact"]
    assert "counted by" in result.stderr


def test_a_count_out_of_time_is_a_bound():
    result = run("count", LONG_COUNT, "--timeout", "0.1", "--engine", "brute")

    assert result.exit_code == 1
    assert result.stdout.startswith("at least ")
    assert "not finished within" in result.stderr


def test_list_is_what_brute_force_finds():
    board = mmsat.Board.parse(CONSISTENT)
    spelled = ["".join(str(color + 1) for color in code) for code in twins.consistent(board)]
    result = run("list", CONSISTENT)

    assert result.exit_code == 0
    assert result.stdout.splitlines() == spelled
    document = json.loads(run("list", CONSISTENT, "--json").stdout)
    assert document["complete"]
    assert ["".join(map(str, code)) for code in document["listed"]] == spelled


@pytest.mark.parametrize("limit", [1, 7])
def test_list_stops_at_the_limit(limit):
    assert run("list", CONSISTENT, "--limit", limit).stdout.count("\n") == limit
    document = json.loads(run("list", CONSISTENT, "--limit", limit, "--json").stdout)
    assert len(document["listed"]) == limit
    assert not document["complete"]


def test_list_of_an_inconsistent_board():
    assert run("list", SLIPPED).stdout == ""
    assert run("list", SLIPPED).exit_code == 0
    document = json.loads(run("list", SLIPPED, "--json").stdout)
    assert document == {"board": SLIPPED, "listed": [], "complete": True}


@pytest.mark.parametrize(
    ("trouble", "code", "word"),
    [(TimeUpError, 1, "not finished in time"), (KeyboardInterrupt, 130, "interrupted")],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_a_list_cut_short_is_kept(monkeypatch, trouble, code, word, as_json):
    """Codes listed before a timeout or Ctrl-C are kept; JSON is a complete document."""

    def list_codes(*_, **__):
        yield (0, 1, 2, 3)
        raise trouble

    monkeypatch.setattr("mmsat.cli.commands.list.list_codes", list_codes)
    result = run("list", CONSISTENT, *["--json"] * as_json, "-v")

    assert result.exit_code == code
    assert word in result.stderr
    assert "1 code in" in result.stderr
    if as_json:
        assert json.loads(result.stdout)["listed"] == [[1, 2, 3, 4]]
        assert not json.loads(result.stdout)["complete"]
    else:
        assert result.stdout == "1234\n"


def test_an_interrupted_count_tells_what_it_knows(monkeypatch):
    def count(*_, on_progress, **__):
        on_progress(CountBounds(12, None, "counting"))
        on_progress(CountBounds(12, 4000, "counting"))
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.count", count)
    result = run("count", CONSISTENT)

    assert result.exit_code == 130
    assert result.stdout == "at least 12, at most 4000\n"


def test_list_starts_anywhere():
    every = run("list", CONSISTENT).stdout.splitlines()
    for number in (1, 2, 20, len(every)):
        result = run("list", CONSISTENT, "--from", number)
        assert result.exit_code == 0
        assert result.stdout.splitlines() == every[number - 1 :]
    assert run("list", CONSISTENT, "--from", 5, "--limit", 3).stdout.split() == every[4:7]


@pytest.mark.parametrize("more", [(), ("--json",), ("--limit", 2), ("--lies", 0)])
@pytest.mark.parametrize(
    ("start", "message"),
    [
        (37, "the first code: expected a whole number from 1 to 36, found 37"),
        (10**17, f"the first code: expected a whole number from 1 to 36, found {10**17}"),
        (0, "--from: expected a whole number from 1, found '0'"),
        (-3, "--from: expected a whole number from 1, found '-3'"),
    ],
)
def test_a_list_that_starts_beyond_the_last_code_is_refused(start, message, more):
    result = run("list", CONSISTENT, "--from", start, *more)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {message}\n"


def test_a_list_without_codes_is_empty_wherever_it_starts():
    result = run("list", SLIPPED, "--from", 5)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "no code gets these scores\n"


@pytest.mark.parametrize(("options", "found"), [("--from 2", "--from"), ("-n 2", "--limit")])
def test_a_sample_is_of_all_codes(options, found):
    result = run("list", CONSISTENT, "--sample", 3, *options.split())
    assert result.exit_code == 2
    assert result.stderr == f"Error: --sample cannot be combined with {found}.\n"


def test_list_starts_far_inside_of_more_codes_than_anyone_lists():
    count = str(planted("24x6", 3, seed=1))
    codes = mmsat.codes(count)
    half = len(codes) // 2
    assert half > 10**12
    result = run("list", count, "--from", half, "--limit", 2, "--json")

    document = json.loads(result.stdout)
    first, second = [tuple(color - 1 for color in code) for code in document["listed"]]
    assert not document["complete"]
    assert first < second
    assert (codes.index(first), codes.index(second)) == (half - 1, half)


def test_samples_are_codes_drawn_by_the_seed():
    every = set(run("list", CONSISTENT).stdout.split())
    first = run("list", CONSISTENT, "--sample", 10, "--seed", 1).stdout.split()
    assert len(set(first)) == 10
    assert set(first) <= every
    assert first == run("list", CONSISTENT, "--sample", 10, "--seed", 1).stdout.split()
    assert first != run("list", CONSISTENT, "--sample", 10, "--seed", 2).stdout.split()
    assert set(run("list", CONSISTENT, "--sample", 1000).stdout.split()) == every
    assert run("list", SLIPPED, "--sample", 3).stdout == ""


def test_samples_are_of_all_codes():
    result = run("list", CONSISTENT, "--sample", 3, "--limit", 2)

    assert result.exit_code == 2
    assert "--sample" in result.stderr


@pytest.mark.parametrize("size", ["4", "0G", "4 gigs", "-1G", "1T"])
def test_memory_has_a_unit(size):
    result = run("count", CONSISTENT, "--memory", size)

    assert result.exit_code == 2
    assert "500M or 4G" in result.stderr


def test_the_choice_of_method_is_explained():
    result = run("count", LONG_COUNT, "-v", "--engine", "diagram")
    assert "the complete diagram has" in result.stderr
    assert "counted by diagram" in result.stderr
    small = run("count", LONG_COUNT, "--engine", "diagram", "--memory", "1M")
    assert small.exit_code == 1
    assert "needs more than 1 MiB" in small.stderr


def test_odds_are_a_table():
    result = run("odds", "4x3/1122=2.0")
    board = mmsat.Board.parse("4x3/1122=2.0")
    codes = twins.consistent(board)

    assert result.exit_code == 0
    head, colors, *rows = [line.split() for line in result.stdout.splitlines()]
    assert head == [str(len(codes)), "codes"]
    assert colors[0] == "peg"
    for peg, row in enumerate(rows):
        assert row[0] == str(peg + 1)
        for color, text in zip(colors[1:], row[1:], strict=True):
            share = sum(code[peg] == int(color) - 1 for code in codes) / len(codes)
            assert text == ("-" if share == 0 else f"{round(100 * share)}%")


def test_odds_of_an_inconsistent_board():
    result = run("odds", SLIPPED)
    assert (result.stdout, result.stderr) == ("no code gets exactly these scores\n", "")
    document = json.loads(run("odds", SLIPPED, "--json").stdout)
    assert document["codes"] == "0"
    assert document["forced"] == [None] * 4


def test_odds_in_json_are_exact():
    document = json.loads(run("odds", CONSISTENT, "--json").stdout)
    odds = mmsat.codes(mmsat.Board.parse(CONSISTENT)).odds()
    assert document["codes"] == str(odds.codes)
    assert document["table"] == [[str(number) for number in row] for row in odds.table]
    assert document["odds"] == [[round(float(chance), 9) for chance in row] for row in odds]


def test_odds_out_of_time():
    result = run("odds", LONG_COUNT, "--timeout", "0.01")

    assert result.exit_code == 1
    assert result.stdout == ""
    assert "not finished within" in result.stderr


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_odds_are_drawn_the_same_each_time(tmp_path, suffix):
    paths = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for path in paths:
        result = run("odds", CONSISTENT, "-o", path)
        assert result.exit_code == 0
        assert result.stdout == ""
    one, two = [path.read_bytes() for path in paths]
    assert one == two
    assert len(one) > 1000


def test_odds_are_drawn_as_pictures_only(tmp_path):
    result = run("odds", CONSISTENT, "-o", tmp_path / "odds.txt")

    assert result.exit_code == 2
    assert "odds.svg" in result.stderr


def test_no_codes_are_told_as_none():
    """An empty answer is right, and is not silent."""
    for command in ("list", "odds"):
        result = run(command, "4x6/1122=0.0/1122=1.0")
        assert result.exit_code == 0
        assert re.search("no code gets (exactly )?these scores", result.stdout + result.stderr)


def test_memory_is_counted_beside_that_of_a_large_caller():
    ballast = [bytearray(1 << 20) for _ in range(300)]
    assert run("count", CONSISTENT, "--memory", "8M").exit_code == 0
    assert len(ballast) == 300


@pytest.mark.parametrize("rest", [(CONSISTENT,), (CONSISTENT, "--timeout", "x"), ("nonsense",)])
def test_memory_is_given_back_however_the_command_ends(rest):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_DATA)
    run("count", "--memory", "64M", *rest)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
