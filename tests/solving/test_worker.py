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
from mmsat.solving.deadline import Deadline, TimeUpError, run, stream
from mmsat.solving.worker import first_result

MAX_SECONDS = 30
"""Time limit in seconds, which is exceeded only if something hangs."""


@pytest.fixture(autouse=True)
def _no_child_remains():
    yield
    assert multiprocessing.active_children() == []


def add(one, other):
    return one + other


def squares(number):
    for index in range(number):
        yield index * index


def count_forever():
    number = 0
    while True:
        yield number
        number += 1
        time.sleep(0.001)


def missing_modules():
    """Return the modules that the fork server should have imported, and that are not here."""
    return sorted(set(worker.PRELOADED_MODULES) - set(sys.modules))


def hang():
    while True:
        time.sleep(1)


def die(cause):
    if cause == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(3)


def yield_pid():
    yield os.getpid()
    yield from count_forever()


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
    """Call a function in a second thread, and return its result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join(MAX_SECONDS)
    assert not thread.is_alive()
    (result,) = results
    return result


def test_results_and_items_are_returned_in_order():
    assert run(Deadline(), add, 2, 3) == 5
    assert run(Deadline(MAX_SECONDS), add, "a", "b") == "ab"
    assert list(stream(Deadline(), squares, 5)) == [0, 1, 4, 9, 16]
    assert list(stream(Deadline(MAX_SECONDS), squares, 0)) == []


def test_large_results_are_returned_completely():
    assert run(Deadline(), add, [1] * 10**6, [2]) == [1] * 10**6 + [2]


def test_the_generator_runs_in_another_process():
    items = stream(Deadline(), yield_pid)
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
def test_exceptions_are_raised_in_the_parent(error):
    with pytest.raises(type(error)) as caught:
        run(Deadline(), fail, error)
    assert str(caught.value) == str(error)
    assert caught.value.__dict__ == error.__dict__


def test_an_exception_is_raised_after_the_items_yielded_before_it():
    items = stream(Deadline(), yield_then_fail)
    assert next(items) == 1
    with pytest.raises(SizeError, match="after the first"):
        next(items)


def test_a_call_with_missing_arguments_raises_an_exception():
    with pytest.raises(TypeError):
        run(Deadline(), add, 1)


@pytest.mark.parametrize(
    ("cause", "reason"),
    [("kill", "was killed, probably because memory ran out"), ("exit", "ended with 3")],
)
def test_the_error_of_a_child_that_dies_suggests_another_engine(cause, reason):
    with pytest.raises(MmsatError) as caught:
        run(Deadline(MAX_SECONDS), die, cause)
    assert str(caught.value) == f"the solver's process {reason}; try another engine"


@pytest.mark.parametrize("seconds", [0, 0.05, 0.3])
def test_the_deadline_ends_work_that_hangs(seconds):
    started = time.monotonic()
    with pytest.raises(TimeUpError):
        run(Deadline(seconds), hang)
    assert time.monotonic() - started < MAX_SECONDS


def test_items_before_the_deadline_are_yielded():
    items = stream(Deadline(1), count_forever)
    received = [next(items)]
    with pytest.raises(TimeUpError):
        received.extend(iter(lambda: next(items), None))
    assert received == list(range(len(received)))


def test_closing_the_stream_ends_the_process():
    items = stream(Deadline(), yield_pid)
    pid = next(items)
    assert is_alive(pid)
    items.close()
    assert not is_alive(pid)


def test_dropping_the_stream_ends_the_process():
    items = stream(Deadline(), yield_pid)
    pid = next(items)
    del items
    assert not is_alive(pid)


def test_a_stream_that_is_never_read_starts_no_process():
    items = stream(Deadline(), count_forever)
    assert multiprocessing.active_children() == []
    items.close()


def test_an_exception_of_the_reader_ends_the_process():
    def read():
        for pid in stream(Deadline(), yield_pid):
            pids.append(pid)
            raise KeyboardInterrupt

    pids = []
    with pytest.raises(KeyboardInterrupt):
        read()
    assert not is_alive(pids[0])


def test_a_second_thread_can_start_a_process():
    assert in_a_thread(lambda: run(Deadline(MAX_SECONDS), add, 2, 3)) == 5
    assert in_a_thread(lambda: list(stream(Deadline(MAX_SECONDS), squares, 3))) == [0, 1, 4]


def test_deadlines_and_errors_work_in_a_second_thread():
    def outcome(seconds, *call):
        try:
            return run(Deadline(seconds), *call)
        except (TimeUpError, MmsatError) as error:
            return type(error)

    assert in_a_thread(lambda: outcome(2, hang)) is TimeUpError
    assert in_a_thread(lambda: outcome(MAX_SECONDS, fail, SizeError("x"))) is SizeError


def test_two_streams_can_be_read_alternately():
    first, second = stream(Deadline(), squares, 4), stream(Deadline(), squares, 4)
    assert list(zip(first, second, strict=True)) == [(n * n, n * n) for n in range(4)]


def write_and_hang(path):
    path.write_text(str(os.getpid()))
    hang()


def wait_for(path, result):
    while not path.exists() or not path.read_text():
        time.sleep(0.001)
    return result


def die_during_a_message():
    worker._pipe._send_bytes = lambda _: os.write(worker._pipe.fileno(), b"\0\0\0\x63x")
    worker._pipe.send(None)
    die("kill")


def fail_in_a_library():
    library = {"__name__": "pysat.solvers"}
    exec("def solve(): raise KeyError('boom')", library)  # noqa: S102
    library["solve"]()


@pytest.mark.parametrize("order", [1, -1])
def test_the_first_result_wins_the_race_and_the_other_process_is_killed(order, tmp_path):
    path = tmp_path / "pid"
    jobs = [(write_and_hang, path), (wait_for, path, "done")][::order]
    assert first_result(*jobs) == "done"
    assert not is_alive(int(path.read_text()))


@pytest.mark.parametrize(
    "failing_job",
    [
        (fail, SizeError("large")),
        (fail, MissingError("missing")),
        (fail, MemoryError()),
        (fail, ImportError("no such file")),
        (die, "kill"),
        (die_during_a_message,),
        (fail_in_a_library,),
    ],
)
def test_a_job_that_fails_leaves_the_race_to_the_other_job(failing_job):
    assert first_result(failing_job, (add, 1, 2)) == 3
    assert first_result((add, 1, 2), failing_job) == 3


def test_if_all_jobs_fail_the_last_error_is_raised():
    with pytest.raises(MmsatError, match=r"^(large|small)$"):
        first_result((fail, SizeError("large")), (fail, SizeError("small")))


def test_the_error_names_a_library_that_fails():
    with pytest.raises(LibraryError, match=r"the library pysat failed: KeyError: 'boom'"):
        run(Deadline(MAX_SECONDS), fail_in_a_library)


@pytest.mark.skipif(
    sys.platform != "linux", reason="other systems do not signal the end of the parent"
)
def test_a_worker_that_starts_after_the_end_of_its_parent_ends():
    with pytest.raises(DiedError, match="ended with 1"):
        run(Deadline(MAX_SECONDS), worker.obey_parent, 1)


def test_an_internal_error_ends_the_race():
    with pytest.raises(InternalError, match="wrong"):
        first_result((fail, InternalError("wrong")), (hang,))


def race_in_a_process(path):
    return first_result((write_and_hang, path), (hang,))


def test_a_deadline_kills_all_processes_of_a_race(tmp_path):
    path = tmp_path / "pid"
    with pytest.raises(TimeUpError):
        run(Deadline(0.5), race_in_a_process, path)
    end = time.monotonic() + MAX_SECONDS
    while path.exists() and is_alive(int(path.read_text())):  # orphans end with a delay
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no fork server")
def test_processes_of_a_second_thread_have_the_modules_that_most_calls_need():
    assert in_a_thread(lambda: run(Deadline(MAX_SECONDS), missing_modules)) == []
