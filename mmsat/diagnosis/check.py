"""Check a board: return a verdict with a code, or with a conflict and the best correction.

First, an engine decides the board. If the board is inconsistent, a separate process then searches
for the reasons and sends each finding immediately. If a deadline, a limit or Ctrl-C ends the
search, all findings so far are therefore kept.

If every word of a word list violates the scores, either a score is wrong, or the list lacks the
secret. The latter is possible if some other sequence of the game's letters gets the scores;
`find_unlisted` searches for such a sequence.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import overload

from mmsat._util.arguments import check_arguments
from mmsat.diagnosis import Conflict, Correction, Verdict
from mmsat.errors import RECOVERABLE_ERRORS, InputError, InternalError, source_as
from mmsat.game import UNREAD, Code
from mmsat.game.board import Board, Status
from mmsat.game.space import SPACES
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving import Decision, Engine, find_engine
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, run, stream
from mmsat.solving.policy import BRUTE_SLICES
from mmsat.solving.searches import Auto, Brute

DEFAULT_LIMIT = 100
"""Default maximum number of conflicts, and of corrections."""


def decide(
    board: Board,
    tolerance: Tolerance,
    engine: str | Engine | type[Engine],
    deadline: Deadline,
    seed: int | None,
) -> Decision:
    """Decide a board with an engine, within the tolerance."""
    chosen_engine = AutoWithLies() if engine == "auto" and tolerance.lies else find_engine(engine)
    return chosen_engine.decide(board, deadline, seed, tolerance)


class AutoWithLies(Auto):
    """The engine `auto` for boards with lies.

    If lies are counted by rows, it also searches for a few rows whose removal makes the board
    consistent.
    """

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        if tolerance.by != "rows" or not tolerance.lies or is_large(board):
            return super().search(board, deadline, seed, tolerance)
        decision = Brute().try_decide(board, deadline, tolerance, BRUTE_SLICES)  # about 10 ms
        if decision is not None:
            return decision
        from mmsat.diagnosis.correction_sets import decide_few_lies

        return run(deadline, decide_few_lies, board, seed, tolerance)


@dataclass
class Findings:
    """The findings so far about an inconsistent board, or about a board with lies."""

    board: Board
    status: Status
    deadline: Deadline
    tolerance: Tolerance = STRICT
    engine: str | Engine | type[Engine] = "auto"
    """The engine that decided the board."""
    conflicts: list[Conflict] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    complete: set[str] = field(default_factory=set)
    """The searches that are complete: `conflicts`, `corrections`, `smallest` (a smallest
    conflict)."""
    unlisted: Code | None = None
    """A code that is not in the game's word list and gets the scores; see `find_unlisted`."""

    @property
    def needs_reasons(self) -> bool:
        """Whether there may be a conflict or corrections.

        A board that is consistent within a tolerance may need corrections, too.
        """
        has_tolerance = self.tolerance.lies > 0 and self.status is Status.CONSISTENT
        return has_tolerance or self.status is Status.INCONSISTENT

    def search(self, limit: int, further_seconds: float | None = None) -> Iterator[None]:
        """Search for conflicts and corrections in a separate process, and yield after each finding.

        The search ends at the deadline, or `further_seconds` after the first finding if given.
        """
        from mmsat.diagnosis.explain import find_reasons_and_facts

        finding_stream: Generator[Conflict | Correction | str, None, None]
        finding_stream = stream(
            self.deadline, find_reasons_and_facts, self.board, self.tolerance, self.status, limit
        )
        try:
            for finding in finding_stream:
                if isinstance(finding, str):
                    self.complete.add(finding)
                elif isinstance(finding, Conflict):
                    # A conflict is sent twice: the second time with its proof and facts.
                    self.conflicts = [
                        conflict for conflict in self.conflicts if conflict != finding
                    ]
                    self.conflicts.append(finding)
                else:
                    self.corrections.append(finding)
                if further_seconds is not None:
                    self.deadline.shorten(further_seconds)
                    further_seconds = None
                yield
                # Inside a worker process, the search runs in this process, so that only this test
                # ends it at a shortened deadline.
                if self.deadline.passed:
                    return
        except TimeUpError:
            return
        except InternalError as error:
            # If a code contradicts the verdict of a plug-in, the error names the plug-in.
            raise find_engine(self.engine).blame(error) from error
        finally:
            finding_stream.close()


MAX_UNLISTED_SLICES = 128
"""Maximum number of slices of brute force before other engines run: about half a second. A slice is
a few milliseconds of search (`SlicedSearch`)."""


def find_unlisted(
    board: Board,
    tolerance: Tolerance = STRICT,
    deadline: Deadline | None = None,
    *,
    is_brief: bool = False,
) -> Code | None:
    """Return a code that gets the scores of an inconsistent board, but is not in its word list.

    The guesses of the board are tried first, because the last one may have been the secret. If some
    pegs of the board were not read, only the guesses that were read completely are tried.

    Returns None if no such code exists, if the deadline passes, or if the board has known codes or
    no word list. With `is_brief`, only brute force is used.
    """
    deadline = deadline or Deadline()
    if board.game.space.table() is None or board.known:
        return None
    for guess, _ in board.rows:
        # `Tolerance.allows` would refuse every code outside of the word list.
        is_fully_read = UNREAD not in guess
        if is_fully_read and tolerance.price(tolerance.misses(board, guess)) <= tolerance.lies:
            return guess
    if board.has_unread_pegs:
        return None
    any_letters = Board(replace(board.game, space=SPACES["repeats"], name=""), board.rows)
    try:
        decision = None
        if not is_large(any_letters):
            decision = Brute().try_decide(any_letters, deadline, tolerance, MAX_UNLISTED_SLICES)
        if decision is None and not is_brief:
            decision = decide(any_letters, tolerance, "auto", deadline, None)
    except (TimeUpError, *RECOVERABLE_ERRORS):
        return None
    return decision.code if decision and decision.status is Status.CONSISTENT else None


