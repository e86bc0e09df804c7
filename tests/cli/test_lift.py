"""The command `mmsat lift`, also in a pipe from `mmsat reduce` through `mmsat check`."""

from __future__ import annotations

import json
import shlex

import pytest

from mmsat._util.text import noun_phrase
from mmsat.game.notation.board_reader import speller
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS, reduce
from tests.support import twins
from tests.support.cli_runner import fault_lines, run, shell
from tests.support.reduction_examples import example_file, shown
from tests.support.source_problems import CHAIN, PATH, PROBLEMS

CODE = "2121122"
"""The code for the path graph that means that the middle node is the cover."""
NOT_PIPED = {"certain-peg"}
"""Its boards are always consistent, and the code that check finds may be the known one."""
SHELL_PIPES = (
    ("vertex-cover", "text"),
    pytest.param(CHAIN, "json", marks=pytest.mark.slow),
    pytest.param("three-dimensional-matching", "line", marks=pytest.mark.slow),
    pytest.param("lies", "text", marks=pytest.mark.slow),
)

each_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda item: item.name)


@pytest.fixture
def path_file(tmp_path):
    """Return a file with the path graph."""
    file = tmp_path / "path.col"
    file.write_text(PATH)
    return file


def lift(path_file, code, *more, stdin=None):
    return run("lift", "vertex-cover", path_file, "-k", "1", *more, code, stdin=stdin)


def test_every_reduction_has_a_test_problem():
    assert {problem.name for problem in PROBLEMS} - {CHAIN} == set(REDUCTIONS) - NOT_PIPED


@each_problem
def test_reduce_check_and_lift_answer_the_problem(problem, tmp_path):
    """`lift` reads the document of `check`."""
    name, given, *sources, judge = problem
    file = tmp_path / "source"
    for source, code in zip(sources, (10, 20), strict=True):
        if source is None:
            continue
        file.write_text(source)
        board = run("reduce", name, file, *given)
        checked = run("check", "-", "--json", stdin=board.stdout)
        plain, as_json = (
            run("lift", name, file, *given, "-", *more, stdin=checked.stdout)
            for more in ([], ["--json"])
        )

        codes = (board.exit_code, checked.exit_code, plain.exit_code, as_json.exit_code)
        assert codes == (0, code, code, code), board.stderr + checked.stderr + plain.stderr
        answer = plain.stdout.rstrip("\n")
        document = json.loads(as_json.stdout)
        assert document["reduction"] == name
        if code == 10:
            assert judge(source, answer), answer
            assert (document["verdict"], document["certificate"]) == ("consistent", answer)
        else:
            assert answer == "no answer"
            assert (document["verdict"], document["certificate"]) == ("inconsistent", None)


@pytest.mark.parametrize(("name", "notation"), SHELL_PIPES)
def test_the_commands_form_a_shell_pipe(name, notation, tmp_path):
    """The exit code is that of `lift`."""
    problem = next(entry for entry in PROBLEMS if entry.name == name)
    arguments = shlex.join([name, "source", *problem.options])
    reduction = f"mmsat reduce {arguments} --to {notation}"
    pipe = f"{reduction} | mmsat check - --json | mmsat lift {arguments} -"
    for source, code in ((problem.solvable, 10), (problem.unsolvable, 20)):
        (tmp_path / "source").write_text(source)
        process = shell(pipe, tmp_path)
        assert (process.returncode, process.stderr) == (code, "")
        if code == 10:
            assert problem.judge(source, process.stdout.strip())
        else:
            assert process.stdout == "no answer\n"


def test_the_source_can_be_read_from_standard_input(path_file):
    from_file = run("reduce", "vertex-cover", path_file, "-k", "1")
    assert run("reduce", "vertex-cover", "-", "-k", "1", stdin=PATH).stdout == from_file.stdout
    result = run("lift", "vertex-cover", "-", "-k", "1", CODE, stdin=PATH)
    assert (result.exit_code, result.stdout) == (10, "2\n")


