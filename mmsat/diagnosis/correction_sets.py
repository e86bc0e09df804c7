"""Smallest correction sets (MCSes) by queries that leave out blocks of rows.

Each query asks for a code that satisfies all rows outside of a block. If the query is refuted, the
block contains no correction set. The core of the refutation is an unsatisfiable set of rows outside
of the block. No set of rows that is disjoint from the core is a correction set either. The block
size doubles after each refutation, except if the weighted search decides the queries, and during a
pause (`BlockSearch.pause`). If the query has a code, or is too hard, the block is split into
sub-blocks. For correction sets of `size` rows, each choice of `size` sub-blocks is a block in turn,
down to blocks of `size` rows.

On dense boards, in which most literals are in long constraints, the weighted search enumerates all
codes that violate at most `size` rows of the block. Then only blocks that are too hard are split,
and the codes of each correction set are known as well. Hard queries are solved in rounds of growing
budgets (`DensePortfolio` in solving/oracle.py), by the weighted search or by the enumeration of
lattice points.

If a board has many more rows than are needed to determine the code, few queries suffice. RC2, a
MaxSAT algorithm based on cores, counts the relaxed rows in one formula, and does not finish if a
single query is hard.

If lies are counted by rows, a code within L lies is a code of the board without L rows. Queries
about fewer rows are faster than a formula that counts lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, count, product

from mmsat.constraints import System
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.tolerance import Tolerance
from mmsat.solving import Decision, verify_witness
from mmsat.solving.lattice import entropy_without
from mmsat.solving.oracle import HardQueryError, SubsetOracle
from mmsat.solving.queries import Rows
from mmsat.solving.race import EngineAnswer, race_solvers
from mmsat.solving.sat import is_dense
from mmsat.solving.worker import first_result

ENGINE_NAME = "rows left out"
"""The engine's name in verdicts that were reached by leaving out rows."""
BLOCK_FACTOR = 8
"""Number of rows of a block, per row of a correction set, if the weighted search decides the
queries. Measured to be the fastest on boards of 30 pegs and colors."""
LATTICE_BLOCK_FACTOR = 4
"""The same number for the first block if the enumeration of lattice points decides the queries in
one round. Later blocks may be larger."""
MAX_CODES = 300
"""Maximum number of codes that are enumerated for a correction set by the weighted search."""


