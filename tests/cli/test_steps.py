"""The command `mmsat explain --steps`: sentences, boards and drawings."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from tests.support.cli_runner import CONSISTENT, SLIPPED, run

SVG = "{http://www.w3.org/2000/svg}"


def test_the_steps_of_a_consistent_board_are_sentences():
    result = run("explain", CONSISTENT, "--steps")
    assert result.exit_code == 0
    assert "1. Rows 1 (1 black 1 white) and 2 (0 black 2 white) together mean that" in result.stdout
    assert "there is no color 6" in result.stdout


def test_verbose_prints_the_remaining_colors_at_each_step():
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
def test_every_step_is_drawn(board, tmp_path):
    """The drawings are well-formed, highlight the rows of the step, and are reproducible."""
    folder = tmp_path / "drawings"
    result = run("explain", board, "--steps", "--json", "-o", folder)
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    steps = [entry for step in document["steps"] for entry in nested_steps(step)]
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"step-{n:02}.svg" for n in range(1, len(steps) + 1)]
    for file, step in zip(files, steps, strict=True):
        root = ET.fromstring(file.read_text("utf-8"))  # noqa: S314  (a file of mmsat)
        highlighted = [entry for entry in root.iter(f"{SVG}rect") if entry.get("class") == "mm-lit"]
        assert len(highlighted) == len(step["rows"])
    drawings = [file.read_bytes() for file in files]
    run("explain", board, "--steps", "-o", folder)
    assert [file.read_bytes() for file in files] == drawings


def nested_steps(step):
    """Yield the steps inside a step, then the step."""
    for entry in step["steps"]:
        yield from nested_steps(entry)
    yield step


def test_drawings_require_steps(tmp_path):
    result = run("explain", CONSISTENT, "-o", tmp_path)
    assert result.exit_code == 2
    assert "--output requires --steps." in result.stderr


@pytest.mark.parametrize("seconds", ["0.000001", "0.6"])
def test_steps_found_before_the_time_limit_are_printed(seconds):
    """It is a failure only if there are none, and the search is incomplete."""
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
