"""Explain a board: all minimal conflicts, and all cheapest corrections."""

import math
from collections.abc import Callable

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.diagnosis.findings import LIMIT, Findings, decide
from mmsat.diagnosis.unlisted import find_unlisted
from mmsat.results.explanation import Explanation
from mmsat.results.verdict import Conflict, Correction, Status
from mmsat.solving.deadline import Deadline
from mmsat.tolerance import Tolerance

UNLISTED_SECONDS = 10.0
"""Maximum time for the question whether the word list lacks the secret, within half the timeout."""
FURTHER_SECONDS = 60.0
"""Time limit of the search after the first reason, if there is no timeout."""


@check_arguments
def explain(
    board: Board | str,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    limit: int = LIMIT,
    seed: int | None = None,
    lies: int = 0,
    by: str = "rows",
    on_progress: Callable[[Explanation], None] | None = None,
) -> Explanation:
    """Explain why a board is inconsistent: its minimal conflicts and its cheapest corrections.

    A consistent board has neither.

    - `board`: the game and its scored rows.
    - `engine`: what decides whether it is consistent, by name; `auto` chooses by the board.
    - `timeout`: seconds; the answer then has the reasons found until then. None for no limit on the
      search for the first reason, and 60 seconds for the search after it.
    - `limit`: conflicts and corrections that are looked for at most, so many of each; the answer
      tells whether these are all.
    - `seed`: for the random choices of the engine.
    - `lies`: how many scores may be wrong, counted `by` "rows" or by "pegs" (key pegs that are
      off). A conflict is then of rows of which every code misses more; the corrections leave no
      lie.
    - `on_progress`: called with the explanation so far, once the verdict is known and with each
      further conflict or correction.

    Raises InputError for an unknown engine, and for lies that are no number from 0.
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
        limit_of_unlisted = deadline.within(min(UNLISTED_SECONDS, remaining / 2))
        findings.unlisted = find_unlisted(board, tolerance, limit_of_unlisted)
    if findings.needs_reasons:
        for _ in findings.search(limit, FURTHER_SECONDS if timeout is None else None):
            if on_progress is not None:
                on_progress(explanation_of(findings))
    return explanation_of(findings)


def explanation_of(found: Findings) -> Explanation:
    """The explanation that some findings make."""
    consistent = found.status is Status.CONSISTENT and not found.tolerance.lies
    return Explanation(
        found.board,
        found.status,
        tuple(sorted(found.conflicts, key=Conflict.sort_key)),
        tuple(sorted(found.corrections, key=Correction.sort_key)),
        all_conflicts=consistent or "conflicts" in found.complete,
        all_corrections=consistent or "corrections" in found.complete,
        seconds=found.deadline.elapsed,
        tolerance=found.tolerance,
        unlisted=found.unlisted,
    )
