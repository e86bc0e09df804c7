"""Smallest correction sets (MCSes) by leaving rows out, as many at a time as the rest allows.

No set of so many rows corrects a board if the board has no code without any of a larger block of
rows. So blocks are tried, twice as large after each refutation and half as large where the rest has
a code, or would take too long, after which larger ones have to wait: what refutes the rest names
rows, and all others are excused with the block. A block that is not refuted is parted, and each
choice of parts is a block in turn, down to the sets themselves. What is left is one question for
each set that is not excused.

Where the search of dense boards answers, it is asked for all codes that miss no more of a block
than a set has, so that only blocks that take too long are parted, and the codes of each set are
known with it. Eight times as many rows as a set has were measured to be cheapest for a row, on 30
pegs and colors.

On boards with many more rows than decide the code a few questions do. Maximum satisfiability by
cores (RC2) has to count the rows as switches of one formula, and comes to no end where a single
question takes a moment.

Where lies are counted by rows, a code within them is one of the board without so many rows, and
such questions are quick where a formula that counts lies is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, count, product

from mmsat.board import Board
from mmsat.diagnosis.subset_oracle import HardQuestionError, Rows, SubsetOracle
from mmsat.game.row import Code
from mmsat.solving.engine import Decision, verify_witness
from mmsat.solving.solver_race import Answer, race_solvers
from mmsat.solving.worker import race
from mmsat.tolerance import Tolerance

NAME = "rows left out"
FEW = 8
"""How many times the rows of a set a block has where the search answers, ..."""
FEW_WALKED = 4
"""... and at first where short walks over lattice points do; of pairs, three quarters of that."""
LISTED = 300
"""Codes of a set of rows that are looked at one by one, where the search answers."""


def lines(rows: list[int], most: int) -> Iterator[list[int]]:
    """Yield blocks of about so many rows at most, of which each two are in one.

    Rows are dealt out to the points of an affine plane over a prime; its lines are the blocks.
    """
    if len(rows) <= most:
        yield rows
        return
    least = -(-len(rows) // most)
    prime = next(q for q in count(max(2, least)) if all(q % factor for factor in range(2, q)))
    for slope, shift in product(range(prime + 1), range(prime)):
        points = (
            (shift, at) if slope == prime else (at, (slope * at + shift) % prime)
            for at in range(prime)
        )
        yield [row for x, y in points for row in rows[x * prime + y :: prime * prime]]


def smallest_by_leaving_out(oracle: SubsetOracle, most: int | None = None) -> Iterator[Rows]:
    """Yield every smallest correction set of an inconsistent board.

    With a number, none where the smallest have more than so many rows.
    """
    search = LeavingOut(oracle)
    for size in count(1) if most is None else range(1, most + 1):
        is_found = False
        for rows in search.sets(size):
            is_found = True
            yield rows
        if is_found:
            return


class LeavingOut:
    """What is known of the rows that may be wrong."""

    def __init__(self, oracle: SubsetOracle) -> None:
        """Nothing yet."""
        self.oracle = oracle
        self.found: set[Rows] = set()
        self.excused: list[Rows] = []
        """Sets without which the board has no code either."""
        self.rounds = 0
        """What the last refutation took."""
        self.many = 1
        """Rows that are left out at once."""
        self.failures = self.pause = 0
        """Blocks that took too long, and refutations until there are larger ones again."""

    def sets(self, size: int) -> Iterator[Rows]:
        """Yield every correction set of so many rows, where there is none of fewer.

        Rows without which the rest was hard to refute come first, then the last ones, as slips tend
        to be found late. Where a walk answers, rows come first without which it is short, as long
        ones take many times as long.
        """
        few = size * self._few()
        self.many = max(few, self.many)
        self.excused.clear()
        effort, entropies = self.oracle.effort, self.oracle.entropies()
        suspects = sorted(
            self.oracle.everything,
            key=lambda row: (-entropies.get(row, 0), effort.get(row, 0), row),
            reverse=True,
        )
        for block in lines(suspects, 3 * few // 4) if size == 2 < few else [suspects]:
            yield from self._within(block, size)

    def _few(self) -> int:
        """How many times the rows of a set a block has at first."""
        if self.oracle.is_by_search:
            return FEW
        return FEW_WALKED if self.oracle.is_walked and self.oracle.rounds <= 1 else 1

    def _within(self, block: list[int], size: int) -> Iterator[Rows]:
        """The sets within a block: itself, or those of each choice of its parts."""
        if size == 1:
            block = [row for row in block if {row} not in self.found]
        rows = frozenset(block)
        if len(rows) < size or rows in self.found or any(rows <= each for each in self.excused):
            return
        is_set = len(rows) == size
        if is_set or (len(rows) <= self.many and self._is_worth_asking(rows)):
            codes: dict[Rows, list[Code]] = {}
            is_whole = self._collect(rows, size, codes)
            new = [missed for missed in codes if missed not in self.found]
            self.found.update(new)
            yield from new
            if is_whole or is_set:
                return
            if new and size == 1 and is_whole is not None:
                yield from self._within(block, size)
                return
            if not codes:
                self.many = max(size, len(rows) // 2)
        step = -(-len(block) // (2 * size))
        parts = [block[start : start + step] for start in range(0, len(block), step)]
        for chosen in combinations(parts, size):
            yield from self._within([row for part in chosen for row in part], size)

    def _is_worth_asking(self, rows: Rows) -> bool:
        """Whether the rest may have no code, or all codes of some sets are told at once."""
        return self.oracle.is_by_search or not any(each <= rows for each in self.found)

    def _collect(self, rows: Rows, size: int, codes: dict[Rows, list[Code]]) -> bool | None:
        """Codes of all other rows, by the rows of the block that they miss; whether that is all.

        All, or so many as are listed of a set. It is not where others than the search answer; None
        where it takes longer than it is worth.
        """
        oracle, before = self.oracle, self.oracle.work
        others = oracle.everything - rows
        oracle.patience = None if len(rows) == size else max(1, self.rounds)
        try:
            code = oracle.find(others, size)
            while code is not None:
                missed = frozenset(oracle.board.missed(code))
                if len(missed) > size:
                    return False
                here = codes.setdefault(missed, [])
                here.append(code)
                if len(rows) == size or not oracle.goes_on(others):
                    return False
                code = oracle.find_other(missed if len(here) == LISTED else frozenset())
        except HardQuestionError:
            self.failures += 1
            self.pause = 1 << self.failures
            return None
        finally:
            oracle.patience = None
        for missed, found in codes.items():
            if len(found) < LISTED:
                oracle.list_codes(oracle.everything - missed, found)
        self.rounds = oracle.rounds
        self.pause = max(0, self.pause - 1)
        self.excused.append(oracle.everything - oracle.core)
        self._learn(rows, size, oracle.work - before)
        return True

    def _learn(self, rows: Rows, size: int, work: int) -> None:
        """Blocks are larger after a refutation, but where the search answers."""
        is_by_search = self.oracle.is_by_search
        if is_by_search or len(rows) == 1:
            self.oracle.effort |= dict.fromkeys(rows, work // len(rows))
        if not self.pause:
            self.many = FEW * size if is_by_search else max(self.many, 2 * len(rows))


def decide_few_lies(board: Board, seed: int | None, tolerance: Tolerance) -> Decision:
    """The decision of `auto` or of leaving rows out, whichever is first."""
    if not SubsetOracle(board).suits_dense:
        return race_solvers(board, seed, tolerance)
    code, engine, reason = race(
        (find_by_leaving_out, board, tolerance.lies), (find_by_counting, board, seed, tolerance)
    )
    return verify_witness(board, code, engine, reason, tolerance)


def find_by_leaving_out(board: Board, lies: int) -> Answer:
    """A code that misses the fewest rows, if these are no more than the lies."""
    oracle = SubsetOracle(board)
    code = oracle.find(oracle.everything)
    if code is None and (rows := next(smallest_by_leaving_out(oracle, lies), None)) is not None:
        code = oracle.find(oracle.everything - rows)
    return code, NAME, "few scores may be wrong on a dense board"


def find_by_counting(board: Board, seed: int | None, tolerance: Tolerance) -> Answer:
    """A code within the tolerance, by solvers that count what is violated."""
    decision = race_solvers(board, seed, tolerance)
    return decision.code, decision.engine, decision.reason
