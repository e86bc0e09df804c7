"""Results are made within the time limit, and printing them takes no search.

Every call with a time limit gets every board, in a process that is killed if it hangs.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from contextlib import suppress
from functools import partial
from time import monotonic, process_time, sleep

import pytest

import mmsat
from mmsat.cli.commands import explain as explain_command
from mmsat.diagnosis import explain as explain_module
from mmsat.diagnosis.contradicting_facts import FactFinder
from mmsat.diagnosis.sentences import explanation_sentences, verdict_sentences
from mmsat.game.library import families, find, instances
from mmsat.reductions.families import FAMILIES, generate
from mmsat.reductions.samples import Answer
from tests.support.cli_runner import SLIPPED, run
from tests.support.tiers import SLOWNESS

TIMEOUT = 0.5
"""Seconds for each command."""
MARGIN = 1.0
"""Seconds by which a command may be late, on a machine that does nothing else."""
COMMANDS = (
    ["check"],
    ["check", "-v"],
    ["check", "--json"],
    ["explain"],
    ["explain", "-v"],
    ["explain", "--json"],
)
MAKERS = (mmsat.check, mmsat.explain)
CALLS = {
    "count": mmsat.count,
    "encode": mmsat.encode,
    "prove": mmsat.prove,
    "review": mmsat.review,
    "steps": mmsat.steps,
    "suggest": mmsat.suggest,
    "suspect": partial(mmsat.suspect, rows=(0,)),
}
"""The other calls about a board, by name."""
TRIES = 4
"""How often a late task is tried."""
HANGING = ("hard/exact-cover-30-inconsistent", "reductions/exact-cover-16-inconsistent")
"""Boards for which a sentence was once searched without a limit."""
MEASURE = "import sys; from tests.laws.test_time_limits import measure; measure(sys.stdin.read())"


def measure(lines: str) -> None:
    """Write the seconds of each command and picture of some board lines, as JSON Lines."""
    for line in [SLIPPED, *lines.splitlines()]:  # the first one loads all modules
        tasks = {" ".join(command): partial(run_command, command, line) for command in COMMANDS}
        tasks |= {f"{make.__name__} as SVG": partial(draw, make, line) for make in MAKERS}
        tasks |= {name: partial(call, function, line) for name, function in CALLS.items()}
        seconds = {name: fastest(task) for name, task in tasks.items()}
        sys.stdout.write(f"{json.dumps(seconds)}\n")


def run_command(command, line) -> float:
    """The seconds that a command takes with the time limit."""
    start = monotonic()
    code = run(*command, line, "--timeout", TIMEOUT).exit_code
    assert code in {0, 1, 10, 20}, (line, command, code)
    return monotonic() - start


def draw(make, line) -> float:
    """The seconds in which a result is made, with those of the processor in which it is drawn."""
    start = monotonic()
    sample = make(line, timeout=TIMEOUT)
    seconds, start = monotonic() - start, process_time()
    assert sample._repr_svg_().startswith("<svg")
    assert repr(sample)
    return seconds + process_time() - start


def call(function, line) -> float:
    """Return the seconds of a call with the time limit; it may raise an error of mmsat."""
    start = monotonic()
    with suppress(mmsat.MmsatError):
        function(line, timeout=TIMEOUT)
    return monotonic() - start


def fastest(task) -> float:
    """Return the seconds of a task; repeat it while it is late, because the machine may be busy."""
    seconds = [task()]
    while len(seconds) < TRIES and min(seconds) > TIMEOUT + MARGIN:
        seconds.append(task())
    return min(seconds)


def hold_limits(boards) -> None:
    """Assert that all results are on time, one board after the other."""
    lines = [str(board) for board in boards]
    maximum = (TIMEOUT + MARGIN) * SLOWNESS
    every = subprocess.run(
        [sys.executable, "-c", MEASURE],
        input="\n".join(lines),
        timeout=60 + TRIES * maximum * (len(COMMANDS) + len(MAKERS) + len(CALLS)) * len(lines),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert len(every) == len(lines) + 1
    for line, text in zip([SLIPPED, *lines], every, strict=True):
        late = {task: taken for task, taken in json.loads(text).items() if taken > maximum}
        assert not late or line == SLIPPED, (late, line)


@pytest.mark.long
def test_boards_that_once_hung():
    hold_limits(
        [
            *(find(name).board for name in HANGING),
            generate("exact-cover", 10, answer="inconsistent").board,
            generate("three-dimensional-matching", 16, answer="inconsistent").board,
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("family", families())
def test_every_eighth_board_of_the_library(family):
    hold_limits(instance.board for instance in instances(family)[::8])


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_of_generators(name):
    family = FAMILIES[name]
    is_decided = Answer.INCONSISTENT in family.answers
    answer = Answer.INCONSISTENT if is_decided else family.answers[-1]
    hold_limits([generate(name, family.size, answer=answer).board])


LOADED = """
import pickle, sys
result = pickle.load(sys.stdin.buffer)
str(result), repr(result), result._repr_svg_(), result.to_dict()
from mmsat.render.reports import lines
print(*lines(result, in_full=True), sep="\\n")
searching = ("mmsat._core", "mmsat.solving", "mmsat.constraints", "mmsat.counting.ranking")
print([name for name in sys.modules if name.startswith(searching)])
"""


@pytest.mark.parametrize(
    "line", [SLIPPED, "4x6/1123=0.0/4156=2.2", "3x3x3k/1A2B3C=0.3.0/1B1C2A=0.1.0"]
)
@pytest.mark.parametrize("make", MAKERS)
def test_printing_a_pickled_result_loads_nothing_that_searches(line, make):
    created = pickle.dumps(make(line))
    command = [sys.executable, "-c", LOADED]
    result = subprocess.run(command, input=created, capture_output=True, timeout=120, check=True)
    assert result.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.parametrize("settings", [{"timeout": 1.5}, {"reason": 1.5}])
def test_without_time_for_facts_the_sentence_is_plain(monkeypatch, settings):
    monkeypatch.setattr(FactFinder, "find", lambda *_: sleep(600))
    verdict = mmsat.check("4x6/1123=0.0/4156=2.2", **settings)
    assert verdict_sentences(verdict)[1] == "Rows 1 and 2 can't both be right."
    assert verdict.seconds + verdict.reason_seconds < (1.5 + MARGIN) * SLOWNESS
    explanation = mmsat.explain("4x6/1123=0.0/4156=2.2", timeout=1.5)
    assert explanation_sentences(explanation)[1] == "Rows 1 and 2 can't both be right."


def test_without_a_timeout_the_search_ends_some_time_after_the_first_reason(monkeypatch):
    assert explain_module.FURTHER_SECONDS == explain_command.FURTHER_SECONDS == 60
    assert "60 seconds after the first result" in " ".join(run("explain", "--help").stdout.split())
    for module in (explain_module, explain_command):
        monkeypatch.setattr(module, "FURTHER_SECONDS", 1.0)
    board = find(HANGING[1]).board
    result = run("explain", str(board))
    assert result.exit_code == 0
    assert "There may be more conflicts: the search ended before all were found." in result.stdout
    assert result.stderr == (
        "The search stopped 1 s after the first result. --timeout N allows more time.\n"
    )
    assert run("explain", SLIPPED).stderr == ""  # all was found
    assert run("explain", str(board), "--timeout", "1").stderr == ""
