"""Shared configuration: settings of hypothesis, and the selection of cases by tier."""

from __future__ import annotations

import signal
from collections import defaultdict
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

import mmsat
from tests.support import tiers

if TYPE_CHECKING:
    import pytest

# Tests send Ctrl-C. A process that a shell starts in the background ignores it by default.
signal.signal(signal.SIGINT, signal.default_int_handler)
# A busy machine is not a failure, so examples are not timed.
settings.register_profile(
    "untimed",
    deadline=None,
    max_examples=tiers.share(100),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("untimed")
# For the same reason, `check` may take longer than usual to find why a board is inconsistent.
mmsat.check.__wrapped__.__kwdefaults__["reason"] = 20.0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select the cases of each test that the tier runs.

    The quick tier runs one of every twenty cases of a test, and at least the first one. The tests
    of the page in a browser take half of the time of `make test`, which runs half of their cases.
    """
    if tiers.TIER == "all":
        return
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    kept: set[pytest.Item] = set()
    for name, items_of_test in cases.items():
        if tiers.TIER == "quick":
            kept.update(items_of_test[:: tiers.SHARES["quick"]])
        else:
            in_browser = "browser" in getattr(items_of_test[0], "fixturenames", ())
            kept.update(tiers.half(items_of_test, name) if in_browser else items_of_test)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def pytest_runtest_teardown() -> None:
    """Stop the timer of python-sat's solvers maplechrono and maplecm, which tests use directly.

    They leave a timer of 2500 s, and its signal would end the process of the tests.
    """
    signal.setitimer(signal.ITIMER_REAL, 0)
