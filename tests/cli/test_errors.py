"""Errors of users: one clear message, exit code 2 and no traceback."""

from __future__ import annotations

import json
import re

import click
import pytest

from mmsat._util.text import join_words
from mmsat.cli.group import (
    COMMANDS,
    OPTION_ADVICE,
    OPTION_SYNONYMS,
    accepts,
    mmsat,
    unknown_option,
    visible_options,
)
from mmsat.cli.parameters import (
    BoardSource,
    Memory,
    Number,
    Quantity,
    Seconds,
    Share,
    parameter_name,
)
from mmsat.errors import InputError, InternalError, MissingError, SizeError
from mmsat.limits import LIMITS
from tests.support.cli_runner import CONSISTENT, SLIPPED, environment, fault_lines, program, run

BOARD_COMMANDS = ("check", "explain", "count", "list", "encode")
BAD_BOARDS = {
    "no such file": "nonesuch.txt",
    "no such folder": "none/such.txt",
    "an unknown game": "4y6/1122=1.1",
    "a score too short": "4x6/1122=1",
    "a color too high": "4x6/1127=1.1",
    "nothing": "",
    "only blanks": "  ",
    "a zero byte": "board\0.txt",
    "a very long name": "x" * 5000,
    "broken JSON": '{"mmsat": 1',
}


