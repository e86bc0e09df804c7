"""Shrink conflicting rows to a minimal conflict (MUS).

Chunks of rows are removed: one row at first, twice as many after each refutation, and half as many
after a code was found. The core of a refutation removes further rows. A row is kept if a code
violates it alone; neighbors of that code show the same for other rows.
"""

from collections.abc import Callable, Iterable
from functools import partial
from math import comb, log2
from operator import neg
from typing import Any

from mmsat.constraints.algebra.games import suits
from mmsat.diagnosis.model_rotation import ModelRotation
from mmsat.encoding.linear import LinearSystem
from mmsat.errors import InternalError
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.solving.farkas import LARGEST, Relaxation, is_too_large
from mmsat.solving.queries.oracle import FAILURE_COST, SubsetOracle
from mmsat.solving.queries.query import Rows


def shrink(oracle: SubsetOracle, rows: Iterable[int]) -> Rows:
    """Return a minimal conflict within rows that no code satisfies.

    Codes prove that it is minimal: each violates only one of its rows, and is scored again.
    """
    conflict = oracle.core_of(rows)
    if conflict is None:
        raise InternalError(f"rows {sorted(rows)} of {oracle.board} do not conflict")
    if oracle.used_interleaved:
        conflict = oracle.core_of(shrink_by_farkas(oracle, conflict)) or conflict
    witnesses = Witnesses(oracle)
    order = partial(removal_order, oracle) if oracle.used_counting else None
    conflict = shrink_to_mus(conflict, oracle.core_of, witnesses.needed_rows, order)
    witnesses.verify(conflict)
    return conflict


def removal_order(oracle: SubsetOracle, row: int) -> tuple[int, float, int]:
    """Return the sort key of a row of a dense board: rows that are cheap to remove come first.

    The cost is that of refuting all other rows, in budgets of a first round. Rows of equal or
    unknown cost are sorted by how little they restrict the pegs. Rows that restrict much make all
    queries easier: by a factor of 10 on 30 pegs and colors, and if lattices decide, by a factor of
    3 on 30 pegs and six colors.
    """
    system = oracle.system
    other_colors = system.variables.colors - 1 if oracle.lattice_rounds else 1
    log_share = 0.0
    for literals, low, high in system.rows[row]:
        if all(
            isinstance(literal, int) and system.variables.is_at(literal) for literal in literals
        ):
            pegs = len(literals)
            counts = range(max(0, low), high + 1)
            allowed_patterns = sum(comb(pegs, n) * other_colors ** (pegs - n) for n in counts)
            log_share += log2(max(1, allowed_patterns)) - pegs * log2(other_colors + 1)
    first_rounds = oracle.omission_costs.get(row, 0) // (FAILURE_COST * LIMITS.dense_failures)
    return first_rounds, -log_share, -row


def shrink_to_mus(
    rows: Rows,
    core_of: Callable[[Rows], Rows | None],
    needed: Callable[[Rows], Iterable[int]],
    order: Callable[[int], Any] | None = None,
) -> Rows:
    """Return a minimal unsatisfiable subset of unsatisfiable rows.

    - `core_of`: returns an unsatisfiable subset of some rows, or None if a code satisfies them.
    - `needed`: called after None with the current rows; returns rows that cannot be removed. If a
      single row was removed, that row is among them.
    - `order`: sort key of the rows, which are removed in this order; by default, from the last to
      the first, because errors tend to be found late.
    """
    kept: set[int] = set()
    chunk = 1
    while candidates := sorted(rows - kept, key=order or neg):
        core = core_of(rows.difference(candidates[:chunk]))
        if core is not None:
            rows = core
            chunk *= 2
        else:
            kept.update(needed(rows))
            chunk = max(1, chunk // 2)
    return rows


class Witnesses:
    """Codes that show which rows are needed."""

    def __init__(self, oracle: SubsetOracle) -> None:
        self.oracle = oracle
        self.codes: dict[int, Code] = {}
        """By row: a code that satisfies all other rows of the conflict."""
        self.rotation: Any = None

    def needed_rows(self, rows: Rows) -> set[int]:
        """Return the conflicting rows that the oracle's last code shows to be needed.

        If queries are expensive, codes near that code are tried as well, by model rotation.
        """
        oracle, code = self.oracle, self.oracle.code
        if code is None or not (critical := oracle.violations.critical_rows(code, rows)):
            return set()
        if not (oracle.is_wide or oracle.used_interleaved) or not suits(oracle.board):
            self.codes |= dict.fromkeys(critical, code)
            return critical
        if self.rotation is None:
            self.rotation = ModelRotation(oracle.board)
        needed, new_codes = critical, dict.fromkeys(critical, code)
        while new_codes:
            self.codes |= new_codes
            neighbors = {
                row: neighbor
                for witness in new_codes.values()
                for row, neighbor in self.rotation.find_critical_neighbors(witness, rows).items()
            }
            new_codes = {
                row: neighbors[row] for row in neighbors.keys() - needed - self.codes.keys()
            }
            needed = needed | new_codes.keys()
        return needed

    def verify(self, rows: Rows) -> None:
        """Raise InternalError if a row has no code that satisfies all other rows."""
        for row in rows:
            code = self.codes.get(row)
            if code is None or row not in self.oracle.violations.critical_rows(code, rows):
                raise InternalError(f"row {row} of {sorted(rows)} is not needed: {code}")


def shrink_by_farkas(oracle: SubsetOracle, rows: Rows, *, most: int = LARGEST) -> Rows:
    """Return a subset of the rows that the linear relaxation refutes, or all rows if it does not.

    If only search refutes, queries are expensive, and this removes many rows first. The rows
    with the smallest Farkas multipliers are removed first. This was measured to leave fewer rows,
    and with fewer rows, codes for all but one of them are easier to find.
    """
    linear = LinearSystem.of(oracle.system)
    if is_too_large(linear.hard, linear.rows, most):
        return rows
    relaxation = Relaxation(linear.variables, linear.hard, linear.rows)
    multipliers = relaxation.farkas_multipliers(rows)
    kept: set[int] = set()
    chunk = 1
    while multipliers is not None:
        sizes = {row: max(map(abs, multipliers[row])) for row in multipliers.keys() - kept}
        candidates = sorted(sizes, key=lambda row: (sizes[row], row))
        if not candidates:
            return frozenset(multipliers)
        fewer = relaxation.farkas_multipliers(multipliers.keys() - set(candidates[:chunk]))
        if fewer is not None:
            multipliers, chunk = fewer, 2 * chunk
        elif chunk == 1:
            kept.add(candidates[0])
        else:
            chunk //= 2
    return rows
