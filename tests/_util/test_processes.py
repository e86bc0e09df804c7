"""Bulk tasks: ordered, with bounded queues, reproducible with any executor, and cleaned up."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from copy import copy
from itertools import count, islice
from pathlib import Path

import pytest

import mmsat
from mmsat._util import processes
from mmsat._util.processes import in_order, open_executor
from mmsat.errors import InputError, MmsatError
from mmsat.game.game import Game
from mmsat.game.names import PUBLISHED_GAMES
from tests.support.bulk import BULK


class LazyExecutor(Executor):
    """An executor that runs a task when its result is requested, and counts pending tasks."""

    def __init__(self):
        self.num_pending = self.max_pending = 0
        self.cancelled = []

    def submit(self, function, *arguments):
        self.num_pending += 1
        self.max_pending = max(self.max_pending, self.num_pending)
        future = Future()

        def result():
            self.num_pending -= 1
            return function(*arguments)

        future.result = result
        future.cancel = lambda: self.cancelled.append(arguments)
        return future


def square(number):
    return number * number


def die():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    "num_tasks",
    [
        0,
        1,
        processes.MAX_PENDING_TASKS - 1,
        processes.MAX_PENDING_TASKS,
        5 * processes.MAX_PENDING_TASKS,
    ],
)
def test_pending_tasks_are_limited_and_results_are_in_order(num_tasks):
    executor = LazyExecutor()
    numbers = ((number,) for number in range(num_tasks))
    assert list(in_order(executor, square, numbers)) == [square(n) for n in range(num_tasks)]
    assert executor.max_pending == min(num_tasks, processes.MAX_PENDING_TASKS)


def test_an_infinite_iterable_of_tasks_is_read_when_needed():
    executor = LazyExecutor()
    source = count()
    results = in_order(executor, square, ((number,) for number in source))
    assert list(islice(results, 3)) == [0, 1, 4]
    assert next(source) <= processes.MAX_PENDING_TASKS + 3
    results.close()
    assert len(executor.cancelled) == executor.num_pending


def test_a_process_that_is_killed_is_reported():
    with (
        pytest.raises(MmsatError, match="the worker processes ended"),
        open_executor(jobs=2) as executor,
    ):
        list(in_order(executor, die, [()]))


def test_jobs_and_dask_exclude_each_other_and_one_job_needs_no_executor():
    with (
        pytest.raises(InputError, match="expected jobs=1 with dask"),
        open_executor(2, "tcp://127.0.0.1:1"),
    ):
        pass
    with open_executor() as executor:
        assert executor is None


def test_workers_end_with_their_parent():
    """The parent is killed, or ends while its workers have tasks of an hour."""
    code = (
        "import time, sys, multiprocessing; from mmsat._util.processes import open_executor\n"
        "with open_executor(2) as executor:\n"
        "    futures = [executor.submit(time.sleep, 3600) for _ in range(9)]\n"
        "    print(*(child.pid for child in multiprocessing.active_children()), flush=True)\n"
        "    time.sleep(float(sys.argv[1]))\n"
    )
    for seconds in (3600, 0.1):
        parent = subprocess.Popen(
            [sys.executable, "-c", code, str(seconds)], stdout=subprocess.PIPE, text=True
        )
        workers = [int(word) for word in parent.stdout.readline().split()]
        assert len(workers) == 2
        if seconds > 1:
            parent.kill()
        parent.wait(60)
        parent.stdout.close()
        for _ in range(200):
            if not any(map(is_running, workers)):
                break
            time.sleep(0.05)
        assert not any(map(is_running, workers))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("name", BULK)
def test_output_does_not_depend_on_the_executor(name, tmp_path):
    expected = BULK[name](tmp_path / "one", None)
    assert expected
    with open_executor(2) as executor:
        assert BULK[name](tmp_path / "two", executor) == expected


@pytest.mark.long
def test_output_does_not_depend_on_killed_workers_of_a_scheduler(tmp_path):
    pytest.importorskip("distributed")
    command = [sys.executable, "-m", "tests.support.scheduled", str(tmp_path)]
    completed = subprocess.run(command, check=False, timeout=300, capture_output=True, text=True)
    assert completed.stdout.split() == [*BULK, "command"], completed.stderr


def test_published_games_are_sent_by_name(tmp_path):
    for name in PUBLISHED_GAMES:
        game = Game.parse(name)
        assert len(pickle.dumps(game)) < 300
        assert copy(game) == game
    words = tmp_path / "words.txt"
    words.write_text("crane\nslate\nbrick\n", "utf-8")
    game = Game.parse(f"word:{words}")
    words.unlink()
    assert copy(game) == game


def test_analyze_uses_an_executor_only_for_samples():
    with pytest.raises(InputError, match="a sample"):
        mmsat.analyze("4x6", "knuth", executor=LazyExecutor())
