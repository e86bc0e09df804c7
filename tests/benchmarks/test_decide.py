"""The comparison of deciders: a suite that stays, runs that resume, answers that must agree."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from itertools import pairwise

import pytest

from benchmarks.decide import command, plan, pseudo_boolean
from benchmarks.decide.cactus import curves
from benchmarks.decide.instance import KINDS
from benchmarks.decide.measure import measure, resident
from benchmarks.decide.rivals import PLAIN, PROGRAMS, RIVALS, chosen, decide, path_of, require
from benchmarks.decide.run import Study, agree, study, table_in
from benchmarks.decide.suite import RANDOM, board_of, cover_graph, suite
from benchmarks.decide.table import lost, page
from mmsat.constraints import System
from mmsat.errors import InputError, InternalError, MissingError
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.reductions.reduce import REDUCTIONS
from tests.support.perturbed_boards import parity_kept, slipped
from tests.support.random_boards import known_boards
from tests.support.tiers import at_least, share

SUITE = suite()
SMALL = ("lies-planted-8", "regular-one-in-k-impossible-6")
TINY = [entry for entry in SUITE if entry.name in SMALL]
BOARD = Board.parse("4x6/1122=1.1/3345=0.2")
NONE = Board.parse("4x6/1122=1.1/1122=0.2")
WITH_KNOWN_CODES = {"another-solution", "certain-peg"}


def silent(_):
    """Tell nobody."""


def line(instance, rival, status="unknown", seconds=1.0):
    """Return one line of a table."""
    about = {"instance": instance, "rival": rival, "limit": "10", "family": "classic"}
    results = {"status": status, "seconds": str(seconds), "mib": "50", "outcome": "time"}
    return about | results | {"decided": str(int(status != "unknown"))}


def test_the_suite_has_the_promised_families_and_kinds():
    assert len({entry.name for entry in SUITE}) == len(SUITE) > 90
    assert {entry.family for entry in SUITE} == {*RANDOM, *REDUCTIONS} - WITH_KNOWN_CODES
    for family in RANDOM:
        kinds = {entry.kind for entry in SUITE if entry.family == family}
        assert kinds == {"planted", "slipped", "parity-kept"}
    assert {entry.kind for entry in SUITE} == set(KINDS)
    pegs = {family: {entry.size for entry in SUITE if entry.family == family} for family in RANDOM}
    spans = {family: (min(sizes), max(sizes)) for family, sizes in pegs.items()}
    assert spans == {"classic": (20, 60), "six-colors": (20, 40), "two-colors": (40, 120)}
    covers = [entry for entry in SUITE if entry.family == "vertex-cover-regular"]
    assert max(2 * cover.size for cover in covers) == 80


def test_series_grow():
    series = defaultdict(list)
    for entry in SUITE:
        series[entry.series].append(entry)
    for entry in series.values():
        assert all(small.size < large.size for small, large in pairwise(entry))
        assert len({(one.family, one.kind) for one in entry}) == 1
    assert list(series) == list(dict.fromkeys(item.series for item in SUITE))


def test_rows_are_multiples_of_the_threshold():
    results = defaultdict(set)
    for entry in SUITE:
        if entry.family in RANDOM:
            game = Game.parse(RANDOM[entry.family].format(entry.size))
            results[entry.family].add(round(entry.rows / plan.threshold(game), 1))
    assert min(results["classic"]) == 0.6
    assert max(results["classic"]) == 2.0
    assert {0.5, 4.0} <= {round(2 * color) / 2 for color in results["two-colors"]}


def test_the_plan_makes_the_suite():
    """Random boards and other small ones, generated twice, have the digests of the table."""
    few = [item for item in SUITE if item.family in RANDOM or item.size <= 12]
    for entry in few:
        board_of(entry)
    planned = [item._replace(name="", known="", digest="") for item in SUITE]
    randoms = [item for item in planned if item.family in RANDOM]
    assert list(plan.random_boards()) == randoms
    assert [*plan.random_boards(), *plan.reductions()] == planned


def test_a_changed_board_is_found_out():
    with pytest.raises(InternalError, match="lies-planted-8 is made differently now"):
        board_of(TINY[1]._replace(digest="0"))


def test_the_least_cover_of_a_known_graph():
    """An independent count: no set of one node less covers the stored graph."""
    (instance,) = [entry for entry in SUITE if entry.name == "vertex-cover-planted-12"]
    source = cover_graph(instance.family, instance.size, instance.seed)
    sizes = [
        bits.bit_count()
        for bits in range(1 << len(source.nodes))
        if all(bits >> a & 1 or bits >> b & 1 for a, b in source.edges)
    ]
    assert min(sizes) == instance.k == plan.least_cover(source)


@pytest.mark.parametrize("name", ["classic-1", "two-colors-2"])
def test_perturbed_scores(name):
    """One row differs from the planted board, by one or such that counts do not reveal it."""
    planted, by_one, kept = (
        board_of(next(entry for entry in SUITE if entry.series == f"{name}-{kind}"))
        for kind in ("planted", "slipped", "parity-kept")
    )
    for board, total in ((by_one, 1), (kept, 0)):
        differ = [pair for pair in zip(planted.rows, board.rows, strict=True) if pair[0] != pair[1]]
        ((before, after),) = differ
        assert before.guess == after.guess
        changes = [new - old for new, old in zip(after.score, before.score, strict=True)]
        assert abs(sum(changes)) == total
        if total == 0:
            assert abs(changes[0]) == (2 if planted.game.colors == 2 else 1)
    assert slipped(planted, "a") == slipped(planted, "a")
    assert len({str(slipped(planted, str(seed))) for seed in range(9)}) > 1
    assert len({str(parity_kept(planted, str(seed))) for seed in range(9)}) > 1


def test_every_plain_encoding_has_both_solvers():
    for solver in ("CaDiCaL", "kissat"):
        assert [entry.encoding for entry in chosen([solver])] == PLAIN
    assert chosen([]) == list(RIVALS.values())
    with pytest.raises(InputError, match="no rival has this name"):
        chosen(["deep-thought"])


@pytest.mark.parametrize("name", RIVALS)
def test_each_rival_decides(name, tmp_path):
    rival = RIVALS[name]
    try:
        require(rival)
    except MissingError as error:
        if os.environ.get("MMSAT_REQUIRE_ALL") == "1" and not rival.package:
            raise
        pytest.skip(str(error))
    decision = decide(rival, BOARD, tmp_path)
    assert decision.status is Status.CONSISTENT
    assert BOARD.is_consistent(decision.code)
    assert decide(rival, NONE, tmp_path).status is Status.INCONSISTENT


def test_exact_agrees_with_a_list_of_all_codes():
    pytest.importorskip("exact")  # not every C library can load it
    seen = {True: 0, False: 0}
    for board, codes in known_boards(share(240, least=60), seed=77):
        if System.of(board).table is None:
            code = pseudo_boolean.decide(board).code
            seen[code is None] += 1
            assert code in codes if codes else code is None, str(board)
    assert min(seen.values()) > at_least(20)


def test_a_missing_program_has_a_remedy(monkeypatch):
    monkeypatch.setitem(PROGRAMS, "z3", PROGRAMS["z3"]._replace(command="no-such-program"))
    path_of.cache_clear()
    with pytest.raises(MissingError, match="the Debian package z3"):
        path_of("z3")


@pytest.mark.long
def test_a_tiny_comparison(tmp_path, capsys):
    """Two boards, two rivals: a table, a figure, and nothing is measured twice."""
    asked = Study(TINY, chosen(["auto", "cadical-totalizer"]), 20.0)
    texts = []
    first = list(study(tmp_path, asked, texts.append))
    assert [entry["decided"] for entry in first] == ["1"] * 4
    assert all(0 < float(entry["seconds"]) < 20 and float(entry["mib"]) > 5 for entry in first)
    texts.clear()
    assert list(study(tmp_path, asked, texts.append)) == first
    assert texts == []

    assert command.command(["--draw", "--limit", "20", "-o", str(tmp_path)]) == 0
    paths = capsys.readouterr().out.split()
    assert [path.rpartition("/")[2] for path in paths] == ["table.md", "cactus.svg", "cactus.png"]
    text = (tmp_path / "table.md").read_text()
    assert "| auto " in text
    assert "| cadical-totalizer " in text
    assert "auto of mmsat: 2" in (tmp_path / "cactus.svg").read_text()


def test_options(tmp_path, capsys):
    assert command.command(["--family", "chess", "-o", str(tmp_path / "none")]) == 2
    assert "found 'chess' (no family has this name)" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_contradictions_are_loud(tmp_path):
    name = TINY[0].name
    good = [line(name, "auto", "inconsistent"), line(name, "z3"), line(name, "cp-sat")]
    agree(good, TINY)
    bad = [line("lies-parity-kept-8", "z3", "consistent")]
    unknown = [entry for entry in SUITE if entry.name == "lies-parity-kept-8"]
    agree(bad, unknown)
    bad.append(line("lies-parity-kept-8", "auto", "inconsistent"))
    text = "contradiction on lies-parity-kept-8: consistent say z3; inconsistent say auto"
    with pytest.raises(InternalError, match=text):
        agree(bad, unknown)
    with pytest.raises(InternalError, match="say construction"):
        agree([line("lies-planted-8", "auto", "inconsistent")], TINY)
    study(tmp_path, Study(TINY[1:], chosen(["auto"]), 20.0), silent)
    path = table_in(tmp_path).path
    path.write_text(path.read_text().replace(",consistent,", ",inconsistent,"))
    with pytest.raises(InternalError, match="contradiction"):
        study(tmp_path, Study(TINY[1:], [], 20.0), silent)


def test_a_wrong_code_is_loud(tmp_path, monkeypatch):
    """The caller scores the codes."""
    instance = next(entry for entry in TINY if entry.kind == "planted")
    wrong = '{"status": "consistent", "code": [0, 0, 0, 0, 0, 0, 0, 0], "engine": "x", "kib": 1}'
    done = measure([sys.executable, "-c", f"print({wrong!r})"], 20.0)
    monkeypatch.setattr("benchmarks.decide.run.measure", lambda *_: done)
    with pytest.raises(InternalError, match="which does not score like lies-planted-8"):
        study(tmp_path, Study([instance], chosen(["auto"]), 20.0), silent)
    assert list(table_in(tmp_path)) == []


def test_who_fails_twice_is_not_asked_again(tmp_path, monkeypatch):
    growing = [entry for entry in SUITE if entry.series == "vertex-cover-regular-planted"]
    fail = measure([sys.executable, "-c", "raise SystemExit('no')"], 20.0)
    asked = []
    monkeypatch.setattr(
        "benchmarks.decide.run.measure", lambda words, _: asked.append(words[3]) or fail
    )
    table = study(tmp_path, Study(growing, chosen(["auto", "cp-sat"]), 20.0), silent)
    assert asked.count("auto") == len(growing) == 4
    assert asked.count("cp-sat") == 2
    outcomes = [entry["outcome"] for entry in table if entry["rival"] == "cp-sat"]
    assert outcomes == ["failed", "failed", "not asked", "not asked"]
    assert "Boards that auto alone solved: 0." in page(list(table), 20.0)


def test_time_and_memory_are_limited():
    def python(text):
        return [sys.executable, "-c", text]

    late = measure(python("import time; time.sleep(60)"), 0.3)
    assert (late.outcome, late.seconds) == ("time", 0.3)
    children = "import subprocess, sys; subprocess.run([sys.executable, '-c', {!r}])"
    hungry = "import time; x = b'1' * (300 << 20); time.sleep(60)"
    large = measure(python(children.format(hungry)), 30.0, 200.0)
    assert large.outcome == "memory"
    assert large.mib > 200
    group = "import os, time; os.setpgid(0, 0); print(os.getpid(), flush=True); time.sleep(60)"
    astray = measure(python(children.format(group)), 1.0)
    assert astray.outcome == "time"
    assert resident(int(astray.output)) == 0  # ended, though init may not have noticed yet
    failed = measure(python("raise SystemExit('what went wrong')"), 30.0)
    assert (failed.outcome, failed.note) == ("failed", "what went wrong")


def test_what_auto_loses():
    """Twice the quickest rival's time and 0.3 s are allowed."""
    lines = [
        line("a", "auto", "consistent", 1.29),
        line("a", "z3", "consistent", 0.5),
        line("b", "auto", "consistent", 1.31),
        line("b", "z3", "consistent", 0.5),
        line("b", "cp-sat", "consistent", 9.0),
        line("c", "auto"),
        line("c", "cp-sat", "inconsistent", 9.0),
        line("d", "auto"),
        line("d", "cp-sat"),
    ]
    results = [(entry.instance, entry.rival, entry.own) for entry in lost(lines)]
    assert results == [("c", "cp-sat", None), ("b", "z3", 1.31)]
    text = page(lines, 10.0)
    assert "The worst ratio of auto to the quickest rival is 2.62, on b" in text
    assert "quickest rival plus 0.3 s: 2." in text
    assert [curve.rival for curve in curves(lines)] == ["z3", "auto", "cp-sat"]


def test_a_curve_of_many_encodings_names_the_best():
    lines = [
        line("a", "kissat-totalizer", "consistent", 1.0),
        line("a", "kissat-direct"),
        line("a", "z3", "consistent", 2.0),
    ]
    named = {curve.rival for curve in curves(lines) if curve.is_best}
    assert named == {"kissat-totalizer", "z3"}
