"""The queue is fair, and every question has limits of time and memory."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path

import pytest

from mmsat.web.pool import (
    CONTEXT,
    NO_WORKER,
    QUEUE_TIMEOUT,
    START_ATTEMPTS,
    WORKER_DIED,
    Lane,
    Limits,
    Pool,
    Worker,
)
from tests.support.cli_runner import CONSISTENT, LONG_COUNT
from tests.support.planted_boards import planted
from tests.support.web_client import ENDLESS


class Idler:
    """A stand-in for a worker: it is always alive, and gets no question."""

    def is_dead(self):
        return False


def run_in_thread(work):
    """Return the result of a coroutine that runs in another thread.

    Page tests have an event loop in this thread.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def answers(pool, *questions, client="somebody"):
    """Return the last message for each question, sent one after the other."""
    results = []
    for question, given in questions:
        async with aclosing(pool.ask(client, question, given)) as messages:
            results.append([message async for message in messages][-1])
    return results


def with_pool(limits, work):
    """Return the result of `work`, called with an open pool."""

    async def run():
        pool = Pool(limits)
        await pool.open()
        try:
            return await work(pool)
        finally:
            await pool.close()

    return run_in_thread(run())


async def is_gone(group):
    """Wait until a process group has ended; return whether it did within ten seconds."""
    for _ in range(1000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        await asyncio.sleep(0.01)
    return False


def test_clients_are_served_in_turn():
    """A client with many questions does not get the next free worker if others wait."""

    async def run():
        lane, served = Lane(Limits(), max_seconds=1.0, niceness=0), []
        lane.idle = [worker := Idler()]

        async def ask(client):
            taken = await lane.take(client)
            served.append(client)
            await asyncio.sleep(0)
            lane.offer(taken)

        await asyncio.gather(*map(ask, "aaaaabbc"))
        assert lane.idle == [worker]
        return "".join(served)

    # The first question of a gets the idle worker; the second one was the first in the queue.

    assert run_in_thread(run()) == "aabcabaa"


def test_a_canceled_question_passes_its_worker_on():
    async def run():
        lane = Lane(Limits(), max_seconds=1.0, niceness=0)
        gone = asyncio.ensure_future(lane.take("a"))
        stays = asyncio.ensure_future(lane.take("b"))
        await asyncio.sleep(0)
        gone.cancel()
        lane.offer("worker")
        return await stays

    assert run_in_thread(run()) == "worker"


class Talker:
    """A stand-in for a worker: it sends a note when `told` is set, and counts its notes."""

    def __init__(self):
        self.told, self.num_messages, self.is_killed = asyncio.Event(), 0, False

    def send(self, *_):
        pass

    def is_dead(self):
        return False

    def kill(self):
        self.is_killed = True

    async def receive(self):
        await self.told.wait()
        self.told.clear()
        self.num_messages += 1
        return {"note": {}}


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("num_iterations", range(8))
def test_a_cancellation_that_comes_with_a_message_is_obeyed(num_iterations, is_late, monkeypatch):
    """A cancellation that comes with the time limit of a lane (`is_late`) is obeyed, too.

    Otherwise, abandoned questions would occupy the workers.
    """
    monkeypatch.setattr(Lane, "replace", lambda _: None)

    async def run():
        pool, talkers = Pool(Limits(quick_seconds=0.01 if is_late else 60.0)), []
        for lane in pool.lanes:
            lane.idle = [Talker()]
            talkers += lane.idle

        async def ask():
            async with aclosing(pool.ask("somebody", "count", {})) as messages:
                async for _ in messages:
                    pass

        task = asyncio.ensure_future(ask())
        await asyncio.sleep(0)
        if is_late:
            await asyncio.sleep(0.01)
        else:
            talkers[0].told.set()
        for _ in range(num_iterations):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=0.5)
        assert task.cancelled()
        assert not any(lane.busy for lane in pool.lanes)
        assert not pool.num_questions
        return talkers

    talkers = run_in_thread(run())
    assert talkers[0].is_killed


def test_a_simple_question_that_misses_the_quick_lane_does_not_wait_for_hard_ones():
    """For example because the machine stalled while it was in the quick lane."""

    async def work(pool):
        flood = asyncio.ensure_future(answers(pool, ("count", {"board": ENDLESS})))
        while not pool.slow.busy:  # noqa: ASYNC110  (there is no notification)
            await asyncio.sleep(0.01)
        pool.quick.max_seconds, pool.medium.max_seconds = 0.0, 600.0
        (checked,) = await answers(pool, ("check", {"board": CONSISTENT}), client="other")
        assert pool.slow.busy
        flood.cancel()
        await asyncio.gather(flood, return_exceptions=True)
        return checked

    checked = with_pool(Limits(workers=1, quick_seconds=0.1), work)
    assert checked["answer"]["answer"]["verdict"] == "consistent"


