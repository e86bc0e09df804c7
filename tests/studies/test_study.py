"""The study: measurements, the record and its resumption, findings, and the paper."""

from __future__ import annotations

import json
import re
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from itertools import product

import pytest

from mmsat.errors import InputError, InternalError
from mmsat.game.board import Status
from mmsat.reductions.families import FAMILIES
from mmsat.render import paper
from mmsat.render.paper import TEMPLATE, draw_figures, write_paper
from mmsat.studies import ENSEMBLES, Point, Record, entropy_rows, statistics
from mmsat.studies import measure as measuring
from mmsat.studies import study as studying
from mmsat.studies.findings import find_agreement, find_all, find_reaches, find_transition
from mmsat.studies.measure import Effort, decide_limited, measure
from mmsat.studies.study import (
    Request,
    require_boards,
    study_cross_check,
    study_growth,
    study_transition,
)
from tests.support.cli_runner import run
from tests.support.study_records import synthetic_record

SMALL = Point("transition", "random-two-color", "any", "any", 10, 4)


def ignore_progress(*_):
    """Ignore the progress."""


def without_seconds(chunk):
    """Return the quantities that are equal on any machine."""
    return {
        name: entry
        for name, entry in chunk.items()
        if not name.endswith(("seconds", "auto", "made"))
    }


def test_a_chunk_records_each_board_and_the_machine():
    text = measure(SMALL, 2, 3, {"cp": 10, "lattice": 10}, 0)
    assert text["first"] == 2
    assert set(text["status"]) <= {"c", "i"}
    assert len(text["status"]) == len(text["cp seconds"]) == 3
    assert {"commit", "python", "ortools", "python-sat", "processor"} <= text["on"].keys()
    assert json.loads(json.dumps(text)) == json.loads(json.dumps(text))


def test_solvers_that_disagree_are_a_bug(monkeypatch):
    answers = iter([Status.CONSISTENT, Status.INCONSISTENT])
    monkeypatch.setattr(measuring, "solve", lambda *_: Effort(next(answers), 1, None, 0.0))
    with pytest.raises(InternalError, match="disagree, consistent, inconsistent"):
        measure(SMALL, 0, 1, {"cp": 10, "lattice": 10}, 0)


def test_auto_is_limited_to_its_cpu_time():
    hard = Point("growth", "six-colors", "any", "any", 60).make(1).board
    status, _ = decide_limited(hard, 1)
    assert status is Status.UNKNOWN
    easy = Point("growth", "six-colors", "consistent", "any", 10).make(1).board
    status, seconds = decide_limited(easy, 1)
    assert status is Status.CONSISTENT
    assert 0 < seconds < 2


def test_a_record_keeps_existing_chunks(tmp_path):
    path = tmp_path / "boards.jsonl"
    record = Record(path)
    assert not path.exists()
    texts = [measure(SMALL, first, 2, {"cp": 10}, 0) for first in (0, 2, 4)]
    for text in texts[:2]:
        record.add(text)
    whole = path.read_text()
    with path.open("a") as file:
        file.write(json.dumps(texts[2])[:80])  # an interruption
    again = Record(path)
    assert path.read_text() == whole
    assert again.chunks == record.chunks
    assert again.environments == [texts[0]["on"]]
    [(point, boards)] = again.points()
    assert point == SMALL
    assert [board["status"] for board in boards] == list(texts[0]["status"] + texts[1]["status"])
    for begun in ("", whole[:7]):  # killed before the first line was written
        path.write_text(begun)
        record = Record(path)
        record.add(texts[0])
        assert Record(path).chunks == record.chunks
    path.write_text("another\n")
    with pytest.raises(InputError, match="record of this study"):
        Record(path)


