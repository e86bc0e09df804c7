"""Audits: every game has one record, in any format, with any executor, and after any kill."""

from __future__ import annotations

import csv
import json
import random
import re
import signal
import subprocess
import sys
import time

import pytest

import mmsat
from mmsat.auditing.output import Journal
from mmsat.auditing.summary import MAX_POINTS, NO_ERROR_FOUND, NO_SLIP, OUTCOMES, RIGHT, Summary
from mmsat.errors import InputError
from mmsat.game.game import Game
from tests.support import tiers, twins
from tests.support.cli_runner import run

CONSISTENT = "4x6/1122=1.1/3345=0.2"
WITH_SLIP = "4x6/1122=1.1/3345=0.2/1122=0.2"


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def make_log(path, games=150, game="4x6", slips=0.2, seed=1):
    path.write_text("".join(mmsat.generate_log(Game.parse(game), games, slips, seed)), "utf-8")
    return str(path)


def test_one_path_needs_no_list(tmp_path):
    log = make_log(tmp_path / "log.jsonl", games=3)
    one, several = (str(tmp_path / name) for name in ("one.jsonl", "several.jsonl"))
    assert mmsat.audit(log, one) == mmsat.audit([log], several)
    assert lines(tmp_path / "one.jsonl") == lines(tmp_path / "several.jsonl")


def test_the_summary_needs_no_output(tmp_path, monkeypatch):
    log = make_log(tmp_path / "log.jsonl", games=20)
    summary = mmsat.audit(log, str(tmp_path / "out.jsonl"))
    names = {*tmp_path.iterdir()}
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert mmsat.audit(log) == mmsat.audit(log, None, chunk=3) == summary
    assert {*tmp_path.iterdir()} == names | {temporary}
    assert not [*temporary.iterdir()]


def test_the_first_unreadable_record_is_printed(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text(f'"{CONSISTENT}"\n"4x6/112=1.1"\n"4x6/11=1.1"\n', "utf-8")
    for more in ([], ["--json"]):
        result = run("audit", log, *more)
        assert f"{log}:2: the board, line 1, column 5: expected 4 colors" in result.stderr
    result = run("audit", log, "-o", tmp_path / "out.csv")
    assert f"{log}:2: the board, line 1, column 5: expected 4 colors" in result.stderr
    assert "out.csv.rejected.jsonl lists every unreadable record." in result.stderr
    assert result.exit_code == 0
    log.write_text(f'"{CONSISTENT}"\n', "utf-8")
    assert "unreadable record," not in run("audit", log).stderr


def test_a_log_of_which_nothing_can_be_read_is_a_failure(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('"4x6/112=1.1"\n', "utf-8")

    assert run("audit", log).exit_code == 1


@pytest.mark.parametrize("game", ["4x8", "4x6", "bulls-and-cows", "4x6b"])
def test_boards_without_a_game_are_boards_of_the_given_game(game, tmp_path, recwarn):
    score = "1" if game.endswith("b") else "1.2"
    rows = [f"1234={score}", f"5613={score[::-1]}"]
    (tmp_path / "log.jsonl").write_text(
        json.dumps({"id": "a", "board": "/".join(rows)}) + "\n" + json.dumps("/".join(rows)) + "\n",
        "utf-8",
    )
    (tmp_path / "log.csv").write_text(f"id,board\n1,{'/'.join(rows)}\n", "utf-8")
    folder = tmp_path / "boards"
    folder.mkdir()
    (folder / "a.txt").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "b.txt").write_text("\n".join([game, *rows]) + "\n", "utf-8")
    logs = [tmp_path / "log.jsonl", tmp_path / "log.csv", folder]
    board = mmsat.Board.parse("/".join([game, *rows]))

    mmsat.audit(logs, tmp_path / "out.jsonl", game=game)

    records = lines(tmp_path / "out.jsonl")
    assert [record["board"] for record in records] == [str(board)] * 5
    assert {int(record["codes"]) for record in records} == {int(mmsat.count(board))}
    assert not recwarn


def test_documents_without_a_game_and_with_a_secret_are_read(tmp_path):
    rows = [{"guess": "1122", "black": 0, "white": 0}]
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"id": 7, "rows": rows, "secret": "1233"}) + "\n", "utf-8")

    mmsat.audit(log, tmp_path / "out.jsonl", game="4x6")

    (record,) = lines(tmp_path / "out.jsonl")
    assert (record["id"], record["board"]) == ("7", "4x6/1122=0.0")
    assert (record["true_row"], record["true"]) == (1, "1.1")


