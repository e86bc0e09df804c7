"""Count the codes of a board with the decision diagram of the kernel, step by step.

With lies, counts within a budget of violations are sums of counts without a budget
(inclusion-exclusion over soft rows).

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

from mmsat._core import Counter, Stage
from mmsat._util.text import quantity
from mmsat.constraints import SoftRow, System, suits
from mmsat.constraints.presolve_steps import simplify_two_colors
from mmsat.counting import CountBounds
from mmsat.counting.layout import UnsuitedError, layouts
from mmsat.game.board import Board
from mmsat.limits import LIMITS

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


WORK_PER_REPORT = 1 << 21
"""Entries of lists that are processed between two reports: some hundredths of a second."""
WORK_PER_TERM = 1 << 17
"""Work charged for each finished term of a sum, in addition to WORK_PER_REPORT for each report."""


def count_by_diagram(
    system: System, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the known bounds of the count, with the count itself (else None) at the end.

    If `work` (None: unlimited) does not suffice, the count is never yielded. Raises MemoryError if
    more than `memory` bytes are needed, and OverflowError or UnsuitedError if there is no diagram.
    """
    all_terms = terms(board, system)
    if system.budget:
        yield from _add_up(all_terms, board, memory, work)
    else:
        yield from _count(all_terms[0], board, memory, work)


def _add_up(
    terms: list[Term], board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the progress of a sum of terms, and the sum at the end.

    Before that there are no bounds other than the size of the game, because some terms are
    subtracted.
    """
    total, game = 0, board.game
    for number, term in enumerate(terms, 1):
        for bounds, code_count in _count(term, board, memory, work):
            doing = f"{number:,} of {len(terms):,} boards without lies: {bounds.doing}"
            if code_count is None:
                work = None if work is None else work - WORK_PER_REPORT
                yield CountBounds(0, game.size, doing, (number - 1) / len(terms)), None
            else:
                work = None if work is None else work - WORK_PER_TERM
                total += term.times * code_count
                yield CountBounds(0, game.size, doing), total if number == len(terms) else None
        if work is not None and work <= 0:
            return


def _count(
    term: Term, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the progress of one term, and its number of codes at the end."""
    game = board.game
    if not term.system.soft:
        size = game.size - len(board.known)
        yield CountBounds(size, size, "all codes of the game"), size
        return
    parts = list(layouts(term.simplify(), in_order=False))
    done = spent = 0
    peak = states = nodes = 0
    for number, layout in enumerate(parts):
        counter = Counter(*layout.arguments, memory)
        # Upper bounds of the layouts that are not counted yet.
        remaining_bound = sum(1 << other.bits for other in parts[number + 1 :])
        while not counter.advance(WORK_PER_REPORT):
            spent += WORK_PER_REPORT
            stage = counter.stage
            bound = int.from_bytes(stage.most, "little") if stage.most else 1 << layout.bits
            yield (
                CountBounds(
                    done,
                    min(done + bound + remaining_bound, game.size),
                    describe_stage(stage, layout.order),
                    (number + stage.pegs_done / len(layout.order)) / len(parts),
                ),
                None,
            )
            if work is not None and spent >= work:
                return
        stage = counter.stage
        peak, states = max(peak, stage.peak_bytes), max(states, stage.states)
        nodes += stage.nodes
        done += int.from_bytes(counter.count, "little")
    summary = (
        f"the complete diagram has {nodes:,} histograms and {states:,} states, {peak >> 20:,} MiB"
    )
    if len(parts) != 1:
        summary += f", in {len(parts)} parts"
    yield CountBounds(done, done, summary), done


def describe_stage(stage: Stage, order: tuple[int, ...]) -> str:
    """Return the progress of a diagram as text."""
    return (
        f"diagram: peg {stage.pegs_done} of {len(order)}, {stage.nodes:,} histograms, "
        f"{stage.states:,} states, {stage.peak_bytes >> 20:,} MiB"
    )
