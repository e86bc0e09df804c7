"""Explain a board: all minimal conflicts, and all cheapest corrections.

The work is done in a process of its own and its findings arrive one by one, so that a deadline, a
limit or Ctrl-C keeps what was found until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.answers import Conflict, Correction, Explanation, Status
from mmsat.explain.conflicts import conflicts
from mmsat.explain.corrections import corrections, plausibility
from mmsat.explain.oracle import RowOracle
from mmsat.solve import find_engine
from mmsat.solve.deadline import Deadline
from mmsat.solve.worker import TimeUpError, stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmsat.game.board import Board

    Found = Conflict | Correction
    Progress = Callable[[Explanation], None]

LIMIT = 100
"""Conflicts, and corrections, that are listed unless told otherwise."""


def explain(
    board: Board,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    limit: int = LIMIT,
    seed: int | None = None,
    on_progress: Progress | None = None,
) -> Explanation:
    """Explain why a board is inconsistent; a consistent one has nothing to explain.

    At most `limit` conflicts and `limit` corrections are looked for; the answer tells whether these
    are all. `on_progress` is called with the explanation so far: once the verdict is known, and
    with each further conflict or correction.
    """
    deadline = Deadline(timeout)
    status = find_engine(engine).decide(board, deadline, seed).status
    gathered = Gathered(board, status, deadline)
    if on_progress is not None:
        on_progress(gathered.explanation())
    if status is Status.INCONSISTENT:
        for _ in gathered.findings(limit):
            if on_progress is not None:
                on_progress(gathered.explanation())
    return gathered.explanation()


class Gathered:
    """What has been found so far."""

    def __init__(self, board: Board, status: Status, deadline: Deadline) -> None:
        """Start with nothing but the verdict."""
        self.board = board
        self.status = status
        self.deadline = deadline
        self.conflicts: list[Conflict] = []
        self.corrections: list[Correction] = []
        self.complete: set[str] = set()

    def findings(self, limit: int) -> Iterator[None]:
        """Work in a process of its own until all is found or the time is up; stop at each find."""
        found = stream(self.deadline, find_reasons, self.board, limit)
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

    def explanation(self) -> Explanation:
        """The explanation that this makes."""
        consistent = self.status is Status.CONSISTENT
        return Explanation(
            self.board,
            self.status,
            tuple(sorted(self.conflicts, key=lambda each: (len(each.rows), each.rows))),
            tuple(sorted(self.corrections, key=plausibility)),
            all_conflicts=consistent or "conflicts" in self.complete,
            all_corrections=consistent or "corrections" in self.complete,
            seconds=self.deadline.elapsed,
        )


def find_reasons(board: Board, limit: int) -> Iterator[Found | str]:
    """One conflict, all corrections, the other conflicts: what is wanted most comes first.

    A word tells that the list of a kind is complete.
    """
    found_conflicts = conflicts(RowOracle(board))
    first = next(found_conflicts)
    yield first
    yield from limited(corrections(board), limit, "corrections")
    yield from limited(found_conflicts, limit - 1, "conflicts")


def limited(found: Iterator[Found], limit: int, word: str) -> Iterator[Found | str]:
    """Up to `limit` findings, then the word if these were all."""
    for number, each in enumerate(found):
        if number == limit:
            return
        yield each
    yield word