def pairwise_blocks(rows: list[int], max_rows: int) -> Iterator[list[int]]:
    """Yield blocks of about `max_rows` rows such that any two rows share a block.

    Rows are assigned to the points of an affine plane of prime order; its lines are the blocks.
    """
    if len(rows) <= max_rows:
        yield rows
        return
    # A line has `prime` points, each with about len(rows) / prime**2 rows.
    min_order = -(-len(rows) // max_rows)
    prime = next(q for q in count(max(2, min_order)) if all(q % factor for factor in range(2, q)))
    # The lines y = slope * x + shift and, for the slope `prime`, the vertical lines x = shift.
    for slope, shift in product(range(prime + 1), range(prime)):
        points = (
            (shift, t) if slope == prime else (t, (slope * t + shift) % prime) for t in range(prime)
        )
        # Point (x, y) has every prime**2-th row from index x * prime + y on.
        yield [row for x, y in points for row in rows[x * prime + y :: prime * prime]]


def smallest_by_leaving_out(oracle: SubsetOracle, max_size: int | None = None) -> Iterator[Rows]:
    """Yield every smallest correction set of an inconsistent board.

    Yield nothing if the smallest correction sets have more than `max_size` rows.
    """
    search = BlockSearch(oracle)
    for size in count(1) if max_size is None else range(1, max_size + 1):
        is_found = False
        for rows in search.sets(size):
            is_found = True
            yield rows
        if is_found:
            return


class BlockSearch:
    """Search for smallest correction sets by queries that leave out blocks of rows."""

    def __init__(self, oracle: SubsetOracle) -> None:
        self.oracle = oracle
        self.found_sets: set[Rows] = set()
        """The correction sets found so far."""
        self.excluded: list[Rows] = []
        """Sets of rows that contain no further correction sets of the current size."""
        self.refutation_rounds = 0
        """The number of rounds (`SubsetOracle.rounds`) in which the last block was refuted. The
        next query gets at most this many rounds."""
        self.block_size = 1
        """The maximum number of rows of a queried block; larger blocks are split at once."""
        self.num_hard_blocks = 0
        """The number of blocks that were too hard."""
        self.pause = 0
        """The number of further refutations until blocks may grow again."""

    @cached_property
    def entropies(self) -> dict[int, float]:
        """For each row, the entropy in bits of the codes that satisfy all other rows.

        Each value costs a presolve.
        """
        oracle = self.oracle
        return {row: entropy_without(oracle.system, row) for row in oracle.all_rows}

    def sets(self, size: int) -> Iterator[Rows]:
        """Yield every correction set of `size` rows, assuming that none is smaller.

        Rows whose omission made refutations expensive come first, then the last rows, because
        errors tend to be found late. If the enumeration of lattice points needs several rounds for
        a query, the rows whose omission leaves the lowest entropy come first, because omitting any
        other row makes the queries far slower.
        """
        first_block_size = size * self._first_block_factor()
        self.block_size = max(first_block_size, self.block_size)
        self.excluded.clear()
        entropies = self.entropies if self.oracle.lattice_rounds > 1 else {}
        suspects = sorted(
            self.oracle.all_rows,
            key=lambda row: (-entropies.get(row, 0), self.oracle.omission_cost(row), row),
            reverse=True,
        )
        # Any two rows share one of the pairwise blocks, so each set of two rows is within one of
        # them. These blocks have three quarters of the usual size. For other sizes, all rows are
        # one block, which is split.
        is_pairwise = size == 2 and first_block_size > 2
        for block in (
            pairwise_blocks(suspects, 3 * first_block_size // 4) if is_pairwise else [suspects]
        ):
            yield from self._sets_within(block, size)

    def _first_block_factor(self) -> int:
        """Return the number of rows of the first block, per row of a correction set."""
        if self.oracle.is_decided_by_search:
            return BLOCK_FACTOR
        return LATTICE_BLOCK_FACTOR if self.oracle.lattice_rounds == 1 else 1

    def _sets_within(self, block: list[int], size: int) -> Iterator[Rows]:
        """Yield the new correction sets within a block, splitting blocks that no query decides."""
        if size == 1:
            block = [row for row in block if {row} not in self.found_sets]
        rows = frozenset(block)
        if (
            len(rows) < size
            or rows in self.found_sets
            or any(rows <= excluded_rows for excluded_rows in self.excluded)
        ):
            return
        is_single_set = len(rows) == size
        if is_single_set or (len(rows) <= self.block_size and self._is_worth_a_query(rows)):
            codes: dict[Rows, list[Code]] = {}
            is_complete = self._collect_codes(rows, size, codes)
            new_sets = [violated for violated in codes if violated not in self.found_sets]
            self.found_sets.update(new_sets)
            yield from new_sets
            if is_complete or is_single_set:
                return
            # A wrong row was found: query the block again without it.
            if new_sets and size == 1 and is_complete is not None:
                yield from self._sets_within(block, size)
                return
            if not codes:
                self.block_size = max(size, len(rows) // 2)
        # Each choice of `size` sub-blocks is a block, so that each set is within one of them.
        # With 2 * size sub-blocks, such a block has half of the rows.
        sub_size = -(-len(block) // (2 * size))
        sub_blocks = [block[start : start + sub_size] for start in range(0, len(block), sub_size)]
        for chosen in combinations(sub_blocks, size):
            yield from self._sets_within([row for sub_block in chosen for row in sub_block], size)

    def _is_worth_a_query(self, rows: Rows) -> bool:
        """Return whether a query can exclude the block or enumerate its correction sets.

        Solvers other than the weighted search do not enumerate, so they would find a known
        correction set again.
        """
        return self.oracle.is_decided_by_search or not any(
            known_set <= rows for known_set in self.found_sets
        )

    def _collect_codes(self, rows: Rows, size: int, codes: dict[Rows, list[Code]]) -> bool | None:
        """Collect codes that satisfy all rows outside the block, by the rows that they violate.

        Returns True if all codes that violate at most `size` rows were collected (up to `MAX_CODES`
        for each set of violated rows), False if there may be others, and None if the query was too
        hard.
        """
        oracle, cost_before = self.oracle, self.oracle.cost
        other_rows = oracle.all_rows - rows
        # A block of `size` rows cannot be split, so its query has no limit.
        max_rounds = None if len(rows) == size else max(1, self.refutation_rounds)
        try:
            with oracle.limit_rounds(max_rounds):
                code = oracle.find(other_rows, size)
                while code is not None:
                    violated = frozenset(oracle.board.missed(code))
                    if len(violated) > size:
                        return False
                    codes_of_set = codes.setdefault(violated, [])
                    codes_of_set.append(code)
                    # After MAX_CODES codes, further codes that violate the same rows are skipped.
                    excluded = violated if len(codes_of_set) == MAX_CODES else frozenset()
                    if len(rows) == size or not oracle.can_find_next(excluded):
                        return False
                    code = oracle.find_next(excluded)
        except HardQueryError:
            self.num_hard_blocks += 1
            self.pause = 1 << self.num_hard_blocks  # twice as long as the previous pause
            return None
        if oracle.dense_portfolio is not None:
            for violated, codes_of_set in codes.items():
                if len(codes_of_set) < MAX_CODES:
                    oracle.dense_portfolio.store_codes(oracle.all_rows - violated, codes_of_set)
        self.refutation_rounds = oracle.rounds
        self.pause = max(0, self.pause - 1)
        self.excluded.append(oracle.all_rows - oracle.core)
        self._learn(rows, size, oracle.cost - cost_before)
        return True

    def _learn(self, rows: Rows, size: int, cost: int) -> None:
        """Adapt the order of rows and the size of blocks after the block `rows` was refuted.

        `cost` is the cost of that query.
        """
        oracle = self.oracle
        is_decided_by_search = oracle.is_decided_by_search
        if is_decided_by_search or len(rows) == 1:
            oracle.record_omission(rows, cost)
        if not self.pause:
            grown = BLOCK_FACTOR * size if is_decided_by_search else 2 * len(rows)
            self.block_size = grown if is_decided_by_search else max(self.block_size, grown)


def decide_few_lies(board: Board, seed: int | None, tolerance: Tolerance) -> Decision:
    """Return the first decision of a race between leaving out rows and the solvers of `auto`.

    If the board is not dense, run only the solvers of `auto`.
    """
    if not is_dense(System.of(board)):
        return race_solvers(board, seed, tolerance)
    code, engine, reason = first_result(
        (find_by_leaving_out, board, tolerance.lies), (find_by_counting, board, seed, tolerance)
    )
    return verify_witness(board, code, engine, reason, tolerance)


def find_by_leaving_out(board: Board, lies: int) -> EngineAnswer:
    """Return a code that violates as few rows as possible, or None if they are more than `lies`."""
    oracle = SubsetOracle(board)
    code = oracle.find(oracle.all_rows)
    if code is None and (rows := next(smallest_by_leaving_out(oracle, lies), None)) is not None:
        code = oracle.find(oracle.all_rows - rows)
    return code, ENGINE_NAME, "dense board, few lies"


def find_by_counting(board: Board, seed: int | None, tolerance: Tolerance) -> EngineAnswer:
    """Return a code within the tolerance by the solvers of `auto`, which count violated rows."""
    decision = race_solvers(board, seed, tolerance)
    return decision.code, decision.engine, decision.reason
