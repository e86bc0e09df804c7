"""Check several LRAT proofs within one time limit."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from time import monotonic

from mmsat._core import Check, LratChecker
from mmsat.limits import LIMITS
from mmsat.proof.bundle import RejectedError

Progress = Callable[[float], None]


class TimeLimitReachedError(Exception):
    """Raised if the time limit is reached; the message names the place in the proof."""


class LemmaChecks:
    """Checks LRAT proofs one after another, and counts their lemmas."""

    def __init__(self, end: float | None, on_progress: Progress | None, total_bytes: int) -> None:
        """Set the time limit, on the clock of `monotonic`, and the size of all proofs."""
        self.lemmas = 0
        """The number of lemmas that were checked."""
        self._end = end
        self._on_progress = on_progress
        self._total_bytes = max(1, total_bytes)
        self._done_bytes = 0

    def check(
        self, variables: int, literals: array[int], lrat: str, section: str, first_line: int = 1
    ) -> None:
        """Raise RejectedError unless the lemmas refute a formula.

        Each clause in `literals` ends with 0. The lemmas begin at `first_line` of the section. At
        the time limit, raises TimeLimitReachedError.
        """
        proof = lrat.encode()
        checker = LratChecker(variables, literals, proof)
        while (state := checker.advance(LIMITS.lemma_slice)) == Check.GOING_ON:
            self._report(checker.position, section, checker.line + first_line - 1)
        if state == Check.FAILS:
            line = checker.line + first_line - 1
            raise RejectedError(f"line {line} of [{section}]: {checker.fault}")
        self.lemmas += checker.lemmas
        self._done_bytes += len(proof)
        self._report(0, section, checker.line + first_line - 1)

    def _report(self, position: int, section: str, line: int) -> None:
        """Report the progress, and raise TimeLimitReachedError at the time limit."""
        if self._on_progress is not None:
            self._on_progress(min(1.0, (self._done_bytes + position) / self._total_bytes))
        if self._end is not None and monotonic() >= self._end:
            raise TimeLimitReachedError(f"time limit reached at line {line} of [{section}]")
