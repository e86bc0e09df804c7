"""The commands `mmsat encode` and `mmsat decode`."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import lzma
import random
import subprocess
from unittest.mock import patch

import pytest

import mmsat
from mmsat.encoding import ENCODINGS
from mmsat.game.library import instances
from mmsat.solving.encode import ENDINGS, WRITERS, encoded_board
from tests.support.cli_runner import CONSISTENT, SLIPPED, fault_lines, run
from tests.support.external import program as external

BOARD = mmsat.Board.parse(CONSISTENT)


@pytest.mark.parametrize("language", WRITERS)
def test_encode_prints_the_output_of_the_writer_of_the_language(language):
    """The JSON document has the same text, and a time limit does not change it."""
    text = "".join(WRITERS[language].export(BOARD))

    assert run("encode", CONSISTENT, "--to", language).stdout == text
    document = json.loads(run("encode", CONSISTENT, "--to", language, "--json").stdout)
    assert document["text"] == text
    assert document["format"] == language
    assert (document["encoding"] is not None) == WRITERS[language].has_encoding
    assert run("encode", CONSISTENT, "--to", language, "--timeout", "60").stdout == text


@pytest.mark.parametrize("name", [name for name in ENCODINGS if not ENCODINGS[name].is_native])
def test_encode_prints_the_output_of_the_writer_with_each_encoding(name):
    text = "".join(WRITERS["cnf"].export(BOARD, name))
    assert run("encode", CONSISTENT, "--encoding", name).stdout == text


def test_the_native_encoding_is_refused_for_cnf():
    result = run("encode", CONSISTENT, "--encoding", "native")

    assert result.exit_code == 2
    assert result.stdout == ""


def test_an_encoding_for_a_language_without_clauses_is_refused():
    result = run("encode", CONSISTENT, "--to", "asp", "--encoding", "totalizer")

    assert result.exit_code == 2
    assert "asp" in result.stderr


def test_a_file_is_replaced_by_the_whole_text(tmp_path):
    path = tmp_path / "board.cnf"
    path.write_text("old")
    result = run("encode", CONSISTENT, "-o", path, "--json")

    assert result.exit_code == 0
    assert path.read_text() == run("encode", CONSISTENT).stdout
    assert json.loads(result.stdout)["file"] == str(path)
    assert json.loads(result.stdout)["text"] is None
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_while_writing_keeps_the_old_file(tmp_path, monkeypatch):
    """No temporary file remains."""

    def write(*_):
        yield "new"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(WRITERS["cnf"]), "write", write)
    path = tmp_path / "board.cnf"
    path.write_text("old")
    result = run("encode", CONSISTENT, "-o", path)

    assert result.exit_code == 1
    assert "No space left" in result.stderr
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("language", WRITERS)
def test_a_file_names_the_command_that_makes_it(language, tmp_path):
    file = tmp_path / f"board{WRITERS[language].suffix}"
    assert run("encode", CONSISTENT, "-o", file).exit_code == 0
    recipe = f"mmsat {mmsat.__version__}: mmsat encode {CONSISTENT} --to {language}"
    assert recipe in file.read_text()
    assert run("encode", CONSISTENT, "--to", "smt2").stdout.startswith("; mmsat")


def test_the_ending_of_the_file_selects_the_language(tmp_path):
    for ending, language in (*ENDINGS.items(), (".CNF", "cnf"), (".Lp", "lp")):
        file = tmp_path / f"board{ending}"
        assert run("encode", CONSISTENT, "-o", file).exit_code == 0
        assert file.read_text() == "".join(WRITERS[language].export(BOARD))
    file = tmp_path / "program.lp"  # clingo's own ending
    assert run("encode", CONSISTENT, "--to", "asp", "-o", file).exit_code == 0
    assert file.read_text() == "".join(WRITERS["asp"].export(BOARD))


@pytest.mark.parametrize(
    ("ending", "decompress"), [(".gz", gzip.decompress), (".XZ", lzma.decompress)]
)
@pytest.mark.parametrize("language", WRITERS)
def test_a_file_is_compressed_as_its_ending_requires(language, ending, decompress, tmp_path):
    """The same board gives the same bytes, with which every command and `decode` start again."""
    file = tmp_path / f"board{WRITERS[language].suffix}{ending}"
    result = run("encode", CONSISTENT, "-o", file, "--to", language)
    data = file.read_bytes()
    assert decompress(data).decode() == "".join(WRITERS[language].export(BOARD))
    assert result.stderr == f"{file}: {len(data):,} bytes of compressed {language}\n"

    with patch("time.time", return_value=1e9):
        run("encode", CONSISTENT, "-o", file)
    assert file.read_bytes() == data
    if encoded_board(decompress(data).decode()):
        assert run("count", file).stdout == run("count", CONSISTENT).stdout


def test_a_solution_can_be_compressed(tmp_path):
    """Also on standard input, and for all other files that commands read."""
    board, solution = tmp_path / "board.cnf.gz", tmp_path / "solution.xz"
    code = mmsat.check(BOARD).witness
    run("encode", CONSISTENT, "-o", board)
    literals = [
        variable if color == code[peg] else -variable
        for peg in range(BOARD.game.pegs)
        for color in range(BOARD.game.colors)
        for variable in [BOARD.game.variables.at(peg, color)]
    ]
    text = f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n".encode()
    solution.write_bytes(lzma.compress(text))
    answers = [
        run("decode", board, solution),
        run("decode", board, "-", stdin=gzip.compress(text)),
        run("decode", CONSISTENT, "-", stdin=text),
    ]
    assert [answer.exit_code for answer in answers] == [10, 10, 10]
    assert len({answer.stdout for answer in answers}) == 1


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_damaged_compressed_file_is_refused(compress, tmp_path):
    file = tmp_path / "board.cnf.gz"
    data = compress(CONSISTENT.encode() * 9)
    for damaged in (data[:-5], data[:20], data[:20] + b"mmsat" + data[25:]):
        file.write_bytes(damaged)
        result = run("check", file)
        expected = f"Error: the arguments: expected a file that can be read, found {str(file)!r}"
        assert fault_lines(result) == [f"{expected} (the compressed data are damaged)"]


def test_a_format_that_contradicts_the_ending_is_refused(tmp_path):
    """Every pair of a format and an ending, for one board and a family."""
    board = ("encode", CONSISTENT)
    for command in (board, ("generate", "six-colors", "--size", 3, "--rows", 2)):
        for language in WRITERS:
            for ending, named in ENDINGS.items():
                file = tmp_path / f"board{ending}"
                result = run(*command, "--to", language, "-o", file)
                is_allowed = language == named or (language, ending) == ("asp", ".lp")
                assert (result.exit_code == 0) == is_allowed == file.exists()
                if is_allowed:
                    file.unlink()
                else:
                    assert result.exit_code == 2
                    reason = f"contradicts the name {file}, whose ending means {named}"
                    assert fault_lines(result) == [f"Error: --to {language} {reason}."]


@pytest.mark.parametrize(
    "ending", [".mps", ".json", ".xcsp", ".txt", ".cnf.bz2", ".txt.gz", ".fzn", ".cn"]
)
def test_an_unknown_ending_is_refused(ending, tmp_path):
    file = tmp_path / f"board{ending}"
    result = run("encode", CONSISTENT, "-o", file)

    last = ending.removesuffix(".gz")
    last = last[last.rindex(".") :]
    assert fault_lines(result) == [
        (
            "Error: --output: expected a name that ends with .asp, .cnf, .dimacs, .dzn, .lp, .mzn,"
            f" .opb, .smt2 or .wcnf, or the option --to, found '{file}' (unknown ending {last})"
        )
    ]
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("clingo", "'asp'"),
        ("SMT-LIB", "'smtlib'"),
        ("maxsat", "'wcnf'"),
        ("cplex", "'lp'"),
        ("pseudo-boolean", "'opb'"),
        ("cnff", "'cnf' or 'wcnf'"),
    ],
)
def test_another_name_of_a_format_is_answered_by_a_suggestion(name, suggestion):
    assert fault_lines(run("encode", CONSISTENT, "--to", name)) == [
        f"Error: --to: No such format '{name}'. Did you mean {suggestion}?"
    ]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_ending_of_a_file_names_its_format(ending):
    expected = run("encode", CONSISTENT, "--to", ENDINGS[ending]).stdout
    for name in (ending, ending.upper(), ending.removeprefix(".")):
        if name != "lp":
            assert run("encode", CONSISTENT, "--to", name).stdout == expected
    line = run("generate", "six-colors", "--to", "LINE").stdout
    assert line == run("generate", "six-colors", "--to", "line").stdout


@pytest.mark.parametrize("to", ["cnf", "wcnf", "asp"])
def test_several_boards_are_written_as_a_suite(to, tmp_path):
    """The boards of a file and of an argument are in one folder, with an index."""
    boards = tmp_path / "boards.txt"
    boards.write_text(f"# three\n{CONSISTENT}\n\n{SLIPPED}\n4x6\n")
    folder = tmp_path / "suite"
    result = run("encode", boards, CONSISTENT, "--to", to, "-o", folder, "--json")
    assert result.exit_code == 0
    assert result.stderr == f"{folder}: 4 files of {to}\n"
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    lines = [CONSISTENT, SLIPPED, "4x6", CONSISTENT]
    verdicts = ["consistent", "inconsistent", "consistent", "consistent"]
    rows = (folder / "index.csv").read_text().splitlines()[1:]
    cases = zip(documents, lines, verdicts, rows, strict=True)
    for number, (document, line, verdict, row) in enumerate(cases, 1):
        file = folder / f"board-{number:03}{WRITERS[to].suffix}"
        assert (document["board"], document["file"]) == (line, str(file))
        assert file.read_text() == "".join(WRITERS[to].export(mmsat.Board.parse(line)))
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        assert row == f"{file.name},{verdict},{sha256},{line}"
    assert len(list(folder.iterdir())) == 5


def test_an_encoding_in_a_file_is_named_by_its_module():
    (line,) = run("encode", CONSISTENT, "--encoding", "./mine.py:Adder").stderr.splitlines()
    advice = "Write mine:Adder, and put the folder of mine.py in PYTHONPATH."
    assert line == f"Error: --encoding: No such encoding './mine.py:Adder'. {advice}"


def test_boards_of_the_library_keep_their_names_and_verdicts_in_a_suite(tmp_path):
    names = ["classic/empty", "classic/knuth-1122-0.4", "classic/empty", CONSISTENT]
    hard = next(each for each in instances("hard") if each.verdict == "inconsistent")
    folder = tmp_path / "suite"
    result = run("encode", *names, hard.name, "-o", folder)
    assert (result.exit_code, result.stderr) == (0, f"{folder}: 5 files of cnf\n")
    with (folder / "index.csv").open() as file:
        rows = [(row["name"], row["verdict"]) for row in csv.DictReader(file)]
    assert rows == [
        ("classic-empty.cnf", "consistent"),
        ("classic-knuth-1122-0.4.cnf", "consistent"),
        ("board-003.cnf", "consistent"),
        ("board-004.cnf", "consistent"),
        (f"{hard.name.replace('/', '-')}.cnf", "inconsistent"),
    ]


def test_one_board_can_be_written_as_a_suite_or_to_an_existing_file(tmp_path):
    """A path that does not exist is a folder if it ends in a slash or has no ending."""
    (tmp_path / "file").write_text("old")
    for name in ("suite", "suite-1.0/"):
        assert run("encode", CONSISTENT, "-o", f"{tmp_path}/{name}").exit_code == 0
        assert len(list((tmp_path / name).iterdir())) == 2
    assert run("encode", CONSISTENT, "-o", tmp_path / "file").exit_code == 0
    assert (tmp_path / "file").read_text() == run("encode", CONSISTENT).stdout
    assert "not empty" in fault_lines(run("encode", CONSISTENT, "-o", tmp_path))[0]


def test_a_suite_that_reaches_the_time_limit_leaves_no_files(tmp_path):
    board = "200x200/" + "-".join(str(peg + 1) for peg in range(200)) + "=50.50"
    result = run("encode", board, board, "-o", tmp_path / "suite", "--timeout", "0.05")
    assert result.exit_code == 1
    assert result.stderr == "not finished within 0.05 seconds\n"
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_a_missing_folder_is_refused(tmp_path):
    result = run("encode", CONSISTENT, "-o", tmp_path / "none" / "board.cnf")

    assert "in a folder that exists" in fault_lines(result)[0]


def test_a_text_that_is_not_finished_in_time_is_a_failure():
    board = "200x200/" + "-".join(str(peg + 1) for peg in range(200)) + "=50.50"
    result = run("encode", board, "--timeout", "0.05")

    assert result.exit_code == 1
    assert result.stderr == "not finished within 0.05 seconds\n"


@pytest.mark.parametrize(("board", "code"), [(CONSISTENT, 10), (SLIPPED, 20)])
def test_the_answer_of_a_solver_is_decoded(board, code, tmp_path):
    """The verdict is right, and the code is consistent."""
    path = tmp_path / "board.cnf"
    assert run("encode", board, "-o", path).exit_code == 0
    process = subprocess.run(
        [external("cadical"), str(path)], capture_output=True, text=True, check=False
    )
    result = run("decode", board, "-", stdin=process.stdout)
    document = json.loads(run("decode", board, "-", "--json", stdin=process.stdout).stdout)

    assert result.exit_code == code
    if code == 10:
        witness = [color - 1 for color in document["witness"]]
        assert mmsat.Board.parse(board).is_consistent(witness)
        assert result.stdout == "".join(str(color + 1) for color in witness) + "\n"
    else:
        assert result.stdout == "inconsistent\n"
        assert result.stderr.startswith("This answer of the solver is unchecked.")
        assert document["witness"] is None
    assert document.get("unchecked") == (None if code == 10 else True)


def answer(code, colors=6):
    """Return the output of a SAT solver for a code, whose colors are numbered from 1."""
    literals = [
        (1 if color == peg_color else -1) * (peg * colors + color)
        for peg, peg_color in enumerate(code)
        for color in range(1, colors + 1)
    ]
    return f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n"


@pytest.mark.parametrize("version", ["1.2.3", "1.0rc1", "0.2.0.dev3", "2.0.post1", "1!3.0+local.2"])
def test_the_board_is_read_from_files_of_every_version(version, monkeypatch):
    monkeypatch.setattr("mmsat.__version__", version)
    board = mmsat.Board.parse("4x6/1122=1.1/3456=0.1")
    for name, writer in WRITERS.items():
        assert encoded_board("".join(writer.export(board))) == str(board), name


def test_a_code_with_other_scores_is_an_error(tmp_path):
    path = tmp_path / "answer"
    path.write_text(answer((1, 1, 2, 2)))
    result = run("decode", "4x6/1122=1.1/3456=0.0", path)

    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        "Error: The code 1122 does not get the score of row 1. "
        "Is it the solution of another board?\n"
    )
    assert run("decode", "4x6/1122=4.0/3456=0.0", path).exit_code == 10


@pytest.mark.parametrize("to", sorted(WRITERS))
@pytest.mark.parametrize(("game", "rows"), [("4x6", 40), ("4x6d", 2), ("4x6b", 0)])
def test_the_board_is_read_from_the_written_file(to, game, rows, tmp_path):
    """The board is in a comment; LP has long boards in several lines."""
    rng = random.Random(to)
    played = mmsat.Game.parse(game)
    secret, *guesses = (played.space.draw(4, 6, rng) for _ in range(rows + 1))
    board = mmsat.Board(played, [(guess, played.score(secret, guess)) for guess in guesses])
    file = tmp_path / f"board{WRITERS[to].suffix}"
    assert run("encode", board, "-o", file).exit_code == 0
    assert encoded_board(file.read_text()) == str(board)
    stdin = answer([color + 1 for color in secret])
    results = [run("decode", given, "-", stdin=stdin) for given in (board, file)]
    assert results[0].output == results[1].output
    assert [result.exit_code for result in results] == [10, 10]


def test_an_undecided_solver_means_unknown():
    result = run("decode", CONSISTENT, "-", stdin="s UNKNOWN\n")

    assert result.exit_code == 1
    assert result.stdout == "unknown\n"


@pytest.mark.parametrize(
    ("cost", "code"), [(1, 20), (2, 1)], ids=["the number of violated rows", "another number"]
)
def test_codes_of_maxsat_solvers_are_scored(cost, code):
    """The board is inconsistent if the code of an optimum violates as many rows as the cost."""
    text = answer((1, 1, 2, 2)).replace("s SATISFIABLE", f"o {cost}\ns OPTIMUM FOUND")
    result = run("decode", "4x6/1122=4.0/1122=1.1", "-", stdin=text)

    assert result.exit_code == code
    assert ("1122 misses row 2 of 2" in result.stderr) == (code == 20)
    if code == 20:
        as_json = run("decode", "4x6/1122=4.0/1122=1.1", "-", "--json", stdin=text)
        document = json.loads(as_json.stdout)
        assert (document["nearest"], document["missed"]) == ([1, 1, 2, 2], [2])
        assert (document["verdict"], document["witness"]) == ("inconsistent", None)


def test_a_cost_without_violated_rows_is_an_error():
    text = answer((1, 1, 2, 2)).replace("s SATISFIABLE", "o 2\ns OPTIMUM FOUND")
    result = run("decode", "4x6/1122=4.0/3456=0.0", "-", stdin=text)

    assert result.exit_code == 1
    assert result.stderr == (
        "Error: The code 1122 misses no row, but the solver reports 2 missed rows. "
        "Is it the solution of another board?\n"
    )


def test_text_that_is_not_an_answer_is_refused():
    result = run("decode", CONSISTENT, "-", stdin="hello\n")

    assert result.exit_code == 2
    assert fault_lines(result)


def test_standard_input_is_read_once():
    result = run("decode", "-", "-", stdin=CONSISTENT)

    assert result.exit_code == 2
    assert "only once" in result.stderr