def test_standard_input_is_read_once():
    result = run("lift", "vertex-cover", "-", "-k", "1", "-", stdin=PATH)
    assert result.exit_code == 2
    assert "only once" in result.stderr


FORMS = {
    "a code": (CODE, None),
    "letters": ("bABaaBb", None),
    "numbers": ("2-1-2-1-1-2-2", None),
    "a code on standard input": ("-", f"{CODE}\n"),
    "blanks around a code": ("-", f"\n  {CODE}\r\n\n"),
    "a document": ('{"verdict": "consistent", "witness": [2, 1, 2, 1, 1, 2, 2]}', None),
}


@pytest.mark.parametrize(("code", "stdin"), FORMS.values(), ids=FORMS)
def test_every_form_of_a_code_is_accepted(path_file, code, stdin):
    result = lift(path_file, code, stdin=stdin)
    assert (result.exit_code, result.stdout) == (10, "2\n")


def test_files_with_the_output_of_commands_are_accepted(path_file, tmp_path):
    """The document of `check`, the lines of `list`, and the verdicts of `decode`."""
    board = run("reduce", "vertex-cover", path_file, "-k", "1").stdout
    for number, command in enumerate(
        (
            ("check", "-", "--json"),
            ("list", "-", "--limit", "1"),
            ("list", "-", "--sample", "1", "--seed", "1"),
        )
    ):
        file = tmp_path / f"printed-{number}"
        file.write_text(run(*command, stdin=board).stdout)
        result = lift(path_file, file)
        assert (result.exit_code, result.stdout) == (10, "2\n"), file.read_text()
    for line, code in (("inconsistent", 20), ("unknown", 1)):
        assert lift(path_file, "-", stdin=f"{line}\n").exit_code == code


@each_problem
def test_every_code_of_a_list_is_lifted(problem, tmp_path):
    """Each answer is that of its code alone, and solves the problem."""
    name, given, solvable, _, judge = problem
    if name in GAME_REDUCTIONS:
        return
    file = tmp_path / "source"
    file.write_text(solvable)
    board = run("reduce", name, file, *given).stdout
    codes = run("list", "-", "--limit", "5", stdin=board).stdout
    expected = [run("lift", name, file, *given, code).stdout for code in codes.split()]
    result = run("lift", name, file, *given, "-", stdin=codes)
    assert (result.exit_code, result.stdout) == (10, "".join(expected))
    assert all(judge(solvable, answer.rstrip("\n")) for answer in expected)
    listed = run("list", "-", "--limit", "5", "--json", stdin=board).stdout
    assert run("lift", name, file, *given, "-", stdin=listed).stdout == result.stdout
    certificates = [answer.rstrip("\n") for answer in expected]
    for text in (codes, listed):
        assert json.loads(run("lift", name, file, *given, "-", "--json", stdin=text).stdout) == {
            "reduction": name,
            "verdict": "consistent",
            "certificate": certificates[0],
            "certificates": certificates,
        }


@each_problem
def test_an_empty_list_means_no_answer(problem, tmp_path):
    """The output of `list` for an inconsistent board, as text and as JSON."""
    name, given, _, unsolvable, _ = problem
    if unsolvable is None or name in GAME_REDUCTIONS:
        return
    file = tmp_path / "source"
    file.write_text(unsolvable)
    board = run("reduce", name, file, *given).stdout
    for option in ([], ["--json"]):
        listed = run("list", "-", *option, stdin=board)
        assert listed.exit_code == 1
        result = run("lift", name, file, *given, "-", stdin=listed.stdout)
        assert (result.exit_code, result.stdout, result.stderr) == (20, "no answer\n", "")


def test_an_interrupted_list_without_codes_is_undecided(path_file):
    """A list that is not complete does not prove that there is no code."""
    result = lift(path_file, "-", stdin='{"board": "7x2", "listed": [], "complete": false}')
    assert (result.exit_code, result.stdout) == (1, "undecided\n")


