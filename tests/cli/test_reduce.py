"""The command `mmsat reduce`: boards are printed, explained and drawn."""

from __future__ import annotations

import json
import re

import pytest

from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.reductions.reduce import GAME_REDUCTIONS, LINKS, REDUCTIONS, folder, page
from mmsat.reductions.sources import SOURCES
from tests.support.cli_runner import fault_lines, run
from tests.support.reduction_examples import example_file, options, shown
from tests.support.source_problems import CHAIN, CYCLE, DIAGONAL, NEUTRAL, PATH, THREE

each_reduction = pytest.mark.parametrize("name", REDUCTIONS)


@pytest.fixture
def path_file(tmp_path):
    """Return a file with the path graph."""
    file = tmp_path / "path.col"
    file.write_text(PATH)
    return file


def test_all_reductions_and_links_are_listed():
    lines = run("reductions").stdout.splitlines()
    blank = lines.index("")
    assert [line.split()[0] for line in lines[1:blank]] == [*REDUCTIONS, *GAME_REDUCTIONS]
    assert [line.split()[0] for line in lines[blank + 2 :]] == list(LINKS)
    document = json.loads(run("reductions", "--json").stdout)
    assert [reduction["name"] for reduction in document["reductions"]] == [
        *REDUCTIONS,
        *GAME_REDUCTIONS,
    ]


@each_reduction
def test_a_reduction_is_described_by_its_page(name):
    assert run("reductions", name).stdout == page(name)
    (document,) = json.loads(run("reductions", name, "--json").stdout)["reductions"]
    assert document.pop("readme") == page(name)
    assert document in json.loads(run("reductions", "--json").stdout)["reductions"]
    assert document["theorem"]
    assert set(document["parameters"]) == {word.strip("-") for word in options(name)[::2]}


@each_reduction
def test_an_example_makes_the_board_of_its_page(name, tmp_path):
    command = ("reduce", name, example_file(name), *options(name))
    text = (folder(name) / "board.txt").read_text()
    assert run(*command).stdout == text
    for notation in ("line", "json"):
        converted = run(*command, "--to", notation).stdout
        assert Board.parse(converted) == Board.parse(text)
    output = tmp_path / "board.txt"
    assert run(*command, "-o", output).stdout == ""
    assert output.read_text() == text


@each_reduction
def test_an_explanation_names_every_gadget_peg_and_row(name):
    """They are in order, with the meaning of each peg and row."""
    result = run("reduce", name, example_file(name), *options(name), "--explain")
    lines = result.stdout.splitlines()
    reduction = shown(name)
    names = reduction.gadgets()
    assert result.exit_code == 0
    assert lines[0] == reduction.title
    assert [line.split(": ")[0].strip() for line in lines[1:3]] == [
        name for name, _ in reduction.stages()
    ]
    for number, (gadget, meaning) in enumerate(names.pegs, 1):
        (line,) = [line for line in lines if re.search(rf"(  |; ){number}: ", line)]
        assert line.startswith(f"{gadget} ")
        assert f"{number}: {meaning}" in line
    rows = [line.split(maxsplit=1) for line in lines[-len(names.rows) :]]
    for number, (gadget, statement) in enumerate(names.rows, 1):
        assert rows[number - 1][0] == str(number)
        assert re.match(rf"{re.escape(gadget)}\s+{re.escape(statement)}( |$)", rows[number - 1][1])


def test_the_question_about_a_peg_is_stated():
    name = "certain-peg"
    reduction = shown(name)
    question = f"Does peg {reduction.peg + 1} have color 2 in every consistent code?"
    assert reduction.question.startswith(question)
    assert run("reduce", name, example_file(name)).stderr == f"{reduction.question}\n"
    assert question in run("reduce", name, example_file(name), "--explain").stdout
    document = json.loads(run("reduce", name, example_file(name), "--json").stdout)
    assert document["question"] == reduction.question
    others = [shown(other).question for other in REDUCTIONS if other != name]
    assert others == [""] * len(others)


