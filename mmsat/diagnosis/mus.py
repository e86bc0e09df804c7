"""From rows that contradict each other to a minimal conflict (MUS) among them.

Rows are left out, at first one, and twice as many after each success; half as many when the rest
then has a code. What refutes the rest names the rows that it took, and all others go with them. A
row stays when a code misses it alone; the neighbors of that code show the same of other rows.
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
    """A minimal conflict within rows that no code satisfies together.

    It is shown to be minimal by codes that are scored again: each misses one of its rows alone.
    """
    rest = oracle.core_of(rows)
    if rest is None:
        raise InternalError(f"rows {sorted(rows)} of {oracle.board} do not conflict")
    if oracle.used_interleaved:
        rest = oracle.core_of(shrink_by_farkas(oracle, rest)) or rest
    witnesses = Witnesses(oracle)
    order = partial(need, oracle) if oracle.used_counting else None
    rest = shrink_to_mus(rest, oracle.core_of, witnesses.needed_rows, order)
    witnesses.verify(rest)
    return rest


def need(oracle: SubsetOracle, row: int) -> tuple[int, float, int]:
    """What sorts the rows of a dense board: last those without which questions take long.

    That is what it took to refute all others, in the work of a first round. Of rows that were not
    asked about, or are as easy, those come first that leave pegs the most ways: rows that rule out
    most make all questions easier, on 30 pegs and colors by a factor of 10. For a walk over lattice
    points these are rows that few codes satisfy, on 30 pegs and six colors by a factor of three.
    """
    system = oracle.system
    others = system.variables.colors - 1 if oracle.lattice_rounds else 1
    share = 0.0
    for literals, low, high in system.rows[row]:
        if all(isinstance(each, int) and system.variables.is_at(each) for each in literals):
            pegs = len(literals)
            ways = sum(comb(pegs, n) * others ** (pegs - n) for n in range(max(0, low), high + 1))
            share += log2(max(1, ways)) - pegs * log2(others + 1)
    first_rounds = oracle.omission_costs.get(row, 0) // (FAILURE_COST * LIMITS.dense_failures)
    return first_rounds, -share, -row


def shrink_to_mus(
    rows: Rows,
    core_of: Callable[[Rows], Rows | None],
    needed: Callable[[Rows], Iterable[int]],
    order: Callable[[int], Any] | None = None,
) -> Rows:
    """Rows that have a core, while no smaller set of them has one.

    `core_of` tells rows that contradict each other among some, or None. After None, `needed` is
    asked which of the rows in question are needed, and tells at least the row left out, if it was
    one. Rows are left out in an order, else from the last to the first, as slips tend to be found
    late.
    """
    kept: set[int] = set()
    many = 1
    while left := sorted(rows - kept, key=order or neg):
        core = core_of(rows.difference(left[:many]))
        if core is not None:
            rows = core
            many *= 2
        else:
            kept.update(needed(rows))
            many = max(1, many // 2)
    return rows


class Witnesses:
    """Codes that show which rows are needed."""

    def __init__(self, oracle: SubsetOracle) -> None:
        """None is known."""
        self.oracle = oracle
        self.codes: dict[int, Code] = {}
        """By row: a code that satisfies all rows in question but this one."""
        self.rotation: Any = None

    def needed_rows(self, rows: Rows) -> set[int]:
        """Of rows that contradict each other, those shown to be needed by the oracle's last code.

        The code and, where questions are dear, codes around it, one move after the other.
        """
        oracle, code = self.oracle, self.oracle.code
        if code is None or not (critical := oracle.violations.critical_rows(code, rows)):
            return set()
        if not (oracle.is_wide or oracle.used_interleaved) or not suits(oracle.board):
            self.codes |= dict.fromkeys(critical, code)
            return critical
        if self.rotation is None:
            self.rotation = ModelRotation(oracle.board)
        found, new = critical, dict.fromkeys(critical, code)
        while new:
            self.codes |= new
            seen = {
                row: neighbor
                for witness in new.values()
                for row, neighbor in self.rotation.missing_one(witness, rows).items()
            }
            new = {row: seen[row] for row in seen.keys() - found - self.codes.keys()}
            found = found | new.keys()
        return found

    def verify(self, rows: Rows) -> None:
        """Raise InternalError where no code satisfies all but one row, for some of the rows."""
        for row in rows:
            code = self.codes.get(row)
            if code is None or row not in self.oracle.violations.critical_rows(code, rows):
                raise InternalError(f"row {row} of {sorted(rows)} is not needed: {code}")


def shrink_by_farkas(oracle: SubsetOracle, rows: Rows, *, most: int = LARGEST) -> Rows:
    """Fewer of the rows that seem to contradict each other; the same if linear programming fails.

    Where only search refutes, each question is dear; this shrinks in big steps beforehand. The rows
    that count least in the contradiction are left out first. That was measured to leave fewer rows
    in the end, and with fewer rows it is easier to find codes for all but one of them.
    """
    linear = LinearSystem.of(oracle.system)
    if is_too_large(linear.hard, linear.rows, most):
        return rows
    relaxation = Relaxation(linear.variables, linear.hard, linear.rows)
    added = relaxation.farkas_multipliers(rows)
    kept: set[int] = set()
    many = 1
    while added is not None:
        sizes = {row: max(map(abs, added[row])) for row in added.keys() - kept}
        left = sorted(sizes, key=lambda row: (sizes[row], row))
        if not left:
            return frozenset(added)
        fewer = relaxation.farkas_multipliers(added.keys() - set(left[:many]))
        if fewer is not None:
            added, many = fewer, 2 * many
        elif many == 1:
            kept.add(left[0])
        else:
            many //= 2
    return rows