@pytest.mark.parametrize("board", BAD_BOARDS.values(), ids=BAD_BOARDS)
@pytest.mark.parametrize("command", BOARD_COMMANDS)
def test_an_invalid_board_is_one_fault(command, board, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(fault_lines(run(command, board))) == 1


@pytest.mark.parametrize(
    "data", [b"", b"\n \n", bytes(range(256)), b"\xff\xfe4\0x\0", b"\x7fELF\0\0", b"hello"]
)
@pytest.mark.parametrize("command", BOARD_COMMANDS)
def test_faults_name_the_file_or_standard_input(command, data, tmp_path):
    path = tmp_path / "junk"
    path.write_bytes(data)
    from_file = run(command, path)
    from_input = run(command, "-", stdin=data)

    assert all(line.startswith(f"Error: {path}") for line in fault_lines(from_file))
    assert all(line.startswith("Error: standard input") for line in fault_lines(from_input))


def test_a_folder_is_refused(tmp_path):
    result = run("check", tmp_path)

    text = f"Error: the arguments: expected a file that can be read, found '{tmp_path}'"
    assert result.exit_code == 2
    assert fault_lines(result) == [f"{text} (Is a directory)"]


def test_a_missing_file_is_refused_by_the_name_of_its_option(tmp_path):
    file = tmp_path / "board.proof"
    assert run("check", SLIPPED, "--proof", file).exit_code == 20
    result = run("verify", file, "--board", "nofile.txt")

    assert result.exit_code == 2
    assert fault_lines(result)[0].startswith("Error: --board: expected a board line")


def test_an_unreadable_file_is_refused(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "secret"
    path.write_text(CONSISTENT)
    monkeypatch.setattr("mmsat.cli.parameters.open", refuse, raising=False)
    result = run("check", path)

    assert result.exit_code == 2
    assert "Permission denied" in result.stderr


def test_every_fault_is_reported(tmp_path):
    path = tmp_path / "board"
    path.write_text("4x6\n1127 1 1\n1122 1 1\n11 1 1\n1122 x\n")
    result = run("check", path)

    assert result.exit_code == 2
    assert [f"line {line}," in result.stderr for line in (1, 2, 3, 4, 5)] == [
        False,
        True,
        False,
        True,
        True,
    ]


def test_an_existing_file_is_read_even_if_its_name_is_a_board_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "4x6").write_text("4x6\n1122 0 1\n1122 1 0\n")
    assert run("check", "4x6").exit_code == 20
    (tmp_path / "4x6").unlink()
    assert run("check", "4x6").exit_code == 10


def test_text_and_json_are_read_from_files_input_and_arguments(tmp_path):
    text = "4x6\n1122 1 1\n3345 0 2\n"
    document = json.dumps(
        {
            "mmsat": 1,
            "game": {"pegs": 4, "colors": 6},
            "rows": [{"guess": [1, 1, 2, 2], "black": 1, "white": 1}],
        }
    )
    for content in (text, document, CONSISTENT):
        path = tmp_path / "board"
        path.write_text(content)
        for result in (run("check", path), run("check", "-", stdin=content), run("check", content)):
            assert result.exit_code == 10


BAD_OPTIONS = [
    *(("check", CONSISTENT, "--timeout", text) for text in ("-1", "nan", "inf", "x", "1e99")),
    ("check", CONSISTENT, "--seed", "-1"),
    ("check", CONSISTENT, "--seed", str(2**31)),
    *(("check", CONSISTENT, "--engine", text) for text in ("", "foo", "sat:foo", "brute:x")),
    ("check", CONSISTENT, "--engine", "sat:cadical195:foo"),
    ("check", CONSISTENT, "--engine", "sat:cadical195:native"),
    ("count", CONSISTENT, "--engine", "guess"),
    ("count", CONSISTENT, "--engine", "foo"),
    ("list", CONSISTENT, "--limit", "0"),
    ("explain", CONSISTENT, "--limit", "-3"),
    ("encode", CONSISTENT, "--to", "latin"),
    ("encode", CONSISTENT, "--encoding", "totaliser"),
    ("encode", CONSISTENT, "-o", "."),
    ("decode", CONSISTENT),
    ("encodings", "nonesuch"),
    ("instances", "nonesuch"),
    ("instances", "--json", "--line"),
    ("check",),
    ("count", CONSISTENT, CONSISTENT),
    ("nonesuch",),
    ("check", CONSISTENT, "--nonesuch"),
]


@pytest.mark.parametrize("arguments", BAD_OPTIONS, ids=" ".join)
def test_invalid_options_are_faults(arguments):
    fault_lines(run(*arguments))


def test_misspelled_names_are_answered_with_existing_ones():
    assert "totalizer" in run("encode", CONSISTENT, "--encoding", "totaliser").stderr
    assert "brute, sat, cp" in run("check", CONSISTENT, "--engine", "foo").stderr
    assert "wcnf" in run("encode", CONSISTENT, "--to", "wcnff").stderr


def test_encode_suggests_encodings_that_it_accepts():
    for name in ("one-hot", "foo", "native"):
        result = run("encode", CONSISTENT, "--encoding", name)
        assert result.exit_code == 2
        suggestion = result.stderr.partition(", found")[0]
        assert "native" not in suggestion
        assert "sequential, sorting-network, totalizer" in suggestion
    fixed = "one-hot encodes the codes and is always used. Expected an encoding of counts: "
    assert fixed in run("encode", CONSISTENT, "--encoding", "one-hot").stderr


@pytest.mark.parametrize(("solver", "is_native"), [("cadical195", False), ("minicard", True)])
def test_an_engine_suggests_encodings_that_its_solver_accepts(solver, is_native):
    for name in ("one-hot", "foo"):
        (fault,) = fault_lines(run("check", CONSISTENT, "--engine", f"sat:{solver}:{name}"))
        assert "sequential, sorting-network, totalizer" in fault
        assert ("native" in fault) == is_native
        assert ("is always used" in fault) == (name == "one-hot")


@pytest.mark.parametrize("command", BOARD_COMMANDS)
def test_scripts_can_pass_the_same_options_to_all_commands(command):
    """Commands with a board accept --json, --seed, --timeout and --engine."""
    result = run(
        command, CONSISTENT, "--json", "--seed", "1", "--timeout", "60", "--engine", "auto"
    )

    assert result.exit_code in (0, 10)
    json.loads(result.stdout)


EXCEPTIONS = [
    (SizeError("too large"), 1, "Error: too large\n"),
    (MissingError("not here"), 1, "Error: not here\n"),
    (InternalError("1 is 2"), 1, "report"),
    (AssertionError("oops"), 1, "AssertionError: oops"),
    (MemoryError(), 1, "memory"),
    (PermissionError(13, "Permission denied", "x"), 1, "Error: x: Permission denied"),
    (KeyboardInterrupt(), 130, "interrupted"),
]


@pytest.mark.parametrize(
    ("error", "code", "message"), EXCEPTIONS, ids=lambda value: repr(value)[:20]
)
def test_an_exception_is_reported_in_one_message(monkeypatch, error, code, message):
    """The message about a bug contains the board."""

    def check(*_, **__):
        raise error

    monkeypatch.setattr("mmsat.check", check)
    result = run("check", CONSISTENT)

    assert result.exit_code == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    is_bug = isinstance(error, InternalError | AssertionError)
    assert (f"The board is {CONSISTENT}" in result.stderr) == is_bug


TOO_LARGE = [
    "optimal 8x20",
    "optimal 17x1",
    "static 8x20",
    "puzzle 12x12",
    "puzzle 9x9 --fewest-rows",
    "analyze 8x9",
    "analyze 6x10 --value",
    "suggest 8x9 --strategy optimal",
    "encode 40x5/1111111111222222222233333333334444444444=10.5 --encoding direct",
    "check 9x9/????11111=1.1",
]


@pytest.mark.parametrize("line", TOO_LARGE)
def test_sizes_above_a_limit_are_reported_in_the_form_of_all_errors(line):
    result = run(*line.split())

    assert result.exit_code == 1
    assert re.fullmatch(r"Error: .+: expected .*up to .+, found .+\n", result.stderr)


def test_a_bug_shows_its_traceback_on_demand(monkeypatch):
    def check(*_, **__):
        raise InternalError("1 is 2")

    monkeypatch.setattr("mmsat.check", check)
    monkeypatch.setenv("MMSAT_TRACEBACK", "1")

    assert "Traceback" in run("check", CONSISTENT).stderr


def test_the_log_is_written_on_demand():
    """It is requested by an option or an environment variable."""
    board = "40x2/" + "12" * 20 + "=20.20"
    command = ("check", board, "--engine", "cp")
    unlogged = program(*command)
    logged = program("--log-level", "debug", *command)
    by_variable = program(*command, env=environment(MMSAT_LOG="debug"))
    assert unlogged.returncode == logged.returncode == by_variable.returncode
    assert "mmsat." not in unlogged.stderr
    for stderr in (logged.stderr, by_variable.stderr):
        assert re.search(r"DEBUG mmsat\.solving\.worker: process \d+ started \(fork\)\n", stderr)
    assert logged.stdout == unlogged.stdout


def test_an_unknown_log_level_is_an_error():
    result = run("--log-level", "loud", "check", CONSISTENT)
    assert result.exit_code == 2
    assert all(level in result.stderr for level in ("debug", "info", "warning", "error"))


def test_a_file_above_the_size_limit_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(LIMITS, "input_bytes", 10)
    path = tmp_path / "board"
    path.write_text("4x6" + "\n" * 20)

    assert fault_lines(run("check", path)) == [f"Error: {path}: expected at most 0 MiB, found more"]
    path.write_text("4x6")
    assert run("check", path).exit_code == 10


def test_options_from_the_environment(monkeypatch):
    monkeypatch.setenv("MMSAT_CHECK_ENGINE", "brute")
    assert json.loads(run("check", CONSISTENT, "--json").stdout)["engine"] == "brute"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name):
    command = mmsat.get_command(click.Context(mmsat), name)
    options = [param for param in command.params if isinstance(param, click.Option)]

    assert options or name == "help"
    assert all(option.help or option.hidden for option in options)


