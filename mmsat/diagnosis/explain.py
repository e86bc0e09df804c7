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

    - `board`: the game and its scored rows.
    - `engine`: the name of the engine that decides whether the board is consistent; `auto` chooses
      one by the board.
    - `timeout`: time limit in seconds; when it passes, the reasons found so far are returned. With
      None, the search for the first reason is unlimited, and the search after it is limited to 60
      seconds.
    - `limit`: maximum number of conflicts, and of corrections. `all_conflicts` and
      `all_corrections` of the result state whether these are all.
    - `seed`: seed of the random choices of the engine.
    - `lies`: maximum number of wrong scores, counted `by` "rows" or by "pegs" (key pegs that are
      off). Every code then violates more of the rows of a conflict than the lies allow. The
      corrections leave no lie.
    - `on_progress`: called with the explanation so far when the verdict is known, and again with
      each conflict or correction.

    Raises InputError if the engine is unknown or `lies` is not a number from 0.
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