REASON_SECONDS = 2.0
"""Default time limit of the search for a conflict and a correction. `explain` has no such limit."""


@check_arguments
def check(
    board: Board | str,
    *,
    engine: str | Engine | type[Engine] = "auto",
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
    engine : str, Engine or type, default "auto"
        Engine that decides the board, its class or its name. "auto" chooses one for the board.
    timeout : float, optional
        Time limit in seconds. When it passes without a decision, the status of the verdict is
        unknown. By default, the time is not limited.
    seed : int, optional
        Seed of the random choices of the engine.
    reason : float, default 2.0
        Wall-clock time limit in seconds, within `timeout`, of the search for the reasons of an
        inconsistent board: a conflict, and the most probable of the cheapest corrections. If one
        of them is not found in time, it is None. 0 skips the search.
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
        If the board or another argument is invalid, or if a custom engine gives a wrong answer.
        Only the search for reasons can notice that "inconsistent" is wrong.

    See Also
    --------
    explain : All conflicts and corrections, without the time limit `reason`.
    check_many : Many boards, without reasons.

    Notes
    -----
    The problem is NP-complete [1]_, [2]_. Boards of published games take milliseconds.

    In games of up to 262,144 codes, the conflict has the fewest rows possible. In larger games,
    this holds if the search for a smallest conflict ends in time; otherwise the conflict is only
    minimal. In a game of words, up to half of `reason` is spent on whether the secret may be a word
    that the list lacks.

    References
    ----------
    .. [1] M. de Bondt, "NP-completeness of Master Mind and Minesweeper", Radboud University
       Nijmegen, report 0418, 2004.
    .. [2] J. Stuckman and G.-Q. Zhang, "Mastermind is NP-complete", INFOCOMP Journal of Computer
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
    wants_reasons = reason > 0 and decision.status is Status.INCONSISTENT and not deadline.passed
    findings = Findings(board, decision.status, deadline.within(reason), tolerance, engine)
    unlisted: Code | None = None
    plugin = find_engine(engine).plugin

    def current_verdict() -> Verdict:
        """Return the verdict with the reasons found so far."""
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
            reason_seconds=deadline.elapsed - seconds if wants_reasons else 0.0,
            unlisted=unlisted,
            plugin=plugin,
        )

    if on_progress is not None:
        on_progress(current_verdict())
    if wants_reasons:
        unlisted = find_unlisted(board, tolerance, deadline.within(reason / 2))
        for _ in findings.search(DEFAULT_LIMIT):
            if on_progress is not None:
                on_progress(current_verdict())
            if findings.complete >= {"corrections", "smallest"}:
                break
    return current_verdict()


@overload
def check_many(
    boards: Iterable[Board | str],
    *,
    engine: str | Engine | type[Engine] = "auto",
    seed: int | None = None,
    on_error: None = None,
) -> Iterator[Verdict]: ...
@overload
def check_many(
    boards: Iterable[Board | str],
    *,
    engine: str | Engine | type[Engine] = "auto",
    seed: int | None = None,
    on_error: Callable[[int, InputError], object],
) -> Iterator[Verdict | None]: ...
@check_arguments
def check_many(
    boards: Iterable[Board | str],
    *,
    engine: str | Engine | type[Engine] = "auto",
    seed: int | None = None,
    on_error: Callable[[int, InputError], object] | None = None,
) -> Iterator[Verdict | None]:
    """Decide many boards without reasons, one after the other.

    Parameters
    ----------
    boards : iterable of Board or str
        The boards, or their lines. They are read lazily, one by one.
    engine : str, Engine or type, default "auto"
        Engine that decides the boards, its class or its name. "auto" chooses one for each
        board.
    seed : int, optional
        Seed of the random choices of the engine.
    on_error : callable, optional
        Called with the index of an invalid board, from 0, and its error. The result of the board is
        None, and the next board follows. By default, the error is raised.

    Returns
    -------
    iterator of Verdict
        One verdict per board, in the order of the boards. With `on_error`, None for invalid boards.

    Raises
    ------
    InputError
        If the engine is unknown, at once; if a board is invalid and there is no `on_error`, when it
        is read. The message names the board by its number, from 1, as for `on_error`.

    Examples
    --------
    >>> boards = ["4x6/1122=1.1", "4x6/1122=3.1"]
    >>> [verdict.is_consistent for verdict in mmsat.check_many(boards)]
    [True, False]
    >>> errors = {}
    >>> verdicts = mmsat.check_many(["4x6/112=1.1", *boards], on_error=errors.__setitem__)
    >>> [verdict if verdict is None else verdict.is_consistent for verdict in verdicts]
    [None, True, False]
    >>> print(errors[0])
    board 1, line 1, column 5: expected 4 colors, not 3, found '112'
    """
    return _check_each(boards, find_engine(engine), seed, on_error)


def _check_each(
    boards: Iterable[Board | str],
    engine: Engine,
    seed: int | None,
    on_error: Callable[[int, InputError], object] | None,
) -> Iterator[Verdict | None]:
    """Yield the verdict of each board; None for an invalid board, if `on_error` is given."""
    for index, board_or_line in enumerate(boards):
        try:
            with source_as(f"board {index + 1}"):
                board = Board.of(board_or_line)
        except InputError as error:
            if on_error is None:
                raise
            on_error(index, error)
            yield None
            continue
        stopwatch = Deadline()
        decision = engine.decide(board, stopwatch, seed)
        yield Verdict(
            board,
            decision.status,
            decision.code,
            decision.engine,
            stopwatch.elapsed,
            plugin=engine.plugin,
        )
