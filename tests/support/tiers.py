"""How many random cases a law takes, by the tier of tests that runs.

`make quick` takes a slice of every law, `make test` a third, `make test-all` everything. A law asks
here for its share of all cases and gets at least one, so that none can pass on nothing.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

SHARES = {"quick": 20, "test": 3, "all": 1}
"""By tier: one case of so many is taken."""

SLOWNESS = int(os.environ.get("MMSAT_SLOWNESS", "1"))
"""How many times as long all takes, as under the sanitizers: for tests that give some time."""

TIER = os.environ.get("MMSAT_TIER", "test")


def share(cases: int, *, least: int = 1) -> int:
    """How many of some cases this tier takes, and no fewer than it takes to see every kind."""
    return max(least, cases // SHARES[TIER])


def at_least(seen: int) -> int:
    """What more than so many cases of a law must show: half its share in a smaller tier, or more.

    Where all cases are taken it is the number itself. Compare with `>`: 0 still asks for one.
    """
    return seen if SHARES[TIER] == 1 else share(seen) // 2


def part(cases: Sequence[T], index: int) -> Sequence[T]:
    """A quarter of some cases, the next one for the next index; where all are taken, all of them.

    So that many who answer the same question share its cases: each has other ones.
    """
    return cases if SHARES[TIER] == 1 else cases[index % 4 :: 4]
