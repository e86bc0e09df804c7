"""A smallest conflict (SMUS) without enumerating all conflicts, by implicit hitting sets.

The algorithm is that of Ignatiev, Previti, Liffiton and Marques-Silva (2015). Every conflict has a
row of each correction set, so no conflict is smaller than a smallest hitting set of the correction
sets found so far. If this hitting set has a code, the code leads to another correction set. If not,
the hitting set is a conflict.
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
    """Return a conflict with as few rows as possible; None if the board is consistent."""
    smallest = None
    for smaller in smaller_muses(oracle):
        smallest = smaller
    return smallest


def smaller_muses(
    oracle: SubsetOracle, than: Conflict | None = None, work: int | None = None
) -> Iterator[Conflict]:
    """Yield minimal conflicts, each with fewer rows than the one before; the last is smallest.

    If a conflict `than` is given, only conflicts with fewer rows are yielded. A consistent board
    yields none. The search ends early once its queries cost more than `work`, if given; see
    `SubsetOracle.work`.
    """
    max_work = None if work is None else oracle.work + work
    best_size = None if than is None else len(than.rows)
    is_disjoint = True
    rows: Rows = frozenset()
    with hitting_set_solver(len(oracle.everything)) as hitting:
        while is_disjoint or best_size is None or len(rows) < best_size:
            if max_work is not None and oracle.work > max_work:
                return
            code = oracle.find(rows)
            if code is None:
                mus = shrink(oracle, oracle.core)
                if best_size is None or len(mus) < best_size:
                    best_size = len(mus)
                    yield Conflict(tuple(sorted(mus)))
                is_disjoint = False
            else:
                mcs = oracle.everything - grow(oracle, oracle.violations.satisfied_rows(code, rows))
                if not mcs:
                    return
                hitting.hit(sorted(mcs))
                if is_disjoint:  # at first, sets without a common row: one row of each is needed
                    rows |= mcs
                    continue
            rows = frozenset(hitting.get())


def hitting_set_solver(rows: int) -> AbstractContextManager[Any]:
    """Return a solver for smallest hitting sets: `hit` adds a set of rows, `get` returns one."""
    if rows <= LIMITS.hitting_rows:
        return nullcontext(SmallHittingSets())
    from pysat.examples.hitman import Hitman

    hitman: AbstractContextManager[Any] = Hitman(solver="m22", htype="sorted")
    return hitman


class SmallHittingSets:
    """Sets of rows from a small board, whose smallest hitting set is found by search."""

    def __init__(self) -> None:
        """Start without sets."""
        self.sets: list[Sequence[int]] = []

    def hit(self, rows: Sequence[int]) -> None:
        """Add a set."""
        self.sets.append(rows)

    def get(self) -> list[int]:
        """Return a smallest hitting set."""
        solutions = (find_hitting_set(self.sets, size) for size in count())
        return next(rows for rows in solutions if rows is not None)


def find_hitting_set(sets: Iterable[Sequence[int]], size: int) -> list[int] | None:
    """Return a hitting set of at most `size` rows, or None."""
    missed = min(sets, key=len, default=None)
    if missed is None:
        return []
    if size:
        for row in missed:
            others = find_hitting_set(
                [other_set for other_set in sets if row not in other_set], size - 1
            )
            if others is not None:
                return [row, *others]
    return None