@pytest.mark.parametrize(
    "text",
    ["s SATISFIABLE\nv 1 -2 0\n", "39x2\n  row  guess\n", "Consistent: the code 2121122 fits."],
)
def test_the_fault_names_the_next_command(path_file, text):
    result = lift(path_file, "-", stdin=text)
    assert "pipe a solver's output through `mmsat decode` first" in result.stderr
    assert "the output of mmsat list, decode or check --json" in result.stderr


def test_a_missing_answer_is_named(path_file, tmp_path):
    assert "found 'none.txt' (no such file)" in lift(path_file, "none.txt").stderr
    empty = tmp_path / "empty"
    empty.write_text("")
    for result in (lift(path_file, "-", stdin=""), lift(path_file, empty)):
        assert (result.exit_code, result.stdout) == (2, "")
        assert "The answer is empty, but the board has a code. Give a code or " in result.stderr
    missing = run("lift", "vertex-cover", path_file, "-k", "1")
    assert "Missing argument CODE: expected a code, or the output of mmsat list" in missing.stderr


def test_the_sentences_of_check_are_refused(path_file):
    """Their wording can change, so that the fault names the document instead."""
    board = run("reduce", "vertex-cover", path_file, "-k", "1").stdout
    result = lift(path_file, "-", stdin=run("check", "-", stdin=board).stdout)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "check --json" in result.stderr


def test_an_undecided_check_is_an_undecided_lift(path_file):
    """The exit code is 1, with text and with JSON."""
    document = '{"verdict": "unknown", "witness": null}'
    for text in ("unknown\n", document):
        result = lift(path_file, "-", stdin=text)
        assert (result.exit_code, result.stdout) == (1, "undecided\n")
    as_json = lift(path_file, "-", "--json", stdin=document)
    assert json.loads(as_json.stdout) == {
        "reduction": "vertex-cover",
        "verdict": "unknown",
        "certificate": None,
        "certificates": [],
    }


def test_codes_can_be_longer_than_file_names(tmp_path):
    file = tmp_path / "points.col"
    file.write_text("p edge 300 0\n")
    result = run("lift", "vertex-cover", file, "-k", "300", "1" * 300)
    assert result.exit_code == 10
    assert result.stdout.split() == [str(node) for node in range(1, 301)]


def test_documents_number_colors_from_1_for_all_symbols(tmp_path, monkeypatch):
    """With symbols from 0, the code `1` is the second color, and color 1 has the symbol `0`."""
    (tmp_path / "digit.toml").write_text('pegs = 1\nsymbols = "0123"\n')
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "digit.board"
    file.write_text("game:digit.toml\n3=0.0\n")
    command = ("lift", "lies", file, "--lies", "0")
    assert run(*command, "1").stdout == "1\n"
    assert run(*command, "[1]").stdout == "1\n"
    assert run(*command, '{"verdict": "consistent", "witness": [1]}').stdout == "0\n"


INVALID_ANSWERS = {
    "nothing": "",
    "blanks": " \n ",
    "two words": "hello, world",
    "a sentence": f"Consistent: the code {CODE} gets exactly these scores.",
    "a sentence without a code": "Inconsistent: no code gets exactly these scores.",
    "a word": "hello",
    "the name of a missing file": "none/such.txt",
    "too short": "212112",
    "too long": "21211222",
    "a color too high": "2121123",
    "a board": "7x2\n1111111=3.0\n2212111=2.4\n",
    "an array of codes": "[[2, 1, 2, 1, 1, 2, 2]]",
    "broken JSON": "{",
    "deep JSON": '{"a":' * 100_000,
    "no verdict": '{"witness": [2, 1, 2, 1, 1, 2, 2]}',
    "no witness": '{"verdict": "consistent"}',
    "another verdict": '{"verdict": "maybe", "witness": null}',
    "a verdict without its code": '{"verdict": "consistent", "witness": null}',
    "a code that the verdict excludes": '{"verdict": "inconsistent", "witness": [2,1,2,1,1,2,2]}',
    "a number as the code": '{"verdict": "consistent", "witness": 7}',
    "an object as the code": '{"verdict": "consistent", "witness": {"1": 2}}',
    "a string as a color": '{"verdict": "consistent", "witness": [2,1,2,1,1,2,"2"]}',
    "a boolean as a color": '{"verdict": "consistent", "witness": [2,true,2,1,1,2,2]}',
    "a color from 0": '{"verdict": "consistent", "witness": [1,0,1,0,0,1,1]}',
    "a list that is not one": '{"listed": 7, "complete": true}',
    "a list without its end": '{"listed": []}',
    "a list of another board": '{"listed": [[1, 2, 3, 3]], "complete": true}',
    "a document of another board": '{"verdict": "consistent", "witness": [1, 2, 3, 3]}',
}


