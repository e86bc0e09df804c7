"""Corrected command lines in the errors of the command line."""

from __future__ import annotations

import re

import click
import pytest

import mmsat
from mmsat.cli.group import COMMANDS, unknown_option, visible_options
from mmsat.cli.group import mmsat as mmsat_group
from mmsat.game.names import similar_size
from mmsat.solving.encode import ALIASES, PROBABLE_NAMES, WRITERS
from tests.support.cli_runner import fault_lines, run

SIGNS = ("*", " * ", "by", " by ", "times", "-", ",", ":", "/", "·", "⋅", "✕", "–")  # noqa: RUF001


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("size", ["4x6", "4x10d", "4x6b", "12x8"])
def test_another_sign_in_a_size_is_corrected(sign, size):
    text = size.replace("x", sign)
    assert similar_size(text) == size
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.Game.parse(text)
    assert f"did you mean {size}?" in str(caught.value)


@pytest.mark.parametrize("text", ["4x6", "4", "4*0", "0*6", "4*6*5", "1122", "4*6q", "*", "4 6"])
def test_other_texts_are_no_sizes_with_another_sign(text):
    assert not similar_size(text)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("rows", ["1122=1.1", "1122=1.1/3345=0.2"])
@pytest.mark.parametrize("command", ["check", "count", "explain"])
def test_a_board_line_with_another_sign_is_corrected(command, rows, sign):
    (line,) = fault_lines(run(command, f"4{sign}6/{rows}"))
    assert f"did you mean 4x6/{rows}?" in line


@pytest.mark.parametrize(
    ("arguments", "correction"),
    [
        (("check", "4*6 1122 1 1"), "4x6/1122=1.1"),
        (("check", "4*6 1122=1.1 3345=0.2"), "4x6/1122=1.1/3345=0.2"),
        (("suggest", "4*6"), "4x6"),
        (("optimal", "4*6"), "4x6"),
        (("score", "4*6", "1122", "1234"), "4x6"),
        (("match", "4*6"), "4x6"),
        (("check", "4x6/1_1_2_2=1.1"), "1122"),
        (("check", "4x6/1.1.2.2=1.1"), "1122"),
        (("check", "4x6/1+1+?+2=1.1"), "11?2"),
        (("check", "4x12/A_B_C_D=1.1"), "ABCD"),
        (("check", "4x30/1_10_2_3=1.1"), "1-10-2-3"),
        (("check", "daily-word/c_r_a_n_e=-----"), "CRANE"),
        (("check", "4x6", "1122", "1", "1"), "4x6/1122=1.1"),
        (("check", "4x6", "1-1-2-2 1 1"), "4x6/1-1-2-2=1.1"),
        (("suggest", "4x6", "1122=1.1", "3345=0.2"), "4x6/1122=1.1/3345=0.2"),
        (("explain", "4x6", "1122=1.1"), "4x6/1122=1.1"),
        (("encode", "4x6", "1122", "1", "1", "3345", "0", "2"), "4x6/1122=1.1/3345=0.2"),
    ],
)
def test_the_corrected_text_is_printed_and_valid(arguments, correction):
    result = run(*arguments)
    line = result.stderr.splitlines()[-1]
    assert (result.exit_code, result.stdout) == (2, "")
    assert line.endswith((f"(did you mean {correction}?)", f"board by '/': {correction}."))


def test_a_file_with_another_sign_in_its_size_names_the_size(tmp_path):
    file = tmp_path / "board.txt"
    file.write_text("4*6\n1122 1 1\n")
    (line,) = fault_lines(run("check", str(file)))
    assert line.endswith(
        "line 1, column 1: expected PEGSxCOLORS such as 4x6, found '4*6' (did you mean 4x6?)"
    )