def test_an_explanation_is_about_the_given_graph(path_file):
    path_file.write_text("p edge 2 1\ne 1 2\n")
    output = run("reduce", "vertex-cover", path_file, "-k", "1", "--explain").stdout
    assert "edge 1-2" in output
    assert "edge 2-3" not in output
    assert "nodes that are not in the cover: 1" in output


def test_saving_a_board_can_be_combined_with_other_output(path_file, tmp_path):
    """With --json, --explain and a drawing."""
    board = run("reduce", "vertex-cover", path_file, "-k", "1").stdout
    for other_output in (["--json"], ["--explain"], ["-o", tmp_path / "graph.graphml"]):
        output = tmp_path / "board"
        result = run("reduce", "vertex-cover", path_file, "-k", "1", "-o", output, *other_output)
        assert result.exit_code == 0
        assert f"{output}: 7 pegs, 2 colors, 6 rows" in result.stderr
        assert output.read_text() == board
        output.unlink()
    assert (tmp_path / "graph.graphml").exists()


def test_a_drawing_is_written_and_the_board_is_printed(path_file, tmp_path):
    """Messages are printed on standard error."""
    plain = run("reduce", "vertex-cover", path_file, "-k", "1")
    for suffix in ("svg", "png", "graphml"):
        file = tmp_path / f"graph.{suffix}"
        result = run("reduce", "vertex-cover", path_file, "-k", "1", "-o", file)
        assert (result.exit_code, result.stdout) == (0, plain.stdout)
        assert str(file) in result.stderr
        assert file.stat().st_size > 500


@pytest.mark.parametrize("file", ["graph.pdf", "graph.dot", "graph.svgz"])
def test_an_unknown_ending_is_a_fault(path_file, tmp_path, file):
    folder = tmp_path / "empty"
    folder.mkdir()
    board = folder / "board.txt"
    drawing = folder / file
    result = run("reduce", "vertex-cover", path_file, "-k", "1", "-o", drawing, "-o", board)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("Error: ") == 1
    assert f"the ending of {drawing} is unknown" in result.stderr
    assert ".graphml" in result.stderr
    assert not list(folder.iterdir())


WRONG_OPTIONS = {
    "missing": (("vertex-cover",), ["vertex-cover requires -k N."]),
    "missing with a long name": (("lies",), ["lies requires --lies N."]),
    "superfluous": (("sat", "-k", "3"), ["sat does not accept -k N."]),
    "superfluous with a long name": (("sat", "--lies", "0"), ["sat does not accept --lies N."]),
    "both": (("lies", "-k", "3"), ["lies requires --lies N.", "lies does not accept -k N."]),
    "two superfluous": (
        ("permanent", "-k", "1", "--lies", "1"),
        ["accept -k N.", "accept --lies N."],
    ),
    "a number for a chain": ((CHAIN, "-k", "3"), ["no parameter k", "found 3"]),
    "negative": (("vertex-cover", "-k", "-1"), ["-k: ", "-1"]),
    "a word": (("vertex-cover", "-k", "few"), ["-k: ", "few"]),
    "zero colors": (("graph-coloring", "-k", "0"), ["found 0"]),
    "an unknown reduction": (("vertexcover",), ["vertex-cover"]),
    "an unknown link": (("three-sat+nothing",), ["No such link or reduction", "nothing"]),
    "a chain without an end": (("three-sat+one-in-three",), ["ends with a reduction"]),
}
VALID_SOURCES = {"graph": CYCLE, "formula": THREE, "matrix": DIAGONAL, "board": NEUTRAL}


@pytest.mark.parametrize(("arguments", "messages"), WRONG_OPTIONS.values(), ids=WRONG_OPTIONS)
def test_wrong_numbers_and_names_are_faults(arguments, messages, tmp_path):
    name, *numbers = arguments
    kind = REDUCTIONS[name].source_kind if name in REDUCTIONS else "formula"
    file = tmp_path / "source"
    file.write_text(VALID_SOURCES[kind])
    for result in (
        run("reduce", name, file, *numbers),
        run("lift", name, file, *numbers, "11"),
    ):
        assert (result.exit_code, result.stdout) == (2, "")
        assert all(words in result.stderr for words in messages), result.stderr


