"""What all tests share: the slice of them that `make quick` takes."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tests import tiers

if TYPE_CHECKING:
    import pytest


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
