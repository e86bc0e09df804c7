"""Decide a board and collect the reasons of its verdict as they are found.

The search runs in a separate process that sends its findings one by one. A deadline, a limit or
Ctrl-C therefore keeps all findings so far.
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

DEFAULT_LIMIT = 100
"""Default maximum number of conflicts, and of corrections."""


def decide(
    board: Board, tolerance: Tolerance, engine: str, deadline: Deadline, seed: int | None
) -> Decision:
    """Decide a board with an engine, within the tolerance."""
    chosen_engine = AutoWithLies() if engine == "auto" and tolerance.lies else find_engine(engine)
    return chosen_engine.decide(board, deadline, seed, tolerance)


class AutoWithLies(Auto):
    """The engine `auto` for boards with lies, which leaves out rows as well."""

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        if tolerance.by != "rows" or not tolerance.lies or is_large(board):
            return super().search(board, deadline, seed, tolerance)
        quick = Brute().try_decide(board, deadline, tolerance, BRUTE_SLICES)
        if quick is not None:
            return quick
        from mmsat.diagnosis.leaving_out import decide_few_lies

        return run(deadline, decide_few_lies, board, seed, tolerance)


@dataclass
class Findings:
    """The findings so far about an inconsistent board, or about a board with lies."""

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
        """Whether the board is inconsistent, or may have lies to be located."""
        is_lenient = self.tolerance.lies > 0 and self.status is Status.CONSISTENT
        return is_lenient or self.status is Status.INCONSISTENT

    def search(self, limit: int, further: float | None = None) -> Iterator[None]:
        """Search in a separate process until the deadline or the end, and yield after each finding.

        If `further` is given, the search after the first finding takes at most this many seconds.
        """
        from mmsat.diagnosis.reasons import find_reasons_and_facts

        finding_stream: Generator[Conflict | Correction | str, None, None]
        finding_stream = stream(
            self.deadline, find_reasons_and_facts, self.board, self.tolerance, self.status, limit
        )
        try:
            for finding in finding_stream:
                if isinstance(finding, str):
                    self.complete.add(finding)
                elif isinstance(finding, Conflict):
                    self.conflicts = [each for each in self.conflicts if each != finding]
                    self.conflicts.append(finding)
                else:
                    self.corrections.append(finding)
                if further is not None:
                    self.deadline.shorten(further)
                    further = None
                yield
                if self.deadline.passed:  # work inside another worker is not ended by the stream
                    return
        except TimeUpError:
            return
        finally:
            finding_stream.close()