@pytest.mark.parametrize("text", INVALID_ANSWERS.values(), ids=INVALID_ANSWERS)
def test_text_that_is_not_an_answer_is_one_fault(path_file, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for result in (lift(path_file, "-", stdin=text), lift(path_file, text)):
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(fault_lines(result)) == 1
        reason = ": expected " if text.strip() else "The answer is empty"
        assert reason in result.stderr
        assert max(map(len, result.stderr.splitlines())) < 200


def test_a_code_that_violates_rows_is_refused(path_file):
    """Neither node of edge 1-2 is in the cover."""
    result = lift(path_file, "2221112")
    board = reduce("vertex-cover", PATH, k=1).board
    missed = twins.wrong_rows(board, (1, 1, 1, 0, 0, 0, 1))
    assert missed
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"it contradicts {noun_phrase('row', [row + 1 for row in missed])}" in result.stderr


def test_a_code_of_another_board_is_refused(path_file):
    """The other board is that of the same graph with another k."""
    board = run("reduce", "vertex-cover", path_file, "-k", "2").stdout
    checked = run("check", "-", "--json", stdin=board).stdout
    result = lift(path_file, "-", stdin=checked)
    assert result.exit_code == 2
    assert "a code that matches all scores of the board" in result.stderr


def test_a_guess_that_cannot_be_a_code_is_refused(tmp_path):
    """Guesses of this game may repeat colors, but codes may not."""
    file = tmp_path / "cows.board"
    file.write_text("4x10!\n")
    result = run("lift", "lies", file, "--lies", "0", "AABB")
    assert result.exit_code == 2
    assert "a code of 4x10d, found 'AABB' (no color repeats" in result.stderr
    assert run("lift", "lies", file, "--lies", "0", "ABCD").stdout == "ABCD\n"


def test_the_known_code_of_a_reduction_is_refused():
    command = ("lift", "certain-peg", example_file("certain-peg"))
    reduction = shown("certain-peg")
    spell = speller(reduction.board.game).print_code
    (known_code,) = reduction.known
    result = run(*command, spell(known_code))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "found the code that exists for every formula" in result.stderr
    assert run(*command, spell(reduction.encode((True,)))).stdout == "v 1 0\n"


def test_a_strategy_without_its_guesses_is_refused(tmp_path):
    """`optimal --json` has no tree; the message names the option that writes it."""
    source, game = tmp_path / "star.col", tmp_path / "star.toml"
    source.write_text("p edge 4 3\ne 1 2\ne 2 3\ne 2 4\n")
    assert run("reduce", "word-game", source, "-k", 1, "-o", game).exit_code == 0
    found = run("optimal", f"game:{game}", "--max-guesses", 2, "--json").stdout
    result = run("lift", "word-game", source, "-k", 1, "-", stdin=found)
    assert result.exit_code == 2
    (line,) = fault_lines(result)
    assert line == (
        "Error: the strategy: expected the tree of a strategy, found a document without its guesses"
        " (mmsat optimal -o FILE.json writes its tree)"
    )
