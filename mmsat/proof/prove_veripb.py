"""Write proofs in the format of VeriPB, version 3, over the linear constraints of a board.

An inconsistent two-color board is refuted by cutting planes: the rows are added up with the
multipliers of its algebraic certificate, in one line for each weight of the code, which is the
number of its pegs of the second color. If the guess of a row has only one color, the weight is
known, and one line is enough. If there is no certificate, the rows are added up to short sums
(check_algebra.py), and these are refuted by clause learning or by parities.

Other boards are refuted by clause learning. For that, each sum gets a totalizer, whose outputs are
defined by the rule `red` (check_veripb.py describes the rules). Each clause of the totalizer is
derived from three constraints by `pol`. The lemmas of the solver are then `rup` steps with hints.

A list of codes is proved in the same way, after `solx` has logged and excluded each of them.

The two *sides* of an equation are the constraints `>=` and `<=`, in this order.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.constraints.parities import ParityRefutation
from mmsat.constraints.presolve_steps import is_algebraic
from mmsat.diagnosis import Verdict
from mmsat.encoding.integer_models import LinearSystem
from mmsat.errors import InternalError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.refutation import Combination, Refutation
from mmsat.proof.bundle import VERIPB
from mmsat.proof.check_algebra import DerivedSum, shared_pegs, short_sum
from mmsat.proof.check_veripb import PbConstraint, clause, halves, print_literals, propagate
from mmsat.proof.prove import (
    Attempt,
    Progress,
    Proof,
    find_certificate,
    finish_first,
    make_trimmer,
    refute_by_parities,
    run_prover,
    shorten_rows,
    trim,
)
from mmsat.proof.prove_codes import complete_codes
from mmsat.proof.verify import verify_new
from mmsat.proof.veripb_writer import Definition, Derivation, ParityWriter, ProofWriter
from mmsat.solving.deadline import Deadline


class AlgebraicWriter:
    """Refutes a board of two colors by the combinations of its algebraic certificate."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.pegs = board.game.pegs
        self.writer = ProofWriter(LinearSystem.of(System.of(board)))
        self.second_color = tuple(2 * peg + 2 for peg in range(self.pegs))
        """The variables "peg p has the second color"."""
        self.at_least: list[Definition] = []
        """For t from 1, "at least t pegs have the second color"."""
        self._black: dict[int, list[Derivation]] = {}
        """The constraints on the black pegs of the rows that were looked up, by row."""
        self.fixed_weight: int | None = None
        """The weight of every code, if a row determines it."""
        self.weight_sides: list[Derivation] = []
        """The constraints that the code's weight is at least and at most `fixed_weight`."""
        for row in range(len(board.rows)):
            self._read_weight(row)

    def _read_weight(self, row: int) -> None:
        """Set `fixed_weight` if the guess of a row has one color and black was read."""
        guess = self.board.rows[row].guess
        if self.weight_sides or len({*guess}) != 1 or not self.black(row):
            return
        self.weight_sides = self.black(row)
        number = self.weight_sides[0].constraint.degree
        self.fixed_weight = number if guess[0] else self.pegs - number
        if not guess[0]:
            self.weight_sides = self.weight_sides[::-1]

    def refute(self, refutation: Refutation) -> str | None:
        """Return the proof, or None if some step of the certificate is not supported."""
        by_weight = {combination.weight: combination for combination in refutation.combinations}
        if self.fixed_weight in by_weight:
            contradiction = self._contradict(by_weight[self.fixed_weight])
            if contradiction is not None:
                return self._text(contradiction)
        if None in by_weight:  # one combination for all weights
            contradiction = self._contradict(by_weight[None])
            return None if contradiction is None else self._text(contradiction)
        if self.board.game.space.name != "repeats":
            return None
        # Derive for each weight that the code does not have it.
        bounds = range(1, self.pegs + 1)
        self.at_least = [self.writer.define(self.second_color, bound) for bound in bounds]
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
        if self.weight_sides and weight == self.fixed_weight:
            at_least, at_most = self.weight_sides
            return at_least if is_lower else at_most
        if is_lower and weight:
            derivation = self.at_least[weight - 1].if_true
        elif not is_lower and weight < self.pegs:
            derivation = self.at_least[weight].if_false
        else:
            # The weight is at least 0 and at most the number of pegs.
            literals = [v if is_lower else -v for v in self.second_color]
            derivation = Derivation.axiom(literals[0])
            derivation = derivation.plus(*map(Derivation.axiom, literals[1:]))
        if derivation is None:
            raise InternalError("a defined variable has two constraints")
        return derivation

    def black(self, row: int) -> list[Derivation]:
        """Return the two sides of the equation of the black pegs of a row; empty without one."""
        if row not in self._black:
            guess = self.board.rows[row].guess
            terms = {(1, 2 * peg + 1 + color) for peg, color in enumerate(guess)}
            inputs = self.writer.inputs
            self._black[row] = next(
                (
                    inputs[linear.name]
                    for linear in self.writer.system.rows[row]
                    if len(linear.terms) == self.pegs and {*linear.terms} == terms
                ),
                [],
            )
        sides = self._black[row]
        return sides if len(sides) == 2 else []

    def _combined(self, combination: Combination, *, is_lower: bool) -> Derivation | None:
        """Return the lower or upper side of a combination, with pegs of the second color only."""
        parts = []
        for row, times in combination.rows:
            sides = self.black(row)
            if not sides:
                return None
            # A negative multiplier exchanges the two sides.
            at_least, at_most = sides
            side = at_least if (times > 0) == is_lower else at_most
            parts.append(side.times(abs(times)))
        if times := combination.times_weight:
            side = self._weight(combination.weight or 0, is_lower=(times > 0) == is_lower)
            parts.append(side.times(abs(times)))
        if not parts:
            return None
        return self._without_first_color(parts[0].plus(*parts[1:]))

    def _without_first_color(self, derivation: Derivation) -> Derivation:
        """Replace the first color at each peg by the negation of the second."""
        equations = []
        for literal, times in derivation.constraint.items():
            peg, color = divmod(abs(literal) - 1, 2)
            if abs(literal) <= 2 * self.pegs and not color:
                sides = self.writer.inputs[f"peg{peg + 1}"]
                equations.append(sides[literal > 0].times(times))
        return derivation.plus(*equations)

    def derive_sum(self, derived: DerivedSum) -> list[Derivation] | None:
        """Derive both sides of a short sum, if it holds for every code; None if this fails."""
        if derived.combination.weight not in (None, self.fixed_weight):
            return None
        sides = [self._combined(derived.combination, is_lower=side) for side in (True, False)]
        return [
            self.writer.derive(side.divided(derived.divisor)) for side in sides if side is not None
        ]

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
            # Without the pegs, only literals of `at_least` remain, which exclude the weight.
            excluding = candidate.without(self.second_color).saturated()
            if excluding.constraint.degree > 0:
                return self.writer.derive(excluding)
        return None

    def _exclude(self, rows: tuple[int, ...], weight: int) -> Derivation | None:
        """Derive that the code does not have a weight that the score of one of `rows` excludes."""
        for row in rows:
            if shared_pegs(self.board, row, weight):
                continue
            # The sum of the row is 2t - K, where K is the weight and t the number of pegs with the
            # second color in both code and guess (check_algebra.py). Plus K, it is 2t, a
            # contradiction if it is odd or out of reach. Minus K, it is 2t - 2K, a contradiction if
            # it is out of reach.
            for times_weight, modulus in ((1, 2), (1, None), (-1, None)):
                combination = Combination(weight, ((row, 1),), times_weight, modulus)
                step = self._contradict(combination)
                if step is not None:
                    return step
            return self._exclude_by_common_pegs(row, weight)
        return None

    def _exclude_by_common_pegs(self, row: int, weight: int) -> Derivation | None:
        """Derive that a weight contradicts a row, because it determines the counts of both colors.

        Return None if the row has no constraint on counts of colors that contradicts the weight.
        """
        names = self.writer.system.names
        for linear in self.writer.system.rows[row]:
            counts = {variable: names[variable] for _, variable in linear.terms}
            if not all("least" in name for name in counts.values()):
                continue
            lemmas = [self._count_lemma(variable, weight) for variable in counts]
            literals = []
            if weight > 0:  # the weight of the code may be lower
                literals.append(-self.at_least[weight - 1].literal)
            if weight < self.pegs:  # the weight of the code may be higher
                literals.append(self.at_least[weight].literal)
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
            Deadline(timeout),
            on_progress,
            prove_inconsistency,
            board,
            find_certificate(board, verdict),
            choices,
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


