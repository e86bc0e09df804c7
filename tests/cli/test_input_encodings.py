"""Input files of every kind, in the encodings and with the line endings of all systems."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.game.board import PRINTERS
from mmsat.strategy.tree import print_tree
from tests.support.cli_runner import fault_lines, run

BOARD = "4x6\n1122=1.1\n3345=0.2\n"
INPUTS = {
    "board": (BOARD, ("count", "{}")),
    "document": (PRINTERS["json"](mmsat.Board.parse(BOARD)), ("count", "{}")),
    "words": ("crane\nslate\ntrain\n", ("list", "word:{}/CRANE=2.1")),
    "game": ('pegs = 4\nsymbols = "abcdef"\n', ("count", "game:{}")),
    "weights": ("1122 3\n1234 1\n", ("count", "4x6/1122=4.0", "--weights", "{}")),
    "formula": ("p cnf 2 2\n1 2 0\n-1 2 0\n", ("reduce", "sat", "{}", "--to", "line")),
    "solution": ("s SATISFIABLE\nv 1 -2 0\n", ("decode", "1x2", "{}")),
    "tree": ("", ("analyze", "2x3", "--strategy", "tree:{}")),
}
"""For each kind of file, a text and a command that reads it."""


def run_command(folder, kind, data):
    """Run the command that reads this kind of file."""
    file = folder / "input"
    file.write_bytes(data)
    return run(*(part.format(file) for part in INPUTS[kind][1]))


@pytest.fixture(params=INPUTS)
def kind_and_text(request):
    """Return a kind of file and its text."""
    kind = request.param
    text = INPUTS[kind][0]
    if kind == "tree":
        text = print_tree(mmsat.optimal("2x3").tree)
    return kind, text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("line_ending", ["\n", "\r\n", "\r"])
def test_files_in_every_encoding_are_read(tmp_path, kind_and_text, encoding, line_ending):
    kind, text = kind_and_text
    plain = run_command(tmp_path, kind, text.encode())
    assert plain.exit_code in (0, 10), plain.stderr
    other = run_command(tmp_path, kind, text.replace("\n", line_ending).encode(encoding))
    assert (other.exit_code, other.stdout) == (plain.exit_code, plain.stdout), other.stderr


def test_utf_16_without_a_byte_order_mark_is_one_fault(tmp_path, kind_and_text):
    kind, text = kind_and_text
    (fault,) = fault_lines(run_command(tmp_path, kind, text.encode("utf-16-le")))
    assert "UTF-8" in fault


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("line_ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["log.jsonl", "log.NDJSON", "folder"])
def test_logs_in_every_encoding_are_read(tmp_path, encoding, line_ending, name):
    """The records have all games, with their files and line numbers."""
    lines = ['{"id": "a", "board": "4x6/1122=1.1"}', "", '{"id": "b", "board": "4x6/1122=0.2"}']
    log, records = tmp_path / name, tmp_path / "out.csv"
    if name == "folder":
        log.mkdir()
        for number, text in enumerate(["4x6\n1122=1.1\n", "4x6\n1122=0.2\n"]):
            file = log / f"{'ab'[number]}.txt"
            file.write_bytes(text.replace("\n", line_ending).encode(encoding))
    else:
        log.write_bytes("".join(line + line_ending for line in lines).encode(encoding))
    result = run("audit", log, "-o", records, "--depth", "verdict")
    assert result.stdout == "2 games: 2 consistent, 0 inconsistent.\n"
    texts = [line.split(",")[1:3] for line in records.read_text("utf-8").splitlines()[1:]]
    locations = ["/a.txt", "/b.txt"] if name == "folder" else [":1", ":3"]
    assert texts == [
        [f"{log}{location}", id_] for location, id_ in zip(locations, "ab", strict=True)
    ]


@pytest.mark.parametrize("name", ["log.jsonl", "log.csv", "log.txt"])
def test_a_log_in_utf_16_without_a_byte_order_mark_is_refused(tmp_path, name):
    """Nothing is written."""
    log = tmp_path / name
    log.write_bytes("id,board\n7,4x6/1122=1.1\n".encode("utf-16-le"))
    arguments = ("audit", log, "-o", tmp_path / "out.csv", "--game", "daily-word")
    (fault,) = fault_lines(run(*arguments))
    assert fault == (
        f"Error: {log}, line 1, column 1: expected text in UTF-8, or UTF-16 or UTF-32 with "
        "a byte order mark, found zero bytes"
    )
    assert [*tmp_path.iterdir()] == [log]
