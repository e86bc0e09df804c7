"""Worker processes: results, failures, and cleanup."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time

import pytest

from mmsat.errors import (
    DiedError,
    Fault,
    InputError,
    InternalError,
    LibraryError,
    MissingError,
    MmsatError,
    SizeError,
)
from mmsat.solving import worker
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.isolation import run, stream
from mmsat.solving.worker import race

HANG = 30
"""Seconds that no step here comes near, unless something hangs."""


@pytest.fixture(autouse=True)
def _no_child_is_left():
    yield
    assert multiprocessing.active_children() == []


def add(one, other):
    return one + other


def squares(number):
    for index in range(number):
        yield index * index


def for_ever():
    number = 0
    while True:
        yield number
        number += 1
        time.sleep(0.001)


def never():
    while True:
        time.sleep(1)


def die(how):
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(3)


def identify():
    yield os.getpid()
    yield from for_ever()


def fail(error):
    raise error


def yield_then_fail():
    yield 1
    message = "after the first"
    raise SizeError(message)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def in_a_thread(function):
    """Return the result of a function that a second thread calls."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join(HANG)
    assert not thread.is_alive()
    (result,) = results
    return result


def test_results_and_items_come_back_in_order():
    assert run(Deadline(), add, 2, 3) == 5
    assert run(Deadline(HANG), add, "a", "b") == "ab"
    assert list(stream(Deadline(), squares, 5)) == [0, 1, 4, 9, 16]
    assert list(stream(Deadline(HANG), squares, 0)) == []


def test_large_results_come_back_whole():
    assert run(Deadline(), add, [1] * 10**6, [2]) == [1] * 10**6 + [2]


def test_the_work_is_done_in_another_process():
    items = stream(Deadline(), identify)
    assert next(items) != os.getpid()
    items.close()