def test_a_chain_needs_a_source():
    for as_json in ([], ["--json"]):
        result = run("reduce", CHAIN, *as_json)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "SOURCE" in result.stderr


INVALID_SOURCES = {
    "a node that is too high": ("graph-coloring", "p edge 3 1\ne 1 4\n", ["line 2, column 5"]),
    "two wrong edges": (
        "graph-coloring",
        "c hello\np edge 3 3\ne 1 x\ne 2 3\nf 2 3\n",
        ["line 3, column 5", "line 5, column 1"],
    ),
    "a missing edge": ("graph-coloring", "p edge 3 3\ne 1 2\n", ["line 1, column 10"]),
    "a literal that is too high": ("sat", "p cnf 2 1\n1 -3 0\n", ["line 2, column 3"]),
    "an open clause": ("sat", "p cnf 2 1\n  1 2\n", ["line 2, column 3"]),
    "missing sizes": ("sat", "1 2 0\n", ["line 1, column 1", "p cnf"]),
    "nothing": ("sat", "", ["line 1, column 1", "p cnf"]),
    "an element that is too high": ("exact-cover", "p cover 2 1\n1 3\n", ["line 2, column 3"]),
    "a pair instead of a triple": (
        "three-dimensional-matching",
        "p 3dm 2 1\n1 2\n",
        ["line 2, column"],
    ),
    "an entry of 2": ("permanent", "1 0\n0 2\n", ["line 2, column 3"]),
    "a short row": ("permanent", "1 0\n0\n", ["line 2, column"]),
    "an invalid equation": ("linear-system", "x1 + x2 = 1\nx1 + = 2\n", ["line 2, column"]),
    "a wrong board": ("permutation-game", "2x2b\n11=1\n13=1\n", ["line 3, column 2"]),
}


@pytest.mark.parametrize(("name", "text", "places"), INVALID_SOURCES.values(), ids=INVALID_SOURCES)
def test_faults_of_sources_have_line_and_column(name, text, places, tmp_path):
    file = tmp_path / "source"
    file.write_text(text)
    numbers = ["-k", "2"] if name == "graph-coloring" else []
    for result in (
        run("reduce", name, file, *numbers),
        run("reduce", name, "-", *numbers, stdin=text),
        run("lift", name, file, *numbers, "11"),
    ):
        assert (result.exit_code, result.stdout) == (2, "")
        assert fault_lines(result)
        assert all(place in result.stderr for place in places), result.stderr
        assert ": expected " in result.stderr


@each_reduction
def test_a_board_line_is_a_source_of_reductions_of_boards_only(name, tmp_path):
    kind = (REDUCTIONS if name in REDUCTIONS else GAME_REDUCTIONS)[name].source_kind
    line = "3x2/112=1.0" if name == "black-white-lift" else "2x2/11=1.0"
    result = run("reduce", name, line, *options(name))
    if kind == "board":
        assert SOURCE_FAULT not in result.stderr
        file = tmp_path / "board.txt"
        file.write_text(line)
        assert result.stdout == run("reduce", name, file, *options(name)).stdout
        return
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"SOURCE: expected a {kind} in a file, {SOURCE_FAULT}" in result.stderr


SOURCE_FAULT = "found a board (`mmsat check` reads a board)"


def test_a_board_line_is_no_source_of_a_chain():
    result = run("reduce", CHAIN, "4x6/1122=1.1")
    assert f"SOURCE: expected a formula in a file, {SOURCE_FAULT}" in result.stderr
    result = run("reduce", "nonesuch", "4x6/1122=1.1")
    assert f"SOURCE: expected a source problem in a file, {SOURCE_FAULT}" in result.stderr