def prove_inconsistency(
    board: Board, certificate: Refutation | None, choices: Sequence[tuple[int, ...]]
) -> Iterator[str | ProofText]:
    """Yield progress messages, and finally a proof that a board is inconsistent.

    The proof uses the algebraic certificate if possible, or else one choice of rows. Raises
    SizeError once every proof is too long.
    """
    text = None if certificate is None else refute_by_algebra(board, certificate)
    if text is not None:
        yield ProofText(text)
        return
    choices = list(dict.fromkeys(choices))
    attempts: list[ClauseAttempt] = [SumsClauseAttempt(board, rows) for rows in choices]
    attempts += [ParityAttempt(board, rows) for rows in choices]
    if not all(attempt.is_possible for attempt in attempts):
        attempts = [ClauseAttempt(board, rows) for rows in choices]
    yield from finish_first(attempts)


class ClauseAttempt(Attempt):
    """An attempt to refute some rows by clause learning, after translating their sums to clauses.

    If `codes` are given, the attempt is to prove that there are no other codes.
    """

    def __init__(
        self, board: Board, rows: tuple[int, ...], codes: Sequence[Code] | None = None
    ) -> None:
        super().__init__(board, rows)
        self.codes = codes

    @property
    def is_possible(self) -> bool:
        """Whether the attempt can succeed."""
        return True

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
        # The constraints on the counts of a color are encoded together.
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
        """Return the text of the proof, whose constraint `contradiction` is a contradiction."""
        claim = "UNSAT" if self.codes is None else f"ENUMERATION_COMPLETE {len(self.codes)}"
        return ProofText(self.writer.text(f"{claim} : {contradiction}"))

    def _translate(self, lrat: str, numbers: dict[int, str]) -> str:
        """Write the lemmas of an LRAT proof, and return the number of the last constraint.

        `numbers` maps the number of each clause of the formula to that of its constraint.
        """
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
            hints = words[end + 1 : -1]
            premises = [Derivation(numbers[int(word)], UNKNOWN_CONSTRAINT) for word in hints]
            lemma = clause(map(int, words[:end]))
            last = self.writer.propagated(lemma, premises).text
            numbers[int(number)] = last
        return last


