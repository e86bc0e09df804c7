"""The number of random cases of a law, by the tier of tests.

The tier is the extent of a run of the tests: "quick" (`make quick`) runs a twentieth of the cases
of every law, "test" (`make test`) a third, and "all" (`make test-all`) all of them. `share` returns
the number of cases in this tier. It is at least one, so that a law cannot pass without a case.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

SHARES = {"quick": 20, "test": 3, "all": 1}
"""The number by which the number of cases is divided, by tier."""

SLOWNESS = int(os.environ.get("MMSAT_SLOWNESS", "1"))
"""The factor by which this run is slower than usual, for example under the sanitizers. Time limits
in tests are multiplied by it."""

TIER = os.environ.get("MMSAT_TIER", "test")


def share(cases: int, *, least: int = 1) -> int:
    """Return how many cases to run in this tier if the full tier has `cases`; at least `least`.

    A test that must see every kind of case needs a larger `least` than 1.
    """
    return max(least, cases // SHARES[TIER])


def at_least(seen: int) -> int:
    """Return a bound that the number of random cases of some kind must exceed in this tier.

    `seen` is the bound in the full tier. In a smaller tier, the bound is half of its share, because
    small numbers of cases vary more. Compare with `>`: a bound of 0 still requires one case.
    """
    return seen if SHARES[TIER] == 1 else share(seen) // 2


def part(cases: Sequence[T], index: int) -> Sequence[T]:
    """Return a quarter of the cases, chosen by the index; in the full tier, all of them.

    Tests of the same question use different indices to share the cases.
    """
    return cases if SHARES[TIER] == 1 else cases[index % 4 :: 4]


def half(cases: Sequence[T], name: str) -> list[T]:
    """Return half of the cases of a test, and at least one of them.

    Depending on the name of the test, these are the 1st, 4th, 5th, 8th and so on, or the 2nd, 3rd,
    6th, 7th and so on. If each case has two variants, which are neighbors, one variant of each case
    is returned, and the first and the second variant alternate.
    """
    start = crc32(name.encode()) % 2
    chosen = [case for n, case in enumerate(cases, start) if (n + (n - start) // 2) % 2 == 0]
    return chosen or list(cases)
