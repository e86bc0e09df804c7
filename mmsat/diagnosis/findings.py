"""What is found out about a board: whether it is consistent, and the reasons as they come.

The work is done in a process of its own and its findings arrive one by one, so that a deadline, a
limit or Ctrl-C keeps what was found until then.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

from mmsat.board import Board
from mmsat.game.row import Code
from mmsat.results.verdict import Conflict, Correction, Status
from mmsat.solving import find_engine
from mmsat.solving.auto import BRUTE_SLICES, Auto
from mmsat.solving.brute import Brute
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.engine import Decision
from mmsat.solving.executor import is_large, run, stream
from mmsat.tolerance import STRICT, Tolerance

FIND_REASONS = "mmsat.diagnosis.reasons:find_reasons_and_facts"
"""What finds conflicts and corrections, by name: it loads solvers, and few boards need it."""
DECIDE_FEW_LIES = "mmsat.diagnosis.leaving_out:decide_few_lies"
"""What decides boards beyond brute force with lies, by name as well."""
LIMIT = 100
"""Conflicts, and corrections, that are listed unless told otherwise."""


def decide(
    board: Board, tolerance: Tolerance, engine: str, deadline: Deadline, seed: int | None
) -> Decision:
    """Decide a board, with lies or without."""
    chosen = AutoWithLies() if engine == "auto" and tolerance.lies else find_engine(engine)
    return chosen.decide(board, deadline, seed, tolerance)


class AutoWithLies(Auto):
    """`auto`, where rows may be left out as well."""

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        if tolerance.by != "rows" or not tolerance.lies or is_large(board):
            return super().search(board, deadline, seed, tolerance)
        quick = Brute().try_decide(board, deadline, tolerance, BRUTE_SLICES)
        return quick or run(deadline, DECIDE_FEW_LIES, board, seed, tolerance)


@dataclass
class Findings:
    """What has been found of an inconsistent board, or of one with lies."""

    board: Board
    status: Status
    deadline: Deadline
    tolerance: Tolerance = STRICT
    conflicts: list[Conflict] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    complete: set[str] = field(default_factory=set)
    """The searches that are complete: `conflicts`, `corrections`, `smallest` (conflict)."""
    unlisted: Code | None = None
    """A code that is not in the game's word list and gets the scores; see unlisted.py."""

    @property
    def needs_reasons(self) -> bool:
        """Whether there is something to explain: with lies, also what they may be."""
        is_lenient = self.tolerance.lies > 0 and self.status is Status.CONSISTENT
        return is_lenient or self.status is Status.INCONSISTENT

    def search(self, limit: int, further: float | None = None) -> Iterator[None]:
        """Search in a separate process until the deadline or the end, and yield at each finding.

        The time for the search after the first finding is at most `further` seconds, if given.
        """
        found: Generator[Conflict | Correction | str, None, None]
        found = stream(self.deadline, FIND_REASONS, self.board, self.tolerance, self.status, limit)
        try:
            for reason in found:
                if isinstance(reason, str):
                    self.complete.add(reason)
                elif isinstance(reason, Conflict):
                    self.conflicts = [each for each in self.conflicts if each != reason]
                    self.conflicts.append(reason)
                else:
                    self.corrections.append(reason)
                if further is not None:
                    self.deadline.shorten(further)
                    further = None
                yield
                if self.deadline.passed:  # work inside another worker is not ended by the stream
                    return
        except TimeUpError:
            return
        finally:
            found.close()