@pytest.mark.parametrize(
    ("text", "num_faults"),
    [
        ("3a+2b+1c+5d=8\n", 1),
        ("3a+2b=8\nx1 x2 x3 = 1\n", 2),
        ("x1 x2 x3 = 1 2\n", 2),  # one on each side
        ("x1 + x99999999 - x99999998 = 1\n", 2),
    ],
)
def test_each_fault_of_an_equation_is_reported_once(text, num_faults):
    result = run("reduce", "linear-system", "-", stdin=text)
    assert len(fault_lines(result)) == num_faults, result.stderr


def test_the_entries_of_a_matrix_may_be_separated_by_commas():
    boards = {
        run("reduce", "permanent", "-", stdin=text).stdout
        for text in ("1 0\n1 1\n", "1,0\n1,1\n", "1, 0\n1, 1\n", "10\n11\n")
    }
    assert len(boards) == 1
    assert boards != {""}


def test_the_help_of_reduce_shows_the_first_line_of_every_kind():
    text = run("reduce", "--help").stdout
    for kind, source_class in SOURCES.items():
        line = re.search(rf"^ *{kind} +(.*)$", text, re.MULTILINE)
        assert line, kind
        if line[1].startswith("p "):
            with pytest.raises(InputError, match=line[1].partition(",")[0]):
                source_class.parse("")


def test_invalid_sources_of_every_kind_are_tested():
    assert {REDUCTIONS[name].source_kind for name, _, _ in INVALID_SOURCES.values()} == set(SOURCES)


@pytest.mark.parametrize("data", [b"\xff\xfe4\0", b"\x7fELF\0\0", bytes(range(256))])
@each_reduction
def test_binary_data_is_refused(name, data, tmp_path):
    file = tmp_path / "junk"
    file.write_bytes(data)
    result = run("reduce", name, file, *options(name))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: ")
    assert "bug" not in result.stderr


def test_a_missing_source_is_reported(tmp_path, monkeypatch):
    """Board lines are not mentioned, because they are not sources."""
    monkeypatch.chdir(tmp_path)
    for arguments in (("reduce",), ("lift",)):
        result = run(*arguments, "sat", "none.cnf", *["11"] * (arguments == ("lift",)))
        assert result.exit_code == 2
        assert "expected a file, or -, found 'none.cnf' (no such file)" in result.stderr


@pytest.mark.parametrize(
    ("name", "source", "options", "note"),
    [
        (
            "one-in-three-3sat",
            "p cnf 4 2\n1 2 3 4 0\n1 2 3 0\n",
            (),
            "Clause 1 does not have three",
        ),
        ("one-in-three-3sat", "p cnf 4 2\n1 2 3 4 0\n1 2 0\n", (), "Clauses 1 and 2 do not have"),
        ("one-in-three-3sat", "p cnf 3 1\n1 2 3 0\n", (), ""),
        ("vertex-cover", "p edge 3 2\ne 1 2\ne 2 3\n", ("-k", 5), "only 3 nodes, so k is 3."),
        ("vertex-cover", "p edge 3 2\ne 1 2\ne 2 3\n", ("-k", 3), ""),
    ],
)
def test_a_source_outside_the_range_of_the_problem_is_noted(name, source, options, note):
    result = run("reduce", name, "-", *options, stdin=source)
    assert result.exit_code == 0
    assert note in result.stderr
    assert bool(note) == bool(result.stderr)


def test_a_chain_that_is_not_finished_names_only_links_that_fit():
    (text,) = fault_lines(run("reduce", "three-sat", "-", stdin="p cnf 3 1\n1 2 3 0\n"))
    names = text.partition("NAME is one of ")[2].partition(", found")[0].split(", ")
    assert "sat" in names
    for name in names:
        result = run("reduce", f"three-sat+{name}", "-", stdin="p cnf 1 1\n1 0\n")
        assert "makes a formula" not in result.stderr


@pytest.mark.parametrize("command", ["reduce", "lift"])
@pytest.mark.parametrize("name", ["none.json", "none.cnf", "folder/none.col", "NONE.TXT"])
def test_a_missing_file_in_place_of_a_reduction_is_named(command, name):
    line = fault_lines(run(command, name))[0]
    assert line == (
        f"Error: There is no file {name}. Give the name of a reduction before the file."
    )
