"""Write proofs in the format of VeriPB, version 3, over the linear constraints of a board.

An inconsistent two-color board is refuted by cutting planes: the rows are added up with the
multipliers of its algebraic certificate, in one line for each number of pegs of the second color.
Other boards are refuted by clause learning. For that, each sum gets a totalizer, whose outputs are
defined by `red`. Each clause of the totalizer is derived from three constraints by `pol`. The
lemmas of the solver are then `rup` steps with hints.

A list of codes is proved in the same way, after `solx` has logged and excluded each of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.diagnosis import Verdict
from mmsat.encoding.integer_models import LinearSystem
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.refutation import Combination, Refutation
from mmsat.proof.check_veripb import PbConstraint, clause, halves, print_literals, propagate
from mmsat.proof.prove import (
    Attempt,
    Progress,
    Proof,
    find_certificate,
    finish_first,
    make_trimmer,
    run_prover,
    trim,
)
from mmsat.proof.prove_codes import complete_codes
from mmsat.proof.verify import VERIPB, shared_pegs, verify_new
from mmsat.proof.veripb_writer import Definition, Derivation, ProofWriter
from mmsat.solving.deadline import Deadline


class AlgebraicWriter:
    """Refutes a board of two colors by the combinations of its algebraic certificate."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.pegs = board.game.pegs
        self.writer = ProofWriter(LinearSystem.of(System.of(board)))
        self.second = tuple(2 * peg + 2 for peg in range(self.pegs))
        """The variables "peg p has the second color"."""
        self.at_least: list[Definition] = []
        """For t from 1, "at least t pegs have the second color"."""

    def refute(self, refutation: Refutation) -> str | None:
        """Return the proof, or None if some step of the certificate is not supported."""
        by_weight = {combination.weight: combination for combination in refutation.combinations}
        if None in by_weight:
            contradiction = self._contradict(by_weight[None])
            return None if contradiction is None else self._text(contradiction)
        if self.board.game.space.name != "repeats":
            return None
        bounds = range(1, self.pegs + 1)
        self.at_least = [self.writer.define(self.second, bound) for bound in bounds]
        excluded = []
        for weight in range(self.pegs + 1):
            step = (
                self._contradict(by_weight[weight])
                if weight in by_weight
                else self._exclude(refutation.weighing, weight)
            )
            if step is None:
                return None
            excluded.append(step)
        return self._text(self.writer.propagated(clause(()), excluded))

    def _text(self, contradiction: Derivation) -> str:
        return self.writer.text(f"UNSAT : {contradiction.text}")

    def _weight(self, weight: int, *, is_lower: bool) -> Derivation:
        """Return the constraint that the code's weight is at least or at most `weight`.

        It contains the literals of `at_least` which state this, so it holds for every code.
        """
        if is_lower and weight:
            derivation = self.at_least[weight - 1].if_true
        elif not is_lower and weight < self.pegs:
            derivation = self.at_least[weight].if_false
        else:
            derivation = Derivation.axiom(self.second[0] if is_lower else -self.second[0])
            for variable in self.second[1:]:
                derivation = derivation.plus(Derivation.axiom(variable if is_lower else -variable))
        return derivation or Derivation.axiom(self.second[0])

    def _black(self, row: int) -> list[Derivation] | None:
        """Return the two constraints on the black pegs of a row; None if the row has none."""
        guess = self.board.rows[row].guess
        terms = {(1, 2 * peg + 1 + color) for peg, color in enumerate(guess)}
        for linear in self.writer.system.rows[row]:
            sides = self.writer.inputs[linear.name]
            if {*linear.terms} == terms and len(sides) == 2:
                return sides
        return None

    def _combined(self, combination: Combination, *, is_lower: bool) -> Derivation | None:
        """Return the lower or upper side of a combination, with pegs of the second color only."""
        parts = []
        for row, times in combination.rows:
            sides = self._black(row)
            if sides is None:
                return None
            # sides are >= and <=; a negative multiplier exchanges them
            parts.append(sides[(times > 0) != is_lower].times(abs(times)))
        if times := combination.times_weight:
            side = self._weight(combination.weight or 0, is_lower=(times > 0) == is_lower)
            parts.append(side.times(abs(times)))
        if not parts:
            return None
        derivation = parts[0]
        for part in parts[1:]:
            derivation = derivation.plus(part)
        return self._without_first_color(derivation)

    def _without_first_color(self, derivation: Derivation) -> Derivation:
        """Replace the first color at each peg by the negation of the second."""
        for peg in range(self.pegs):
            for literal, side in ((2 * peg + 1, 1), (-2 * peg - 1, 0)):
                if times := derivation.constraint.terms.get(literal):
                    equation = self.writer.inputs[f"peg{peg + 1}"][side]
                    derivation = derivation.plus(equation.times(times))
        return derivation

    def _contradict(self, combination: Combination) -> Derivation | None:
        """Derive that the code does not have the weight of a combination; None if this fails."""
        lower = self._combined(combination, is_lower=True)
        upper = self._combined(combination, is_lower=False)
        if lower is None or upper is None:
            return None
        if combination.modulus is not None:
            # division rounds both totals up, so that the sum of both sides is a contradiction
            modulus = combination.modulus
            candidates = [lower.divided(modulus).plus(upper.divided(modulus))]
        else:
            candidates = [lower, upper]
        for candidate in candidates:
            # without the pegs, only literals of `at_least` remain, in a clause against the weight
            bounded = candidate.without(self.second).saturated()
            if bounded.constraint.degree > 0:
                return self.writer.derive(bounded)
        return None

    def _exclude(self, rows: tuple[int, ...], weight: int) -> Derivation | None:
        """Derive that the code does not have a weight that the score of one row rules out."""
        for row in rows:
            if shared_pegs(self.board, row, weight):
                continue
            # row + K is 2t: odd or out of reach; or row - K is 2t - 2K: out of reach
            for times_weight, modulus in ((1, 2), (1, None), (-1, None)):
                combination = Combination(weight, ((row, 1),), times_weight, modulus)
                step = self._contradict(combination)
                if step is not None:
                    return step
            return self._exclude_by_common_pegs(row, weight)
        return None

    def _exclude_by_common_pegs(self, row: int, weight: int) -> Derivation | None:
        """Derive that a weight contradicts a row: it determines how many pegs have each color."""
        names = self.writer.system.names
        for linear in self.writer.system.rows[row]:
            counts = {variable: names[variable] for _, variable in linear.terms}
            if not all("least" in name for name in counts.values()):
                continue
            lemmas = [self._count_lemma(variable, weight) for variable in counts]
            literals = [-definition.literal for definition in self.at_least[:weight][-1:]]
            literals += [definition.literal for definition in self.at_least[weight : weight + 1]]
            other_weight = clause(literals)
            premises = [*lemmas, *self.writer.inputs[linear.name]]
            negated = other_weight.negated()
            if propagate([negated, *(premise.constraint for premise in premises)], set()):
                return self.writer.propagated(other_weight, premises)
        return None

    def _count_lemma(self, variable: int, weight: int) -> Derivation:
        """Derive the value of "at least t pegs have the color" for a weight of the code."""
        name, _, bound = self.writer.system.names[variable].partition("least")
        color, t = int(name.removeprefix("color")) - 1, int(bound)
        low, high, orders, _ = self.writer.color_constraints(color)
        first = variable - t + 1
        number = weight if color else self.pegs - weight
        is_true = t <= number
        if is_true:
            lemma = self.writer.at_most(high, orders, first, t)
        else:
            lemma = self.writer.at_least(low, orders, first, t)
        # A lower bound on the pegs of the second color is an upper bound on those of the first.
        is_lower = is_true == (color == 1)
        lemma = self._without_first_color(lemma).plus(self._weight(weight, is_lower=is_lower))
        return self.writer.derive(lemma.saturated())