def test_questions_end_at_their_time_limit_with_partial_results():
    async def work(pool):
        counted = await answers(pool, ("count", {"board": ENDLESS}))
        pool.slow.max_seconds = 1.0
        large = f"1000x1000/{'-'.join(map(str, range(1, 1001)))}=1.400"
        suggested = await answers(pool, ("suggest", {"board": large}))
        pool.slow.max_seconds = 60.0
        return *counted, *suggested, *await answers(pool, ("check", {"board": CONSISTENT}))

    limits = Limits(workers=1, quick_seconds=0.2, seconds=0.5, grace_seconds=60.0)
    counted, suggested, checked = with_pool(limits, work)
    assert counted["answer"]["answer"]["exact"] is False
    assert suggested["error"]["status"] == 504
    assert checked["answer"]["answer"]["verdict"] == "consistent"


def test_workers_have_a_memory_limit():
    """A process that exceeds the limit reports an error or is killed."""

    async def work(pool):
        return await answers(pool, ("odds", {"board": LONG_COUNT}), ("odds", {"board": LONG_COUNT}))

    result = with_pool(Limits(workers=1, memory=1 << 20, quick_seconds=600.0, seconds=600.0), work)
    assert [entry["error"]["status"] for entry in result] == [422, 422]


@pytest.mark.parametrize(
    ("question", "board"),
    [
        ("check", "20x6/11111111112222222222=3.0/11111111112222222222=4.0"),
        ("explain", str(planted("9x6", 12, seed=1).changed({0: (9, 0), 4: (0, 9)}))),
    ],
)
@pytest.mark.parametrize("quick_seconds", [0.02, 0.05, 0.1, 0.3])
def test_partial_results_never_shrink_when_a_question_changes_lanes(question, board, quick_seconds):
    """Each lane restarts the work, but the client receives each finding once."""

    async def work(pool):
        return [message async for message in pool.ask("somebody", question, {"board": board})]

    messages = with_pool(Limits(workers=1, quick_seconds=quick_seconds), work)
    num_findings = [
        count_findings(question, message.get("note") or message["answer"]) for message in messages
    ]
    assert num_findings == sorted(num_findings)
    assert num_findings[-1] > num_findings[0]


def count_findings(question, document):
    """Return the number of conflicts and corrections in an answer."""
    answer = document["answer"]
    if question == "check":
        return (answer["conflict"] is not None) + (answer["correction"] is not None)
    return len(answer["conflicts"]) + len(answer["corrections"])


@pytest.mark.parametrize("wait", [0.02, 0.3, 0.9])
def test_work_is_canceled_when_the_client_leaves(wait):
    async def work(pool):
        messages = pool.ask("somebody", "count", {"board": ENDLESS})
        task = asyncio.ensure_future(anext(messages))
        await asyncio.sleep(wait)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await messages.aclose()
        assert not any(lane.busy for lane in pool.lanes)
        assert not pool.num_questions
        return await answers(pool, ("check", {"board": CONSISTENT}))

    (checked,) = with_pool(Limits(workers=1, quick_seconds=0.05), work)
    assert checked["answer"]["answer"]["verdict"] == "consistent"


def test_a_worker_that_was_killed_while_idle_is_replaced():
    async def work(pool):
        for worker in [worker for lane in pool.lanes for worker in lane.idle]:
            worker.process.kill()
            await worker.reader.read()
        return await answers(pool, *[("check", {"board": CONSISTENT})] * 3)

    for checked in with_pool(Limits(workers=1), work):
        assert checked["answer"]["answer"]["verdict"] == "consistent"


@pytest.mark.parametrize(
    ("lane", "quick_seconds"), [("quick", 60.0), ("medium", 0.3), ("slow", 0.05)]
)
def test_a_worker_killed_during_an_answer_is_reported_and_replaced(lane, quick_seconds):
    """Neither its process nor the processes that it started remain."""

    async def work(pool):
        asked = asyncio.ensure_future(answers(pool, ("count", {"board": ENDLESS})))
        while not (busy := getattr(pool, lane).busy):  # noqa: ASYNC110  (there is no notification)
            await asyncio.sleep(0.01)
        (worker,) = busy
        await asyncio.sleep(0.3)
        worker.process.kill()
        (text,) = await asked
        assert text["error"]["status"] == 422
        assert WORKER_DIED in text["error"]["message"]
        assert await is_gone(worker.process.pid)
        return await answers(pool, *[("check", {"board": CONSISTENT})] * 2)

    for checked in with_pool(Limits(workers=1, quick_seconds=quick_seconds), work):
        assert checked["answer"]["answer"]["verdict"] == "consistent"


