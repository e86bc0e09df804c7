"""Soft rows by inclusion and exclusion: systems without a budget whose codes are added up.

Let each relaxed row i have a slack a_i and N(a) be the number of codes that violate each by no more
than that, which is the number of codes of a system. With weights w_i, the codes within a budget L
are

    sum of c(a) N(a) over all a with w a <= L,
    c(a) = sum of (-1)^|S| over all sets S of rows with w (a + 1_S) <= L

as a code that violates row i by d_i is counted in all terms with a >= d, whose c add up to 1 if w d
is at most L, and to 0 if not. For m rows of weight 1 that a code gets or not, that is

    sum over k = m - L .. m of (-1)^(k-m+L) C(k - 1, m - L - 1) sum over |S| = k of N(S).
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from mmsat.board import Board
from mmsat.constraints.algebra.games import suits
from mmsat.constraints.system import SoftConstraint, System
from mmsat.english import quantity
from mmsat.enumeration.layout import UnsuitedError
from mmsat.limits import LIMITS
from mmsat.solving.simplification import simplify_two_colors

MOST = 5000
"""Terms that are counted one by one."""


class Term(NamedTuple):
    """A system whose codes are counted so many times, perhaps less than none."""

    times: int
    system: System
    board: Board | None = None
    """The board of just these rows, where there is one that the algebra of two colors suits."""

    def simplify(self) -> list[System]:
        """The system, by the algebra of two colors as several of which each code is in one."""
        if self.board is None:
            return [self.system]
        return simplify_two_colors(self.board)


def terms(board: Board, system: System) -> list[Term]:
    """The terms of a board's system, one where all rows hold.

    Raises UnsuitedError where there are too many.
    """
    found = list(islice(_terms(board, system), MOST + 1))
    if len(found) > MOST:
        rows = f"{system.budget:,} of {quantity(len(board.rows), 'row')}"
        raise UnsuitedError(f"lies up to {rows} make more than {MOST:,} boards to be counted")
    return found


def _terms(board: Board, system: System) -> Iterator[Term]:
    has_algebra = board.game.pegs > LIMITS.algebra_pegs and suits(board)
    enforced, relaxed = system.enforced, system.relaxed
    for slacks, left in _slacks(relaxed, system.budget):
        times = _times(relaxed, slacks, left)
        if not times:
            continue
        pairs = list(zip(relaxed, slacks, strict=True))
        held = [row.constraints for row in enforced] + [row.relax(slack) for row, slack in pairs]
        only = None
        if has_algebra and all(slack in (0, row.max_violation) for row, slack in pairs):
            rows = enforced + [row for row, slack in pairs if slack < row.max_violation]
            only = board.only([row.rows[0] for row in rows])
        yield Term(times, system.with_rows(group for group in held if group), only)


def _slacks(rows: Sequence[SoftConstraint], left: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The slacks of the rows that a budget allows, each with the budget that is left."""
    if not rows:
        yield (), left
        return
    row, *others = rows
    for slack in range(min(left // row.weight, row.max_violation) + 1):
        for slacks, rest in _slacks(others, left - slack * row.weight):
            yield (slack, *slacks), rest


def _times(rows: Sequence[SoftConstraint], slacks: Sequence[int], left: int) -> int:
    """The sum of signs over the sets of rows that may be violated by one more each."""
    signs = [1] + [0] * left  # by the cost of a set
    for row, slack in zip(rows, slacks, strict=True):
        if slack < row.max_violation:
            for cost in range(left, row.weight - 1, -1):
                signs[cost] -= signs[cost - row.weight]
    return sum(signs)
