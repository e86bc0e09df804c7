"""Check a board: a verdict with a code, or with a conflict and the best correction."""

from collections.abc import Callable, Iterable, Iterator

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.diagnosis.findings import LIMIT, Findings, decide
from mmsat.diagnosis.unlisted import find_unlisted
from mmsat.game.row import Code
from mmsat.results.verdict import Conflict, Correction, Status, Verdict
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Engine
from mmsat.tolerance import Tolerance

REASON_SECONDS = 2.0
"""What the reason may take once the verdict is known; `explain` takes as long as it needs."""


@check_arguments
def check(
    board: Board | str,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    seed: int | None = None,
    reason: float = REASON_SECONDS,
    lies: int = 0,
    by: str = "rows",
    on_progress: Callable[[Verdict], None] | None = None,
) -> Verdict:
    """Decide whether a code gets exactly the board's scores, or misses them by a few lies at most.

    - `board`: the game and its scored rows.
    - `engine`: what decides, by name; `auto` chooses by the board.
    - `timeout`: seconds, None for no limit; when they are over, the verdict is unknown.
    - `seed`: for the random choices of the engine.
    - `reason`: seconds, within the timeout, that are spent once a board is known to be inconsistent
      on a conflict and the most plausible of the cheapest corrections; 0 for none. The conflict is
      a smallest one in games of up to 262,144 codes, and in larger games if the search for it
      ends; else it is minimal. In a game of words, at most half of these seconds are spent on
      whether the secret may be a word that the list lacks.
    - `lies`: how many scores may be wrong, counted `by` "rows" or by "pegs" (key pegs that are
      off).
    - `on_progress`: called with the verdict as soon as it is known, and with each reason found.

    Raises InputError for an unknown engine, and for lies that are no number from 0.
    """
    board = Board.of(board)
    deadline = Deadline(timeout)
    tolerance = Tolerance(lies, by)
    decision = decide(board, tolerance, engine, deadline, seed)
    seconds = deadline.elapsed
    is_asked = reason > 0 and decision.status is Status.INCONSISTENT and not deadline.passed
    found = Findings(board, decision.status, deadline.within(reason), tolerance)
    unlisted: Code | None = None

    def so_far() -> Verdict:
        return Verdict(
            board,
            decision.status,
            decision.code,
            decision.engine,
            seconds,
            conflict=min(found.conflicts, key=Conflict.sort_key, default=None),
            corrections=tuple(sorted(found.corrections, key=Correction.sort_key)),
            all_corrections="corrections" in found.complete,
            choice=decision.reason,
            tolerance=tolerance,
            reason_seconds=deadline.elapsed - seconds if is_asked else 0.0,
            unlisted=unlisted,
        )

    if on_progress is not None:
        on_progress(so_far())
    if is_asked:
        unlisted = find_unlisted(board, tolerance, deadline.within(reason / 2))
        for _ in found.search(LIMIT):
            if on_progress is not None:
                on_progress(so_far())
            if found.complete >= {"corrections", "smallest"}:
                break
    return so_far()


@check_arguments
def check_many(
    boards: Iterable[Board | str], *, engine: str = "auto", seed: int | None = None
) -> Iterator[Verdict]:
    """Check boards in bulk, without reasons; verdicts come in order, as they are found.

    `boards` are read one by one; `engine` and `seed` are those of `check`. Raises InputError for
    them at once, and for a board when it comes to it.
    """
    return _check_each(boards, find_engine(engine), seed)


def _check_each(
    boards: Iterable[Board | str], chosen: Engine, seed: int | None
) -> Iterator[Verdict]:
    for board in map(Board.of, boards):
        never = Deadline()
        decision = chosen.decide(board, never, seed)
        yield Verdict(board, decision.status, decision.code, decision.engine, never.elapsed)
