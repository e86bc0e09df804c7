"""Explain a board: all minimal conflicts, and all cheapest corrections.

The work is done in a process of its own and its findings arrive one by one, so that a deadline, a
limit or Ctrl-C keeps what was found until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmsat.diagnosis.conflicts import conflicts, proven, smaller_conflicts
from mmsat.diagnosis.corrections import corrections, plausibility
from mmsat.diagnosis.oracle import HardQuestionError, RowOracle
from mmsat.results import Conflict, Correction, Explanation, Status
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.worker import TimeUpError, stream
from mmsat.tolerance import STRICT, Tolerance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmsat.board import Board
    from mmsat.solving.engine import Decision

    Found = Conflict | Correction
    Progress = Callable[[Explanation], None]

LIMIT = 100
"""Conflicts, and corrections, that are listed unless told otherwise."""
SMALLEST_WORK = 20_000_000
"""Propagations for the search of a smallest conflict: a few seconds."""


def explain(
    board: Board,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    limit: int = LIMIT,
    seed: int | None = None,
    lies: int = 0,
    by: str = "rows",
    on_progress: Progress | None = None,
) -> Explanation:
    """Explain why a board is inconsistent; a consistent one has nothing to explain.

    At most `limit` conflicts and `limit` corrections are looked for; the answer tells whether these
    are all. With lies, counted `by` rows or by pegs, a conflict is of rows of which every code
    misses more; the corrections leave no lie. `on_progress` is called with the explanation so far:
    once the verdict is known, and with each further conflict or correction.
    """
    deadline = Deadline(timeout)
    tolerance = Tolerance(lies, by)
    status = decided(board, tolerance, engine, deadline, seed).status
    gathered = Gathered(board, status, deadline, tolerance)
    if on_progress is not None:
        on_progress(gathered.explanation())
    if gathered.needs_reasons:
        for _ in gathered.findings(limit):
            if on_progress is not None:
                on_progress(gathered.explanation())
    return gathered.explanation()


def decided(
    board: Board, tolerance: Tolerance, engine: str, deadline: Deadline, seed: int | None
) -> Decision:
    """The decision, with lies or without."""
    if not tolerance.lies:
        return find_engine(engine).decide(board, deadline, seed)
    from mmsat.solving.lenient import decide  # noqa: PLC0415  (seldom asked for)

    return decide(board, tolerance, engine, deadline, seed)


class Gathered:
    """What has been found so far."""

    def __init__(
        self, board: Board, status: Status, deadline: Deadline, tolerance: Tolerance = STRICT
    ) -> None:
        """Start with nothing but the verdict."""
        self.tolerance = tolerance
        self.board = board
        self.status = status
        self.deadline = deadline
        self.conflicts: list[Conflict] = []
        self.corrections: list[Correction] = []
        self.complete: set[str] = set()

    @property
    def needs_reasons(self) -> bool:
        """Whether there is something to explain: with lies, also what they may be."""
        is_lenient = self.tolerance.lies > 0 and self.status is Status.CONSISTENT
        return is_lenient or self.status is Status.INCONSISTENT

    def findings(self, limit: int) -> Iterator[None]:
        """Work in a process of its own until all is found or the time is up; stop at each find."""
        found = stream(self.deadline, *self._work(limit))
        try:
            for each in found:
                if isinstance(each, str):
                    self.complete.add(each)
                elif isinstance(each, Conflict):
                    self.conflicts.append(each)
                else:
                    self.corrections.append(each)
                yield
        except TimeUpError:
            return
        finally:
            found.close()

    def _work(self, limit: int) -> tuple[Any, ...]:
        if not self.tolerance.lies:
            return find_reasons, self.board, limit
        from mmsat.diagnosis.lenient import find_lenient_reasons  # noqa: PLC0415  (seldom asked for)

        return find_lenient_reasons, self.board, limit, self.tolerance, self.status

    def explanation(self) -> Explanation:
        """The explanation that this makes."""
        consistent = self.status is Status.CONSISTENT and not self.tolerance.lies
        return Explanation(
            self.board,
            self.status,
            tuple(sorted(self.conflicts, key=briefness)),
            tuple(sorted(self.corrections, key=plausibility)),
            all_conflicts=consistent or "conflicts" in self.complete,
            all_corrections=consistent or "corrections" in self.complete,
            seconds=self.deadline.elapsed,
            tolerance=self.tolerance,
        )


def briefness(conflict: Conflict) -> tuple[int, tuple[int, ...]]:
    """The order of conflicts: by how many rows, then by the rows."""
    return len(conflict.rows), conflict.rows


def find_reasons(board: Board, limit: int) -> Iterator[Found | str]:
    """A conflict, a smallest one, all corrections, the other conflicts: the most wanted first.

    A word tells that the list of a kind is complete. The smallest is looked for with so much work;
    without, it may come last, or be beyond the limit.
    """
    oracle = RowOracle(board)
    found_conflicts = conflicts(oracle)
    smallest = first = next(found_conflicts)
    yield proven(board, first.rows)
    if limit > 1 and not oracle.is_hard:
        smallest = hastily_smallest(oracle, first)
        if smallest != first:
            yield proven(board, smallest.rows)
    yield from limited(corrections(board, oracle, first), limit, "corrections")
    others = (proven(board, each.rows) for each in found_conflicts if each != smallest)
    yield from limited(others, limit - len({first, smallest}), "conflicts")


def hastily_smallest(oracle: RowOracle, first: Conflict) -> Conflict:
    """A smallest conflict, or the smallest found with little work and without hard questions."""
    found = first
    oracle.is_hasty = True
    try:
        for each in smaller_conflicts(oracle, first, SMALLEST_WORK):
            found = each
    except HardQuestionError:
        pass
    finally:
        oracle.is_hasty = False
    return found


def limited(found: Iterator[Found], limit: int, word: str) -> Iterator[Found | str]:
    """Up to `limit` findings, then the word if these were all."""
    for number, each in enumerate(found):
        if number == limit:
            return
        yield each
    yield word
