"""Every command ends at its --timeout, with exit code 1 and a message that names the limit."""

from __future__ import annotations

import gc
import json
import signal
import sys
import time

import click
import pytest

from mmsat.cli.group import COMMANDS, mmsat
from mmsat.cli.output import Job, Progress, TimeLimitInterrupt, interrupt_after
from tests.support.cli_runner import CONSISTENT, LONG_COUNT, run

UNLIMITED = {"help", "serve"}
GRAPH = "p edge 3 2\ne 1 2\ne 2 3\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_except_help_and_serve_has_a_time_limit(name):
    command = mmsat.get_command(click.Context(mmsat), name)
    limits = [param for param in command.params if "--timeout" in param.opts]
    assert len(limits) == (name not in UNLIMITED)
    assert not any(param.hidden for param in limits)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_except_three_prints_json(name):
    command = mmsat.get_command(click.Context(mmsat), name)
    has_json = any("--json" in param.opts for param in command.params)
    assert has_json == (name not in UNLIMITED | {"study"})


@pytest.fixture
def graph(tmp_path):
    path = tmp_path / "path.col"
    path.write_text(GRAPH)
    return path


@pytest.mark.parametrize(
    "line",
    [
        "match 4x6 --games 100000 --player knuth --player knuth",
        "generate six-colors --size 300 --count 100000",
        "generate --games 10000000",
        "decode 4x6/1122=1.1 SOLUTION",
        "reduce vertex-cover GRAPH -k 1",
        "lift vertex-cover GRAPH CODE -k 1",
        "games",
        "instances",
    ],
)
def test_work_that_does_not_check_the_time_is_interrupted(line, graph, monkeypatch, tmp_path):
    solution = tmp_path / "solution"
    solution.write_text("s UNSATISFIABLE\n")
    words = {"GRAPH": graph, "SOLUTION": solution, "CODE": "111"}
    is_replaced = line.split()[0] not in ("match", "generate")
    if is_replaced:  # as if the work took 60 seconds
        names = {
            "decode": "commands.encoding.read_solution",
            "games": "commands.catalogues.published_games_by_year",
            "instances": "commands.catalogues.instances",
        }
        name = names.get(line.split()[0], "commands.reductions.build_reduction")
        monkeypatch.setattr(f"mmsat.cli.{name}", sleep)
    started = time.monotonic()
    result = run(*(words.get(word, word) for word in line.split()), "--timeout", 0.3)
    assert time.monotonic() - started < 5
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].endswith("not finished within 0.3 seconds")


def sleep(*_, **__):
    """Sleep for longer than any test."""
    time.sleep(60)


def test_a_match_that_reaches_the_time_limit_is_incomplete():
    players = ("--player", "knuth", "--player", "first-consistent")
    result = run("match", "4x6", "--games", 100_000, *players, "--timeout", 1, "--json")
    document = json.loads(result.stdout)
    assert result.exit_code == 1
    assert not document["complete"]


@pytest.mark.parametrize("command", ["count", "odds", "list", "check", "suggest", "encode"])
def test_a_time_limit_of_0_is_allowed(command):
    """As timeout=0 in Python."""
    result = run(command, LONG_COUNT, "--timeout", 0)
    assert result.exit_code == 1
    if command != "check":
        assert "not finished within 0 seconds" in result.stderr


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "x", "1e99", ""])
def test_an_invalid_time_limit_is_refused_by_every_command(text):
    for command in ("check", "match", "reduce", "games"):
        result = run(command, *[CONSISTENT] * (command == "check"), "--timeout", text)
        assert result.exit_code == 2
        expected = "expected seconds, such as 0, 0.5 or 60, found "
        assert expected in result.stderr


def test_the_alarm_interrupts_once_and_is_removed():
    previous_handler = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeLimitInterrupt), interrupt_after(0.05):
        time.sleep(10)
    with interrupt_after(30):
        pass
    with interrupt_after(None):
        pass
    assert signal.getsignal(signal.SIGALRM) is previous_handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_an_interrupt_that_a_callback_ignored_is_raised_again():
    previous_hook = sys.unraisablehook
    called = []

    def callback(phase, _):
        if phase == "start" and not called:
            called.append(phase)
            time.sleep(0.3)

    def collect_then_sleep():
        gc.collect()
        time.sleep(10)

    gc.callbacks.append(callback)
    started = time.monotonic()
    try:
        with pytest.raises(TimeLimitInterrupt), interrupt_after(0.1):
            collect_then_sleep()
    finally:
        gc.callbacks.remove(callback)
    assert called
    assert time.monotonic() - started < 5
    assert sys.unraisablehook is previous_hook
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_updates_of_the_progress_line_keep_the_alarm(monkeypatch):
    """On a terminal, the progress line and the time limit use the same signal."""
    monkeypatch.setattr("mmsat.cli.output.FIRST_UPDATE_SECONDS", 0.01)
    monkeypatch.setattr("mmsat.cli.output.UPDATE_SECONDS", 0.01)
    progress = Progress("working")
    progress.is_shown = True
    shown = []
    monkeypatch.setattr(progress, "show", lambda: shown.append(1))

    def work_then_sleep():
        with progress.running():
            time.sleep(0.1)
        time.sleep(10)

    with pytest.raises(TimeLimitInterrupt), interrupt_after(0.3):
        work_then_sleep()
    assert shown
    with pytest.raises(TimeLimitInterrupt), interrupt_after(0.1), progress.running():
        time.sleep(10)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("seconds", [None, 60])
def test_no_timer_runs_when_the_previous_handler_returns(seconds, monkeypatch):
    """Otherwise, a signal in between would end the process, if that is the default handler."""
    progress, set_handler, timers = Progress("working"), signal.signal, []

    def record(number, handler):
        timers.append(signal.getitimer(signal.ITIMER_REAL))
        return set_handler(number, handler)

    progress.is_shown = True
    with interrupt_after(seconds):
        with progress.running():
            monkeypatch.setattr(signal, "signal", record)
        monkeypatch.undo()
        assert timers == [(0, 0)]
        assert (signal.getitimer(signal.ITIMER_REAL)[0] > 50) is (seconds is not None)


def test_the_time_limit_interrupts_only_once(monkeypatch):
    """The progress line of a terminal calls the handler of the limit again after the interrupt."""
    monkeypatch.setattr("mmsat.cli.output.UPDATE_SECONDS", 0.01)
    progress = Progress("working")
    progress.is_shown = True
    with interrupt_after(0.05):
        with pytest.raises(TimeLimitInterrupt), progress.running():
            time.sleep(10)
        time.sleep(0.1)


def test_a_job_keeps_its_best_answer_at_the_time_limit():
    job = Job("nothing", "working")

    def work():
        job.note("something")
        time.sleep(10)

    with interrupt_after(0.05):
        assert job.run(work) == "something"
    assert job.code == 1
