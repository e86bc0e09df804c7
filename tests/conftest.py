"""Shared configuration: settings of hypothesis, and the selection of `make quick`."""

from __future__ import annotations

import signal
from collections import defaultdict
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

import mmsat
from tests.support import tiers

if TYPE_CHECKING:
    import pytest

# Tests send Ctrl-C, which a shell that started them in the background lets them ignore.
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
    """In the quick tier, keep one of every twenty cases of a test, and at least its first."""
    if tiers.TIER != "quick":
        return
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    kept = {item for those in cases.values() for item in those[:: tiers.SHARES["quick"]]}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]