def test_an_unknown_command_is_reported_with_similar_ones():
    near, far = run("chek"), run("zzz")
    assert (near.exit_code, far.exit_code) == (2, 2)
    assert fault_lines(near) == ["Error: No such command 'chek'. Did you mean 'check'?"]
    message = f"Error: No such command 'zzz'. Expected one of {', '.join(sorted(COMMANDS))}."
    assert fault_lines(far) == [message]
    assert fault_lines(run("help", "zzz")) == [message]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("help chek", "No such command 'chek'. Did you mean 'check'?"),
        ("CHECK 4x6", "No such command 'CHECK'. Did you mean 'check'?"),
        ("solve 4x6/1122=1.1", "No such command 'solve'. Did you mean 'check'?"),
        ("hint 4x6/1122=1.1", "No such command 'hint'. Did you mean 'suggest'?"),
        ("check 4x6 --timeuot 3", "No such option '--timeuot'. Did you mean '--timeout'?"),
        ("check 4x6 --foo", "No such option '--foo'. Expected an option that --help lists."),
        (
            "list 4x6 --weights 1",
            (
                "No such option '--weights'. It is an option of mmsat audit, count, odds, review "
                "and suggest."
            ),
        ),
        ("reduce sat - --k 2", "No such option '--k'. Did you mean '-k'?"),
        (
            "encode 4x6 --by pegs",
            (
                "No such option '--by'. "
                "It is an option of mmsat check, count, explain, list, odds and suggest."
            ),
        ),
        (
            "check 4x6 --engine cadical",
            (
                "No such engine 'cadical'. "
                "Did you mean 'sat:cadical195', 'sat:cadical103' or 'sat:cadical153'?"
            ),
        ),
        ("check 4x6 --engine OR-Tools", "No such engine 'OR-Tools'. Did you mean 'cp'?"),
        (
            "check 4x6 --engine sat:glucose:direct",
            (
                "the engine: No such SAT solver 'glucose'. "
                "Did you mean 'glucose3', 'glucose4' or 'glucose42'?"
            ),
        ),
        ("reductions subset-sum", "No such reduction 'subset-sum'. Did you mean 'linear-system'?"),
        (
            "games mastermnd",
            "No such game 'mastermnd'. Did you mean 'mastermind' or 'mastermind44'?",
        ),
        ("check 4x6 --engine brut", "No such engine 'brut'. Did you mean 'brute'?"),
        (
            "check 4x6 --engine sat:cadicl195",
            (
                "the engine: No such SAT solver 'cadicl195'. "
                "Did you mean 'cadical195', 'cadical153' or 'cadical103'?"
            ),
        ),
        ("reductions 3sat", "No such reduction '3sat'. Did you mean 'sat'?"),
        ("encodings totaliser", "No such encoding 'totaliser'. Did you mean 'totalizer'?"),
        (
            "generate six-color",
            "No such family 'six-color'. Did you mean 'six-colors' or 'six-colors-black'?",
        ),
        (
            "analyze 4x6 --strategy knut",
            "--strategy: No such strategy 'knut'. Did you mean 'knuth'?",
        ),
        ("count 4x6 --engine gank", "--engine: No such engine 'gank'. Did you mean 'ganak'?"),
        ("encode 4x6 --to cnff", "--to: No such format 'cnff'. Did you mean 'cnf' or 'wcnf'?"),
        (
            "instances clasic/rafler-3",
            (
                "No such instance 'clasic/rafler-3'. "
                "Did you mean 'classic/rafler-3', 'classic/rafler-9' or 'classic/rafler-8'?"
            ),
        ),
    ],
)
def test_an_unknown_name_is_a_question_about_similar_ones(command, message):
    result = run(*command.split())
    assert result.exit_code == 2
    assert fault_lines(result) == [f"Error: {message}"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_message_about_an_option_of_other_commands_names_exactly_these(command):
    """Hidden options, which commands accept and ignore, do not count."""
    options = {
        name: {
            option
            for param in mmsat.get_command(click.Context(mmsat), name).params
            if isinstance(param, click.Option) and not param.hidden
            for option in param.opts
        }
        for name in COMMANDS
    }
    for option in ("--weights", "--by", "--jobs", "--grade"):
        fault = unknown_option(option, context := click.Context(mmsat.find(command)))
        assert "It is an option" not in str(fault)  # the context has no group
        context.parent = click.Context(mmsat)
        message = str(unknown_option(option, context))
        if "Did you mean" not in message and option not in options[command]:
            names = [name for name in sorted(COMMANDS) if option in options[name]]
            assert message.endswith(f"It is an option of mmsat {join_words(names)}.")


def test_a_file_before_the_name_of_a_reduction_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("path.col", "sat"):  # a name of a reduction is not a file
        (tmp_path / name).write_text("p cnf 1 1\n1 0\n")
    for command in ("reduce", "lift"):
        (line, *_) = fault_lines(run(command, "path.col", "x"))
        assert line == "Error: path.col is a file. Give the name of a reduction first."
    assert run("reduce", "sat", "path.col").exit_code == 0


def test_the_faults_of_all_parameters_are_reported():
    """In the order of the command line; a missing or a surplus argument is one of them."""
    result = run("check", "x", "--timeout", "nan", "--lies", "-3", "--engine", "foo")
    starts = ("--timeout: ", "--lies: ", "No such engine 'foo'. ", "the arguments: ")
    for line, start in zip(fault_lines(result), starts, strict=True):
        assert line.startswith(f"Error: {start}")
    assert fault_lines(run("reduce", "3sat")) == [
        "Error: No such reduction '3sat'. Did you mean 'sat'?",
        (
            "Error: Missing argument SOURCE: expected a source problem in a file, or - for "
            "standard input."
        ),
    ]
    surplus = fault_lines(run("count", "4x6", "4x6", "--timeout", "x"))
    assert surplus[0].startswith("Error: --timeout: ")
    assert surplus[1:] == ["Error: Unexpected argument 4x6."]


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_with_one_value_is_refused_if_it_is_given_twice(name):
    """Only the last value would count. Options with several values and flags may be repeated."""
    for param in mmsat.get_command(click.Context(mmsat), name).params:
        if not isinstance(param, click.Option) or param.is_flag:
            continue
        option = max(param.opts, key=len)
        result = run(name, option, "1", option, "1")
        assert result.exit_code == 2
        message = f"Error: {option} is given 2 times. Give it once."
        assert (message in result.stderr.splitlines()) != param.multiple, result.stderr


@pytest.mark.parametrize("name", ["my.Own", "my.py:Own"])
def test_the_form_of_a_reference_is_named(name):
    result = run("suggest", "4x6", "--strategy", name)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0].endswith(" my:Own.")


