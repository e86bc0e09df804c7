"""Bulk tasks: ordered, with bounded queues, reproducible with any executor, without leftovers."""

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


class Lazy(Executor):
    """An executor that runs a task when its result is requested, and counts pending tasks."""

    def __init__(self):
        self.waiting = self.most = 0
        self.cancelled = []

    def submit(self, function, *arguments):
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        future = Future()

        def result():
            self.waiting -= 1
            return function(*arguments)

        future.result = result
        future.cancel = lambda: self.cancelled.append(arguments)
        return future


def square(number):
    return number * number


def die():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    "many",
    [
        0,
        1,
        processes.MAX_PENDING_TASKS - 1,
        processes.MAX_PENDING_TASKS,
        5 * processes.MAX_PENDING_TASKS,
    ],
)
def test_few_are_on_the_way_and_all_come_in_order(many):
    executor = Lazy()
    numbers = ((number,) for number in range(many))
    assert list(in_order(executor, square, numbers)) == [square(n) for n in range(many)]
    assert executor.most == min(many, processes.MAX_PENDING_TASKS)


def test_an_endless_supply_is_taken_as_it_is_needed():
    executor = Lazy()
    source = count()
    result = in_order(executor, square, ((number,) for number in source))
    assert list(islice(result, 3)) == [0, 1, 4]
    assert next(source) <= processes.MAX_PENDING_TASKS + 3
    result.close()
    assert len(executor.cancelled) == executor.waiting


def test_a_process_that_is_killed_is_reported():
    with (
        pytest.raises(MmsatError, match="the worker processes ended"),
        open_executor(jobs=2) as executor,
    ):
        list(in_order(executor, die, [()]))


def test_here_or_there():
    with (
        pytest.raises(InputError, match="expected jobs=1 with dask"),
        open_executor(2, "tcp://127.0.0.1:1"),
    ):
        pass
    with open_executor() as executor:
        assert executor is None


def test_no_process_outlives_its_parent():
    """Neither a killed process nor one that ends while its children work for an hour."""
    code = (
        "import time, sys, multiprocessing; from mmsat._util.processes import open_executor\n"
        "with open_executor(2) as executor:\n"
        "    futures = [executor.submit(time.sleep, 3600) for _ in range(9)]\n"
        "    print(*(each.pid for each in multiprocessing.active_children()), flush=True)\n"
        "    time.sleep(float(sys.argv[1]))\n"
    )
    for seconds in (3600, 0.1):
        running = subprocess.Popen(
            [sys.executable, "-c", code, str(seconds)], stdout=subprocess.PIPE, text=True
        )
        workers = [int(word) for word in running.stdout.readline().split()]
        assert len(workers) == 2
        if seconds > 1:
            running.kill()
        running.wait(60)
        running.stdout.close()
        for _ in range(200):
            if not any(map(is_running, workers)):
                break
            time.sleep(0.05)
        assert not any(map(is_running, workers))


def is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("name", BULK)
def test_whoever_does_it_the_bytes_are_the_same(name, tmp_path):
    wanted = BULK[name](tmp_path / "one", None)
    assert wanted
    with open_executor(2) as executor:
        assert BULK[name](tmp_path / "two", executor) == wanted


@pytest.mark.long
def test_workers_of_a_scheduler_are_killed_and_others_come(tmp_path):
    pytest.importorskip("distributed")
    command = [sys.executable, "-m", "tests.support.scheduled", str(tmp_path)]
    done = subprocess.run(command, check=False, timeout=300, capture_output=True, text=True)
    assert done.stdout.split() == [*BULK, "command"], done.stderr


def test_published_games_are_sent_by_name(tmp_path):
    for name in PUBLISHED_GAMES:
        game = Game.parse(name)
        sent = pickle.dumps(game)
        assert len(sent) < 300
        assert copy(game) == game
    words = tmp_path / "words.txt"
    words.write_text("crane\nslate\nbrick\n", "utf-8")
    game = Game.parse(f"word:{words}")
    words.unlink()
    assert copy(game) == game


def test_a_tree_is_grown_here():
    with pytest.raises(InputError, match="a sample"):
        mmsat.analyze("4x6", "knuth", executor=Lazy())
