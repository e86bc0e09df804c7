"""The commands `mmsat count`, `mmsat list` and `mmsat odds`."""

from __future__ import annotations

import json
import re

import pytest

import mmsat
from mmsat.counting import CountBounds
from mmsat.counting.count import METHODS
from mmsat.errors import SizeError
from mmsat.game.library import instances
from mmsat.limits import LIMITS
from mmsat.solving.deadline import TimeUpError
from tests.support import twins
from tests.support.cli_runner import CONSISTENT, LONG_COUNT, SLIPPED, run
from tests.support.planted_boards import planted
from tests.support.schemas import validator

WHOLE = "a whole number from 1 to 999,999,999,999,999,999"
COUNTED_INSTANCES = [instance for instance in instances() if instance.count is not None]


@pytest.mark.parametrize("instance", COUNTED_INSTANCES, ids=lambda instance: instance.name)
def test_every_count_of_the_library_is_confirmed(instance):
    """Counts are printed as plain digits."""
    result = run("count", str(instance.board))

    assert result.exit_code == 0
    assert result.stdout == f"{instance.count}\n"


@pytest.mark.parametrize("method", METHODS)
def test_every_method_counts_the_same(method):
    result = run("count", CONSISTENT, "--engine", method, "--json", "-v")

    document = json.loads(result.stdout)
    assert document["count"] == run("count", CONSISTENT).stdout.strip()
    assert document["exact"]
    assert "counted by" in result.stderr


def test_a_count_that_reaches_the_time_limit_is_a_lower_bound():
    result = run("count", LONG_COUNT, "--timeout", "0.1", "--engine", "brute")

    assert result.exit_code == 1
    assert result.stdout.startswith("at least ")
    assert "not finished within" in result.stderr


def test_a_count_comes_with_its_estimate_if_the_game_has_one():
    assert "estimate" not in run("count", CONSISTENT).stderr
    assert "estimate: about" in run("count", CONSISTENT, "-v").stderr
    expected = mmsat.estimate(CONSISTENT).to_dict()
    assert json.loads(run("count", CONSISTENT, "--json").stdout)["estimate"] == expected
    for options in (["--lies", 1], ["4x6w/1122=3"]):
        board = [] if str(options[0]).startswith("4x6") else [CONSISTENT]
        assert "estimate" not in run("count", *board, *options, "--json").stdout
    board = mmsat.generate("six-colors", 20, rows=5, answer="consistent").board
    late = run("count", str(board), "--timeout", "0.5", "--engine", "brute")
    assert f"estimate: {mmsat.estimate(board)}" in late.stderr


def test_list_prints_the_codes_that_brute_force_finds():
    board = mmsat.Board.parse(CONSISTENT)
    spelled = ["".join(str(color + 1) for color in code) for code in twins.consistent(board)]
    result = run("list", CONSISTENT)

    assert result.exit_code == 0
    assert result.stdout.splitlines() == spelled
    document = json.loads(run("list", CONSISTENT, "--json").stdout)
    assert document["complete"]
    assert ["".join(map(str, code)) for code in document["listed"]] == spelled


@pytest.mark.parametrize("limit", [1, 7])
def test_list_stops_at_the_limit(limit):
    assert run("list", CONSISTENT, "--limit", limit).stdout.count("\n") == limit
    document = json.loads(run("list", CONSISTENT, "--limit", limit, "--json").stdout)
    assert len(document["listed"]) == limit
    assert not document["complete"]


def test_the_list_of_an_inconsistent_board_is_empty():
    assert run("list", SLIPPED).stdout == ""
    assert run("list", SLIPPED).exit_code == 1
    document = json.loads(run("list", SLIPPED, "--json").stdout)
    assert document == {"board": SLIPPED, "listed": [], "complete": True}


