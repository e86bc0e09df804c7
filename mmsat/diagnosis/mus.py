"""Minimal unsatisfiable subsets of rows (MUSes): one, a smallest one, or all of them.

Shrinking (`shrink`). Chunks of rows are removed: one row at first, twice as many after each
refutation, and half as many after a code was found. The core of a refutation removes further rows.
A row is kept if a code violates it alone; neighbors of that code show the same for other rows.

Model rotation (`ModelRotation`). On boards of two colors, neighbors of a code that violate another
row than the code are found without queries. A code that violates just one row of a set shows that
every conflict in the set needs that row. A neighbor, with one peg flipped or two different pegs
exchanged, may violate just one other row, and so show the same of that row [1, 2]. On sparse boards
this saves most queries.

All moves are scored together. Flipping peg p adds d_p, which is 1 or -1, to the black of a row. If
two pegs are exchanged, the weight of the code is the same, so the sum of black and white is too,
and each row requires one number of blacks. If a row is right, it stays right if d_p + d_q = 0. If
its black is too high (or too low) by two, it becomes right if both are -1 (or 1). These are
products of numbers by p and by q, so that the violated rows are counted, by p and q, by multiplying
matrices.

Smallest conflicts (`smallest_mus`). A smallest conflict (SMUS) is found without enumerating all
conflicts, by implicit hitting sets [3]. Every conflict has a row of each correction set, so no
conflict is smaller than a smallest hitting set of the correction sets found so far. If the rows of
this hitting set have a code, the code leads to another correction set. If not, the hitting set is a
conflict.

Enumeration (`marco`). All minimal conflicts (MUSes) and minimal correction sets (MCSes) are found
by MARCO [4]. A second solver, the map, represents the sets of rows that are still unexplored. A set
that has a code is grown to a maximal satisfiable one. No conflict is within it, and its complement
is an MCS. A set without a code is shrunk to an MUS, which no other MUS contains. Each result is
blocked on the map, until the map is empty.

References
----------
[1] Marques-Silva and Lynce (2011), "On improving MUS extraction algorithms", SAT 2011.
[2] Belov and Marques-Silva (2011), "Accelerating MUS extraction with recursive model rotation",
    FMCAD 2011.
[3] Ignatiev, Previti, Liffiton and Marques-Silva (2015), "Smallest MUS extraction with minimal
    hitting set dualization", CP 2015.
[4] Liffiton, Previti, Malik and Marques-Silva (2016), "Fast, flexible MUS enumeration", Constraints
    21.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import count
from math import comb, log2
from operator import neg
from typing import Any

from mmsat._util.arrays import np
from mmsat.constraints.two_color_games import suits
from mmsat.diagnosis.verdict import Conflict
from mmsat.encoding.linear import LinearSystem
from mmsat.errors import InternalError
from mmsat.game.board import Board
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.solving.queries.oracle import FAILURE_COST, SubsetOracle
from mmsat.solving.queries.query import Rows
from mmsat.solving.refutation import MAX_TERMS, Relaxation, is_too_large, refute
from mmsat.solving.sat import pysat

UNREAD = -1
MAX_EXAMINED_PAIRS = 4000
"""Maximum number of pairs of pegs that are examined further; many pairs show the same row."""
MAX_PEGS = 6000
"""Maximum number of pegs; with more, the pairs need too much memory."""


class ModelRotation:
    """The moves on a board of two colors; there are none on other boards."""

    def __init__(self, board: Board) -> None:
        """Create the arrays of guesses and scores."""
        self.is_applicable = suits(board) and board.game.space.has_repeats and bool(board.rows)
        if not self.is_applicable:
            return
        self.np: Any = np
        scoring = board.game.scoring.name
        stated = [[UNREAD if part is None else part for part in row.score] for row in board.rows]
        scores = np.array(stated, dtype=np.int32)
        all_unread = np.full(len(board.rows), UNREAD, dtype=np.int32)
        self.guesses = np.array([row.guess for row in board.rows], dtype=np.int8)
        self.black = all_unread if scoring == "color" else scores[:, 0]
        self.white = scores[:, 1] if scoring == "black-white" else all_unread
        self.common = scores[:, 0] if scoring == "color" else all_unread

    def find_critical_neighbors(self, code: Code, rows: Collection[int]) -> dict[int, Code]:
        """Return, by row, a neighbor of the code that violates only this one of `rows`, if any."""
        neighbors: dict[int, Code] = {}
        if self.is_applicable and rows and len(code) <= MAX_PEGS:
            row_array = self.np.array(sorted(rows), dtype=self.np.int64)
            for move, row in [*self._flips(code, row_array), *self._exchanges(code, row_array)]:
                neighbors.setdefault(row, flip(code, move))
        return neighbors

    def _common(self, weight: int, rows: Any) -> Any:
        """Return black plus white, by row, of a code with `weight` pegs of the second color."""
        ones = self.guesses[rows].sum(axis=1, dtype=self.np.int32)
        return self.guesses.shape[1] - abs(weight - ones)

    def _gains(self, code: Code, rows: Any) -> tuple[Any, Any]:
        """Return the black of each row, and its change by row and flipped peg."""
        np = self.np
        agree = self.guesses[rows] == np.array(code, dtype=np.int8)
        return agree.sum(axis=1, dtype=np.int32), 1 - 2 * agree.astype(np.int32)

    def _flips(self, code: Code, rows: Any) -> list[tuple[tuple[int, ...], int]]:
        """Return the pegs whose flip leaves a single violated row, each with that row."""
        np = self.np
        black, gains = self._gains(code, rows)
        blacks = black[:, None] + gains
        common_by_color = {color: self._common(sum(code) + 1 - 2 * color, rows) for color in (0, 1)}
        shared = np.stack([common_by_color[color] for color in code], axis=1)
        missed = self._violates(self.black, rows, blacks)
        missed |= self._violates(self.white, rows, shared - blacks)
        missed |= self._violates(self.common, rows, shared)
        pegs = np.flatnonzero(missed.sum(axis=0) == 1)
        violated_rows = rows[missed[:, pegs].argmax(axis=0)]
        return [
            ((peg,), row) for peg, row in zip(pegs.tolist(), violated_rows.tolist(), strict=True)
        ]

    @staticmethod
    def _violates(read: Any, rows: Any, actual: Any) -> Any:
        stated = read[rows][:, None]
        return (stated != UNREAD) & (stated != actual)

    def _exchanges(self, code: Code, rows: Any) -> list[tuple[tuple[int, ...], int]]:
        """Return the pairs of pegs whose exchange leaves a single violated row, each with that row.

        Rows that can be right after an exchange are grouped by `over`, the excess of their black:
        0, 2 or -2. Violated rows are counted per group. Rows of any other excess are violated by
        all exchanges.
        """
        np = self.np
        black, gains = self._gains(code, rows)
        shared = self._common(sum(code), rows)
        stated_black, white, common = self.black[rows], self.white[rows], self.common[rows]
        required_black = np.where(stated_black != UNREAD, stated_black, shared - white)
        requires_black = (stated_black != UNREAD) | (white != UNREAD)
        always_violated = (common != UNREAD) & (common != shared)
        always_violated |= (
            (stated_black != UNREAD) & (white != UNREAD) & (stated_black + white != shared)
        )
        over = black - required_black
        first, second = np.flatnonzero(np.array(code) == 1), np.flatnonzero(np.array(code) == 0)
        satisfied_gains = gains[requires_black & ~always_violated & (over == 0)].astype(np.float32)
        missed = (
            len(satisfied_gains) + satisfied_gains[:, first].T @ satisfied_gains[:, second]
        ) / 2
        for sign in (1, -1):
            off_gains = gains[requires_black & ~always_violated & (over == -2 * sign)]
            is_fixing = (off_gains == sign).astype(np.float32)
            missed += len(is_fixing) - is_fixing[:, first].T @ is_fixing[:, second]
        missed += int((always_violated | (requires_black & ~np.isin(over, (0, 2, -2)))).sum())
        ones, others = np.nonzero(missed == 1)
        step = 1 + len(ones) // MAX_EXAMINED_PAIRS
        ones, others = ones[::step], others[::step]
        pairs = first[ones], second[others]
        over_after = over[:, None] + gains[:, pairs[0]] + gains[:, pairs[1]]
        violated_rows = rows[
            (always_violated[:, None] | (requires_black[:, None] & (over_after != 0))).argmax(
                axis=0
            )
        ]
        moves = zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)
        return list(zip(moves, violated_rows.tolist(), strict=True))


def flip(code: Code, pegs: tuple[int, ...]) -> Code:
    """Return the code with the other color at some pegs."""
    return tuple(1 - color if peg in pegs else color for peg, color in enumerate(code))


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


def shrink_by_farkas(oracle: SubsetOracle, rows: Rows, *, most: int = MAX_TERMS) -> Rows:
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


def conflicts(oracle: SubsetOracle) -> Iterator[Conflict]:
    """Yield every minimal conflict (MUS) of the oracle's board once, in no particular order.

    With lies, a conflict is a minimal set of rows of which every code violates more than the lies.
    """
    for result in marco(oracle):
        if isinstance(result, Conflict):
            yield result


def correction_sets(oracle: SubsetOracle) -> Iterator[Rows]:
    """Yield every minimal correction set (MCS): rows, from 0, without which there is a code.

    If the rows of a set get the scores of some code that satisfies all other rows, the board is
    consistent. A consistent board has one such set, the empty one. Conflicts and correction sets
    are dual: each kind consists of the minimal hitting sets of the other (Reiter 1987).
    """
    for result in marco(oracle):
        if not isinstance(result, Conflict):
            yield result


def marco(oracle: SubsetOracle) -> Iterator[Conflict | Rows]:
    """Yield every MUS as a Conflict, and every MCS as a set of rows, in the order of discovery."""
    everything = oracle.everything
    if oracle.find(everything) is not None:
        yield frozenset()
        return
    mus = sorted(shrink(oracle, oracle.core))
    yield Conflict(tuple(mus))
    with pysat().Solver(name="minisat22") as unexplored:
        unexplored.set_phases([row + 1 for row in everything])  # prefer large sets
        for row in everything:
            unexplored.add_clause([row + 1, -row - 1])  # every row is known to the map
        unexplored.add_clause([-row - 1 for row in mus])
        while unexplored.solve():
            seed = frozenset(number - 1 for number in unexplored.get_model() if number > 0)
            code = oracle.find(seed)
            if code is None:
                mus = sorted(shrink(oracle, oracle.core))
                yield Conflict(tuple(mus))
                unexplored.add_clause([-row - 1 for row in mus])
            else:
                mcs = everything - grow(oracle, oracle.violations.satisfied_rows(code, seed))
                yield mcs
                unexplored.add_clause([row + 1 for row in sorted(mcs)])


def grow(oracle: SubsetOracle, rows: Rows) -> Rows:
    """Return a maximal satisfiable set of rows (MSS) that contains the given satisfiable rows."""
    for row in sorted(oracle.everything):
        if row not in rows:
            code = oracle.find(rows | {row})
            if code is not None:
                rows = oracle.violations.satisfied_rows(code, rows | {row})
    return rows


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


def prove_conflict(board: Board, rows: Iterable[int]) -> Conflict:
    """Return the conflict of some rows, with a refutation if there is a short one."""
    numbers = tuple(sorted(rows))
    refutation = refute(board.only(numbers), thorough=True)
    return Conflict(numbers, None if refutation is None else refutation.renumber(numbers))
