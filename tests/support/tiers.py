"""The number of random cases of a law, by the tier of tests.

`make quick` runs a slice of every law, `make test` a third, and `make test-all` everything. A law
gets its share of all cases here, and at least one, so that it cannot pass without cases.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

SHARES = {"quick": 20, "test": 3, "all": 1}
"""Divisor of the number of cases by tier."""

SLOWNESS = int(os.environ.get("MMSAT_SLOWNESS", "1"))
"""How many times as long all takes, as under the sanitizers: for tests that give some time."""

TIER = os.environ.get("MMSAT_TIER", "test")


def share(cases: int, *, least: int = 1) -> int:
    """How many of some cases this tier takes, and no fewer than it takes to see every kind."""
    return max(least, cases // SHARES[TIER])


def at_least(seen: int) -> int:
    """Return a bound that the number of cases must exceed: half the share in a smaller tier.

    In the full tier it is the number itself. Compare with `>`: 0 still requires one case.
    """
    return seen if SHARES[TIER] == 1 else share(seen) // 2


def part(cases: Sequence[T], index: int) -> Sequence[T]:
    """Return a quarter of the cases, chosen by the index; in the full tier, all of them.

    Tests of the same question use different indices to share the cases.
    """
    return cases if SHARES[TIER] == 1 else cases[index % 4 :: 4]


def half(cases: Sequence[T], name: str) -> list[T]:
    """Return half of the cases of a test, and at least one: the 1st, 4th, 5th, 8th and so on.

    For half of the names, these are the others: the 2nd, 3rd, 6th, 7th and so on. If each case has
    two variants, one after the other, one variant of each case is returned.
    """
    start = crc32(name.encode()) % 2
    chosen = [case for n, case in enumerate(cases, start) if (n + (n - start) // 2) % 2 == 0]
    return chosen or list(cases)
