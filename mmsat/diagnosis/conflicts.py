"""All minimal conflicts of a board, all minimal correction sets, and a smallest conflict.

The method for all is MARCO (Liffiton, Previti, Malik and Marques-Silva 2016).

A second solver, the map, knows which sets of rows are still unexplored. A set that has a code is
grown to a maximal one: no conflict lies within it. A set that has none is shrunk to a minimal
conflict: no further conflict contains it. Each answer is blocked on the map, until it is empty.
What a maximal set leaves out is a minimal correction set.

A smallest conflict is found without all others, by implicit hitting sets (Ignatiev, Previti,
Liffiton and Marques-Silva 2015): every conflict has a row of each correction set, so no conflict is
smaller than the smallest choice of rows that has one of each found so far. If that choice has a
code, it leads to another correction set; if it has none, it is a conflict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.diagnosis.refutation import refutation
from mmsat.diagnosis.shrink import shrink
from mmsat.results import Conflict
from mmsat.solving.sat import pysat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.board import Board
    from mmsat.diagnosis.oracle import RowOracle, Rows


def conflicts(oracle: RowOracle) -> Iterator[Conflict]:
    """Yield every minimal conflict of the oracle's board, in no particular order, each once."""
    for found in explored(oracle):
        if isinstance(found, Conflict):
            yield found


def correction_sets(oracle: RowOracle) -> Iterator[Rows]:
    """Yield every minimal set of rows (from 0) without which the board has a code, each once.

    With other scores in just these rows the board is consistent: with those of some code that
    satisfies all others. A consistent board has one such set, the empty one. Conflicts and these
    sets are dual: each are the minimal sets that have a row in common with every one of the others
    (Reiter 1987).
    """
    for found in explored(oracle):
        if not isinstance(found, Conflict):
            yield found


def explored(oracle: RowOracle) -> Iterator[Conflict | Rows]:
    """Yield every minimal conflict, and every minimal correction set, as they are come upon."""
    everything = frozenset(range(len(oracle.board.rows)))
    with pysat().Solver(name="minisat22") as chart:
        chart.set_phases([row + 1 for row in everything])  # prefer large sets
        for row in everything:
            chart.add_clause([row + 1, -row - 1])  # every row is known to the map
        while chart.solve():
            seed = frozenset(number - 1 for number in chart.get_model() if number > 0)
            code = oracle.find(seed)
            if code is None:
                conflict = shrink(oracle, oracle.core)
                yield Conflict(tuple(sorted(conflict)))
                chart.add_clause([-row - 1 for row in sorted(conflict)])
            else:
                largest = grow(oracle, oracle.satisfied(code), everything)
                yield everything - largest
                chart.add_clause([row + 1 for row in sorted(everything - largest)])


def smallest_conflict(oracle: RowOracle) -> Conflict | None:
    """A conflict with as few rows as any; None for a consistent board."""
    found = None
    for each in smaller_conflicts(oracle):
        found = each
    return found


def smaller_conflicts(
    oracle: RowOracle, than: Conflict | None = None, work: int | None = None
) -> Iterator[Conflict]:
    """Yield minimal conflicts, each with fewer rows than the one before; the last is a smallest.

    With a conflict given, only those with fewer rows `than` that; with none, a consistent board has
    no conflict. It gives up after so much `work`, if any is named.
    """
    from pysat.examples.hitman import Hitman  # noqa: PLC0415  (a solver)

    last = None if work is None else oracle.work + work
    best = None if than is None else len(than.rows)
    is_apart = True
    rows: Rows = frozenset()
    with Hitman(solver="m22", htype="sorted") as hitting:
        while is_apart or best is None or len(rows) < best:
            if last is not None and oracle.work > last:
                return
            code = oracle.find(rows)
            if code is None:
                conflict = shrink(oracle, oracle.core)
                if best is None or len(conflict) < best:
                    best = len(conflict)
                    yield Conflict(tuple(sorted(conflict)))
                is_apart = False
            else:
                missed = oracle.everything - grow(oracle, oracle.satisfied(code), oracle.everything)
                if not missed:
                    return
                hitting.hit(sorted(missed))
                if is_apart:  # at first, sets without a common row: one row of each is needed
                    rows |= missed
                    continue
            rows = frozenset(hitting.get())


def proven(board: Board, rows: Iterable[int]) -> Conflict:
    """The conflict that rows are, with a refutation if there is a short one."""
    numbers = tuple(sorted(rows))
    found = refutation(board.only(numbers), thorough=True)
    return Conflict(numbers, None if found is None else found.renumbered(numbers))


def grow(oracle: RowOracle, rows: Rows, everything: Rows) -> Rows:
    """A maximal set of rows with a code that contains rows which have one."""
    for row in sorted(everything):
        if row not in rows:
            code = oracle.find(rows | {row})
            if code is not None:
                rows = oracle.satisfied(code)
    return rows
