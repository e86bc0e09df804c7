"""A smallest conflict (SMUS) without all others, by implicit hitting sets.

The method is that of Ignatiev, Previti, Liffiton and Marques-Silva (2015). Every conflict has a row
of each correction set, so no conflict is smaller than a smallest hitting set of those found so far.
If that hitting set has a code, it leads to another correction set; if not, it is a conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from typing import Any

from mmsat.diagnosis.marco import grow
from mmsat.diagnosis.mus import shrink
from mmsat.limits import LIMITS
from mmsat.results.verdict import Conflict
from mmsat.solving.queries.oracle import SubsetOracle
from mmsat.solving.queries.query import Rows


def smallest_mus(oracle: SubsetOracle) -> Conflict | None:
    """A conflict with as few rows as any; None for a consistent board."""
    found = None
    for smaller in smaller_muses(oracle):
        found = smaller
    return found


def smaller_muses(
    oracle: SubsetOracle, than: Conflict | None = None, work: int | None = None
) -> Iterator[Conflict]:
    """Yield minimal conflicts, each with fewer rows than the one before; the last is a smallest.

    With a conflict given, only those with fewer rows `than` that; with none, a consistent board has
    no conflict. It gives up after so much `work`, in propagations, if any is named.
    """
    last = None if work is None else oracle.work + work
    best = None if than is None else len(than.rows)
    is_apart = True
    rows: Rows = frozenset()
    with hitting_sets(len(oracle.everything)) as hitting:
        while is_apart or best is None or len(rows) < best:
            if last is not None and oracle.work > last:
                return
            code = oracle.find(rows)
            if code is None:
                mus = shrink(oracle, oracle.core)
                if best is None or len(mus) < best:
                    best = len(mus)
                    yield Conflict(tuple(sorted(mus)))
                is_apart = False
            else:
                mcs = oracle.everything - grow(oracle, oracle.violations.satisfied_rows(code, rows))
                if not mcs:
                    return
                hitting.hit(sorted(mcs))
                if is_apart:  # at first, sets without a common row: one row of each is needed
                    rows |= mcs
                    continue
            rows = frozenset(hitting.get())


def hitting_sets(rows: int) -> AbstractContextManager[Any]:
    """What is told sets of rows by `hit`, and of which `get` asks for a smallest hitting set."""
    if rows <= LIMITS.hitting_rows:
        return nullcontext(FewSets())
    from pysat.examples.hitman import Hitman  # noqa: PLC0415  (a solver)

    hitman: AbstractContextManager[Any] = Hitman(solver="m22", htype="sorted")
    return hitman


class FewSets:
    """Sets of a few rows, whose smallest hitting set is found by search."""

    def __init__(self) -> None:
        """None yet."""
        self.sets: list[Sequence[int]] = []

    def hit(self, rows: Sequence[int]) -> None:
        """One set more."""
        self.sets.append(rows)

    def get(self) -> list[int]:
        """A smallest hitting set."""
        found = (hit_all(self.sets, size) for size in count())
        return next(rows for rows in found if rows is not None)


def hit_all(sets: Iterable[Sequence[int]], size: int) -> list[int] | None:
    """A hitting set of at most so many rows, if there is one."""
    missed = min(sets, key=len, default=None)
    if missed is None:
        return []
    if size:
        for row in missed:
            others = hit_all([each for each in sets if row not in each], size - 1)
            if others is not None:
                return [row, *others]
    return None
