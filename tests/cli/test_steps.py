"""`mmsat explain --steps`: sentences, boards, drawings."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from tests.support.cli_runner import CONSISTENT, SLIPPED, run

SVG = "{http://www.w3.org/2000/svg}"


def test_a_consistent_board():
    result = run("explain", CONSISTENT, "--steps")
    assert result.exit_code == 0
    assert "1. Rows 1 (1 black 1 white) and 2 (0 black 2 white) together mean that" in result.stdout
    assert "there is no color 6" in result.stdout


def test_what_is_known_is_shown_at_each_step():
    result = run("explain", CONSISTENT, "--steps", "-v")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split() for line in lines].count(["1", *".....x"]) == 1
    assert ["pegs", *["0-4"] * 5, "0"] in [line.split() for line in lines]


@pytest.mark.parametrize(
    "board",
    [
        SLIPPED,
        "daily-word/CRANE=---Y-/SLOTH=--Y--/MINOR=-YYYY",
        "3x30/1-2-3=1.?/1-1-1=3.0/2-2-2=1.?",
        "4x5x5/1A2B3C4D=5.0.0",
        "4x6w/1122=3/1133=0",
    ],
)
def test_each_step_is_drawn(board, tmp_path):
    """Well formed, with all rows, the rows of the step lit, and a field for each peg and color."""
    folder = tmp_path / "drawings"
    result = run("explain", board, "--steps", "--json", "-o", folder)
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    texts = [entry for step in document["steps"] for entry in inside(step)]
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"step-{n:02}.svg" for n in range(1, len(texts) + 1)]
    for file, step in zip(files, texts, strict=True):
        drawn = ET.fromstring(file.read_text("utf-8"))  # noqa: S314  (made by us)
        lit = [entry for entry in drawn.iter(f"{SVG}rect") if entry.get("class") == "mm-lit"]
        assert len(lit) == len(step["rows"])
    before = [file.read_bytes() for file in files]
    run("explain", board, "--steps", "-o", folder)
    assert [file.read_bytes() for file in files] == before


def inside(step):
    for entry in step["steps"]:
        yield from inside(entry)
    yield step


def test_drawings_are_of_steps(tmp_path):
    result = run("explain", CONSISTENT, "-o", tmp_path)
    assert result.exit_code == 2
    assert "--output requires --steps." in result.stderr


@pytest.mark.parametrize("seconds", ["0.000001", "0.6"])
def test_when_the_time_is_up_what_is_known_is_reported(seconds):
    """It is a failure only where nothing is."""
    board = "8x8/17514653=0.4/25415543=1.3/55626743=1.4/48525155=1.3/47757834=1.4/55121858=1.2"
    result = run("explain", board, "--steps", "--json", "--timeout", seconds)
    document = json.loads(result.stdout)
    assert (result.exit_code == 1) == (not document["steps"] and not document["complete"])
    assert (document["difficulty"] is None) == (not document["complete"])
    undecided = "Undecided: the search ended before a verdict was found."
    if document["verdict"] == "unknown":
        assert document["sentences"] == [undecided]
    elif not document["complete"]:
        assert "Time limit reached: the steps may not be complete." in document["sentences"]
