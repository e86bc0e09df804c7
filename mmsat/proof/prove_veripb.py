"""Write proofs in the format of VeriPB, version 3, over the linear constraints of a board.

An inconsistent two-color board is refuted by cutting planes: the rows are added up with the
multipliers of its algebraic certificate, in one line for each number of pegs of the second color.
Other boards are refuted by clause learning. For that, each sum gets a totalizer, whose outputs are
defined by `red`, and each of whose clauses is a `pol` of three constraints. The lemmas of the
solver are then `rup` steps with hints.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from mmsat.constraints.system import System
from mmsat.diagnosis.verdict import Verdict
from mmsat.encoding.linear import LinearSystem
from mmsat.errors import InternalError, SizeError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.refutation import Refutation
from mmsat.proof.prove import (
    FIRST_PROPAGATIONS,
    MAX_PROOF_BYTES,
    SOLVER,
    Proof,
    find_certificate,
    make_trimmer,
    trim,
)
from mmsat.proof.pseudo_boolean import (
    HEADER,
    PbConstraint,
    clause,
    halves,
    print_literal,
    propagate,
)
from mmsat.proof.verify import VERIPB, verify
from mmsat.proof.veripb_algebra import refute_by_algebra
from mmsat.proof.veripb_writer import Derivation, ProofWriter
from mmsat.solving.deadline import Deadline, TimeUpError, stream
from mmsat.solving.portfolio import growing_budgets
from mmsat.solving.sat import pysat


def prove_veripb(
    board: Board,
    *,
    verdict: Verdict,
    timeout: float | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Proof | None:
    """Prove a verdict of a board in the format of VeriPB, over the OPB of `mmsat encode`.

    Return None if the verdict is unknown or the time is up. Raises SizeError if the proof gets too
    long. The proof was verified.
    """
    if verdict.status is Status.UNKNOWN:
        return None
    text = None
    if verdict.witness is not None:
        text = prove_consistent(board, verdict.witness)
    else:
        for item in _refute(board, verdict, Deadline(timeout)):
            if item.startswith(HEADER):
                text = item
            elif on_progress is not None:
                on_progress(item)
    if text is None:
        return None
    verified = verify(text, board=board)
    if not verified.holds or verified.verdict != verdict.status:
        raise InternalError(f"a new proof was rejected: {verified.reason}")
    return Proof(board, verdict.status, VERIPB, (), text)


def _refute(board: Board, verdict: Verdict, deadline: Deadline) -> Iterator[str]:
    """Yield progress messages, and the proof that a board is inconsistent, if found in time."""
    everything = tuple(range(len(board.rows)))
    choices = [everything] if verdict.conflict is None else [verdict.conflict.rows, everything]
    certificate = find_certificate(board, verdict)
    with suppress(TimeUpError):
        yield from stream(deadline, refute, board, certificate, list(dict.fromkeys(choices)))


def refute(
    board: Board, certificate: Refutation | None, choices: Sequence[tuple[int, ...]]
) -> Iterator[str]:
    """Yield progress messages, and finally the text of a proof that a board is inconsistent.

    The proof uses the algebraic certificate if possible, or else one choice of rows.
    """
    text = None if certificate is None else refute_by_algebra(board, certificate)
    if text is None:
        yield from refute_by_clauses(board, choices)
    else:
        yield text


class ClauseProof:
    """A proof by clause learning from some rows of a board."""

    def __init__(self, board: Board, rows: Sequence[int]) -> None:
        system = LinearSystem.of(System.of(board))
        self.writer = writer = ProofWriter(system)
        self.contradiction = next(
            (
                side
                for sides in writer.inputs.values()
                for side in sides
                if side.constraint.is_contradiction
            ),
            None,
        )
        self.solver: Any = None
        if self.contradiction is not None:
            return
        for color in range(board.game.colors):
            if f"color{color + 1}least1" in system.names.values():
                writer.encode_color(color)
        for linear in system.hard:
            if not linear.name.startswith("color"):
                writer.encode(linear)
        for row in rows:
            for linear in system.rows[row]:
                writer.encode(linear)

    def step(self, budget: int) -> bool:
        """Search with a budget of propagations, and return whether the rows are refuted."""
        if self.contradiction is not None:
            return True
        if self.solver is None:
            clauses = [[*literals] for literals, _ in self.writer.clauses]
            self.solver = pysat().Solver(SOLVER, bootstrap_with=clauses, with_proof=True)
        self.solver.prop_budget(budget)
        answer = self.solver.solve_limited()
        if answer:
            raise InternalError("a solver found a code of an inconsistent board")
        return answer is False

    @property
    def size(self) -> int:
        """The number of bytes that the solver has written to its proof."""
        return 0 if self.solver is None else os.fstat(self.solver.solver.prfile.fileno()).st_size

    def finish(self) -> Iterator[str]:
        """Yield progress messages, and finally the text of the proof."""
        if self.contradiction is not None:
            yield self.writer.text(f"UNSAT : {self.contradiction.text}")
            return
        literals = array("i")
        for clause_literals, _ in self.writer.clauses:
            literals.extend((*clause_literals, 0))
        trimmer = make_trimmer(self.writer.variables, literals, self.solver.get_proof())
        self.solver.delete()
        yield from trim(trimmer)
        numbers = {
            number: derivation.text for number, (_, derivation) in enumerate(self.writer.clauses, 1)
        }
        last = self._translate(trimmer.lrat.decode(), numbers)
        yield self.writer.text(f"UNSAT : {last}")

    def _translate(self, lrat: str, numbers: dict[int, str]) -> str:
        """Write the lemmas of an LRAT proof, and return the number of the last."""
        last = "0"
        for line in lrat.splitlines():
            number, *words = line.split(" ")
            if words[0] == "d":
                deleted = [int(word) for word in words[1:-1]]
                lemmas = [numbers.pop(one) for one in deleted if one > len(self.writer.clauses)]
                if lemmas:
                    self.writer.lines.append(f"del id {' '.join(lemmas)} ;")
                continue
            end = words.index("0")
            premises = [Derivation(numbers[int(word)], EMPTY) for word in words[end + 1 : -1]]
            lemma = clause(map(int, words[:end]))
            last = self.writer.propagated(lemma, premises).text
            numbers[int(number)] = last
        return last


EMPTY = PbConstraint({}, 0)


def refute_by_clauses(board: Board, choices: Sequence[tuple[int, ...]]) -> Iterator[str]:
    """Yield progress messages, and finally the text of a proof from one choice of rows.

    Raises SizeError once every proof is too large.
    """
    attempts = [ClauseProof(board, rows) for rows in choices]
    for budget in growing_budgets():
        for attempt in list(attempts):
            yield f"looking for a proof, {budget}M propagations"
            if attempt.step(FIRST_PROPAGATIONS * budget):
                yield from attempt.finish()
                return
            if attempt.size > MAX_PROOF_BYTES:
                attempts.remove(attempt)
        if not attempts:
            raise SizeError(f"all proofs exceed {MAX_PROOF_BYTES >> 20} MiB")


def prove_consistent(board: Board, code: Code) -> str:
    """Return the proof that a code satisfies the constraints of its board."""
    writer = ProofWriter(LinearSystem.of(System.of(board)))
    return writer.text(f"SAT : {print_assignment(writer.system, board, code)}")


def print_assignment(system: LinearSystem, board: Board, code: Code) -> str:
    """Return the values of all variables for a code."""
    at = board.game.variables.at
    true = {at(peg, color) for peg, color in enumerate(code)}
    literals = {
        number if number in true else -number for number in range(1, system.code_variables + 1)
    }
    for number, name in system.names.items():
        if "least" in name:
            color, _, bound = name.removeprefix("color").partition("least")
            literals.add(number if code.count(int(color) - 1) >= int(bound) else -number)
    hard = [half for linear in system.hard for half in halves(linear)]
    propagate(hard, literals)  # conjunctions follow from their members
    return " ".join(print_literal(literal) for literal in sorted(literals, key=abs))
