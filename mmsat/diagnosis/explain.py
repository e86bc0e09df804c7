"""Explain a board: all minimal conflicts, and all cheapest corrections.

The work is done in a process of its own and its findings arrive one by one, so that a deadline, a
limit or Ctrl-C keeps what was found until then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

from mmsat.board import Board
from mmsat.results.explanation import Explanation
from mmsat.results.verdict import Conflict, Correction, Status
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.engine import Decision
from mmsat.solving.executor import stream
from mmsat.tolerance import STRICT, Tolerance

FIND_REASONS = "mmsat.diagnosis.reasons:find_reasons"
"""What finds conflicts and corrections, by name: it loads solvers, and few boards need it."""
LIMIT = 100
"""Conflicts, and corrections, that are listed unless told otherwise."""


def explain(
    board: Board,
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
    - `timeout`: seconds, None for no limit; the answer then has what was found until then.
    - `limit`: conflicts and corrections that are looked for at most, so many of each; the answer
      tells whether these are all.
    - `seed`: for the random choices of the engine.
    - `lies`: how many scores may be wrong, counted `by` "rows" or by "pegs" (key pegs that are
      off). A conflict is then of rows of which every code misses more; the corrections leave no
      lie.
    - `on_progress`: called with the explanation so far, once the verdict is known and with each
      further conflict or correction.
    """
    deadline = Deadline(timeout)
    tolerance = Tolerance(lies, by)
    status = decide(board, tolerance, engine, deadline, seed).status
    findings = Findings(board, status, deadline, tolerance)
    if on_progress is not None:
        on_progress(findings.explanation())
    if findings.needs_reasons:
        for _ in findings.search(limit):
            if on_progress is not None:
                on_progress(findings.explanation())
    return findings.explanation()


def decide(
    board: Board, tolerance: Tolerance, engine: str, deadline: Deadline, seed: int | None
) -> Decision:
    """Decide a board, with lies or without."""
    return find_engine(engine).decide(board, deadline, seed, tolerance)


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
    """The kinds of which all are found: `conflicts`, `corrections`."""

    @property
    def needs_reasons(self) -> bool:
        """Whether there is something to explain: with lies, also what they may be."""
        is_lenient = self.tolerance.lies > 0 and self.status is Status.CONSISTENT
        return is_lenient or self.status is Status.INCONSISTENT

    def search(self, limit: int) -> Iterator[None]:
        """Work in a process of its own until all is found or the time is up; stop at each find."""
        found: Generator[Conflict | Correction | str, None, None]
        found = stream(self.deadline, FIND_REASONS, self.board, self.tolerance, self.status, limit)
        try:
            for reason in found:
                if isinstance(reason, str):
                    self.complete.add(reason)
                elif isinstance(reason, Conflict):
                    self.conflicts.append(reason)
                else:
                    self.corrections.append(reason)
                yield
        except TimeUpError:
            return
        finally:
            found.close()

    def explanation(self) -> Explanation:
        """The explanation that this makes."""
        consistent = self.status is Status.CONSISTENT and not self.tolerance.lies
        return Explanation(
            self.board,
            self.status,
            tuple(sorted(self.conflicts, key=Conflict.sort_key)),
            tuple(sorted(self.corrections, key=Correction.sort_key)),
            all_conflicts=consistent or "conflicts" in self.complete,
            all_corrections=consistent or "corrections" in self.complete,
            seconds=self.deadline.elapsed,
            tolerance=self.tolerance,
        )
