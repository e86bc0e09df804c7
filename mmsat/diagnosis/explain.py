"""Explain a board: find its minimal conflicts and its cheapest corrections, one by one.

`find_reasons_and_facts` runs in a separate process. `check` imports this module lazily, so that
consistent boards do not load it. For full reports (`-v`), `with_derivations` lets presolve derive
why no code satisfies the rows of a conflict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain, islice
from typing import TypeVar

from mmsat._util.arguments import check_arguments
from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.constraints.system import System
from mmsat.diagnosis.check import DEFAULT_LIMIT, Findings, decide, find_unlisted
from mmsat.diagnosis.contradicting_facts import FactFinder
from mmsat.diagnosis.corrections import corrections
from mmsat.diagnosis.explanation import Explanation
from mmsat.diagnosis.mus import conflicts, prove_conflict, smaller_muses
from mmsat.diagnosis.verdict import (
    Conflict,
    Correction,
)
from mmsat.errors import InternalError
from mmsat.game.board import Board, Status
from mmsat.game.tolerance import Tolerance
from mmsat.limits import LIMITS
from mmsat.solving import Engine, find_engine
from mmsat.solving.deadline import Deadline, TimeUpError, stream
from mmsat.solving.oracle import HardQueryError, SubsetOracle

T = TypeVar("T")
MAX_SMALLEST_CONFLICT_WORK = 20_000_000
"""Maximum work, in propagations, of the search for a smallest conflict: a few seconds."""


def find_reasons_and_facts(
    board: Board, tolerance: Tolerance, status: Status, limit: int
) -> Iterator[Conflict | Correction | str]:
    """Yield the items of `find_reasons`; without lies, each conflict again with proof and facts.

    Each conflict is first yielded without them, in case the time limit passes before they are
    found. Boards with known codes have no facts, because these codes satisfy all rows.
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
    """Yield conflicts and corrections, and the name of each search that is complete.

    The names are `conflicts` and `corrections` when no further ones exist, and `smallest` when the
    search for a smallest conflict has ended or was skipped. In a small game, that search always
    succeeds; if `limit` is 1, only its result is yielded. In larger games, its result may be a
    conflict that is only minimal.

    On dense boards the order differs, because queries can be expensive: all corrections precede
    the smallest conflict. If the first query was hard, they also precede all other conflicts.

    A board that is consistent within the lies has no conflict, and with a correction no score is
    wrong. Known codes show that the scores can be right, so they rule out corrections.
    """
    oracle = SubsetOracle(board, tolerance)
    correction_stream = take(
        iter(()) if board.known else corrections(board, oracle), limit, "corrections"
    )
    muses: Iterator[Conflict] = iter(())
    yielded: set[Conflict] = set()
    if status is Status.INCONSISTENT:
        code = oracle.find(oracle.all_rows)
        if code is not None:
            within = f" within {tolerance}" if tolerance.lies else ""
            raise InternalError(f"{board} was refuted, but {code} gets its scores{within}")
        is_small = board.game.size <= LIMITS.small_game
        if oracle.used_dense_portfolio and not is_small and limit and not board.known:
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
        if oracle.dense_portfolio is not None and not is_small:
            yield from correction_stream
        if limit > 1 and (is_small or (is_easy and not tolerance.lies)):
            smallest = try_smallest(oracle, first, None if is_small else MAX_SMALLEST_CONFLICT_WORK)
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
    """Return whether some code gets every score exactly, without lies."""
    return find_engine("auto").decide(board, Deadline()).status is Status.CONSISTENT


def try_smallest(oracle: SubsetOracle, first: Conflict, work: int | None) -> Conflict:
    """Return the smallest conflict found within `work` propagations and without hard queries.

    If `work` is None, neither limit applies. If a limit ends the search, a smaller conflict may
    exist.
    """
    smallest = first
    with suppress(HardQueryError), oracle.limit_rounds(None if work is None else 0):
        for smaller in smaller_muses(oracle, first, work):
            smallest = smaller
    return smallest


def take(findings: Iterator[T], limit: int, search_name: str) -> Iterator[T | str]:
    """Yield up to `limit` findings, then `search_name` if these were all."""
    yield from islice(findings, limit)
    if next(findings, None) is None:
        yield search_name


def with_derivations(
    board: Board, conflicts: Sequence[Conflict], deadline: Deadline
) -> tuple[Conflict, ...]:
    """Return the conflicts, each with its derivation unless a refutation explains it already.

    When the deadline passes, the remaining conflicts are returned without derivations.
    """
    explained = list(conflicts)
    try:
        with closing(stream(deadline, derive_all, board, conflicts)) as derivations:
            for index, lines in enumerate(derivations):
                explained[index] = replace(explained[index], derivation=lines)
    except TimeUpError:
        pass
    return tuple(explained)


