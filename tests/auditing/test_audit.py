"""Audits: every game has one record, in any format, with any executor, and after any kill."""

from __future__ import annotations

import csv
import json
import random
import signal
import subprocess
import sys
import time

import pytest

import mmsat
from mmsat.auditing.journal import Journal
from mmsat.auditing.summary import MAX_POINTS, NO_SLIP, RIGHT, Summary
from mmsat.errors import InputError
from mmsat.game.game import Game
from tests.support import tiers, twins
from tests.support.cli_runner import run

GOOD = "4x6/1122=1.1/3345=0.2"
SLIPPED = "4x6/1122=1.1/3345=0.2/1122=0.2"


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def make_log(path, games=150, game="4x6", slips=0.2, seed=1):
    path.write_text("".join(mmsat.generate_log(Game.parse(game), games, slips, seed)), "utf-8")
    return str(path)


def test_a_game_has_a_complete_record(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text(f'{{"id": 7, "board": "{SLIPPED}"}}\n"{GOOD}"\n', "utf-8")
    mmsat.audit([str(log)], str(tmp_path / "out.jsonl"), depth="review")
    slipped, good = lines(tmp_path / "out.jsonl")
    verdict = mmsat.check(mmsat.Board.parse(SLIPPED))
    assert (slipped["id"], slipped["source"]) == ("7", f"{log}:1")
    assert slipped["verdict"] == "inconsistent"
    assert slipped["conflict"] == " ".join(str(row + 1) for row in verdict.conflict.rows)
    change = verdict.correction.changes[0]
    assert (slipped["row"], slipped["slip"], slipped["changed"]) == (change.row + 1, change.slip, 1)
    assert (good["codes"], good["impossible"]) == ("36", "2")
    review = mmsat.review(mmsat.Board.parse(GOOD))
    assert good["skill"] == round(float(review.skill), 6)
    assert good["loss"] == str(review.loss)


def test_every_format_has_the_same_contents(tmp_path):
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
        (folder / f"{int(game['id']):03}.json").write_text(json.dumps(board.to_json()), "utf-8")
    documents = tmp_path / "documents.ndjson"
    documents.write_text(
        "".join(json.dumps(mmsat.Board.parse(g["board"]).to_json()) + "\n" for g in games), "utf-8"
    )
    texts = []
    for path in (log, table, folder, documents):
        mmsat.audit([str(path)], str(tmp_path / "out.jsonl"))
        result = lines(tmp_path / "out.jsonl")
        hidden = ("source", "id", "true", "true_row", "true_slip")
        texts.append([{k: v for k, v in entry.items() if k not in hidden} for entry in result])
        assert [entry["record"] for entry in result] == list(range(60))
    assert all(text == texts[0] for text in texts)


def test_parquet_and_arrow(tmp_path):
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


def test_every_output_has_the_same(tmp_path):
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


def test_memory_stays_what_it_is(tmp_path):
    """Ten times the games take no more memory, by the system's own word."""
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
    short, maximum = map(int, done.stdout.split())
    assert maximum < short + 8 * 1024  # KiB


def test_summaries_of_parts_are_that_of_the_whole():
    texts = [
        {"record": 700 * n, "verdict": "consistent", "skill": n % 11 / 10, "impossible": "2"}
        for n in range(3000)
    ]
    whole, parts = Summary(), Summary()
    whole.add(texts)
    for start in range(0, len(texts), 77):
        part = Summary()
        part.add(texts[start : start + 77])
        parts.merge(part)
    assert parts == whole
    assert len(whole.skills) <= MAX_POINTS
    assert sum(count for _, _, count in whole.skills) == whole.games == 3000
    mean = sum(mean * count for _, mean, count in whole.skills) / 3000
    assert mean == pytest.approx(sum(text["skill"] for text in texts) / 3000)


def test_shared_grids(tmp_path):
    log = tmp_path / "grids.txt"
    grids = "Game 1,234 3/6\n\n⬛🟨⬛⬛\n🟩🟩⬛🟨\n🟩🟩🟩🟩\n\n1021\n⬜⬜⬜🟨\n"
    log.write_text(grids, "utf-8")
    mmsat.audit([str(log)], str(tmp_path / "out.jsonl"), game=Game.parse("4x5p"))
    one, other = lines(tmp_path / "out.jsonl")
    assert (one["id"], one["rows"], one["source"]) == ("Game 1,234 3/6", 3, f"{log}:3")
    assert one["board"] == "4x5p/????=-Y--/????=GG-Y/????=GGGG"
    assert one["codes"] == str(mmsat.count(mmsat.Board.parse(one["board"])).count)
    assert other["id"] == "1021"


def test_bad_records_are_set_aside(tmp_path):
    log = tmp_path / "log.jsonl"
    bad = ['{"id": 1, "board": "4x6/1122=x"}', "{", "nonsense", '"4x6/9999=1.1"', '{"a": 1}', "[]"]
    log.write_text("\n".join([bad[0], f'"{GOOD}"', *bad[1:], f'"{SLIPPED}"']) + "\n", "utf-8")
    summary = mmsat.audit([str(log)], str(tmp_path / "out.jsonl"))
    assert (summary.games, summary.rejected) == (2, len(bad))
    rejected = lines(tmp_path / "out.jsonl.rejected.jsonl")
    assert [entry["source"] for entry in rejected] == [f"{log}:{n}" for n in (1, 3, 4, 5, 6, 7)]
    assert all("expected" in entry["fault"] for entry in rejected)
    assert [line["record"] for line in lines(tmp_path / "out.jsonl")] == [1, 7]


def test_an_audit_cut_at_any_byte_resumes(tmp_path):
    """Both files are cut at any byte: missing records are written again, and none twice."""
    log = make_log(tmp_path / "log.jsonl", games=50)
    text = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    for place in (3, 17, 18, 40):
        text[place] = "broken"
    (tmp_path / "log.jsonl").write_text("\n".join(text) + "\n", "utf-8")
    whole, again = str(tmp_path / "whole.jsonl"), str(tmp_path / "again.jsonl")
    mmsat.audit([log], whole)
    wanted = (tmp_path / "whole.jsonl").read_bytes()
    aside = (tmp_path / "whole.jsonl.rejected.jsonl").read_bytes()
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
    part = head.encode() + b"\n" + wanted
    source = random.Random(3)
    for _ in range(tiers.share(100, least=20)):
        (tmp_path / "again.jsonl.part").write_bytes(part[: source.randint(0, len(part))])
        cut = aside[: source.randint(0, len(aside))]
        (tmp_path / "again.jsonl.rejected.jsonl").write_bytes(cut)
        mmsat.audit([log], again)
        assert (tmp_path / "again.jsonl").read_bytes() == wanted
        assert (tmp_path / "again.jsonl.rejected.jsonl").read_bytes() == aside


@pytest.mark.parametrize("times", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_a_killed_audit_resumes(tmp_path, times):
    log = make_log(tmp_path / "log.jsonl", games=400)
    mmsat.audit([log], str(tmp_path / "whole.jsonl"))
    out = tmp_path / "out.jsonl"
    code = "import sys, mmsat; mmsat.audit([sys.argv[1]], sys.argv[2], chunk=3)"
    command = [sys.executable, "-c", code, log, str(out)]
    source = random.Random(1)
    for _ in range(times):
        if out.exists():
            break
        running = subprocess.Popen(command)
        time.sleep(0.3 + source.random() * 0.5)
        running.send_signal(signal.SIGKILL)
        running.wait()
    if not out.exists():
        subprocess.run(command, check=True)
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_another_audit_does_not_go_on(tmp_path):
    log = make_log(tmp_path / "log.jsonl", games=5)
    with Journal(str(tmp_path / "out.jsonl"), {"other": 1}):
        pass
    with pytest.raises(InputError) as caught:
        mmsat.audit([log], str(tmp_path / "out.jsonl"))
    assert str(caught.value) == (
        f"{tmp_path}/out.jsonl.part: expected a file of this audit, found a file of an audit with "
        "other logs or options (repeat that audit or delete the file)"
    )


def test_known_slips_are_found(tmp_path):
    """The recorded slips equal those of the log, and most are identified correctly."""
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
    slips = sum(count for (done, _), count in summary.confusion.items() if done != NO_SLIP)
    right = sum(count for (_, text), count in summary.confusion.items() if text == RIGHT)
    assert slips == sum("slip" in entry for entry in games)
    assert 40 < slips < 80
    assert right > slips / 2
    assert summary.confusion[NO_SLIP, "missed"] == 200 - slips


def test_codes_that_are_not_equally_likely(tmp_path):
    log = make_log(tmp_path / "log.jsonl", games=20)
    mmsat.audit([log], str(tmp_path / "out.jsonl"), weights="3,1,1,1,1,0", depth="review")
    for line in lines(tmp_path / "out.jsonl"):
        board = mmsat.Board.parse(line["board"])
        weights = mmsat.Weights.of_colors(board.game, [3, 1, 1, 1, 1, 0])
        assert line["weight"] == str(mmsat.codes(board, weights=weights).weight)
        review = mmsat.review(board, weights=weights)
        assert line["skill"] == (review.skill and round(float(review.skill), 6))


def test_the_command(tmp_path):
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
