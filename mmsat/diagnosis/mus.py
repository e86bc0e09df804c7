"""Minimal unsatisfiable subsets of rows (MUSes): one, a smallest one, or all of them.

Shrinking (`shrink`). Chunks of rows are removed: one row at first, twice as many after each
refutation, and half as many after each code found. The core of a refutation removes further rows.
A row is kept if a code violates only that row. Model rotation may then show that other rows must be
kept, too.

Model rotation (`ModelRotation`). A code that violates just one row of a set shows that every
conflict in the set needs that row. On boards of two colors, neighbors of the code, with one peg
flipped or two different pegs exchanged, are scored without queries. A neighbor that violates just
one other row shows that every conflict needs this row [1, 2]. On sparse boards this saves most
queries.

All neighbors are scored together. Flipping peg p adds d_p, which is 1 or -1, to the black of a row.
An exchange of two pegs keeps the weight of the code, so the sum of black and white stays the same,
and the score of each row determines its black. A satisfied row stays satisfied if d_p + d_q = 0. A
row whose black is too high (or too low) by two becomes satisfied if both d_p and d_q are -1 (or 1).
These conditions are products of a number for p and a number for q. The violated rows of all pairs
are therefore counted by multiplying matrices.

Smallest conflicts (`smaller_muses`). A smallest conflict (SMUS) is found without enumerating all
conflicts, by implicit hitting sets [3]. Every conflict has a row of each correction set, so no
conflict is smaller than a smallest hitting set of the correction sets found so far. If the rows of
this hitting set have a code, the code leads to another correction set. If not, they are a smallest
conflict.

Enumeration (`marco`). All minimal conflicts (MUSes) and minimal correction sets (MCSes) are found
by MARCO [4]. A second solver, the map, represents the sets of rows that are still unexplored. A set
that has a code is grown to a maximal satisfiable set, which contains no conflict and whose
complement is an MCS. A set without a code is shrunk to an MUS, which no other MUS contains. Each
result is blocked in the map, until no set is unexplored.

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
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from itertools import count
from math import comb, log2
from operator import neg
from typing import Any

from mmsat._util import np
from mmsat.constraints import is_linear_board
from mmsat.diagnosis import Conflict
from mmsat.encoding.integer_models import LinearSystem
from mmsat.errors import InternalError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.limits import LIMITS
from mmsat.solving.oracle import HardQueryError, SubsetOracle
from mmsat.solving.policy import FAILURE_COST
from mmsat.solving.queries import Rows
from mmsat.solving.refutation import MAX_TERMS, Relaxation, is_too_large, refute
from mmsat.solving.sat import pysat

UNREAD_NUMBER = -1
"""The number for an unread component in arrays of scores."""
MAX_EXAMINED_PAIRS = 4000
"""Maximum number of pairs of pegs that are examined further. Many pairs lead to the same row, so a
sample suffices."""
MAX_UNDECIDED_QUERIES = 3
"""Maximum number of consecutive undecided queries of `shrink_by_easy_queries`, about 0.1 s each."""
MAX_PEGS = 6000
"""Maximum number of pegs for model rotation. With more, the pairs need too much memory."""


class ModelRotation:
    """Find neighbors of codes that violate only one row, on a board of two colors.

    It finds none on other boards.
    """

    def __init__(self, board: Board) -> None:
        """Create the arrays of guesses and scores."""
        self.is_applicable = (
            is_linear_board(board) and board.game.space.has_repeats and bool(board.rows)
        )
        if not self.is_applicable:
            return
        scoring = board.game.scoring.name
        numbers = [
            [UNREAD_NUMBER if part is None else part for part in row.score] for row in board.rows
        ]
        scores = np.array(numbers, dtype=np.int32)
        all_unread = np.full(len(board.rows), UNREAD_NUMBER, dtype=np.int32)
        self.guesses = np.array([row.guess for row in board.rows], dtype=np.int8)
        self.black = all_unread if scoring == "color" else scores[:, 0]
        self.white = scores[:, 1] if scoring == "black-white" else all_unread
        self.common = scores[:, 0] if scoring == "color" else all_unread

    def find_critical_neighbors(self, code: Code, rows: Collection[int]) -> dict[int, Code]:
        """Return neighbors of the code that each violate only one of `rows`, by that row."""
        neighbors: dict[int, Code] = {}
        if self.is_applicable and rows and len(code) <= MAX_PEGS:
            row_array = np.array(sorted(rows), dtype=np.int64)
            for move, row in [*self._flips(code, row_array), *self._exchanges(code, row_array)]:
                neighbors.setdefault(row, flip(code, move))
        return neighbors

    def _common(self, weight: int, rows: Any) -> Any:
        """Return black plus white, by row, of a code with `weight` pegs of the second color."""
        guess_weights = self.guesses[rows].sum(axis=1, dtype=np.int32)
        return self.guesses.shape[1] - abs(weight - guess_weights)

    def _gains(self, code: Code, rows: Any) -> tuple[Any, Any]:
        """Return the black of each row, and by row and peg, its change if the peg is flipped."""
        agrees = self.guesses[rows] == np.array(code, dtype=np.int8)
        return agrees.sum(axis=1, dtype=np.int32), 1 - 2 * agrees.astype(np.int32)

    def _flips(self, code: Code, rows: Any) -> list[tuple[tuple[int, ...], int]]:
        """Return the pegs whose flip violates exactly one row, each with that row."""
        black, gains = self._gains(code, rows)
        blacks = black[:, None] + gains
        # By row, black plus white after a peg of this color is flipped.
        common_by_color = {color: self._common(sum(code) + 1 - 2 * color, rows) for color in (0, 1)}
        shared = np.stack([common_by_color[color] for color in code], axis=1)
        violated = self._violates(self.black, rows, blacks)
        violated |= self._violates(self.white, rows, shared - blacks)
        violated |= self._violates(self.common, rows, shared)
        pegs = np.flatnonzero(violated.sum(axis=0) == 1)
        violated_rows = rows[violated[:, pegs].argmax(axis=0)]
        return [
            ((peg,), row) for peg, row in zip(pegs.tolist(), violated_rows.tolist(), strict=True)
        ]

    @staticmethod
    def _violates(board_numbers: Any, rows: Any, actual: Any) -> Any:
        """Return which actual numbers differ from those on the board, except for unread ones."""
        stated = board_numbers[rows][:, None]
        return (stated != UNREAD_NUMBER) & (stated != actual)

    def _exchanges(self, code: Code, rows: Any) -> list[tuple[tuple[int, ...], int]]:
        """Return the pairs of pegs whose exchange violates exactly one row, each with that row.

        `excess` is the black of a row minus the required one. An exchange changes it by 0, 2 or -2,
        so only rows with an excess of 0, 2 or -2 can be satisfied afterwards. The violated rows are
        counted for each of these values.
        """
        black, gains = self._gains(code, rows)
        shared = self._common(sum(code), rows)
        stated_black, white, common = self.black[rows], self.white[rows], self.common[rows]
        required_black = np.where(stated_black != UNREAD_NUMBER, stated_black, shared - white)
        requires_black = (stated_black != UNREAD_NUMBER) | (white != UNREAD_NUMBER)
        always_violated = (common != UNREAD_NUMBER) & (common != shared)
        always_violated |= (
            (stated_black != UNREAD_NUMBER)
            & (white != UNREAD_NUMBER)
            & (stated_black + white != shared)
        )
        excess = black - required_black
        ones, zeros = np.flatnonzero(np.array(code) == 1), np.flatnonzero(np.array(code) == 0)
        is_satisfied = requires_black & ~always_violated & (excess == 0)
        # The product of the two gains is -1 if a satisfied row stays satisfied, otherwise 1.
        satisfied_gains = gains[is_satisfied].astype(np.float32)
        num_violated = (
            len(satisfied_gains) + satisfied_gains[:, ones].T @ satisfied_gains[:, zeros]
        ) / 2
        # A row whose black is too low (or high) by two is satisfied if both gains are 1 (or -1).
        for sign in (1, -1):
            gains_of_rows = gains[requires_black & ~always_violated & (excess == -2 * sign)]
            is_fixing = (gains_of_rows == sign).astype(np.float32)
            num_violated += len(is_fixing) - is_fixing[:, ones].T @ is_fixing[:, zeros]
        stays_violated = always_violated | (requires_black & ~np.isin(excess, (0, 2, -2)))
        num_violated += int(stays_violated.sum())
        one_indices, zero_indices = np.nonzero(num_violated == 1)
        step = 1 + len(one_indices) // MAX_EXAMINED_PAIRS
        pairs = ones[one_indices[::step]], zeros[zero_indices[::step]]
        excess_after = excess[:, None] + gains[:, pairs[0]] + gains[:, pairs[1]]
        violated_rows = rows[
            (always_violated[:, None] | (requires_black[:, None] & (excess_after != 0))).argmax(
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

    For each row of the conflict, a code that satisfies all its other rows is verified by scoring.
    """
    conflict = oracle.core_of(rows)
    if conflict is None:
        raise InternalError(f"rows {sorted(rows)} of {oracle.board} do not conflict")
    if oracle.dense_portfolio is not None:
        conflict = shrink_by_easy_queries(oracle, conflict)
    if oracle.used_interleaved:
        # Queries needed interleaved SAT and CP-SAT, so they are expensive, and the linear
        # relaxation removes rows first. The oracle verifies that the remaining rows conflict.
        conflict = oracle.core_of(shrink_by_farkas(oracle, conflict)) or conflict
    witnesses = Witnesses(oracle)
    # The order matters only for hard queries about a dense board.
    order = partial(removal_order, oracle) if oracle.used_dense_portfolio else None
    conflict = shrink_to_mus(conflict, oracle.core_of, witnesses.needed_rows, order)
    witnesses.verify(conflict)
    return conflict


