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
from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.errors import InputError, InternalError, MissingError
from mmsat.game.game import Game
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.results.verdict import Status
from tests.support.perturbed_boards import parity_kept, slipped
from tests.support.random_boards import known_boards
from tests.support.tiers import at_least, share

SUITE = suite()
SMALL = ("lies-planted-8", "regular-one-in-k-impossible-6")
TINY = [each for each in SUITE if each.name in SMALL]
BOARD = Board.parse("4x6/1122=1.1/3345=0.2")
NONE = Board.parse("4x6/1122=1.1/1122=0.2")
WITH_KNOWN_CODES = {"another-solution", "certain-peg"}


def silent(_):
    """Tell nobody."""


def line(instance, rival, status="unknown", seconds=1.0):
    """A line as a table has it."""
    about = {"instance": instance, "rival": rival, "limit": "10", "family": "classic"}
    found = {"status": status, "seconds": str(seconds), "mib": "50", "outcome": "time"}
    return about | found | {"decided": str(int(status != "unknown"))}


def test_the_suite_has_the_promised_families_and_kinds():
    assert len({each.name for each in SUITE}) == len(SUITE) > 90
    assert {each.family for each in SUITE} == {*RANDOM, *REDUCTIONS} - WITH_KNOWN_CODES
    for family in RANDOM:
        kinds = {each.kind for each in SUITE if each.family == family}
        assert kinds == {"planted", "slipped", "parity-kept"}
    assert {each.kind for each in SUITE} == set(KINDS)
    pegs = {family: {each.size for each in SUITE if each.family == family} for family in RANDOM}
    spans = {family: (min(sizes), max(sizes)) for family, sizes in pegs.items()}
    assert spans == {"classic": (20, 60), "six-colors": (20, 40), "two-colors": (40, 120)}
    covers = [each for each in SUITE if each.family == "vertex-cover-regular"]
    assert max(2 * each.size for each in covers) == 80


def test_series_grow():
    series = defaultdict(list)
    for each in SUITE:
        series[each.series].append(each)
    for each in series.values():
        assert all(small.size < large.size for small, large in pairwise(each))
        assert len({(one.family, one.kind) for one in each}) == 1
    assert list(series) == list(dict.fromkeys(each.series for each in SUITE))


def test_rows_are_multiples_of_the_threshold():
    found = defaultdict(set)
    for each in SUITE:
        if each.family in RANDOM:
            game = Game.parse(RANDOM[each.family].format(each.size))
            found[each.family].add(round(each.rows / plan.threshold(game), 1))
    assert min(found["classic"]) == 0.6
    assert max(found["classic"]) == 2.0
    assert {0.5, 4.0} <= {round(2 * each) / 2 for each in found["two-colors"]}


def test_the_plan_makes_the_suite():
    """The random boards and the small others, made twice, are what the table tells."""
    few = [each for each in SUITE if each.family in RANDOM or each.size <= 12]
    for each in few:
        board_of(each)
    planned = [each._replace(name="", known="", digest="") for each in SUITE]
    randoms = [each for each in planned if each.family in RANDOM]
    assert list(plan.random_boards()) == randoms
    assert [*plan.random_boards(), *plan.reductions()] == planned


def test_a_changed_board_is_found_out():
    with pytest.raises(InternalError, match="lies-planted-8 is made differently now"):
        board_of(TINY[1]._replace(digest="0"))


def test_the_least_cover_of_a_known_graph():
    """An independent count: no set of one node less covers the stored graph."""
    (instance,) = [each for each in SUITE if each.name == "vertex-cover-planted-12"]
    source = cover_graph(instance.family, instance.size, instance.seed)
    sizes = [
        bits.bit_count()
        for bits in range(1 << len(source.nodes))
        if all(bits >> a & 1 or bits >> b & 1 for a, b in source.edges)
    ]
    assert min(sizes) == instance.k == plan.least_cover(source)


