"""The server holds out against hostile clients, and answers others meanwhile."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.serve.clients import GOOD, is_late, is_right
from benchmarks.serve.hostile import ATTACKS
from benchmarks.serve.processes import Family
from tests.support import tiers
from tests.support.web_server import serving

pytestmark = pytest.mark.long


def test_hostile_clients_all_at_once_keep_nobody_from_right_answers():
    """Each in turn is what `python -m benchmarks serve --minutes 60` does for an hour."""
    times = tiers.share(6, least=2)
    with serving() as (process, address):
        family = Family(process.pid)
        before = family.sample()
        with ThreadPoolExecutor(len(ATTACKS)) as hostile:
            texts = {
                f"{name} {number}": hostile.submit(client, address, random.Random(number))
                for name, client in ATTACKS.items()
                for number in range(times)
            }
            answers = [
                answer
                for number in range(4 * times)
                for client in GOOD.values()
                for answer in client(address, f"127.0.1.{number + 1}", random.Random(number))
            ]
        after = family.sample()
    assert {name: entry.result() for name, entry in texts.items() if entry.result()} == {}
    assert [answer for answer in answers if not is_late(answer) and not is_right(*answer)] == []
    assert len(answers) >= 9 * times
    assert after.processes <= before.processes + 4
    assert after.files < 1000