def removal_order(oracle: SubsetOracle, row: int) -> tuple[int, float, int]:
    """Return the sort key of a row of a dense board: rows that are cheap to remove come first.

    The cost of a row is the recorded cost of refuting all other rows. It is counted in budgets of
    the first round of the portfolio for dense boards, so small differences are ignored. If the
    costs are equal or unknown, rows that restrict the pegs least come first. Keeping the
    restrictive rows makes all queries faster: by a factor of 10 on boards of 30 pegs and colors,
    and, if lattices decide, by a factor of 3 on boards of 30 pegs and six colors.
    """
    system = oracle.system
    # Without a lattice, all other colors of a peg are counted as one.
    other_colors = system.variables.colors - 1 if oracle.lattice_rounds else 1
    log_fraction = 0.0  # log2 of the fraction of patterns that the row allows
    for literals, low, high in system.row_constraints[row]:
        if all(
            isinstance(literal, int) and system.variables.is_at(literal) for literal in literals
        ):
            pegs = len(literals)
            counts = range(max(0, low), high + 1)
            allowed_patterns = sum(comb(pegs, n) * other_colors ** (pegs - n) for n in counts)
            log_fraction += log2(max(1, allowed_patterns)) - pegs * log2(other_colors + 1)
    first_rounds = oracle.omission_cost(row) // (FAILURE_COST * LIMITS.dense_failures)
    return first_rounds, -log_fraction, -row