def refute_by_algebra(board: Board, refutation: Refutation) -> str | None:
    """Return a proof by cutting planes from a valid certificate, or None if this fails."""
    return AlgebraicWriter(board).refute(refutation)


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
    board: Board,
    *,
    codes: Sequence[Code] | None = None,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Proof | None:
    """Prove that a board has exactly the listed codes in the format of VeriPB.

    The file of `mmsat encode` needs an additional line `preserved: x1 x2 ... ;`, which the proof
    contains as a comment. `codes` are all codes of the board; if None, they are listed first.
    Return None if the time is up. Raises SizeError if there are too many codes, or if the proof
    gets too long. The proof was verified.
    """
    deadline = Deadline(timeout)
    proved: ProofText | None = run_prover(deadline, on_progress, list_and_refute, board, codes)
    if proved is None:
        return None
    count = verify_new(proved.text, "listed", board=board).count
    status = Status.CONSISTENT if count else Status.INCONSISTENT
    return Proof(board, status, VERIPB, (), proved.text, count)


def list_and_refute(board: Board, codes: Sequence[Code] | None) -> Iterator[str | ProofText]:
    """Yield progress messages, and finally a proof that a list has every code."""
    if codes is None:
        yield "listing the codes"
    with complete_codes(board, codes) as all_codes:
        yield from finish_first([ClauseAttempt(board, tuple(range(len(board.rows))), all_codes)])


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
    """An attempt to refute some rows by clause learning, after translating their sums to clauses.

    If `codes` are given, it refutes that there is any other code.
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
                num_clauses = len(self.writer.clauses)
                lemmas = [
                    numbers.pop(deleted_number)
                    for deleted_number in deleted
                    if deleted_number > num_clauses
                ]
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
    true_variables = {at(peg, color) for peg, color in enumerate(code)}
    literals = {
        number if number in true_variables else -number
        for number in range(1, system.code_variables + 1)
    }
    for number, name in system.names.items():
        if "least" in name:
            color, _, bound = name.removeprefix("color").partition("least")
            literals.add(number if code.count(int(color) - 1) >= int(bound) else -number)
    hard = [half for linear in system.hard for half in halves(linear)]
    propagate(hard, literals)  # conjunctions follow from their members
    return sorted(literals, key=abs)