def test_a_worker_that_used_much_memory_is_replaced():
    large = str(planted("20x8", 4, seed=1))

    async def work(pool):
        results = []
        for board in (CONSISTENT, CONSISTENT, large, CONSISTENT):
            results += await answers(pool, ("odds", {"board": board}))
            await asyncio.gather(*pool.quick.starting)
            (worker,) = pool.quick.idle
            results.append(worker.process.pid)
        return results

    *result, checked, last = with_pool(Limits(workers=1, quick_seconds=30.0), work)
    # The client does not get the worker's request to be replaced.
    assert all("last" not in entry and entry["answer"] for entry in (*result[::2], checked))
    # Only the worker of the large board is replaced.
    assert result[1] == result[3] != result[5] == last


@pytest.fixture
def stumble(monkeypatch):
    """Make the start of workers fail with some errors, one after the other."""
    start, errors = Worker.start, []

    async def start_or_fail(limits):
        if errors:
            raise errors.pop(0)
        return await start(limits)

    monkeypatch.setattr("mmsat.web.pool.FIRST_PAUSE", 0.01)
    monkeypatch.setattr(Worker, "start", start_or_fail)
    return errors


def kill_idle(pool):
    """End the idle worker of the quick lane."""
    pool.quick.end(pool.quick.idle.pop())


def test_a_worker_that_cannot_be_started_is_tried_again(stumble, caplog):
    """For every error, such as a lack of files, processes or threads."""
    errors = [
        OSError(24, "Too many open files"),
        EOFError(),
        RuntimeError("can't start new thread"),
    ]
    errors += [MemoryError(), ValueError("anything"), BrokenPipeError()]

    async def work(pool):
        stumble.extend(errors)
        kill_idle(pool)
        return await answers(pool, ("check", {"board": CONSISTENT}))

    (checked,) = with_pool(Limits(workers=1), work)
    assert checked["answer"]["answer"]["verdict"] == "consistent"
    assert not stumble
    texts = [record.getMessage() for record in caplog.records]
    assert texts == [
        f"starting a worker failed (attempt {number}): {error!r}"
        for number, error in enumerate(errors, 1)
    ]


def test_clients_are_refused_while_no_worker_can_be_started(stumble):
    """The number of attempts is limited. The next question starts further attempts."""

    async def work(pool):
        stumble.extend([RuntimeError("can't start new thread")] * START_ATTEMPTS * 2)
        kill_idle(pool)
        question = ("check", {"board": CONSISTENT})
        both = await asyncio.gather(answers(pool, question), answers(pool, question, client="b"))
        assert (pool.quick.num_missing, len(pool.quick.waiting)) == (1, 0)
        again = await answers(pool, question)
        assert not stumble
        assert not pool.num_questions
        return [*both[0], *both[1], *again, *await answers(pool, question, question)]

    *refused, checked, last = with_pool(Limits(workers=1), work)
    for answer in refused:
        assert answer == {"error": {"status": 503, "message": NO_WORKER, "faults": []}}
    for answer in (checked, last):
        assert answer["answer"]["answer"]["verdict"] == "consistent"


def test_waiting_questions_get_the_remaining_worker_of_a_lane(stumble):
    async def work(pool):
        stumble.extend([OSError()] * START_ATTEMPTS)
        pool.quick.busy.add(worker := pool.quick.idle.pop())
        kill_idle(pool)
        asked = asyncio.ensure_future(answers(pool, ("check", {"board": CONSISTENT})))
        while not pool.quick.num_missing:  # noqa: ASYNC110  (there is no notification)
            await asyncio.sleep(0.01)
        pool.quick.busy.discard(worker)
        pool.quick.offer(worker)
        (checked,) = await asked
        return checked

    checked = with_pool(Limits(workers=2), work)
    assert checked["answer"]["answer"]["verdict"] == "consistent"


def test_waiting_for_a_worker_has_a_time_limit():
    """The question is refused, and removed from the queue."""

    async def work():
        pool = Pool(Limits(workers=1, seconds=0.1, grace_seconds=0.1))
        (refused,) = await answers(pool, ("check", {"board": CONSISTENT}))
        assert not pool.quick.waiting
        return refused

    assert run_in_thread(work()) == {
        "error": {"status": 503, "message": QUEUE_TIMEOUT, "faults": []}
    }


def test_a_worker_that_is_assigned_at_the_time_limit_is_not_lost():
    async def work():
        lane = Lane(Limits(seconds=0.05, grace_seconds=0.0), max_seconds=1.0, niceness=0)
        taking = asyncio.ensure_future(lane.take("a"))
        await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        loop.call_at(loop.time() + 0.05, lane.offer, "worker")
        (taken,) = await asyncio.gather(taking, return_exceptions=True)
        return "worker" in (taken, *lane.idle)

    assert run_in_thread(work())


def test_a_failed_start_closes_its_files(monkeypatch):
    def fail(_):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(CONTEXT.Process, "start", fail)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(10):
        with pytest.raises(OSError, match="temporarily"):
            Worker.fork(Limits())
    assert len(list(Path("/proc/self/fd").iterdir())) == before