def derive_all(board: Board, conflicts: Sequence[Conflict]) -> Iterator[tuple[str, ...]]:
    """Yield the derivation of each conflict, empty if it has a refutation."""
    system = System.of(board)
    for conflict in conflicts:
        yield () if conflict.refutation else derive(system, conflict)


def derive(system: System, conflict: Conflict) -> tuple[str, ...]:
    """Return sentences that derive the contradiction; empty if presolve does not find it."""
    groups = (group if row in conflict.rows else () for row, group in enumerate(system.rows))
    presolved = presolve(system.with_rows(groups))
    if not isinstance(presolved, Infeasibility):
        return ()
    first, *others = presolved.lines
    return (f"Why: {first}", *others)


UNLISTED_SECONDS = 10.0
"""Maximum time limit in seconds of the search for a secret that the word list lacks. The limit is
half of the remaining time if that is less."""
FURTHER_SECONDS = 60.0
"""Time limit in seconds of the search after the first reason, if no timeout is given."""


@check_arguments
def explain(
    board: Board | str,
    *,
    engine: str | Engine | type[Engine] = "auto",
    timeout: float | None = None,
    limit: int = DEFAULT_LIMIT,
    seed: int | None = None,
    lies: int = 0,
    by: str = "rows",
    on_progress: Callable[[Explanation], None] | None = None,
) -> Explanation:
    """Explain why a board is inconsistent: its minimal conflicts and its cheapest corrections.

    A consistent board has neither.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    engine : str, Engine or type, default "auto"
        Engine that decides the board, its class or its name. "auto" chooses one for the board.
    timeout : float, optional
        Time limit in seconds. When it passes, the reasons found so far are returned. By default,
        the search for the first reason has no limit, and the search for further ones is limited to
        60 seconds.
    limit : int, default 100
        Maximum number of conflicts, and of corrections.
    seed : int, optional
        Seed of the random choices of the engine.
    lies : int, default 0
        Maximum number of wrong scores. A conflict is then a set of rows such that every code
        violates more of them than the lies allow. With a correction, no score is wrong.
    by : {"rows", "pegs"}, default "rows"
        Unit of `lies`: wrong rows, or key pegs that are wrong, summed over all rows.
    on_progress : callable, optional
        Called with the explanation so far when the verdict is known, and again with each conflict
        or correction.

    Returns
    -------
    Explanation
        The conflicts with the fewest rows first, and the most plausible corrections first.
        `all_conflicts` and `all_corrections` state whether these are all.

    Raises
    ------
    InputError
        If the board or another argument is invalid.

    Notes
    -----
    A conflict is a minimal unsatisfiable subset of the rows. All of them are enumerated by MARCO
    [1]_; their number can grow exponentially with the rows.

    References
    ----------
    .. [1] M. H. Liffiton, A. Previti, A. Malik and J. Marques-Silva, "Fast, flexible MUS
       enumeration", Constraints 21(2), 223-250, 2016.

    Examples
    --------
    >>> explanation = mmsat.explain("4x6/1122=2.0/3344=0.0/5566=0.0/1212=0.0")
    >>> [conflict.rows for conflict in explanation.conflicts]
    [(0, 3), (1, 2, 3)]
    >>> change, = explanation.correction.changes
    >>> change.row, change.before, change.after
    (3, (0, 0), (2, 0))
    """
    board = Board.of(board)
    deadline = Deadline(timeout)
    tolerance = Tolerance(lies, by)
    status = decide(board, tolerance, engine, deadline, seed).status
    findings = Findings(board, status, deadline, tolerance, engine)
    if on_progress is not None:
        on_progress(explanation_of(findings))
    if status is Status.INCONSISTENT:
        remaining = math.inf if deadline.left is None else deadline.left
        unlisted_deadline = deadline.within(min(UNLISTED_SECONDS, remaining / 2))
        findings.unlisted = find_unlisted(board, tolerance, unlisted_deadline)
    if findings.needs_reasons:
        for _ in findings.search(limit, FURTHER_SECONDS if timeout is None else None):
            if on_progress is not None:
                on_progress(explanation_of(findings))
    return explanation_of(findings)


def explanation_of(findings: Findings) -> Explanation:
    """Return the findings so far as an explanation."""
    has_no_reasons = findings.status is Status.CONSISTENT and not findings.tolerance.lies
    return Explanation(
        findings.board,
        findings.status,
        tuple(sorted(findings.conflicts, key=Conflict.sort_key)),
        tuple(sorted(findings.corrections, key=Correction.sort_key)),
        all_conflicts=has_no_reasons or "conflicts" in findings.complete,
        all_corrections=has_no_reasons or "corrections" in findings.complete,
        seconds=findings.deadline.elapsed,
        tolerance=findings.tolerance,
        unlisted=findings.unlisted,
    )
