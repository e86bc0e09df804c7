"""Explain a board: list its minimal conflicts and its cheapest corrections."""

import math
from collections.abc import Callable

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.diagnosis.findings import DEFAULT_LIMIT, Findings, decide
from mmsat.diagnosis.unlisted import find_unlisted
from mmsat.results.explanation import Explanation
from mmsat.results.verdict import Conflict, Correction, Status
from mmsat.solving.deadline import Deadline
from mmsat.tolerance import Tolerance

UNLISTED_SECONDS = 10.0
"""Maximum time of the search for a secret that the word list lacks, within half of the timeout."""
FURTHER_SECONDS = 60.0
"""Time limit of the search after the first reason, without a timeout."""


@check_arguments
def explain(
    board: Board | str,
    *,
    engine: str = "auto",
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
    engine : str, default "auto"
        Name of the engine that decides the board. "auto" chooses one for the board.
    timeout : float, optional
        Time limit in seconds. When it passes, the reasons found so far are returned. By default,
        the search for the first reason has no limit, and the search for further ones is limited to
        60 seconds.
    limit : int, default 100
        Maximum number of conflicts, and of corrections.
    seed : int, optional
        Seed of the random choices of the engine.
    lies : int, default 0
        Maximum number of wrong scores. Every code then violates more of the rows of a conflict than
        the lies allow, and with a correction no score is wrong.
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
    findings = Findings(board, status, deadline, tolerance)
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
    """Return the explanation made of the findings so far."""
    is_consistent = findings.status is Status.CONSISTENT and not findings.tolerance.lies
    return Explanation(
        findings.board,
        findings.status,
        tuple(sorted(findings.conflicts, key=Conflict.sort_key)),
        tuple(sorted(findings.corrections, key=Correction.sort_key)),
        all_conflicts=is_consistent or "conflicts" in findings.complete,
        all_corrections=is_consistent or "corrections" in findings.complete,
        seconds=findings.deadline.elapsed,
        tolerance=findings.tolerance,
        unlisted=findings.unlisted,
    )
