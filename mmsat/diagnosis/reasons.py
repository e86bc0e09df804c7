"""Find minimal conflicts and cheapest corrections of a board, one by one.

This runs in a separate process. `explain` and `check` import it lazily, so that consistent boards
do not load it.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from typing import TypeVar

from mmsat.board import Board
from mmsat.diagnosis.clash import FactFinder
from mmsat.diagnosis.corrections import corrections
from mmsat.diagnosis.marco import conflicts
from mmsat.diagnosis.smallest_mus import smaller_muses
from mmsat.errors import InternalError
from mmsat.limits import LIMITS
from mmsat.results.verdict import Conflict, Correction, Status
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.queries.oracle import HardQueryError, SubsetOracle
from mmsat.solving.refutation import prove_conflict
from mmsat.tolerance import Tolerance

T = TypeVar("T")

SMALLEST_WORK = 20_000_000
"""Maximum work, in propagations, of the search for a smallest conflict: a few seconds."""


def find_reasons_and_facts(
    board: Board, tolerance: Tolerance, status: Status, limit: int
) -> Iterator[Conflict | Correction | str]:
    """Yield conflicts and corrections; without lies, each conflict again with proof and facts.

    If the time ends in between, the conflict is known without them. If codes are known, no facts
    are found, because these codes satisfy the rows.
    """
    finder = FactFinder(board)
    for reason in find_reasons(board, tolerance, status, limit):
        yield reason
        if isinstance(reason, Conflict) and not tolerance.lies:
            facts = () if board.known else finder.find(reason.rows)
            yield replace(prove_conflict(board, reason.rows), facts=facts)


def find_reasons(
    board: Board, tolerance: Tolerance, status: Status, limit: int
) -> Iterator[Conflict | Correction | str]:
    """Yield conflicts and corrections, and a word for each search that is complete.

    The words are `conflicts` and `corrections` when no further ones exist, and `smallest` when the
    search for a smallest conflict is over or skipped. In a small game, that search runs immediately
    and always succeeds. In larger games, its result may be a conflict that is only minimal.

    Dense boards need other orders, because their queries can be expensive: all corrections precede
    the smallest conflict, and, if the first query was hard, all conflicts.

    With lies, a board that is consistent within them has no conflict, and the corrections leave no
    lie. Known codes show that the scores can be right, so there are no corrections.
    """
    oracle = SubsetOracle(board, tolerance)
    correction_stream = take(
        iter(()) if board.known else corrections(board, oracle), limit, "corrections"
    )
    muses: Iterator[Conflict] = iter(())
    yielded: set[Conflict] = set()
    if status is Status.INCONSISTENT:
        if oracle.find(oracle.everything) is not None:
            raise InternalError(f"{board} was refuted, but a code is within {tolerance}")
        is_small = board.game.size <= LIMITS.small_game
        if oracle.used_counting and not is_small and limit and not board.known:
            yield "smallest"
            yield from correction_stream
        muses = conflicts(oracle)
        first = next(muses)
        muses = chain([first], muses)
        is_easy = not oracle.is_hard
        if is_small and limit == 1:
            first = try_smallest(oracle, first, None)
        yield first
        yielded.add(first)
        if oracle.counting is not None and not is_small:
            yield from correction_stream
        if limit > 1 and (is_small or (is_easy and not tolerance.lies)):
            smallest = try_smallest(oracle, first, None if is_small else SMALLEST_WORK)
            if smallest != first:
                yield smallest
                yielded.add(smallest)
        yield "smallest"
    if board.known or status is Status.INCONSISTENT or not is_consistent(board):
        yield from correction_stream
    else:
        yield "corrections"
    others = (mus for mus in muses if mus not in yielded)
    yield from take(others, max(0, limit - len(yielded)), "conflicts")


def is_consistent(board: Board) -> bool:
    """Return whether some code gets every score exactly."""
    return find_engine("auto").decide(board, Deadline()).status is Status.CONSISTENT


def try_smallest(oracle: SubsetOracle, first: Conflict, work: int | None) -> Conflict:
    """Return the smallest conflict found within `work` propagations and without hard queries.

    It is a smallest conflict if the search ends, and merely minimal if not. With None, neither
    limit applies.
    """
    smallest = first
    with suppress(HardQueryError), oracle.limit_rounds(None if work is None else 0):
        for smaller in smaller_muses(oracle, first, work):
            smallest = smaller
    return smallest


def take(findings: Iterator[T], limit: int, word: str) -> Iterator[T | str]:
    """Yield up to `limit` findings, then the word if these were all."""
    yield from islice(findings, limit)
    if next(findings, None) is None:
        yield word