def test_a_game_has_a_complete_record(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text(f'{{"id": 7, "board": "{WITH_SLIP}"}}\n"{CONSISTENT}"\n', "utf-8")
    mmsat.audit([str(log)], str(tmp_path / "out.jsonl"), depth="review")
    slipped, good = lines(tmp_path / "out.jsonl")
    verdict = mmsat.check(mmsat.Board.parse(WITH_SLIP))
    assert (slipped["id"], slipped["source"]) == ("7", f"{log}:1")
    assert slipped["verdict"] == "inconsistent"
    assert slipped["conflict"] == " ".join(str(row + 1) for row in verdict.conflict.rows)
    change = verdict.correction.changes[0]
    assert (slipped["row"], slipped["slip"], slipped["changed"]) == (change.row + 1, change.slip, 1)
    assert (good["codes"], good["impossible"]) == ("36", "2")
    review = mmsat.review(mmsat.Board.parse(CONSISTENT))
    assert good["skill"] == round(float(review.skill), 6)
    assert good["loss"] == str(review.loss)


def test_every_input_format_gives_the_same_records(tmp_path):
    log = make_log(tmp_path / "log.jsonl", games=60)
    games = lines(tmp_path / "log.jsonl")
    table = tmp_path / "log.csv"
    table.write_text(
        "id,board\n" + "".join(f"{entry['id']},{entry['board']}\n" for entry in games), "utf-8"
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    for game in games:
        board = mmsat.Board.parse(game["board"])
        (folder / f"{int(game['id']):03}.json").write_text(json.dumps(board.to_dict()), "utf-8")
    documents = tmp_path / "documents.ndjson"
    documents.write_text(
        "".join(json.dumps(mmsat.Board.parse(g["board"]).to_dict()) + "\n" for g in games), "utf-8"
    )
    records = []
    for path in (log, table, folder, documents):
        mmsat.audit([str(path)], str(tmp_path / "out.jsonl"))
        result = lines(tmp_path / "out.jsonl")
        differing = ("source", "id", "true", "true_row", "true_slip")
        records.append([{k: v for k, v in entry.items() if k not in differing} for entry in result])
        assert [entry["record"] for entry in result] == list(range(60))
    assert all(other == records[0] for other in records)


def test_parquet_and_arrow_files_are_read_and_parquet_is_written(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    feather = pytest.importorskip("pyarrow.feather")
    make_log(tmp_path / "log.jsonl", games=40)
    games = lines(tmp_path / "log.jsonl")
    table = arrow.table({"id": [g["id"] for g in games], "board": [g["board"] for g in games]})
    parquet.write_table(table, tmp_path / "log.parquet")
    feather.write_feather(table, str(tmp_path / "log.feather"))
    for name in ("log.parquet", "log.feather"):
        mmsat.audit([str(tmp_path / name)], str(tmp_path / "out.parquet"))
        result = parquet.read_table(tmp_path / "out.parquet").to_pylist()
        assert [entry["id"] for entry in result] == [g["id"] for g in games]
        assert {entry["verdict"] for entry in result} == {"consistent", "inconsistent"}


def test_every_output_format_has_the_same_records(tmp_path):
    """The slips of the log are included. An empty cell corresponds to a missing JSON key."""
    parquet = pytest.importorskip("pyarrow.parquet")
    log = make_log(tmp_path / "log.jsonl", games=60, slips=0.5)
    for ending in ("jsonl", "csv", "parquet"):
        mmsat.audit([log], str(tmp_path / f"out.{ending}"))
    text = lines(tmp_path / "out.jsonl")
    table = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [{k: v for k, v in entry.items() if v is not None} for entry in table] == text
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        cells = [{k: v for k, v in entry.items() if v} for entry in csv.DictReader(file)]
    assert cells == [{k: str(v) for k, v in entry.items() if v != ""} for entry in text]


def test_memory_does_not_depend_on_the_number_of_games(tmp_path):
    """The peak memory after ten times as many games is that after the first log."""
    log, long = tmp_path / "log.jsonl", tmp_path / "long.jsonl"
    make_log(log, games=2000, slips=0.1)
    log.write_text(log.read_text("utf-8") * 10, "utf-8")
    long.write_text(log.read_text("utf-8") * tiers.share(10, least=5), "utf-8")
    code = (
        "import resource, sys, mmsat\n"
        "for log in sys.argv[1:]:\n"
        "    mmsat.audit([log], f'{log}.out.jsonl')\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    command = [sys.executable, "-c", code, str(log), str(long)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    short_peak, long_peak = map(int, done.stdout.split())
    assert long_peak < short_peak + 8 * 1024  # KiB


def test_merged_summaries_of_parts_equal_the_summary_of_all_records():
    records = [
        {"record": 700 * n, "verdict": "consistent", "skill": n % 11 / 10, "impossible": "2"}
        for n in range(3000)
    ]
    whole, parts = Summary(), Summary()
    whole.add(records)
    for start in range(0, len(records), 77):
        part = Summary()
        part.add(records[start : start + 77])
        parts.merge(part)
    assert parts == whole
    assert len(whole.skills) <= MAX_POINTS
    assert sum(count for _, _, count in whole.skills) == whole.games == 3000
    mean = sum(mean * count for _, mean, count in whole.skills) / 3000
    assert mean == pytest.approx(sum(record["skill"] for record in records) / 3000)


def test_shared_grids_are_games_with_unknown_guesses(tmp_path):
    log = tmp_path / "grids.txt"
    grids = "Game 1,234 3/6\n\n⬛🟨⬛⬛\n🟩🟩⬛🟨\n🟩🟩🟩🟩\n\n1021\n⬜⬜⬜🟨\n"
    log.write_text(grids, "utf-8")
    mmsat.audit([str(log)], str(tmp_path / "out.jsonl"), game=Game.parse("4x5p"))
    first, second = lines(tmp_path / "out.jsonl")
    assert (first["id"], first["rows"], first["source"]) == ("Game 1,234 3/6", 3, f"{log}:3")
    assert first["board"] == "4x5p/????=-Y--/????=GG-Y/????=GGGG"
    assert first["codes"] == str(mmsat.count(mmsat.Board.parse(first["board"])).count)
    assert second["id"] == "1021"


def test_unreadable_records_are_rejected(tmp_path):
    log = tmp_path / "log.jsonl"
    bad = ['{"id": 1, "board": "4x6/1122=x"}', "{", "nonsense", '"4x6/9999=1.1"', '{"a": 1}', "[]"]
    log.write_text(
        "\n".join([bad[0], f'"{CONSISTENT}"', *bad[1:], f'"{WITH_SLIP}"']) + "\n", "utf-8"
    )
    summary = mmsat.audit([str(log)], str(tmp_path / "out.jsonl"))
    assert (summary.games, summary.rejected) == (2, len(bad))
    rejected = lines(tmp_path / "out.jsonl.rejected.jsonl")
    assert [entry["source"] for entry in rejected] == [f"{log}:{n}" for n in (1, 3, 4, 5, 6, 7)]
    assert all("expected" in entry["fault"] for entry in rejected)
    assert [line["record"] for line in lines(tmp_path / "out.jsonl")] == [1, 7]


def test_an_audit_resumes_from_files_cut_at_any_byte(tmp_path):
    """Missing records are written again, and no record twice."""
    log = make_log(tmp_path / "log.jsonl", games=50)
    text = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    for place in (3, 17, 18, 40):
        text[place] = "broken"
    (tmp_path / "log.jsonl").write_text("\n".join(text) + "\n", "utf-8")
    whole, again = str(tmp_path / "whole.jsonl"), str(tmp_path / "again.jsonl")
    mmsat.audit([log], whole)
    judged = (tmp_path / "whole.jsonl").read_bytes()
    rejected = (tmp_path / "whole.jsonl.rejected.jsonl").read_bytes()
    data = (tmp_path / "log.jsonl").read_bytes()
    head = json.dumps(
        {
            "mmsat-audit": 1,
            "logs": [[log, len(data)]],
            "game": None,
            "depth": "reasons",
            "weights": "",
        }
    )
    journal = head.encode() + b"\n" + judged
    rng = random.Random(3)
    for _ in range(tiers.share(100, least=20)):
        (tmp_path / "again.jsonl.part").write_bytes(journal[: rng.randint(0, len(journal))])
        cut_rejected = rejected[: rng.randint(0, len(rejected))]
        (tmp_path / "again.jsonl.rejected.jsonl").write_bytes(cut_rejected)
        mmsat.audit([log], again)
        assert (tmp_path / "again.jsonl").read_bytes() == judged
        assert (tmp_path / "again.jsonl.rejected.jsonl").read_bytes() == rejected


@pytest.mark.parametrize("times", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_a_killed_audit_resumes(tmp_path, times):
    log = make_log(tmp_path / "log.jsonl", games=400)
    mmsat.audit([log], str(tmp_path / "whole.jsonl"))
    out = tmp_path / "out.jsonl"
    code = "import sys, mmsat; mmsat.audit([sys.argv[1]], sys.argv[2], chunk=3)"
    command = [sys.executable, "-c", code, log, str(out)]
    rng = random.Random(1)
    for _ in range(times):
        if out.exists():
            break
        running = subprocess.Popen(command)
        time.sleep(0.3 + rng.random() * 0.5)
        running.send_signal(signal.SIGKILL)
        running.wait()
    if not out.exists():
        subprocess.run(command, check=True)
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_an_interrupted_audit_of_reviews_keeps_finished_records(tmp_path):
    """A long log is reviewed a few games at a time, and the records are the same."""
    log, output = make_log(tmp_path / "log.jsonl", 20, "3x4"), tmp_path / "out.jsonl"
    finished = []

    def stop(done, _):
        finished.append(done)
        if len(finished) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mmsat.audit([log], str(output), depth="review", on_progress=stop)
    assert 0 < finished[0] < finished[1] < 20
    kept = (tmp_path / "out.jsonl.part").read_text("utf-8").splitlines()[1:]
    assert len(kept) == finished[1]
    mmsat.audit([log], str(output), depth="review")
    resumed = output.read_text("utf-8")
    assert resumed.splitlines()[: len(kept)] == kept
    mmsat.audit([log], str(output), depth="review")
    assert output.read_text("utf-8") == resumed


def test_an_audit_with_other_options_does_not_resume(tmp_path):
    log = make_log(tmp_path / "log.jsonl", games=5)
    with Journal(str(tmp_path / "out.jsonl"), {"other": 1}):
        pass
    with pytest.raises(InputError) as caught:
        mmsat.audit([log], str(tmp_path / "out.jsonl"))
    assert str(caught.value) == (
        f"{tmp_path}/out.jsonl.part: expected a file of this audit, found a file of an audit with "
        "other logs or options (repeat that audit or delete the file)"
    )


def test_the_summary_says_why_a_recorded_error_was_missed(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("id,turn,guess,black,white,secret\na,1,1122,1,1,1345\nb,1,1122,0,2,3311\n")
    text = str(mmsat.audit([str(log)], str(tmp_path / "out.jsonl"), game="4x6"))
    assert "0 of 1 recorded errors were identified." in text
    assert "1 was missed, because the wrong scores fit another code." in text


def test_most_recorded_slips_are_identified(tmp_path):
    """The summary counts all recorded slips, and their true scores make the boards consistent."""
    log = make_log(tmp_path / "log.jsonl", games=200, slips=0.3)
    games = lines(tmp_path / "log.jsonl")
    for game in games:
        board = mmsat.Board.parse(game["board"])
        if "slip" in game:
            black, white = map(int, game["slip"]["true"].split("."))
            board = board.changed({game["slip"]["row"] - 1: (black, white)})
        assert twins.consistent(board)
    summary = mmsat.audit([log], str(tmp_path / "out.jsonl"))
    assert sum(summary.confusion.values()) == 200
    num_slips = sum(count for (slip, _), count in summary.confusion.items() if slip != NO_SLIP)
    num_right = sum(count for (_, outcome), count in summary.confusion.items() if outcome == RIGHT)
    assert num_slips == sum("slip" in entry for entry in games)
    assert 40 < num_slips < 80
    assert num_right > num_slips / 2
    assert summary.confusion[NO_SLIP, NO_ERROR_FOUND] == 200 - num_slips
    report = str(summary).splitlines()
    sentence = report.index(f"{200 - num_slips} games have no error, recorded or found.")
    head, *rows = report[sentence + 1 :]
    assert re.split("  +", head) == [*OUTCOMES.values(), "actual error"]
    assert sum(int(number) for row in rows for number in row.split()[:5]) == num_slips
    assert "no error" not in "".join(rows)


@pytest.mark.parametrize("name", ["log.jsonl", "log.csv", "log.tsv", "log.txt", "folder"])
def test_a_log_without_games_is_refused(tmp_path, name):
    path = tmp_path / name
    contents = [None] if name == "folder" else ["", "\n \n"]
    for content in contents:
        path.mkdir() if content is None else path.write_text(content)
        result = run("audit", path, "-o", tmp_path / "out.csv", "--game", "daily-word")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: {path}: expected games, found nothing\n"
        assert not (tmp_path / "out.csv.part").exists()


def test_unknown_guesses_are_not_guesses_that_could_not_be_the_code(tmp_path):
    log, out = tmp_path / "log.txt", tmp_path / "out.jsonl"
    log.write_text("-YY--\nGGGGY\nGGGGG\n")
    summary = mmsat.audit([str(log)], str(out), game="daily-word")
    assert (summary.verdicts["inconsistent"], summary.with_impossible) == (1, 0)
    board = mmsat.Board.parse("4x6/1122=4.0/1133=0.0/????=1.1/1?11=1.0")
    assert board.inconsistent_guesses() == (1, 3)


def test_the_remaining_time_is_printed_if_there_is_no_terminal(monkeypatch, tmp_path):
    monkeypatch.setattr("mmsat.cli.commands.audit.FIRST_LINE_SECONDS", 0.0)
    log = make_log(tmp_path / "log.jsonl", games=20)
    for options, number in (((), True), (("--quiet",), False)):
        result = run("audit", log, "-o", tmp_path / "out.csv", "--depth", "review", *options)
        lines_of_time = re.findall(
            "^[0-9]+ games checked in .*; about .* to go$", result.stderr, re.MULTILINE
        )
        assert bool(lines_of_time) == number


def test_records_use_the_weights_of_the_codes(tmp_path):
    log = make_log(tmp_path / "log.jsonl", games=20)
    mmsat.audit([log], str(tmp_path / "out.jsonl"), weights="3,1,1,1,1,0", depth="review")
    for line in lines(tmp_path / "out.jsonl"):
        board = mmsat.Board.parse(line["board"])
        weights = mmsat.Weights.of_colors(board.game, [3, 1, 1, 1, 1, 0])
        assert line["weight"] == str(mmsat.codes(board, weights=weights).weight)
        review = mmsat.review(board, weights=weights)
        assert line["skill"] == (review.skill and round(float(review.skill), 6))


def test_the_command_writes_records_and_plots(tmp_path):
    log, out = tmp_path / "log.jsonl", tmp_path / "out.csv"
    created = run("generate", "--games", 30, "--slips", 0.5, "--seed", 2, "-o", log)
    assert created.exit_code == 0
    result = run("audit", log, "-o", out, "-o", tmp_path / "plots", "--depth", "review")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("30 games: ")
    assert (tmp_path / "plots" / "slips.svg").exists()
    assert (tmp_path / "plots" / "skill.svg").exists()
    assert out.read_text("utf-8").count("\n") == 31
    assert run("audit", log, "-o", tmp_path / "out.txt").exit_code == 2
    assert run("audit", tmp_path / "plots" / "slips.svg", "-o", out).exit_code == 2
    assert run("generate", "--games", 3, "--slips", 2).exit_code == 2


def test_without_an_output_the_command_prints_the_summary_and_writes_nothing(tmp_path):
    log = tmp_path / "log.jsonl"
    run("generate", "--games", 30, "--slips", 0.5, "--seed", 2, "-o", log)
    result = run("audit", log)
    assert result.exit_code == 0
    assert result.stdout == run("audit", log, "-o", tmp_path / "out.csv").stdout
    assert "-o records.csv" in result.stderr
    (tmp_path / "out.csv").unlink()
    document = json.loads(run("audit", log, "--json").stdout)
    assert document["games"] == 30
    assert [*tmp_path.iterdir()] == [log]
