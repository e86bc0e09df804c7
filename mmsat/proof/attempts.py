"""Refute one of several sets of rows by solvers that log their proofs.

The attempts take turns with growing budgets until one of them succeeds. `prove.py` refutes formulas
of clauses, and `prove_veripb.py` sums that it translates into clauses.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from mmsat._core import Check, Trimmer
from mmsat._util.text import quantity
from mmsat.errors import InternalError, SizeError
from mmsat.game.board import Board
from mmsat.solving import growing_budgets
from mmsat.solving.deadline import Deadline, TimeUpError, stream
from mmsat.solving.sat import pysat

Progress = Callable[[str], None]

SOLVER = "glucose4"
"""The solver of python-sat whose proofs were measured to be short. They consist of resolution steps
only."""
FIRST_PROPAGATIONS = 1_000_000
"""The first budget of each attempt in propagations: about a second. It doubles in each round."""
MAX_PROOF_BYTES = 1 << 29
"""Size in bytes of a solver's proof at which an attempt is given up."""
LITERALS_PER_REPORT = 1 << 24
"""Literals processed between two reports of progress."""


class Attempt(ABC):
    """A proof-logging solver that tries to refute some rows of a board."""

    def __init__(self, board: Board, rows: tuple[int, ...]) -> None:
        self.board = board
        self.rows = rows
        self._solver: Any = None

    @abstractmethod
    def clauses(self) -> Sequence[Sequence[int]]:
        """Return the clauses that the solver refutes; an empty one needs no solver."""

    @abstractmethod
    def finish(self) -> Iterator[Any]:
        """Yield progress messages, and finally the proof, which is not a string."""

    def step(self, budget: int) -> bool:
        """Search with a budget of propagations, and return whether the rows are refuted."""
        if self._solver is None:
            clauses = self.clauses()
            if not all(clauses):
                return True
            self._solver = pysat().Solver(SOLVER, bootstrap_with=clauses, with_proof=True)
        self._solver.prop_budget(budget)
        answer = self._solver.solve_limited()
        if answer:
            message = (
                f"a solver found a code of an inconsistent board: {self.board.only(self.rows)}"
            )
            raise InternalError(message)
        return answer is False

    @property
    def size(self) -> int:
        """The number of bytes that the solver has written to its proof."""
        return 0 if self._solver is None else os.fstat(self._solver.solver.prfile.fileno()).st_size

    def take_lemmas(self) -> list[str]:
        """Return the lines of the solver's proof, and release the solver."""
        if self._solver is None:
            return []
        lemmas: list[str] = self._solver.get_proof()
        self._solver.delete()
        return lemmas


def finish_first(
    attempts: Sequence[Attempt],
    *,
    most: int = MAX_PROOF_BYTES,
    propagations: int = FIRST_PROPAGATIONS,
) -> Iterator[Any]:
    """Yield progress messages, and finally the proof of the first attempt that succeeds.

    Raises SizeError once every proof has more than `most` bytes. The first budget is
    `propagations`.
    """
    remaining = list(attempts)
    for budget in growing_budgets():
        for attempt in list(remaining):
            rows = quantity(len(attempt.rows), "row")
            yield f"looking for a proof from {rows}, {budget}M propagations"
            if attempt.step(propagations * budget):
                yield from attempt.finish()
                return
            if attempt.size > most:
                remaining.remove(attempt)
        if not remaining:
            message = f"all proofs exceed {most >> 20} MiB; use fewer rows, or more of them"
            raise SizeError(message)


def run_prover(
    deadline: Deadline,
    on_progress: Progress | None,
    prover: Callable[..., Iterator[Any]],
    *args: object,
) -> Any:
    """Run a prover, which yields progress messages and finally its result.

    Return the result, or None if the time is up.
    """
    with suppress(TimeUpError):
        for item in stream(deadline, prover, *args):
            if not isinstance(item, str):
                return item
            if on_progress is not None:
                on_progress(item)
    return None


def make_trimmer(variables: int, literals: array[int], proof_lines: list[str]) -> Trimmer:
    """Return a trimmer of the proof of a solver, for a formula whose clauses end with 0."""
    return Trimmer(variables, literals, "".join(f"{line}\n" for line in proof_lines).encode())


def trim(trimmer: Trimmer) -> Iterator[str]:
    """Run a trimmer to its end, and yield progress messages."""
    while (state := trimmer.advance(LITERALS_PER_REPORT)) == Check.GOING_ON:
        share = trimmer.done / max(1, trimmer.steps)
        yield f"trimming a proof of {quantity(trimmer.lemmas, 'lemma')}, {share:.0%}"
    if state == Check.FAILS:
        raise InternalError(f"the proof by {SOLVER} is invalid: {trimmer.fault}")
