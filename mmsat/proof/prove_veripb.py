"""Write proofs in the format of VeriPB, version 3, over the linear constraints of a board.

An inconsistent two-color board is refuted by cutting planes: the rows are added up with the
multipliers of its algebraic certificate, in one line for each number of pegs of the second color.
Other boards are refuted by clause learning. For that, each sum gets a totalizer, whose outputs are
defined by `red`, and each of whose clauses is a `pol` of three constraints. The lemmas of the
solver are then `rup` steps with hints.

A list of codes is proved in the same way, after `solx` has logged and excluded each of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.counting.listing import list_codes
from mmsat.diagnosis import Verdict
from mmsat.encoding.integer_models import LinearSystem
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.refutation import Refutation
from mmsat.proof.attempts import Attempt, Progress, finish_first, make_trimmer, run_prover, trim
from mmsat.proof.prove import Proof, find_certificate
from mmsat.proof.prove_codes import limit_codes
from mmsat.proof.pseudo_boolean import PbConstraint, clause, halves, print_literals, propagate
from mmsat.proof.verify import VERIPB, verify_new
from mmsat.proof.veripb_algebra import refute_by_algebra
from mmsat.proof.veripb_writer import Derivation, ProofWriter
from mmsat.solving.deadline import Deadline


def prove_veripb(
    board: Board,
    *,
    verdict: Verdict,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Proof | None:
    """Prove a verdict of a board in the format of VeriPB, over the OPB of `mmsat encode`.

    Return None if the verdict is unknown or the time is up. Raises SizeError if the proof gets too
    long. The proof was verified.
    """
    if verdict.status is Status.UNKNOWN:
        return None
    if verdict.witness is not None:
        text = prove_consistent(board, verdict.witness)
    else:
        rows = tuple(range(len(board.rows)))
        choices = [rows] if verdict.conflict is None else [verdict.conflict.rows, rows]
        proved: ProofText | None = run_prover(
            Deadline(timeout), on_progress, refute, board, find_certificate(board, verdict), choices
        )
        if proved is None:
            return None
        text = proved.text
    verify_new(text, verdict.status, board=board)
    return Proof(board, verdict.status, VERIPB, (), text)


def prove_codes_veripb(
    board: Board, *, timeout: float | None = None, on_progress: Progress | None = None
) -> Proof | None:
    """Prove that a board has exactly the listed codes in the format of VeriPB.

    The file of `mmsat encode` needs an additional line `preserved: x1 x2 ... ;`, which a comment of
    the proof has. Return None if the time is up. Raises SizeError if there are too many codes, or
    if the proof gets too long. The proof was verified.
    """
    proved: ProofText | None = run_prover(Deadline(timeout), on_progress, list_and_refute, board)
    if proved is None:
        return None
    count = verify_new(proved.text, "listed", board=board).count
    status = Status.CONSISTENT if count else Status.INCONSISTENT
    return Proof(board, status, VERIPB, (), proved.text, count)


def list_and_refute(board: Board) -> Iterator[str | ProofText]:
    """Yield progress messages, and finally a proof that a list has every code."""
    yield "listing the codes"
    codes = [*limit_codes(list_codes(board, Deadline(None)))]
    yield from finish_first([ClauseAttempt(board, tuple(range(len(board.rows))), codes)])


class ProofText(NamedTuple):
    """The text of a proof, as the result of a prover whose progress messages are strings."""

    text: str


def refute(
    board: Board, certificate: Refutation | None, choices: Sequence[tuple[int, ...]]
) -> Iterator[str | ProofText]:
    """Yield progress messages, and finally a proof that a board is inconsistent.

    The proof uses the algebraic certificate if possible, or else one choice of rows. Raises
    SizeError once every proof is too long.
    """
    text = None if certificate is None else refute_by_algebra(board, certificate)
    if text is None:
        yield from finish_first([ClauseAttempt(board, rows) for rows in dict.fromkeys(choices)])
    else:
        yield ProofText(text)


class ClauseAttempt(Attempt):
    """An attempt to refute some rows by clause learning, after their sums became clauses.

    If there are `codes`, it refutes that there is another code.
    """

    def __init__(
        self, board: Board, rows: tuple[int, ...], codes: Sequence[Code] | None = None
    ) -> None:
        super().__init__(board, rows)
        self.codes = codes

    @cached_property
    def writer(self) -> ProofWriter:
        """The proof so far."""
        return ProofWriter(LinearSystem.of(System.of(self.board)))

    def clauses(self) -> Sequence[Sequence[int]]:
        """Translate the sums of the rows into clauses."""
        system = self.writer.system
        if self.codes is not None:
            preserved = print_literals(range(1, system.code_variables + 1))
            self.writer.lines.append(f"% preserved: {preserved} ;")
        if self.contradiction is not None:
            return [()]
        for code in self.codes or ():
            self.writer.log(assignment(system, self.board, code))
        for color in range(self.board.game.colors):
            if f"color{color + 1}least1" in system.names.values():
                self.writer.encode_color(color)
        for linear in system.hard:
            if not linear.name.startswith("color"):
                self.writer.encode(linear)
        for row in self.rows:
            for linear in system.rows[row]:
                self.writer.encode(linear)
        return [[*literals] for literals, _ in self.writer.clauses]

    @cached_property
    def contradiction(self) -> Derivation | None:
        """A constraint of the board that is a contradiction by itself."""
        sides = (side for sides in self.writer.inputs.values() for side in sides)
        return next((side for side in sides if side.constraint.is_contradiction), None)

    def finish(self) -> Iterator[str | ProofText]:
        """Yield progress messages, and finally the proof."""
        if self.contradiction is not None:
            yield self.conclude(self.contradiction.text)
            return
        literals = array("i")
        for clause_literals, _ in self.writer.clauses:
            literals.extend((*clause_literals, 0))
        trimmer = make_trimmer(self.writer.variables, literals, self.take_lemmas())
        yield from trim(trimmer)
        numbers = {
            number: derivation.text for number, (_, derivation) in enumerate(self.writer.clauses, 1)
        }
        last = self._translate(trimmer.lrat.decode(), numbers)
        yield self.conclude(last)

    def conclude(self, contradiction: str) -> ProofText:
        """Return the proof, given the number of the contradiction."""
        claim = "UNSAT" if self.codes is None else f"ENUMERATION_COMPLETE {len(self.codes)}"
        return ProofText(self.writer.text(f"{claim} : {contradiction}"))

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


def prove_consistent(board: Board, code: Code) -> str:
    """Return the proof that a code satisfies the constraints of its board."""
    writer = ProofWriter(LinearSystem.of(System.of(board)))
    return writer.text(f"SAT : {print_literals(assignment(writer.system, board, code))}")


def assignment(system: LinearSystem, board: Board, code: Code) -> list[int]:
    """Return the true literals of all variables for a code, in the order of the variables."""
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
    return sorted(literals, key=abs)