@pytest.mark.parametrize("name", ["classic-1", "two-colors-2"])
def test_perturbed_scores(name):
    """One row differs from the planted board, by one or by what no count tells."""
    planted, by_one, kept = (
        board_of(next(each for each in SUITE if each.series == f"{name}-{kind}"))
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
        assert [each.encoding for each in chosen([solver])] == PLAIN
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
    found = decide(rival, BOARD, tmp_path)
    assert found.status is Status.CONSISTENT
    assert BOARD.is_consistent(found.code)
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
    told = []
    first = list(study(tmp_path, asked, told.append))
    assert [each["decided"] for each in first] == ["1"] * 4
    assert all(0 < float(each["seconds"]) < 20 and float(each["mib"]) > 5 for each in first)
    told.clear()
    assert list(study(tmp_path, asked, told.append)) == first
    assert told == []

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
    unknown = [each for each in SUITE if each.name == "lies-parity-kept-8"]
    agree(bad, unknown)
    bad.append(line("lies-parity-kept-8", "auto", "inconsistent"))
    told = "contradiction on lies-parity-kept-8: consistent say z3; inconsistent say auto"
    with pytest.raises(InternalError, match=told):
        agree(bad, unknown)
    with pytest.raises(InternalError, match="say construction"):
        agree([line("lies-planted-8", "auto", "inconsistent")], TINY)
    study(tmp_path, Study(TINY[1:], chosen(["auto"]), 20.0), silent)
    path = table_in(tmp_path).path
    path.write_text(path.read_text().replace(",consistent,", ",inconsistent,"))
    with pytest.raises(InternalError, match="contradiction"):
        study(tmp_path, Study(TINY[1:], [], 20.0), silent)


def test_a_wrong_code_is_loud(tmp_path, monkeypatch):
    """Codes are scored by the one who asked."""
    instance = next(each for each in TINY if each.kind == "planted")
    wrong = '{"status": "consistent", "code": [0, 0, 0, 0, 0, 0, 0, 0], "engine": "x", "kib": 1}'
    done = measure([sys.executable, "-c", f"print({wrong!r})"], 20.0)
    monkeypatch.setattr("benchmarks.decide.run.measure", lambda *_: done)
    with pytest.raises(InternalError, match="which does not score like lies-planted-8"):
        study(tmp_path, Study([instance], chosen(["auto"]), 20.0), silent)
    assert list(table_in(tmp_path)) == []


def test_who_fails_twice_is_not_asked_again(tmp_path, monkeypatch):
    growing = [each for each in SUITE if each.series == "vertex-cover-regular-planted"]
    fail = measure([sys.executable, "-c", "raise SystemExit('no')"], 20.0)
    asked = []
    monkeypatch.setattr(
        "benchmarks.decide.run.measure", lambda words, _: asked.append(words[3]) or fail
    )
    table = study(tmp_path, Study(growing, chosen(["auto", "cp-sat"]), 20.0), silent)
    assert asked.count("auto") == len(growing) == 4
    assert asked.count("cp-sat") == 2
    outcomes = [each["outcome"] for each in table if each["rival"] == "cp-sat"]
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
    found = [(each.instance, each.rival, each.own) for each in lost(lines)]
    assert found == [("c", "cp-sat", None), ("b", "z3", 1.31)]
    text = page(lines, 10.0)
    assert "The worst ratio of auto to the quickest rival is 2.62, on b" in text
    assert "quickest rival plus 0.3 s: 2." in text
    assert [each.rival for each in curves(lines)] == ["z3", "auto", "cp-sat"]


def test_a_curve_of_many_encodings_names_the_best():
    lines = [
        line("a", "kissat-totalizer", "consistent", 1.0),
        line("a", "kissat-direct"),
        line("a", "z3", "consistent", 2.0),
    ]
    named = {each.rival for each in curves(lines) if each.is_best}
    assert named == {"kissat-totalizer", "z3"}
