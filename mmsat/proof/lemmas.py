"""Check several LRAT proofs within one time limit."""

from __future__ import annotations

from mmsat._core import Check, LratChecker
from mmsat.limits import LIMITS
from mmsat.proof.bundle import RejectedError
from mmsat.proof.explanation_certificate import Clauses
from mmsat.proof.verify import Watch


class TimeLimitReachedError(Exception):
    """Raised if the time limit is reached; the message names the place in the proof."""


class LemmaChecks:
    """Checks LRAT proofs one after another, and counts their lemmas."""

    def __init__(self, watch: Watch, total_bytes: int) -> None:
        """Set the time limit, and the size of all proofs, for the reports of progress."""
        self.lemmas = 0
        """The number of lemmas that were checked."""
        self._watch = watch
        self._total_bytes = max(1, total_bytes)
        self._done_bytes = 0

    def check(self, formula: Clauses, lrat: str, section: str, first_line: int = 1) -> None:
        """Raise RejectedError unless the lemmas refute a formula.

        The lemmas begin at `first_line` of the section. At the time limit, raises
        TimeLimitReachedError.
        """
        proof = lrat.encode()
        checker = LratChecker(formula.variables, formula.literals, proof)
        state = Check.GOING_ON
        while state == Check.GOING_ON:
            state = checker.advance(LIMITS.lemma_slice)
            line = checker.line + first_line - 1
            self._watch.report(min(1.0, (self._done_bytes + checker.position) / self._total_bytes))
            if state == Check.FAILS:
                raise RejectedError(f"line {line} of [{section}]: {checker.fault}")
            self.require_time(section, line)
        self.lemmas += checker.lemmas
        self._done_bytes += len(proof)

    def require_time(self, section: str, line: int) -> None:
        """Raise TimeLimitReachedError if the time limit is reached."""
        if self._watch.is_over:
            raise TimeLimitReachedError(f"time limit reached at line {line} of [{section}]")