def shrink_to_mus(
    rows: Rows,
    core_of: Callable[[Rows], Rows | None],
    needed: Callable[[Rows], Iterable[int]],
    order: Callable[[int], Any] | None = None,
) -> Rows:
    """Return a minimal unsatisfiable subset of unsatisfiable rows.

    - `core_of`: returns an unsatisfiable subset of some rows, or None if a code satisfies them.
    - `needed`: called with the current rows after `core_of` returned None; returns rows that cannot
      be removed. If only one row was omitted in that call, it must be among them.
    - `order`: sort key of the rows, which are removed in this order. By default, the last rows are
      removed first, because errors tend to be found late.
    """
    kept_rows: set[int] = set()
    # The number of rows that are removed at once. It doubles after each success, and is halved
    # after each failure.
    chunk = 1
    while candidates := sorted(rows - kept_rows, key=order or neg):
        core = core_of(rows.difference(candidates[:chunk]))
        if core is not None:
            rows = core
            chunk *= 2
        else:
            kept_rows.update(needed(rows))
            chunk = max(1, chunk // 2)
    return rows


def shrink_by_easy_queries(oracle: SubsetOracle, conflict: Rows) -> Rows:
    """Return a subset of conflicting rows that still conflict, without hard queries.

    If few rows conflict, easy queries can remove nearly all other rows. The queries about the
    remaining rows are then easy, too. The search ends after `MAX_UNDECIDED_QUERIES` consecutive
    undecided queries, because then probably most rows conflict.
    """
    kept_rows: set[int] = set()
    num_undecided = 0
    while num_undecided < MAX_UNDECIDED_QUERIES and (candidates := conflict - kept_rows):
        row = max(candidates)
        try:
            with oracle.limit_rounds(0):
                core = oracle.core_of(conflict - {row})
        except HardQueryError:
            core = None
            num_undecided += 1
        if core is None:
            kept_rows.add(row)
        else:
            conflict = core
            num_undecided = 0
    return conflict


class Witnesses:
    """Collect codes that show which rows a conflict needs."""

    def __init__(self, oracle: SubsetOracle) -> None:
        self.oracle = oracle
        self.codes: dict[int, Code] = {}
        """For each row of the conflict, a code that violates it and satisfies all other rows."""
        self.rotation: ModelRotation | None = None

    def needed_rows(self, rows: Rows) -> set[int]:
        """Return the conflicting rows that the oracle's last code shows to be needed.

        If queries are expensive, neighbors of that code are tried as well, by model rotation.
        """
        oracle, code = self.oracle, self.oracle.code
        if code is None or not (critical := oracle.violations.critical_rows(code, rows)):
            return set()
        # Brute force does not suit wide boards, and interleaved SAT and CP-SAT is the last resort.
        are_queries_expensive = oracle.is_wide_and_strict or oracle.used_interleaved
        if not are_queries_expensive or not is_linear_board(oracle.board):
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
        """Raise InternalError if some row has no code that satisfies all other rows."""
        for row in rows:
            code = self.codes.get(row)
            if code is None or row not in self.oracle.violations.critical_rows(code, rows):
                raise InternalError(f"row {row} of {sorted(rows)} is not needed: {code}")


def shrink_by_farkas(oracle: SubsetOracle, rows: Rows, *, max_terms: int = MAX_TERMS) -> Rows:
    """Return a minimal subset of the rows that the linear relaxation refutes.

    Returns all rows if the relaxation does not refute them, or is too large. If queries are
    expensive, this removes many rows without any query. The rows with the smallest Farkas
    multipliers are removed first, which was measured to leave fewer rows. Codes that satisfy all of
    these rows but one are then easier to find.
    """
    linear = LinearSystem.of(oracle.system)
    if is_too_large(linear.hard, linear.rows, max_terms):
        return rows
    relaxation = Relaxation(linear.variables, linear.hard, linear.rows)
    multipliers = relaxation.farkas_multipliers(rows)
    kept_rows: set[int] = set()
    chunk = 1
    while multipliers is not None:
        sizes = {row: max(map(abs, multipliers[row])) for row in multipliers.keys() - kept_rows}
        candidates = sorted(sizes, key=lambda row: (sizes[row], row))
        if not candidates:
            return frozenset(multipliers)
        fewer = relaxation.farkas_multipliers(multipliers.keys() - set(candidates[:chunk]))
        if fewer is not None:
            multipliers, chunk = fewer, 2 * chunk
        elif chunk == 1:
            kept_rows.add(candidates[0])
        else:
            chunk //= 2
    return rows


def conflicts(oracle: SubsetOracle) -> Iterator[Conflict]:
    """Yield every minimal conflict (MUS) of the oracle's board once, in no particular order.

    With lies, a conflict is a minimal set of rows such that every code violates more of them than
    the lies allow.
    """
    for result in marco(oracle):
        if isinstance(result, Conflict):
            yield result


def correction_sets(oracle: SubsetOracle) -> Iterator[Rows]:
    """Yield every minimal correction set (MCS): rows, from 0, without which the board has a code.

    A consistent board has a single one, the empty set. Conflicts and correction sets are dual: the
    minimal hitting sets of all conflicts are the correction sets, and vice versa (Reiter 1987).
    """
    for result in marco(oracle):
        if not isinstance(result, Conflict):
            yield result


def marco(oracle: SubsetOracle) -> Iterator[Conflict | Rows]:
    """Yield every MUS as a Conflict, and every MCS as a set of rows, in the order of discovery."""
    all_rows = oracle.all_rows
    if oracle.find(all_rows) is not None:
        yield frozenset()
        return
    mus = sorted(shrink(oracle, oracle.core))
    yield Conflict(tuple(mus))
    with unexplored_sets(len(all_rows)) as unexplored:
        unexplored.exclude_supersets(mus)
        while (seed := unexplored.get()) is not None:
            code = oracle.find(seed)
            if code is None:
                mus = sorted(shrink(oracle, oracle.core))
                yield Conflict(tuple(mus))
                unexplored.exclude_supersets(mus)
            else:
                mcs = all_rows - grow(oracle, oracle.violations.satisfied_rows(code, seed))
                yield mcs
                unexplored.exclude_disjoint_sets(mcs)


class SmallUnexploredSets:
    """The sets of rows of a small board that MARCO has not explored, as a list of bit masks."""

    def __init__(self, row_count: int) -> None:
        self.masks = sorted(range(1 << row_count), key=int.bit_count, reverse=True)

    def get(self) -> Rows | None:
        """Return a largest unexplored set, or None if all sets are explored."""
        if not self.masks:
            return None
        mask = self.masks[0]
        return frozenset(row for row in range(mask.bit_length()) if mask >> row & 1)

    def exclude_supersets(self, rows: Iterable[int]) -> None:
        """Mark all sets that contain these rows as explored."""
        excluded = sum(1 << row for row in rows)
        self.masks = [mask for mask in self.masks if mask & excluded != excluded]

    def exclude_disjoint_sets(self, rows: Iterable[int]) -> None:
        """Mark all sets that contain none of these rows as explored."""
        needed = sum(1 << row for row in rows)
        self.masks = [mask for mask in self.masks if mask & needed]


class UnexploredSets:
    """The sets of rows of a larger board that MARCO has not explored, as models of a formula."""

    def __init__(self, row_count: int) -> None:
        self.solver = pysat().Solver(name="minisat22")
        # Large sets are preferred, so that MUSes are found early.
        self.solver.set_phases([row + 1 for row in range(row_count)])
        for row in range(row_count):
            self.solver.add_clause([row + 1, -row - 1])  # only to define the variable of the row

    def get(self) -> Rows | None:
        """Return an unexplored set, if possible a large one, or None if all sets are explored."""
        if not self.solver.solve():
            return None
        return frozenset(number - 1 for number in self.solver.get_model() if number > 0)

    def exclude_supersets(self, rows: Iterable[int]) -> None:
        """Mark all sets that contain these rows as explored."""
        self.solver.add_clause([-row - 1 for row in sorted(rows)])

    def exclude_disjoint_sets(self, rows: Iterable[int]) -> None:
        """Mark all sets that contain none of these rows as explored."""
        self.solver.add_clause([row + 1 for row in sorted(rows)])

    def close(self) -> None:
        """Delete the solver, whose memory is outside Python."""
        self.solver.delete()


def unexplored_sets(
    row_count: int,
) -> AbstractContextManager[SmallUnexploredSets] | AbstractContextManager[UnexploredSets]:
    """Return all sets of rows. For a small board, no solver is loaded, which would take longer."""
    if row_count <= LIMITS.listed_rows:
        return nullcontext(SmallUnexploredSets(row_count))
    return closing(UnexploredSets(row_count))


def grow(oracle: SubsetOracle, rows: Rows) -> Rows:
    """Return a maximal satisfiable set of rows (MSS) that contains the given satisfiable rows."""
    for row in sorted(oracle.all_rows):
        if row not in rows:
            code = oracle.find(rows | {row})
            if code is not None:
                rows = oracle.violations.satisfied_rows(code, rows | {row})
    return rows


def smaller_muses(
    oracle: SubsetOracle, known_conflict: Conflict | None = None, work: int | None = None
) -> Iterator[Conflict]:
    """Yield minimal conflicts, each with fewer rows than the previous one; the last is smallest.

    If `known_conflict` is given, only smaller conflicts are yielded. If `work` is given, the search
    ends early once its queries cost more (see `SubsetOracle.cost`).
    """
    max_work = None if work is None else oracle.cost + work
    best_size = None if known_conflict is None else len(known_conflict.rows)
    # In the first phase, `rows` is the union of disjoint correction sets. Later, it is a smallest
    # hitting set.
    is_first_phase = True
    rows: Rows = frozenset()
    with hitting_set_solver(len(oracle.all_rows)) as hitting:
        while is_first_phase or best_size is None or len(rows) < best_size:
            if max_work is not None and oracle.cost > max_work:
                return
            code = oracle.find(rows)
            if code is None:
                mus = shrink(oracle, oracle.core)
                if best_size is None or len(mus) < best_size:
                    best_size = len(mus)
                    yield Conflict(tuple(sorted(mus)))
                is_first_phase = False
            else:
                mcs = oracle.all_rows - grow(oracle, oracle.violations.satisfied_rows(code, rows))
                if not mcs:
                    return
                hitting.hit(sorted(mcs))
                # The code satisfied all previous correction sets, so the new one is disjoint from
                # them.
                if is_first_phase:
                    rows |= mcs
                    continue
            rows = frozenset(hitting.get())


def hitting_set_solver(row_count: int) -> AbstractContextManager[Any]:
    """Return a solver for smallest hitting sets: `hit` adds a set, `get` returns a hitting set."""
    if row_count <= LIMITS.listed_rows:
        return nullcontext(SmallHittingSets())
    from pysat.examples.hitman import Hitman

    hitman: AbstractContextManager[Any] = Hitman(solver="m22", htype="sorted")
    return hitman


class SmallHittingSets:
    """Smallest hitting sets of sets of rows of a small board, found by search."""

    def __init__(self) -> None:
        self.sets: list[Sequence[int]] = []

    def hit(self, rows: Sequence[int]) -> None:
        """Add a set of rows."""
        self.sets.append(rows)

    def get(self) -> list[int]:
        """Return a smallest hitting set."""
        solutions = (find_hitting_set(self.sets, size) for size in count())
        return next(rows for rows in solutions if rows is not None)


def find_hitting_set(sets: Iterable[Sequence[int]], size: int) -> list[int] | None:
    """Return a hitting set of at most `size` rows, or None."""
    smallest_set = min(sets, key=len, default=None)
    if smallest_set is None:
        return []
    if size:
        for row in smallest_set:
            further_rows = find_hitting_set(
                [other_set for other_set in sets if row not in other_set], size - 1
            )
            if further_rows is not None:
                return [row, *further_rows]
    return None


def prove_conflict(board: Board, rows: Iterable[int]) -> Conflict:
    """Return the conflict of some rows, with a refutation if a short one is found."""
    sorted_rows = tuple(sorted(rows))
    refutation = refute(board.only(sorted_rows), thorough=True)
    return Conflict(sorted_rows, None if refutation is None else refutation.renumber(sorted_rows))
