"""Explain a board: all minimal conflicts, and all cheapest corrections.

The work is done in a process of its own and its findings arrive one by one, so that a deadline, a
limit or Ctrl-C keeps what was found until then.
"""

from __future__ import annotations

from time import monotonic
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
    Progress = Callable[[Found], None]

LIMIT = 100
"""Conflicts, and corrections, that are listed unless told otherwise."""


def explain(
    board: Board,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    limit: int = LIMIT,
    seed: int | None = None,
    on_found: Progress | None = None,
) -> Explanation:
    """Explain why a board is inconsistent; a consistent one has nothing to explain.

    At most `limit` conflicts and `limit` corrections are looked for; the answer tells whether these
    are all. `on_found` is called with each as it is found.
    """
    started = monotonic()
    deadline = Deadline(timeout)
    status = find_engine(engine).decide(board, deadline, seed).status
    gathered = Gathered(on_found)
    if status is Status.INCONSISTENT:
        gathered.gather(board, deadline, limit, until="conflicts")
    consistent = status is Status.CONSISTENT
    return Explanation(
        board,
        status,
        tuple(sorted(gathered.conflicts, key=lambda each: (len(each.rows), each.rows))),
        tuple(sorted(gathered.corrections, key=plausibility)),
        all_conflicts=consistent or "conflicts" in gathered.complete,
        all_corrections=consistent or "corrections" in gathered.complete,
        seconds=monotonic() - started,
    )


class Gathered:
    """What has been found so far."""

    def __init__(self, report: Progress | None = None) -> None:
        """Start with nothing."""
        self.report = report
        self.conflicts: list[Conflict] = []
        self.corrections: list[Correction] = []
        self.complete: set[str] = set()

    def gather(self, board: Board, deadline: Deadline, limit: int, until: str) -> None:
        """Work in a process of its own until a kind is complete, or the deadline."""
        findings = stream(deadline, find_reasons, board, limit)
        try:
            for found in findings:
                if isinstance(found, str):
                    self.complete.add(found)
                    if found == until:
                        break
                    continue
                if isinstance(found, Conflict):
                    self.conflicts.append(found)
                else:
                    self.corrections.append(found)
                if self.report is not None:
                    self.report(found)
        except TimeUpError:
            return
        finally:
            findings.close()


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