@pytest.mark.parametrize(
    ("code", "guess", "games"),
    [
        ("1122", "1234", ("4x6", "mastermind")),
        ("crane", "slate", ("5x26", "daily-word")),
        ("0123", "4567", ("bulls-and-cows",)),
        ("RGBY", "RGYB", ("4x6",)),
    ],
)
def test_score_without_a_game_lists_the_games_that_fit(code, guess, games):
    (line,) = fault_lines(run("score", code, guess))
    assert line.startswith("Error: Missing argument GAME. ")
    for game in games:
        assert game in line
    command = line.rpartition("Write the game first: ")[2].rstrip(".").split(" or ")[0]
    assert run(*command.split()[1:]).exit_code == 0


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        *dict.fromkeys(("sat", "kissat"), "cnf").items(),
        *dict.fromkeys(("mps", "gurobi", "highs", "cplex", "ilp"), "lp").items(),
        *dict.fromkeys(("clingo", "gringo", "answer-set"), "asp").items(),
        *dict.fromkeys(("z3", "smtlib2", "cvc5", "SMT"), "smtlib").items(),
        *dict.fromkeys(("gecode", "fzn"), "minizinc").items(),
        *dict.fromkeys(("pb", "roundingsat"), "opb").items(),
        *dict.fromkeys(("maxsat", "rc2"), "wcnf").items(),
    ],
)
def test_the_name_of_a_solver_or_format_is_answered_with_the_name_of_the_format(name, format_name):
    (line,) = fault_lines(run("encode", "4x6/1122=1.1", "--to", name))
    assert line == f"Error: --to: No such format {name!r}. Did you mean {format_name!r}?"


def test_every_answer_is_a_format():
    assert {*PROBABLE_NAMES.values()} <= {*WRITERS}
    assert not PROBABLE_NAMES.keys() & {*WRITERS, *ALIASES}


def test_the_first_comment_states_which_solvers_read_an_lp_file():
    linear = run("encode", "4x6/1122=1.1", "--to", "lp").stdout.splitlines()[0]
    assert linear.startswith("\\ CPLEX LP, for integer linear solvers")
    program = run("encode", "4x6/1122=1.1", "--to", "asp").stdout.splitlines()[0]
    assert program.startswith("% An answer set program for clingo")
    help_text = " ".join(run("encode", "--help").stdout.split())
    assert "asp (clingo)" in help_text
    assert "lp (CPLEX LP, for linear solvers)" in help_text


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("check -t 5", ["--timeout"]),
        ("count -T 5", ["--timeout"]),
        ("encode -t cnf", ["--to", "--timeout"]),
        ("encode -f cnf", ["--to"]),
        ("list -l 3", ["--limit"]),
        ("suggest -s knuth", ["--strategy", "--seed"]),
        ("check -e sat", ["--engine"]),
        ("generate -n 3", ["--count", "--games"]),
        ("count -w 1,2", ["--weights"]),
        ("audit -J", ["--json", "--jobs"]),
        ("serve -p 80", ["--port"]),
    ],
)
def test_a_short_option_that_users_guess_is_answered_with_long_ones(arguments, options):
    line = fault_lines(run(*arguments.split()))[0]
    option = arguments.split()[1]
    assert line.startswith(f"Error: No such option {option!r}. Did you mean ")
    assert sorted(re.findall("--[a-z]+", line)) == sorted(options)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_short_option_is_answered_with_visible_options(command):
    group_context = click.Context(mmsat_group)
    context = click.Context(mmsat_group.find(command), parent=group_context)
    visible = {*visible_options(context.command)}
    for letter in "abcdefgijklmnoprstuwxyzJTN":
        option = f"-{letter}"
        if option in visible:
            continue
        suggested = re.findall("--[a-z-]+", str(unknown_option(option, context)))
        assert {*suggested} - {"--help"} <= visible
        expected = {name for name in visible if name.startswith(f"--{letter.lower()}")}
        assert not expected or {*suggested} & visible


def test_score_with_texts_that_fit_no_game_reports_the_arguments():
    lines = fault_lines(run("score", "12!", "1"))
    assert lines[-1] == "Error: Missing argument GUESS."