@pytest.mark.parametrize(
    ("exception", "code", "message"),
    [(TimeUpError, 1, "not finished in time"), (KeyboardInterrupt, 130, "interrupted")],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_codes_listed_before_an_interruption_are_kept(
    monkeypatch, exception, code, message, as_json
):
    """The JSON document is complete."""

    def list_codes(*_, **__):
        yield (0, 1, 2, 3)
        raise exception

    monkeypatch.setattr("mmsat.cli.commands.codes.list_codes", list_codes)
    result = run("list", CONSISTENT, *["--json"] * as_json, "-v")

    assert result.exit_code == code
    assert message in result.stderr
    assert "1 code in" in result.stderr
    if as_json:
        assert json.loads(result.stdout)["listed"] == [[1, 2, 3, 4]]
        assert not json.loads(result.stdout)["complete"]
    else:
        assert result.stdout == "1234\n"


def test_an_interrupted_count_prints_its_bounds(monkeypatch):
    def count(*_, on_progress, **__):
        on_progress(CountBounds(12, None, "counting"))
        on_progress(CountBounds(12, 4000, "counting"))
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.count", count)
    result = run("count", CONSISTENT)

    assert result.exit_code == 130
    assert result.stdout == "at least 12, at most 4000\n"


def test_list_can_start_at_any_code():
    all_codes = run("list", CONSISTENT).stdout.splitlines()
    for number in (1, 2, 20, len(all_codes)):
        result = run("list", CONSISTENT, "--from", number)
        assert result.exit_code == 0
        assert result.stdout.splitlines() == all_codes[number - 1 :]
    assert run("list", CONSISTENT, "--from", 5, "--limit", 3).stdout.split() == all_codes[4:7]


@pytest.mark.parametrize("options", [(), ("--json",), ("--limit", 2), ("--lies", 0)])
@pytest.mark.parametrize(
    ("start", "message"),
    [
        (37, "the first code: expected a whole number from 1 to 36, found 37"),
        (10**17, f"the first code: expected a whole number from 1 to 36, found {10**17}"),
        (0, f"--from: expected {WHOLE}, found '0'"),
        (-3, f"--from: expected {WHOLE}, found '-3'"),
    ],
)
def test_an_invalid_number_of_the_first_code_is_refused(start, message, options):
    result = run("list", CONSISTENT, "--from", start, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {message}\n"


def test_a_list_without_codes_is_empty_wherever_it_starts():
    result = run("list", SLIPPED, "--from", 5)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "no code gets exactly these scores\n"


@pytest.mark.parametrize("json_option", [(), ("--json",)])
@pytest.mark.parametrize("command", ["list", "odds", "suggest"])
def test_commands_that_need_a_code_fail_if_there_is_none(command, json_option):
    result = run(command, SLIPPED, *json_option)
    assert result.exit_code == 1
    assert "no code gets" in result.output


def test_odds_say_that_no_code_has_a_weight(tmp_path):
    file = tmp_path / "weights.txt"
    file.write_text("1123 5\n1133 1\n")
    for options in ((), ("--json",), ("--output", tmp_path / "odds.svg")):
        result = run("odds", "4x6/1122=1.1", "--weights", file, *options)
        assert result.exit_code == 1
        assert "no code with a weight above 0 gets these scores" in result.output


@pytest.mark.parametrize(
    ("options", "excluded_option"), [("--from 2", "--from"), ("-n 2", "--limit")]
)
def test_a_sample_cannot_have_a_start_or_a_limit(options, excluded_option):
    result = run("list", CONSISTENT, "--sample", 3, *options.split())
    assert result.exit_code == 2
    message = (
        f"--sample cannot be combined with {excluded_option}. --sample N draws from all codes."
    )
    assert result.stderr == f"Error: {message}\n"


def test_list_can_start_in_the_middle_of_trillions_of_codes():
    board = str(planted("24x6", 3, seed=1))
    codes = mmsat.codes(board)
    half = len(codes) // 2
    assert half > 10**12
    result = run("list", board, "--from", half, "--limit", 2, "--json")

    document = json.loads(result.stdout)
    first, second = [tuple(color - 1 for color in code) for code in document["listed"]]
    assert not document["complete"]
    assert first < second
    assert (codes.index(first), codes.index(second)) == (half - 1, half)


def test_the_seed_determines_the_sample():
    all_codes = set(run("list", CONSISTENT).stdout.split())
    first = run("list", CONSISTENT, "--sample", 10, "--seed", 1).stdout.split()
    assert len(set(first)) == 10
    assert set(first) <= all_codes
    assert first == run("list", CONSISTENT, "--sample", 10, "--seed", 1).stdout.split()
    assert first != run("list", CONSISTENT, "--sample", 10, "--seed", 2).stdout.split()
    assert set(run("list", CONSISTENT, "--sample", 1000).stdout.split()) == all_codes
    assert run("list", SLIPPED, "--sample", 3).stdout == ""


def test_a_sample_with_a_limit_is_refused():
    result = run("list", CONSISTENT, "--sample", 3, "--limit", 2)

    assert result.exit_code == 2
    assert "--sample" in result.stderr


@pytest.mark.parametrize("size", ["4", "0G", "4 gigs", "-1G", "1T"])
def test_an_invalid_memory_limit_is_refused(size):
    result = run("count", CONSISTENT, "--memory", size)

    assert result.exit_code == 2
    assert "500M or 4G" in result.stderr


def test_verbose_output_describes_the_diagram():
    result = run("count", LONG_COUNT, "-v", "--engine", "diagram")
    assert "the complete diagram has" in result.stderr
    assert "counted by diagram" in result.stderr
    small = run("count", LONG_COUNT, "--engine", "diagram", "--memory", "1M")
    assert small.exit_code == 1
    assert "needs more than 1 MiB" in small.stderr


def test_odds_are_printed_as_a_table():
    result = run("odds", "4x3/1122=2.0")
    board = mmsat.Board.parse("4x3/1122=2.0")
    codes = twins.consistent(board)

    assert result.exit_code == 0
    head, colors, *rows = [line.split() for line in result.stdout.splitlines()]
    assert head == [str(len(codes)), "codes"]
    assert colors[0] == "peg"
    for peg, row in enumerate(rows):
        assert row[0] == str(peg + 1)
        for color, text in zip(colors[1:], row[1:], strict=True):
            share = sum(code[peg] == int(color) - 1 for code in codes) / len(codes)
            assert text == ("-" if share == 0 else f"{round(100 * share)}%")


def test_an_inconsistent_board_has_no_odds():
    result = run("odds", SLIPPED)
    assert (result.stdout, result.stderr) == ("no code gets exactly these scores\n", "")
    document = json.loads(run("odds", SLIPPED, "--json").stdout)
    assert document["codes"] == "0"
    assert document["forced"] == [None] * 4


def test_odds_in_json_are_exact():
    document = json.loads(run("odds", CONSISTENT, "--json").stdout)
    odds = mmsat.codes(mmsat.Board.parse(CONSISTENT)).odds()
    assert document["codes"] == str(odds.codes)
    assert document["table"] == [[str(number) for number in row] for row in odds.table]
    assert document["odds"] == [[round(float(chance), 9) for chance in row] for row in odds]


def test_odds_that_reach_the_time_limit_are_a_failure():
    result = run("odds", LONG_COUNT, "--timeout", "0.01")

    assert result.exit_code == 1
    assert result.stdout == ""
    assert "not finished within" in result.stderr


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_drawings_of_odds_are_reproducible(tmp_path, suffix):
    paths = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for path in paths:
        result = run("odds", CONSISTENT, "-o", path)
        assert result.exit_code == 0
        assert result.stdout == ""
    one, two = [path.read_bytes() for path in paths]
    assert one == two
    assert len(one) > 1000


def test_odds_cannot_be_drawn_to_a_text_file(tmp_path):
    result = run("odds", CONSISTENT, "-o", tmp_path / "odds.txt")

    assert result.exit_code == 2
    assert "odds.svg" in result.stderr


def test_an_empty_answer_is_explained():
    """The exit code is 1, and a sentence states that there is no code."""
    for command in ("list", "odds"):
        result = run(command, "4x6/1122=0.0/1122=1.0")
        assert result.exit_code == 1
        assert re.search("no code gets (exactly )?these scores", result.stdout + result.stderr)


def test_the_memory_of_a_large_caller_is_not_counted():
    ballast = [bytearray(1 << 20) for _ in range(300)]
    assert run("count", CONSISTENT, "--memory", "8M").exit_code == 0
    assert len(ballast) == 300


@pytest.mark.parametrize(
    "arguments", [(CONSISTENT,), (CONSISTENT, "--timeout", "x"), ("nonsense",)]
)
def test_the_memory_limit_is_removed_however_the_command_ends(arguments):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_DATA)
    run("count", "--memory", "64M", *arguments)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_count_is_proved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("count", "4x6/1122=1.1/3345=0.2", "--proof", "count.proof")
    assert (result.exit_code, result.stdout) == (0, "36\n")
    assert result.stderr.startswith("count.proof: a proof by nodes and lemmas, ")
    document = json.loads(run("verify", "count.proof", "--json").stdout)
    assert (document["holds"], document["count"], document["method"]) == (True, "36", "count")
    document = json.loads(run("count", SLIPPED, "--proof", "none.proof", "--json").stdout)
    assert document["count"] == "0"
    assert document["proof"]["bytes"] == (tmp_path / "none.proof").stat().st_size


def test_a_large_count_is_proved_by_layers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(LIMITS, "proof_edges", 20)
    result = run("count", "4x6/1122=1.1/3345=0.2", "--proof", "count.proof")
    assert (result.exit_code, result.stdout) == (0, "36\n")
    assert result.stderr.startswith("count.proof: a proof by states and their counts, ")
    result = run("verify", "count.proof")
    assert result.stdout.startswith("The proof holds: 4x6/1122=1.1/3345=0.2 has 36 codes; the ")
    document = json.loads(run("verify", "count.proof", "--json").stdout)
    assert (document["holds"], document["count"], document["method"]) == (True, "36", "layers")
    monkeypatch.setattr(LIMITS, "proof_layered_states", 20)
    result = run("count", "4x6/1122=1.1/3345=0.2", "--proof", "other.proof")
    assert (result.exit_code, result.stdout) == (1, "36\n")
    assert "expected up to 20 states, found at least" in result.stderr
    assert not (tmp_path / "other.proof").exists()


@pytest.mark.parametrize(
    ("command", "arguments", "exit_code", "message"),
    [
        ("count", ("4x6/1122=1.1", "--lies", 1), 2, "cannot be combined with --lies"),
        ("count", ("4x6/1?22=1.1",), 1, "counting proofs do not support unread pegs"),
        ("count", ("9x9/123456789=3.3", "--timeout", 0), 1, "not "),
        ("list", ("4x6/1122=1.1", "--lies", 1), 2, "--proof cannot be combined with --lies"),
        ("list", ("4x6/1122=1.1", "-n", 3), 2, "--proof cannot be combined with --limit"),
        ("list", ("4x6/1122=1.1", "--sample", 3), 2, "--proof cannot be combined with --sample"),
        ("list", ("4x6/1122=1.1", "--from", 3), 2, "--proof cannot be combined with --from"),
        ("list", ("4x6/1122=1.1", "--timeout", 0), 1, "not finished within 0 seconds"),
    ],
)
def test_a_command_without_a_proof_writes_no_file(tmp_path, command, arguments, exit_code, message):
    file = tmp_path / "codes.proof"
    result = run(command, *arguments, "--proof", file)
    assert result.exit_code == exit_code
    assert message in result.stderr
    assert not file.exists()


def test_a_list_is_proved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("list", CONSISTENT, "--proof", "list.proof")
    assert (result.exit_code, result.stdout) == (0, run("list", CONSISTENT).stdout)
    size = (tmp_path / "list.proof").stat().st_size
    assert result.stderr == f"list.proof: a proof by codes and lemmas, {size:,} bytes\n"
    result = run("verify", "list.proof", "--board", CONSISTENT)
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.fullmatch(
        f"The proof holds: {re.escape(CONSISTENT)} has 36 codes; each of them gets every score, "
        r"and \d+ lemmas show that there is no other\.\n",
        result.stdout,
    )
    verified = json.loads(run("verify", "list.proof", "--json").stdout)
    validator("verify").validate(verified)
    assert (verified["method"], verified["count"]) == ("list", "36")
    document = json.loads(run("list", SLIPPED, "--proof", "none.proof", "--json").stdout)
    validator("list").validate(document)
    size = (tmp_path / "none.proof").stat().st_size
    assert document == {
        "board": SLIPPED,
        "listed": [],
        "complete": True,
        "proof": {"file": "none.proof", "method": "list", "rows": [], "bytes": size},
    }


@pytest.mark.parametrize("ending", ["proof", "pbp"])
@pytest.mark.parametrize("command", [("list", CONSISTENT), ("puzzle", "4x6", "--seed", 1)])
def test_a_proof_does_not_list_the_codes_again(tmp_path, monkeypatch, command, ending):
    file = tmp_path / f"list.{ending}"
    monkeypatch.setattr("mmsat.proof.prove_codes.list_codes", None)
    result = run(*command, "--proof", file)
    assert (result.exit_code, result.stderr.count(f"{file}: a proof by ")) == (0, 1)
    monkeypatch.undo()
    board = CONSISTENT if command[0] == "list" else None
    if board or ending == "proof":
        arguments = ["--board", board] if board else []
        assert run("verify", file, *arguments).exit_code == 0


def test_the_question_of_another_solution_is_proved(tmp_path):
    """The proof has the codes that are not known yet."""
    file = tmp_path / "list.proof"
    board = "4x6/1122=1.1/3345=0.2/4211=0.1"
    codes = run("list", board).stdout.split()
    for number in range(len(codes) + 1):
        known = "".join(f"/{code}=known" for code in codes[:number])
        result = run("list", f"{board}{known}", "--proof", file)
        assert (result.exit_code, result.stdout.split()) == (0, codes[number:])
        document = json.loads(run("verify", file, "--board", f"{board}{known}", "--json").stdout)
        assert (document["holds"], document["count"]) == (True, str(len(codes) - number))


def test_a_list_that_is_too_long_for_a_proof_ends_early(tmp_path, monkeypatch):
    monkeypatch.setattr(LIMITS, "proof_codes", 5)
    file = tmp_path / "list.proof"
    result = run("list", "30x9", "--proof", file, "--json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    validator("list").validate(document)
    assert (len(document["listed"]), document["complete"], document["proof"]) == (5, False, None)
    message = f"a proof of a list has up to 5 codes, and there are more; {file} was not written"
    assert message in result.stderr
    assert not file.exists()


@pytest.mark.parametrize("command", ["count", "list"])
def test_a_time_limit_and_an_interrupt_leave_an_older_file(tmp_path, monkeypatch, command):
    file = tmp_path / "board.proof"
    file.write_text("older")
    name = {"count": "prove_count", "list": "prove_codes"}[command]
    monkeypatch.setattr(f"mmsat.{name}", lambda *_, **__: None)
    result = run(command, CONSISTENT, "--proof", file)
    assert result.exit_code == 1
    assert result.stdout == run(command, CONSISTENT).stdout
    assert f"no proof was found in time, and {file} was not written\n" in result.stderr

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"mmsat.{name}", interrupted)
    result = run(command, CONSISTENT, "--proof", file, "--json")
    assert result.exit_code == 130
    validator(command).validate(json.loads(result.stdout))
    assert json.loads(result.stdout)["proof"] is None
    assert f"interrupted; no proof was found, and {file} was not written\n" in result.stderr
    assert file.read_text() == "older"


def test_the_reason_is_printed_if_there_is_no_estimate(monkeypatch):
    """With --verbose, or if the count is not finished; --json has no estimate then."""

    def refuse(_board):
        raise SizeError("the codes have too many kinds of color counts")

    monkeypatch.setattr("mmsat.estimate", refuse)
    reason = "no estimate: the codes have too many kinds of color counts"
    for options in (["--verbose"], ["--timeout", "0"]):
        assert run("count", CONSISTENT, *options).stderr.count(reason) == 1
    assert reason not in run("count", CONSISTENT).stderr
    result = run("count", CONSISTENT, "--json")
    assert reason not in result.stderr
    assert "estimate" not in json.loads(result.stdout)
    assert json.loads(result.stdout)["board"] == CONSISTENT
