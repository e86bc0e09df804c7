"""Inclusion-exclusion over soft rows: counts within a budget as sums of counts without a budget.

Let each relaxed row i have a slack a_i and let N(a) be the number of codes that violate each row i
by at most a_i. These are the codes of a system without a budget. With weights w_i, and w·a for the
cost sum of w_i a_i, the number of codes within a budget L is

    sum of c(a) N(a) over all a with w·a <= L,
    c(a) = sum of (-1)^|S| over all sets S of rows with w·(a + 1_S) <= L

because a code that violates row i by d_i is counted in all terms with a >= d. The coefficients c of
these terms add up to 1 if w·d is at most L, and to 0 otherwise. A slack need not exceed the maximum
violation of its row, so S has only rows whose slack is below this maximum. For m rows of weight 1
with violations of 0 or 1, and H(T) for the number of codes that satisfy all rows in T, that is, if
L < m,

    sum over k = m - L .. m of (-1)^(k-m+L) C(k - 1, m - L - 1) sum over |T| = k of H(T).
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from mmsat._util.text import quantity
from mmsat.constraints.system import SoftRow, System
from mmsat.constraints.two_color_games import suits
from mmsat.counting.layout import UnsuitedError
from mmsat.game.board import Board
from mmsat.limits import LIMITS
from mmsat.solving.simplification import simplify_two_colors

MAX_TERMS = 5000
"""Maximum number of terms that are counted one by one."""


class Term(NamedTuple):
    """A system whose number of codes is multiplied by `times`, which may be negative."""

    times: int
    system: System
    board: Board | None = None
    """The board with the rows of the system, if the algebra of two colors counts it; else None."""

    def simplify(self) -> list[System]:
        """Return systems that partition the codes of this term.

        If `board` is set, the algebra of two colors makes them; otherwise it is the system alone.
        """
        if self.board is None:
            return [self.system]
        return simplify_two_colors(self.board)


def terms(board: Board, system: System) -> list[Term]:
    """Return the terms of a board's system: a single one if the budget is 0.

    Raises UnsuitedError if there are too many.
    """
    all_terms = list(islice(_terms(board, system), MAX_TERMS + 1))
    if len(all_terms) > MAX_TERMS:
        lies = f"{quantity(system.budget, 'lie')} in {quantity(len(board.rows), 'row')}"
        raise UnsuitedError(f"{lies} would require counting more than {MAX_TERMS:,} boards")
    return all_terms


def _terms(board: Board, system: System) -> Iterator[Term]:
    """Yield the terms whose coefficient is not 0."""
    has_algebra = board.game.pegs > LIMITS.algebra_pegs and suits(board)
    enforced, relaxed = system.enforced, system.relaxed
    for slacks, remaining_budget in _slacks(relaxed, system.budget):
        times = _coefficient(relaxed, slacks, remaining_budget)
        if not times:
            continue
        pairs = list(zip(relaxed, slacks, strict=True))
        groups = [row.constraints for row in enforced] + [row.relax(slack) for row, slack in pairs]
        term_board = None
        if has_algebra and all(slack in (0, row.max_violation) for row, slack in pairs):
            rows = enforced + [row for row, slack in pairs if slack < row.max_violation]
            term_board = board.only([row.rows[0] for row in rows])
        yield Term(times, system.with_rows(group for group in groups if group), term_board)


def _slacks(rows: Sequence[SoftRow], budget: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the slacks of the rows that a budget allows, each with the remaining budget."""
    if not rows:
        yield (), budget
        return
    row, *others = rows
    for slack in range(min(budget // row.weight, row.max_violation) + 1):
        for slacks, remaining_budget in _slacks(others, budget - slack * row.weight):
            yield (slack, *slacks), remaining_budget


def _coefficient(rows: Sequence[SoftRow], slacks: Sequence[int], budget: int) -> int:
    """Return the coefficient of a term.

    This is the sum of (-1)^|S| over the sets S of rows below their maximum violation whose total
    weight is at most `budget`, the remaining budget.
    """
    signs = [1] + [0] * budget  # by the cost of a set
    for row, slack in zip(rows, slacks, strict=True):
        if slack < row.max_violation:
            for cost in range(budget, row.weight - 1, -1):
                signs[cost] -= signs[cost - row.weight]
    return sum(signs)