class SumsClauseAttempt(ClauseAttempt):
    """An attempt to refute the short sums of some rows of two colors by clause learning."""

    @cached_property
    def algebra(self) -> AlgebraicWriter:
        """The proof so far, with the sums of its rows."""
        return AlgebraicWriter(self.board)

    @cached_property
    def writer(self) -> ProofWriter:
        """The proof so far."""
        return self.algebra.writer

    @cached_property
    def sums(self) -> list[DerivedSum]:
        """The short sums; empty unless the same ones hold for every code."""
        if not is_algebraic(self.board):
            return []
        shortened = shorten_rows(self.board, self.rows)
        weights = [*shortened.sums]
        if weights not in ([None], [self.algebra.fixed_weight]):
            return []
        return shortened.sums[weights[0]]

    @property
    def is_possible(self) -> bool:
        """Whether the rows have short sums."""
        return bool(self.sums)

    def clauses(self) -> Sequence[Sequence[int]]:
        """Translate the short sums into clauses."""
        if self.contradiction is not None:
            return [()]
        if self.board.known:
            for linear in self.writer.system.hard:
                if not linear.name.startswith("color"):
                    self.writer.encode(linear)
        for derived in self.sums:
            self.writer.encode_sides(self.algebra.derive_sum(derived) or ())
        return [[*literals] for literals, _ in self.writer.clauses]


class ParityAttempt(SumsClauseAttempt):
    """An attempt to refute the short sums of some rows of two colors by parities.

    Its proofs are longer than those by clause learning. But clause learning does not succeed if
    many parities are involved.
    """

    def step(self, budget: int) -> bool:  # noqa: ARG002
        """Return whether parities refute the sums; the budget is ignored."""
        return self.refuted is not None

    @cached_property
    def refuted(self) -> tuple[list[DerivedSum], ParityRefutation] | None:
        """The sums that a refutation uses, and the refutation; None if there is none."""
        return refute_by_parities(self.board, self.sums)

    def finish(self) -> Iterator[str | ProofText]:
        """Yield the proof."""
        derived_sums, refutation = self.refuted or ([], ParityRefutation((), ()))
        yield "writing a proof by parities"
        sides = [self.algebra.derive_sum(derived) or [] for derived in derived_sums]
        sums = [short_sum(self.board, derived) for derived in derived_sums]
        contradiction = ParityWriter(self.writer, sums, sides).refute(refutation)
        yield self.conclude(contradiction.text)


UNKNOWN_CONSTRAINT = PbConstraint({}, 0)
"""A placeholder for the constraint of a premise of which only the number is used."""


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