def test_the_hint_about_rows_separates_all_of_them():
    """The suggested board can be read."""
    for separator in (" ", ", ", "; ", ","):
        (line,) = fault_lines(run("check", f"4x6 1122=4.0{separator}3345=4.0"))
        assert "did you mean 4x6/1122=4.0/3345=4.0?" in line


@pytest.mark.parametrize(
    ("line", "joined"),
    [
        ("check 4x6 1122=1.1", "4x6/1122=1.1"),
        ("check 4x6 1122=1.1 3345=0.2 --json", "4x6/1122=1.1/3345=0.2"),
        ("suggest 1122=1.1 3345=0.2", "1122=1.1/3345=0.2"),
        ("encode 4x6/1122=1.1 3345=0.2", "4x6/1122=1.1/3345=0.2"),
        ("count 4x6 1122=1.1", "4x6/1122=1.1"),
    ],
)
def test_rows_are_not_boards_of_their_own(line, joined):
    """Otherwise, they are checked as if each was the only row of a 4x6 game."""
    result = run(*line.split())
    assert (result.exit_code, result.stdout) == (2, "")
    (message,) = (line for line in result.stderr.splitlines() if line.startswith("Error: "))
    assert "Join the rows of a board by '/'" in message
    assert message.endswith(f" {joined}.")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("check", f"Missing argument BOARD: expected {BoardSource.expected}."),
        ("score 4x6 1122", "Missing argument GUESS."),
        ("generate", "Missing argument FAMILY. `mmsat families` lists the families."),
        ("analyze", "Missing argument GAME. Give a size such as 4x6, or a name of a game."),
        ("count 4x6 4x6", "Unexpected argument 4x6."),
        ("score 4x6 1 2 3 4", "Unexpected arguments 3 4."),
        ("analyze 4x6 knuth", "Unexpected argument knuth. Write --strategy knuth."),
        (
            "match 4x6 knuth entropy",
            "Unexpected arguments knuth entropy. Write --player knuth --player entropy.",
        ),
        ("check 4x6 --timeout", "--timeout requires a value."),
        ("check 4x6 --json=3", "--json does not accept a value."),
        ("check 4x6 -v -q", "--quiet cannot be combined with --verbose. Give one of them."),
        ("explain 4x6 -o steps", "--output requires --steps."),
        (
            "explain 4x6 --steps --lies 1",
            "--lies cannot be combined with --steps. Ask for one explanation at a time.",
        ),
        (
            "check 4x6 --lies 1 --proof board.proof",
            (
                "--proof cannot be combined with --lies. A proof assumes that all scores are "
                "right. `mmsat explain --proof` allows wrong ones."
            ),
        ),
        (
            "check 4x6 --proof -",
            "--proof cannot write to standard output. Give the name of a file.",
        ),
        (
            "check 4x6 4x6 --proof p",
            "Several boards cannot be combined with --proof. Check each board by its own command.",
        ),
        ("encode 4x6 4x6", "Several boards require --output DIR."),
        ("decode - -", "SOLUTION: standard input can be read only once. Give a file instead."),
        ("analyze 4x6 -j 2", "--jobs requires --sample."),
        ("analyze 4x6 --dask tcp://x:1", "--dask requires --sample."),
        (
            "analyze 4x6 --sample 2 -j 2 --dask tcp://x:1",
            "--dask cannot be combined with --jobs. The Dask scheduler sets the number of workers.",
        ),
        (
            "analyze 4x6 --sample 2 --table",
            "--sample cannot be combined with --table. A sample has no tree. Omit --sample.",
        ),
        (
            "analyze 4x6 --value --strategy knuth --hard",
            (
                "--value cannot be combined with --strategy or --hard. The value needs no "
                "strategy. --output FILE.json saves trees."
            ),
        ),
        ("generate sat -j 2", "--jobs requires --count or --games."),
        (
            "generate sat --count 2 --to cnf",
            "Several boards in the format cnf require --output DIR.",
        ),
        (
            "generate --games 2 -o logs",
            "--games writes one file. Give a name with an ending, such as games.jsonl.",
        ),
        ("play 4x6 --worst", "--worst requires --evil."),
        ("optimal 4x6 --worst", "No such option '--worst'. Did you mean '--objective worst'?"),
        ("optimal 4x6 --max 5", "No such option '--max'. Did you mean '--max-guesses'?"),
        ("puzzle 4x6 --pdf x", "No such option '--pdf'. Did you mean '--output'?"),
        ("strategies minimax", "No such strategy 'minimax'. Did you mean 'knuth'?"),
        ("analyze 4x6 --strategy minimax", "No such strategy 'minimax'. Did you mean 'knuth'?"),
        ("games my.toml", "No such game 'my.toml'. Did you mean 'game:my.toml'?"),
        (
            "play 4x6 --evil --role maker",
            "--evil cannot be combined with --role maker. The codemaker is you.",
        ),
        (
            "match 4x6 --player knuth",
            "A match needs two players or more. Give --player NAME for each of them.",
        ),
        (
            "suggest 4x6 4x6 --hard",
            (
                "Several boards cannot be combined with --hard. They share each guess; run the "
                "command for one board."
            ),
        ),
        (
            "puzzle 3x3 --most-rows --grade 2",
            "--most-rows cannot be combined with --grade. It makes one puzzle, the same each time.",
        ),
        (
            "analyze 3x3 --proof p",
            "--proof requires --value. `mmsat optimal --proof` proves an optimal strategy.",
        ),
    ],
)
def test_a_wrong_combination_is_reported_in_a_sentence(line, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert fault_lines(run(*line.split(), stdin=CONSISTENT)) == [f"Error: {message}"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_that_users_guess_is_answered_with_one_that_the_command_has(command):
    names = {*visible_options(mmsat.get_command(click.Context(mmsat), command))}
    accepted = {name for param in mmsat.find(command).params for name in param.opts}
    for guess, options in OPTION_SYNONYMS.items():
        near = [option for option in options if accepts(mmsat.find(command), option)]
        assert {option.partition(" ")[0] for option in near} <= names
        if near and guess not in accepted:
            (line,) = fault_lines(run(command, guess))[:1]
            question = " or ".join(map(repr, near))
            assert line == f"Error: No such option {guess!r}. Did you mean {question}?"


def test_an_option_is_suggested_only_with_a_value_that_the_command_accepts():
    assert "--engine sat:SOLVER:ENCODING" in run("check", "4x6", "--encoding", "x").stderr
    assert "--engine" not in run("count", "4x6", "--encoding", "x").stderr
    assert "'--objective worst'" in run("optimal", "4x6", "--minimax").stderr


@pytest.mark.parametrize(("command", "option"), OPTION_ADVICE)
def test_the_advice_about_a_missing_option_is_true(command, option):
    options = visible_options(mmsat.find(command))
    assert option not in options
    advice = OPTION_ADVICE[command, option]
    result = run(command, "4x6", option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: No such option {option!r}. {advice}\n")
    assert {*re.findall(r"(?<![\w-])--?[a-z]+\b", advice)} <= {*options}
    if "BOARD BOARD" in advice:
        assert any(param.nargs == -1 for param in mmsat.find(command).params)


def test_every_suggested_option_exists():
    names = {
        name
        for command in COMMANDS
        for param in mmsat.get_command(click.Context(mmsat), command).params
        for name in param.opts
    }
    assert {
        option.partition(" ")[0] for options in OPTION_SYNONYMS.values() for option in options
    } <= names


@pytest.mark.parametrize("command", COMMANDS)
def test_every_parameter_has_a_type_of_mmsat(command):
    """The errors of click's types have another form."""
    result = mmsat.get_command(click.Context(mmsat), command)
    types_without_errors = (click.types.StringParamType, click.types.BoolParamType)
    for param in result.params:
        type_ = type(param.type)
        assert issubclass(type_, types_without_errors) or type_.__module__.startswith("mmsat."), (
            param.name
        )


QUANTITIES = [
    pytest.param(param, id=f"{command} {param.name}")
    for command in COMMANDS
    for param in mmsat.get_command(click.Context(mmsat), command).params
    if isinstance(param.type, Quantity)
]
"""The parameters of all commands that are numbers."""


NOTATIONS = {
    Seconds: ("90", "90s", "90 sec", "1.5min", "1.5 M", "90000ms", "0.025h", "9e1", "180/2"),
    Share: ("0.25", ".25", "25%", "25 %", "1/4", "2.5e-1"),
    Memory: ("512M", "512 MB", "512MiB", "0.5G", "0.5 gib"),
}
"""Notations of one number for each type with units."""


@pytest.mark.parametrize("param", QUANTITIES)
def test_every_number_can_be_written_in_all_notations_of_its_type(param):
    """Text that is not a number, or has another unit, is refused by the name of the parameter."""
    type_ = param.type
    number = min(1200, type_.high or 1200) if isinstance(type_, Number) else None
    texts = NOTATIONS.get(type(type_)) or [
        *(f"{number}", f"{number:,}", f"{number:_}", f"+{number}", f"{number}.0", f"{number}e0"),
        f"{2 * number}/2",
    ]
    values = {type_.convert(text, param, None) for text in texts}
    assert values == {number if number is not None else type_.convert(texts[0], param, None)}
    assert {*map(type, values)} == {type_.kind}
    for text in ("", "x", "nan", "inf", "-1", "1e99", "1/0", "5 eggs", "1,5"):
        with pytest.raises(InputError, match=parameter_name(param)):
            type_.convert(text, param, None)


def test_every_missing_log_is_reported(tmp_path):
    result = run("audit", "none.jsonl", tmp_path / "no.csv", "-o", tmp_path / "records.csv")
    names = ("none.jsonl", str(tmp_path / "no.csv"))
    assert fault_lines(result) == [
        f"Error: the logs: expected an existing file or folder, found {name!r}" for name in names
    ]
    assert list(tmp_path.iterdir()) == []


def test_the_fraction_of_slips_is_from_0_to_1():
    for fraction in ("abc", "nan", "1.5", "-0.1"):
        result = run("generate", "--games", 1, f"--slips={fraction}")
        assert [line.split(":")[1] for line in fault_lines(result)] == [" --slips"]


@pytest.mark.parametrize("command", ["check", "count", "list", "explain"])
def test_a_formula_as_a_board_is_told_to_reduce(command, tmp_path):
    file = tmp_path / "formula.cnf"
    file.write_text("c a formula\np cnf 2 1\n1 -2 0\n")
    assert "mmsat reduce turns formulas and graphs into boards" in run(command, file).stderr