@pytest.mark.long
def test_a_study_resumes_and_is_the_same_on_every_executor(tmp_path, monkeypatch):
    request = Request(("six-colors", "permanent"), boards=6, max_size=10)
    parts = (study_transition, study_growth)
    first = Record(tmp_path / "first.jsonl")
    for part in parts:
        part(first, request, None, ignore_progress)
    lines = first.path.read_text().splitlines(keepends=True)
    second = Record(tmp_path / "second.jsonl")
    second.path.write_text("".join(lines[: len(lines) // 2]))
    second = Record(second.path)
    with ProcessPoolExecutor(2) as executor:
        for part in parts:
            part(second, request, executor, ignore_progress)
    assert first.chunks.keys() == second.chunks.keys()
    for key, text in first.chunks.items():
        assert without_seconds(text) == without_seconds(second.chunks[key])
    monkeypatch.setattr(studying, "measure", None)  # nothing is measured again
    for part in parts:
        part(second, request, None, ignore_progress)
    for part in ("transition", "growth"):
        agreement = find_agreement(second, part)
        assert agreement.undecided == 0
        assert agreement.by_several >= 30


NOTHING_TO_MEASURE = {
    "too small": (["--families", "vertex-cover", "--max-size", "5"], "have size "),
    "one part": (["--part", "cross-check", "--max-size", "16"], "have size "),
    "no such family": (["--part", "transition", "--families", "vertex-cover"], "of vertex-cover"),
    "no record": (["--paper"], "--paper requires measurements"),
}


@pytest.mark.parametrize(
    ("more", "message"), NOTHING_TO_MEASURE.values(), ids=NOTHING_TO_MEASURE.keys()
)
def test_a_study_without_boards_is_refused(more, message, tmp_path):
    """No folder is made."""
    result = run("study", "hardness", *more, "-o", tmp_path / "study")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    ("part", "run_part"),
    [
        ("transition", study_transition),
        ("cross-check", study_cross_check),
        ("growth", study_growth),
    ],
)
def test_a_request_is_refused_exactly_if_nothing_would_be_measured(
    part, run_part, tmp_path, monkeypatch
):
    class MeasuringError(Exception):
        pass

    def start(_record, tasks, *_):
        if [*tasks]:
            raise MeasuringError

    monkeypatch.setattr(studying, "_run", start)
    record = Record(tmp_path / "boards.jsonl")
    for family, max_size in product(FAMILIES, (1, 4, 5, 8, 16, 40, 72, None)):
        request = Request((family,), 2, 0, 1, max_size)
        is_measured = False
        try:
            run_part(record, request, None, ignore_progress)
        except MeasuringError:
            is_measured = True
        with nullcontext() if is_measured else pytest.raises(InputError):
            require_boards(request, [part])


def curve(tmp_path, decided):
    """Return the record of a growth curve, and numbers of boards by size.

    The numbers are those of the boards on which CP-SAT was run, and of all boards. `decided`
    returns the time of `auto` for a board, or None.
    """
    record = Record(tmp_path / "boards.jsonl")

    def make_chunk(point, first, count, solvers, seconds):
        auto = {"auto": [decided(point.size, first + n) for n in range(count)]} if seconds else {}
        measured = {f"{name} steps": None for name in solvers}
        measured |= {f"{name} seconds": 0.5 for name in solvers}
        header = point._asdict() | {"first": first, "boards": count, "on": {}, "limit": seconds}
        return header | auto | measured | {"status": "i" * count, "pegs": point.size, "made": 0}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(studying, "measure", make_chunk)
        patch.setattr(studying, "environment", dict)
        study_growth(record, Request(("permanent",)), None, ignore_progress)
    points = {point.size: boards for point, boards in record.points() if point.answer == "any"}
    num_cp_boards = {
        size: sum("cp steps" in board for board in boards) for size, boards in points.items()
    }
    return record, num_cp_boards, {size: len(boards) for size, boards in points.items()}


def test_a_curve_ends_at_the_size_at_which_most_boards_are_undecided(tmp_path):
    """Four equal outcomes are enough. `auto` alone measures all boards of the smallest size."""
    record, num_cp_boards, num_boards = curve(tmp_path, lambda size, _: None if size > 40 else 0.1)
    assert num_boards == {10: 100, 20: 4, 40: 4, 80: 4}
    assert num_cp_boards == {10: 4, 20: 0, 40: 0, 80: 0}
    reach = next(candidate for candidate in find_reaches(record) if candidate.answer == "any")
    assert (reach.pegs, reach.next_pegs) == (40, 80)


def test_more_probes_are_run_if_some_boards_are_undecided(tmp_path):
    """At most twelve probes are run."""
    record, *result = curve(
        tmp_path, lambda size, number: None if number % (3 - size // 15) else 0.1
    )
    assert result == [{10: 12}, {10: 100}]
    assert record


def test_findings_recover_the_law_of_the_boards(tmp_path):
    result = find_transition(synthetic_record(tmp_path / "boards.jsonl"), "random-two-color", "any")
    assert result.calibration.tail > 0.01
    assert result.held_out.tail > 0.01
    assert abs(result.law.slope - 1) < 3 * result.law.slope_error
    losses = result.losses
    assert losses.estimate[0] < losses.shares < losses.relative_rows
    assert losses.estimate[1] <= losses.estimate[0] < losses.independent[1]
    for size, half in result.halves.items():
        assert half.observed.low <= half.predicted <= half.observed.high
        assert half.calibration.num_boards == half.num_boards
        assert abs(half.predicted - entropy_rows(2, size)) < 0.7
    shifted = find_transition(
        synthetic_record(tmp_path / "shifted.jsonl", 1.0), "random-two-color", "any"
    )
    assert shifted.calibration.tail < 1e-6
    assert shifted.law.intercept == pytest.approx(1, abs=4 * shifted.law.intercept_error)


def test_the_effort_is_that_at_the_half_point(tmp_path):
    result = find_all(synthetic_record(tmp_path / "boards.jsonl"))
    (growth,) = [entry for entry in result.growths if entry.selection.answer == "any"]
    for size, rows in growth.rows.items():
        assert abs(rows - entropy_rows(2, size)) < 1.3
    assert growth.exponent.low < 0.1 < growth.exponent.high
    assert growth.fitted_sizes == [24, 32, 40]
    assert 0.5 < growth.held_out[0] < 2
    (peak,) = result.peaks
    assert peak.size == 40
    assert abs(peak.highest - peak.half) < 2.5


def test_the_paper_agrees_with_the_record(tmp_path, monkeypatch):
    monkeypatch.setattr(statistics, "RESAMPLES", 60)
    for shift, words in (
        (0.0, "without a fitted parameter is not rejected (Table 2)"),
        (1.0, "without a fitted parameter is rejected in 1 of 1 ensemble (Table 2)"),
    ):
        record = synthetic_record(tmp_path / f"{shift}.jsonl", shift)
        result = find_all(record)
        text = write_paper(record, result, draw_figures(result), "mmsat study hardness")
        assert words in text
        fit = result.transitions[0].calibration
        assert f"{fit.expected:,.0f} / {fit.observed:,}" in text
        half = result.transitions[0].halves[40]
        assert f"{half.predicted:.2f}" in text
        assert f"{half.calibration.expected:,.0f} / {half.calibration.observed:,}" in text
        assert "$" not in text.partition("<svg")[0]


def test_the_report_of_a_small_study_says_so(tmp_path, monkeypatch):
    """Its text has statements about sizes that only the whole study has."""
    record = Record(tmp_path / "boards.jsonl")
    note = "This is the report of a smaller study."
    text = write_paper(record, find_all(record), {}, "mmsat study hardness")
    assert note in text
    assert "in limited CPU time per process" in text
    monkeypatch.setattr(paper, "_is_whole", lambda *_: True)
    findings = find_all(record)._replace(limits={1, 60})
    text = write_paper(record, findings, {}, "mmsat study hardness")
    assert note not in text
    assert "in 1 second or 60 seconds of CPU time per process" in text


def test_every_reference_of_the_paper_is_cited():
    text = TEMPLATE.read_text("utf-8")
    body, _, references = text.partition("<h2>References</h2>")
    cited = {
        int(number)
        for group in re.findall(r"\[([0-9]+(?:, [0-9]+)*)\]", body)
        for number in group.split(", ")
    }
    assert cited == {*range(1, references.count("<li>") + 1)}


def test_versions_of_the_code_are_not_mixed(tmp_path):
    record = Record(tmp_path / "boards.jsonl")
    chunk = measure(SMALL, 0, 2, {"cp": 10}, 0)
    record.add(chunk)
    growth = chunk | {"part": "growth", "on": chunk["on"] | {"commit": "another"}}
    record.add(growth)  # another part may be of another version
    other = chunk | {"first": 2, "on": chunk["on"] | {"commit": "another"}}
    with pytest.raises(InputError, match="commit another"):
        record.add(other)
    assert Record(record.path).chunks == record.chunks
    record.discard(["transition"])
    assert [key[0].part for key in Record(record.path).chunks] == ["growth"]
    assert Record(record.path).versions("growth") == record.versions("growth")
    record.add(other)
    assert len(Record(record.path).chunks) == 2


def test_a_cross_check_counts_and_compares(tmp_path, monkeypatch):
    monkeypatch.setitem(
        ENSEMBLES, "six-colors", ENSEMBLES["six-colors"]._replace(max_pegs={"lattice": 20, "cp": 7})
    )
    request = Request(("six-colors",), boards=20, max_size=8)
    record = Record(tmp_path / "boards.jsonl")
    study_transition(record, request, None, ignore_progress)
    before = find_agreement(record, "transition")
    assert before.by_own_solver > 0 == before.cross_checked
    study_cross_check(record, request, None, ignore_progress)
    assert find_agreement(record, "transition").cross_checked == before.by_own_solver
    for key, chunk in record.chunks.items():
        if key[0].part == "transition":
            chunk["status"] = chunk["status"].translate(str.maketrans("ci", "ic"))
    with pytest.raises(InternalError, match="disagrees"):
        study_cross_check(record, request, None, ignore_progress)


@pytest.mark.long
def test_the_command_measures_writes_and_resumes(tmp_path, monkeypatch):
    monkeypatch.setattr(statistics, "RESAMPLES", 20)
    request = ["study", "hardness", "--families", "six-colors,permanent"]
    request += ["--count", "20", "--max-size", "10", "-o", tmp_path]
    first = run(*request)
    assert first.exit_code == 0
    wanted = {"boards.jsonl", "paper.html", "transition.svg", "peak.svg"}
    wanted |= {"effort.svg", "reach.svg"}
    assert {path.name for path in tmp_path.iterdir()} == wanted
    assert {line.rpartition("/")[2] for line in first.stdout.splitlines()} == wanted
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run(*request, "--paper").exit_code == run(*request).exit_code == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert b"<dc:date>" not in before["transition.svg"]


def test_an_interruption_keeps_finished_chunks(tmp_path, monkeypatch):
    real, calls = studying.measure, []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(studying, "measure", interrupted)
    words = ("--part", "transition", "--max-size", "10", "--count", "20", "-o", tmp_path)
    result = run("study", "hardness", *words)
    assert result.exit_code == 130
    assert result.stderr == "interrupted. Run the same command again to resume.\n"
    assert len((tmp_path / "boards.jsonl").read_text().splitlines()) == 5
    assert (tmp_path / "paper.html").exists()


def test_a_missing_family_is_reported():
    result = run("study", "hardness", "--families", "lies,six-colours")
    assert result.exit_code == 2
    assert "six-colors" in result.stderr
