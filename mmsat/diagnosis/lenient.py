"""Conflicts of boards with lies: rows of which every code misses more than the lies.

Each is minimal: without any one of its rows a code is within the lies. They are found as those
without lies are (see conflicts.py), by one incremental SAT solver that counts the rows in question.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from mmsat.constraints.lenient import Lenient
from mmsat.diagnosis.corrections import corrections
from mmsat.diagnosis.shrink import minimal
from mmsat.encoding.cnf import cnf
from mmsat.errors import InternalError
from mmsat.results import Conflict, Status
from mmsat.solving.sat import code_of, new_solver, pysat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.board import Board
    from mmsat.diagnosis.oracle import Rows
    from mmsat.game.row import Code
    from mmsat.results import Correction
    from mmsat.tolerance import Tolerance


class LenientOracle:
    """Answers, for sets of rows (from 0), whether a code is within the lies of these alone."""

    def __init__(self, board: Board, tolerance: Tolerance, *, solver: str = "minisat22") -> None:
        """Encode the board."""
        self.board = board
        self.tolerance = tolerance
        self.everything = frozenset(range(len(board.rows)))
        self.core: Rows = frozenset()
        """After a refusal: rows of the question of which every code misses more."""
        self.code: Code | None = None
        """The last answer."""
        formula = cnf(Lenient(board, tolerance), switched=True)
        self.selectors = formula.selectors
        self.solver: Any = new_solver(solver, formula)

    def find(self, rows: Iterable[int]) -> Code | None:
        """A code that is within the lies of these rows; None sets `core`."""
        row_of = {self.selectors[row]: row for row in rows}
        if self.solver.solve(assumptions=sorted(row_of)):
            self.code = code_of(self.solver.get_model(), self.board.game.variables)
            if not self.is_within(self.code, row_of.values()):
                message = (
                    f"{self.code} is beyond {self.tolerance} of rows {sorted(row_of.values())}"
                )
                raise InternalError(f"{message} of {self.board}")
        else:
            self.code = None
            self.core = frozenset(row_of[literal] for literal in self.solver.get_core() or [])
        return self.code

    def core_of(self, rows: Iterable[int]) -> Rows | None:
        """Those of the rows of which every code misses more, seldom minimal; None if one does."""
        return self.core if self.find(rows) is None else None

    def is_within(self, code: Code, rows: Iterable[int]) -> bool:
        """Whether a code is within the lies of some rows, by scoring it."""
        asked = frozenset(rows)
        misses = [miss for miss in self.tolerance.misses(self.board, code) if miss.row in asked]
        return self.tolerance.price(misses) <= self.tolerance.lies

    def needed(self, rows: Rows) -> set[int]:
        """Of rows that conflict, those without which the last code would be within the lies."""
        code = self.code
        return set() if code is None else {r for r in rows if self.is_within(code, rows - {r})}


def conflicts_within(oracle: LenientOracle) -> Iterator[Conflict]:
    """Yield every minimal conflict, in no particular order, each once; none if a code is within."""
    everything = oracle.everything
    with pysat().Solver(name="minisat22") as chart:
        chart.set_phases([row + 1 for row in everything])  # prefer large sets
        for row in everything:
            chart.add_clause([row + 1, -row - 1])  # every row is known to the map
        while chart.solve():
            seed = frozenset(number - 1 for number in chart.get_model() or [] if number > 0)
            if oracle.find(seed) is None:
                rows = minimal(oracle.core, oracle.core_of, oracle.needed)
                yield Conflict(tuple(sorted(rows)))
                chart.add_clause([-row - 1 for row in sorted(rows)])
            else:
                largest = grow(oracle, seed)
                chart.add_clause([row + 1 for row in sorted(everything - largest)])


def grow(oracle: LenientOracle, rows: Rows) -> Rows:
    """A maximal set of rows with a code within the lies that contains rows which have one."""
    code = oracle.code
    for row in sorted(oracle.everything - rows):
        more = rows | {row}
        if (code is not None and oracle.is_within(code, more)) or oracle.find(more) is not None:
            rows, code = more, oracle.code
    return rows


def find_lenient_reasons(
    board: Board, limit: int, tolerance: Tolerance, status: Status
) -> Iterator[Conflict | Correction | str]:
    """One conflict, all corrections, the other conflicts, as without lies.

    The corrections leave no lie; where the board has none as it stands, there is none to be made.
    """
    from mmsat.diagnosis.check import check  # noqa: PLC0415  (which asks for this)
    from mmsat.diagnosis.explain import limited  # noqa: PLC0415

    found: Iterator[Conflict] = iter(())
    if status is Status.INCONSISTENT:
        found = conflicts_within(LenientOracle(board, tolerance))
        first = next(found, None)
        if first is None:
            raise InternalError(f"no rows of {board} are beyond {tolerance}")
        yield first
    if status is Status.INCONSISTENT or not check(board, reason=False).is_consistent:
        yield from limited(corrections(board), limit, "corrections")
    else:
        yield "corrections"
    yield from limited(chain(found), limit - 1, "conflicts")
