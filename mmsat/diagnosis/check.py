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

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    engine : str, default "auto"
        Name of the engine that decides the board. "auto" chooses one for the board.
    timeout : float, optional
        Time limit in seconds. When it passes, the status of the verdict is unknown. By default,
        there is no limit.
    seed : int, optional
        Seed of the random choices of the engine.
    reason : float, default 2.0
        Time limit in seconds, within `timeout`, of the search for the reasons of an inconsistent
        board: a conflict, and the most plausible of the cheapest corrections. 0 skips both.
    lies : int, default 0
        Maximum number of wrong scores.
    by : {"rows", "pegs"}, default "rows"
        Unit of `lies`: wrong rows, or key pegs that are wrong, summed over all rows.
    on_progress : callable, optional
        Called with the verdict as soon as it is known, and again with each reason.

    Returns
    -------
    Verdict
        The verdict, with a code as witness, or with a conflict and a correction.

    Raises
    ------
    InputError
        If the board or another argument is invalid.

    See Also
    --------
    explain : All conflicts and corrections, without the time limit `reason`.
    check_many : Many boards, without reasons.

    Notes
    -----
    The problem is NP-complete [1]_. Boards of published games take milliseconds.

    In games of up to 262,144 codes, the conflict has the fewest rows possible. In larger games,
    this holds if the search for a smallest conflict ends in time; otherwise the conflict is only
    minimal. In a game of words, up to half of `reason` is spent on whether the secret may be a word
    that the list lacks.

    References
    ----------
    .. [1] J. Stuckman and G.-Q. Zhang, "Mastermind is NP-complete", INFOCOMP Journal of Computer
       Science 5(2), 25-28, 2006.

    Examples
    --------
    >>> mmsat.check("4x6/1122=1.1/3345=0.2").witness
    (0, 1, 2, 2)
    >>> verdict = mmsat.check("4x6/1122=1.1/1122=0.2")
    >>> verdict.is_consistent, verdict.conflict.rows
    (False, (0, 1))
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
    """Decide many boards without reasons, one after the other.

    Parameters
    ----------
    boards : iterable of Board or str
        The boards, or their lines. They are read lazily, one by one.
    engine : str, default "auto"
        Name of the engine that decides the board. "auto" chooses one for the board.
    seed : int, optional
        Seed of the random choices of the engine.

    Returns
    -------
    iterator of Verdict
        The verdicts, in the order of the boards.

    Raises
    ------
    InputError
        If the engine is unknown, at once; if a board is invalid, when it is read.

    Examples
    --------
    >>> boards = ["4x6/1122=1.1", "4x6/1122=3.1"]
    >>> [verdict.is_consistent for verdict in mmsat.check_many(boards)]
    [True, False]
    """
    return _check_each(boards, find_engine(engine), seed)


def _check_each(
    boards: Iterable[Board | str], engine: Engine, seed: int | None
) -> Iterator[Verdict]:
    for board in map(Board.of, boards):
        stopwatch = Deadline()
        decision = engine.decide(board, stopwatch, seed)
        yield Verdict(board, decision.status, decision.code, decision.engine, stopwatch.elapsed)
