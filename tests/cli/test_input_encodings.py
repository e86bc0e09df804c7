"""Input files of every kind, in the encodings and with the line ends of any system."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.game.board import PRINTERS
from mmsat.strategy.tree_file import print_tree
from tests.support.cli_runner import faults_told, run

BOARD = "4x6\n1122=1.1\n3345=0.2\n"
INPUTS = {
    "board": (BOARD, ("count", "{}")),
    "document": (PRINTERS["json"](mmsat.Board.parse(BOARD)), ("count", "{}")),
    "words": ("crane\nslate\ntrain\n", ("list", "word:{}/CRANE=4.0")),
    "game": ('pegs = 4\nsymbols = "abcdef"\n', ("count", "game:{}")),
    "weights": ("1122 3\n1234 1\n", ("count", "4x6/1122=4.0", "--weights", "{}")),
    "formula": ("p cnf 2 2\n1 2 0\n-1 2 0\n", ("reduce", "sat", "{}", "--to", "line")),
    "solution": ("s SATISFIABLE\nv 1 -2 0\n", ("decode", "1x2", "{}")),
    "tree": ("", ("analyze", "2x3", "--strategy", "tree:{}")),
}
"""By kind of file a text, and a command that reads it."""


def ask(folder, kind, data):
    """Run the command of this kind of file."""
    file = folder / "input"
    file.write_bytes(data)
    return run(*(part.format(file) for part in INPUTS[kind][1]))


@pytest.fixture(params=INPUTS)
def text_of(request):
    """A kind and its text."""
    kind = request.param
    text = INPUTS[kind][0]
    if kind == "tree":
        text = print_tree(mmsat.optimal("2x3").tree)
    return kind, text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_encoding(tmp_path, text_of, encoding, end):
    kind, text = text_of
    plain = ask(tmp_path, kind, text.encode())
    assert plain.exit_code in (0, 10), plain.stderr
    other = ask(tmp_path, kind, text.replace("\n", end).encode(encoding))
    assert (other.exit_code, other.stdout) == (plain.exit_code, plain.stdout), other.stderr


def test_one_fault_without_a_byte_order_mark(tmp_path, text_of):
    kind, text = text_of
    (fault,) = faults_told(ask(tmp_path, kind, text.encode("utf-16-le")))
    assert "UTF-8" in fault


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["log.jsonl", "log.NDJSON", "folder"])
def test_logs(tmp_path, encoding, end, name):
    """The first game is not lost; the log is one game after the other, with its line."""
    lines = ['{"id": "a", "board": "4x6/1122=1.1"}', "", '{"id": "b", "board": "4x6/1122=0.2"}']
    log, out = tmp_path / name, tmp_path / "out.csv"
    if name == "folder":
        log.mkdir()
        for number, text in enumerate(["4x6\n1122=1.1\n", "4x6\n1122=0.2\n"]):
            file = log / f"{'ab'[number]}.txt"
            file.write_bytes(text.replace("\n", end).encode(encoding))
    else:
        log.write_bytes("".join(line + end for line in lines).encode(encoding))
    result = run("audit", log, "-o", out, "--depth", "verdict")
    assert result.stdout == "2 games: 2 consistent, 0 inconsistent.\n"
    texts = [line.split(",")[1:3] for line in out.read_text("utf-8").splitlines()[1:]]
    places = ["/a.txt", "/b.txt"] if name == "folder" else [":1", ":3"]
    assert texts == [[f"{log}{place}", id_] for place, id_ in zip(places, "ab", strict=True)]


@pytest.mark.parametrize("name", ["log.jsonl", "log.csv", "log.txt"])
def test_a_log_without_a_byte_order_mark(tmp_path, name):
    """It is refused before anything is written."""
    log = tmp_path / name
    log.write_bytes("id,board\n7,4x6/1122=1.1\n".encode("utf-16-le"))
    asked = ("audit", log, "-o", tmp_path / "out.csv", "--game", "daily-word")
    (fault,) = faults_told(run(*asked))
    assert fault == (
        f"Error: {log}, line 1, column 1: expected text in UTF-8, or UTF-16 with a byte order "
        "mark, found zero bytes"
    )
    assert [*tmp_path.iterdir()] == [log]
