"""Check a board: return a verdict with a code, or with a conflict and the best correction."""

from collections.abc import Callable, Iterable, Iterator

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.diagnosis.findings import DEFAULT_LIMIT, Findings, decide
from mmsat.diagnosis.unlisted import find_unlisted
from mmsat.game.row import Code
from mmsat.results.verdict import Conflict, Correction, Status, Verdict
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Engine
from mmsat.tolerance import Tolerance

REASON_SECONDS = 2.0
"""Default time limit of the search for a conflict and a correction. `explain` has no such limit."""


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
    """Decide whether some code gets the scores of a board, exactly or within a number of lies.

    - `board`: the game and its scored rows.
    - `engine`: the name of an engine, or `auto` to choose one by the board.
    - `timeout`: time limit in seconds, None for no limit. If it passes, the verdict is unknown.
    - `seed`: seed of the random choices of the engine.
    - `reason`: time limit in seconds, within the timeout, for the reasons of an inconsistent board:
      a conflict, and the most plausible of the cheapest corrections. 0 skips both. In games of up
      to 262,144 codes, the conflict has the fewest rows possible. In larger games, this holds if
      the search for a smallest conflict ends; otherwise the conflict is minimal. In a game of
      words, up to half of this time is spent on whether the secret may be a word that is missing
      from the list.
    - `lies`: maximum number of wrong scores, counted `by` "rows" or by "pegs" (key pegs that are
      off).
    - `on_progress`: called with the verdict as soon as it is known, and again with each reason.

    Raises InputError if the engine is unknown or `lies` is not a number from 0.
    """
    board = Board.of(board)
    deadline = Deadline(timeout)
    tolerance = Tolerance(lies, by)
    decision = decide(board, tolerance, engine, deadline, seed)
    seconds = deadline.elapsed
    is_asked = reason > 0 and decision.status is Status.INCONSISTENT and not deadline.passed
    findings = Findings(board, decision.status, deadline.within(reason), tolerance)
    unlisted: Code | None = None

    def so_far() -> Verdict:
        return Verdict(
            board,
            decision.status,
            decision.code,
            decision.engine,
            seconds,
            conflict=min(findings.conflicts, key=Conflict.sort_key, default=None),
            corrections=tuple(sorted(findings.corrections, key=Correction.sort_key)),
            all_corrections="corrections" in findings.complete,
            choice=decision.reason,
            tolerance=tolerance,
            reason_seconds=deadline.elapsed - seconds if is_asked else 0.0,
            unlisted=unlisted,
        )

    if on_progress is not None:
        on_progress(so_far())
    if is_asked:
        unlisted = find_unlisted(board, tolerance, deadline.within(reason / 2))
        for _ in findings.search(DEFAULT_LIMIT):
            if on_progress is not None:
                on_progress(so_far())
            if findings.complete >= {"corrections", "smallest"}:
                break
    return so_far()


@check_arguments
def check_many(
    boards: Iterable[Board | str], *, engine: str = "auto", seed: int | None = None
) -> Iterator[Verdict]:
    """Check boards in bulk, without reasons, and yield their verdicts in the same order.

    The `boards` are read lazily, one by one. `engine` and `seed` are those of `check`.

    Raises InputError immediately if the engine is unknown, and for an invalid board when it is
    read.
    """
    return _check_each(boards, find_engine(engine), seed)


def _check_each(
    boards: Iterable[Board | str], engine: Engine, seed: int | None
) -> Iterator[Verdict]:
    for board in map(Board.of, boards):
        stopwatch = Deadline()
        decision = engine.decide(board, stopwatch, seed)
        yield Verdict(board, decision.status, decision.code, decision.engine, stopwatch.elapsed)