@pytest.mark.parametrize(
    "error",
    [
        SizeError("too large"),
        InternalError("a contradiction"),
        ZeroDivisionError("division by zero"),
        InputError([Fault("a rule", "got", "write", 2, 3), Fault("another", 1, "x")], "a thing"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_exceptions_travel(error):
    with pytest.raises(type(error)) as caught:
        run(Deadline(), fail, error)
    assert str(caught.value) == str(error)
    assert caught.value.__dict__ == error.__dict__


def test_an_exception_comes_after_the_items_before_it():
    items = stream(Deadline(), yield_then_fail)
    assert next(items) == 1
    with pytest.raises(SizeError, match="after the first"):
        next(items)


def test_a_function_that_cannot_be_found_there_is_an_exception_too():
    with pytest.raises(TypeError):
        run(Deadline(), add, 1)


@pytest.mark.parametrize(
    ("how", "reason"),
    [("kill", "was killed, probably because memory ran out"), ("exit", "ended with 3")],
)
def test_a_child_that_dies_is_an_error_that_tells_what_to_do(how, reason):
    with pytest.raises(MmsatError) as caught:
        run(Deadline(HANG), die, how)
    assert str(caught.value) == f"the solver's process {reason}; try another engine"


@pytest.mark.parametrize("seconds", [0, 0.05, 0.3])
def test_the_deadline_ends_work_that_would_not_end(seconds):
    started = time.monotonic()
    with pytest.raises(TimeUpError):
        run(Deadline(seconds), never)
    assert time.monotonic() - started < HANG


def test_items_until_the_deadline_are_kept():
    items = stream(Deadline(1), for_ever)
    got = [next(items)]
    with pytest.raises(TimeUpError):
        got.extend(iter(lambda: next(items), None))
    assert got == list(range(len(got)))


def test_closing_the_stream_ends_the_process():
    items = stream(Deadline(), identify)
    pid = next(items)
    assert is_alive(pid)
    items.close()
    assert not is_alive(pid)


def test_dropping_the_stream_ends_the_process():
    items = stream(Deadline(), identify)
    pid = next(items)
    del items
    assert not is_alive(pid)


def test_a_stream_that_is_never_read_starts_nothing():
    items = stream(Deadline(), for_ever)
    assert multiprocessing.active_children() == []
    items.close()


def test_an_exception_of_the_reader_ends_the_process():
    def read():
        for pid in stream(Deadline(), identify):
            pids.append(pid)
            raise KeyboardInterrupt

    pids = []
    with pytest.raises(KeyboardInterrupt):
        read()
    assert not is_alive(pids[0])


def test_a_second_thread_starts_its_process_afresh():
    assert in_a_thread(lambda: run(Deadline(HANG), add, 2, 3)) == 5
    assert in_a_thread(lambda: list(stream(Deadline(HANG), squares, 3))) == [0, 1, 4]


def test_deadlines_and_errors_hold_in_a_second_thread():
    def outcome(seconds, *work):
        try:
            return run(Deadline(seconds), *work)
        except (TimeUpError, MmsatError) as error:
            return type(error)

    assert in_a_thread(lambda: outcome(2, never)) is TimeUpError
    assert in_a_thread(lambda: outcome(HANG, fail, SizeError("x"))) is SizeError


def test_two_streams_can_be_read_by_turns():
    one, other = stream(Deadline(), squares, 4), stream(Deadline(), squares, 4)
    assert list(zip(one, other, strict=True)) == [(n * n, n * n) for n in range(4)]


def write_and_hang(path):
    path.write_text(str(os.getpid()))
    never()


def wait_for(path, result):
    while not path.exists() or not path.read_text():
        time.sleep(0.001)
    return result


def die_amid_a_message():
    worker._pipe._send_bytes = lambda _: os.write(worker._pipe.fileno(), b"\0\0\0\x63x")
    worker._pipe.send(None)
    die("kill")


def fail_in_a_library():
    library = {"__name__": "pysat.solvers"}
    exec("def solve(): raise KeyError('boom')", library)  # noqa: S102
    library["solve"]()


@pytest.mark.parametrize("order", [1, -1])
def test_who_is_first_wins_the_race_and_the_other_is_ended(order, tmp_path):
    path = tmp_path / "pid"
    jobs = [(write_and_hang, path), (wait_for, path, "done")][::order]
    assert race(*jobs) == "done"
    assert not is_alive(int(path.read_text()))


@pytest.mark.parametrize(
    "out",
    [
        (fail, SizeError("large")),
        (fail, MissingError("missing")),
        (fail, MemoryError()),
        (fail, ImportError("no such file")),
        (die, "kill"),
        (die_amid_a_message,),
        (fail_in_a_library,),
    ],
)
def test_who_gives_up_leaves_the_race_to_the_other(out):
    assert race(out, (add, 1, 2)) == 3
    assert race((add, 1, 2), out) == 3


def test_when_all_give_up_the_last_reason_is_reported():
    with pytest.raises(MmsatError, match=r"^(large|small)$"):
        race((fail, SizeError("large")), (fail, SizeError("small")))


def test_a_library_that_fails_is_named():
    with pytest.raises(LibraryError, match=r"the library pysat failed: KeyError: 'boom'"):
        run(Deadline(HANG), fail_in_a_library)


@pytest.mark.skipif(sys.platform != "linux", reason="nobody is told there")
def test_who_starts_after_its_parent_has_ended_ends():
    with pytest.raises(DiedError, match="ended with 1"):
        run(Deadline(HANG), worker.obey_parent, 1)


def test_a_bug_ends_the_race():
    with pytest.raises(InternalError, match="wrong"):
        race((fail, InternalError("wrong")), (never,))


def race_in_a_process(path):
    return race((write_and_hang, path), (never,))


def test_a_deadline_ends_a_race_with_all_who_run(tmp_path):
    path = tmp_path / "pid"
    with pytest.raises(TimeUpError):
        run(Deadline(0.5), race_in_a_process, path)
    until = time.monotonic() + HANG
    while path.exists() and is_alive(int(path.read_text())):  # the kernel ends orphans in its time
        assert time.monotonic() < until
        time.sleep(0.01)
