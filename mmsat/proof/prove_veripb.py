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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from mmsat.constraints.system import System
from mmsat.diagnosis.verdict import Verdict
from mmsat.encoding.linear import LinearConstraint, LinearSystem
from mmsat.errors import InternalError, SizeError
from mmsat.game.board import Board, Status
from mmsat.game.refutation import Combination, Refutation
from mmsat.game.row import Code
from mmsat.proof.algebraic_certificate import shared_pegs
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
from mmsat.solving.deadline import Deadline, TimeUpError, stream
from mmsat.solving.portfolio import growing_budgets
from mmsat.solving.sat import pysat

MAX_PAIRED_LITERALS = 8
"""Maximum number of literals of which at most one is true that is encoded by pairs."""


class Derivation(NamedTuple):
    """A constraint, and its derivation in reverse Polish notation."""

    text: str
    constraint: PbConstraint

    @classmethod
    def axiom(cls, literal: int, times: int = 1) -> Derivation:
        """Return the constraint that a literal is at least 0, multiplied by `times`."""
        one = cls(print_literal(literal), PbConstraint({literal: 1}, 0))
        return one if times == 1 else one.times(times)

    def plus(self, other: Derivation) -> Derivation:
        """Return the sum of two constraints."""
        return Derivation(f"{self.text} {other.text} +", self.constraint.plus(other.constraint))

    def times(self, factor: int) -> Derivation:
        """Return a multiple."""
        return (
            self
            if factor == 1
            else Derivation(f"{self.text} {factor} *", self.constraint.times(factor))
        )

    def divided(self, divisor: int) -> Derivation:
        """Return a quotient, rounded up."""
        return Derivation(f"{self.text} {divisor} d", self.constraint.divided(divisor))

    def saturated(self) -> Derivation:
        """Return the saturated constraint."""
        return Derivation(f"{self.text} s", self.constraint.saturated())

    def without(self, variables: Iterable[int]) -> Derivation:
        """Return the constraint without these variables: their terms are bounded by 1."""
        result, removed = self, {*variables}
        for literal, number in self.constraint.items():
            if abs(literal) in removed:
                result = result.plus(Derivation.axiom(-literal, number))
        return result


class Definition(NamedTuple):
    """A literal that is true if and only if at least `bound` of some literals are."""

    literal: int
    if_true: Derivation | None
    """If it is true, the sum is at least the bound; None for a single literal."""
    if_false: Derivation | None
    """If it is false, the sum is below the bound; None for a single literal."""


class Counter(NamedTuple):
    """The outputs of a totalizer."""

    literals: tuple[int, ...]
    """The counted literals."""
    outputs: tuple[Definition, ...]
    """Output k - 1 is true if and only if at least k literals are; there may be fewer of them than
    literals."""


class ProofWriter:
    """A proof over the constraints of a board under construction."""

    def __init__(self, system: LinearSystem) -> None:
        self.system = system
        self.inputs: dict[str, list[Derivation]] = {}
        """The constraints of the board by the name of their linear constraint."""
        self.number = 0
        """The number of the last constraint."""
        self.variables = system.variables
        for linear in system.constraints:
            self.inputs[linear.name] = [self._next(half) for half in halves(linear)]
        self.lines = [HEADER, f"f {self.number} ;"]
        self.clauses: list[tuple[tuple[int, ...], Derivation]] = []
        """The derived clauses, for a SAT solver."""

    def _next(self, constraint: PbConstraint) -> Derivation:
        self.number += 1
        return Derivation(str(self.number), constraint)

    def derive(self, derivation: Derivation) -> Derivation:
        """Write a derivation as a step, and return the constraint by its number."""
        self.lines.append(f"pol {derivation.text} ;")
        return self._next(derivation.constraint)

    def propagated(self, constraint: PbConstraint, premises: Iterable[Derivation]) -> Derivation:
        """Write a step by unit propagation from premises."""
        hints = " ".join(premise.text for premise in premises)
        self.lines.append(f"rup {constraint} : ~ {hints} ;")
        return self._next(constraint)

    def define(self, literals: Sequence[int], bound: int) -> Definition:
        """Define a new variable: at least `bound` of the literals are true."""
        self.variables += 1
        variable, number = self.variables, len(literals) - bound + 1
        terms = dict.fromkeys(literals, 1)
        at_least = PbConstraint({-variable: bound, **terms}, bound)
        self.lines.append(f"red {at_least} : x{variable} -> 0 ;")
        if_true = self._next(at_least)
        negated = dict.fromkeys((-literal for literal in literals), 1)
        below = PbConstraint({variable: number, **negated}, number)
        self.lines.append(f"red {below} : x{variable} -> 1 ;")
        return Definition(variable, if_true, self._next(below))

    def add_clause(self, literals: Iterable[int], derivation: Derivation) -> Derivation:
        """Derive a clause for the SAT solver."""
        wanted = clause(literals)
        if derivation.constraint != wanted:
            step = self.derive(derivation.saturated())
            derivation = step if step.constraint == wanted else self.propagated(wanted, [step])
        elif not derivation.text.isdecimal():
            derivation = self.derive(derivation)
        self.clauses.append((tuple(wanted.terms), derivation))
        return derivation

    def count(self, literals: tuple[int, ...], most: int) -> Counter:
        """Return a totalizer with up to `most` outputs, and add its clauses."""
        if len(literals) == 1:
            return Counter(literals, (Definition(literals[0], None, None),))
        middle = len(literals) // 2
        left, right = self.count(literals[:middle], most), self.count(literals[middle:], most)
        bounds = range(1, min(most, len(literals)) + 1)
        counter = Counter(literals, tuple(self.define(literals, bound) for bound in bounds))
        for i in range(len(left.outputs) + 1):
            for j in range(len(right.outputs) + 1):
                if 0 < i + j <= len(counter.outputs):
                    self._add_up(counter, (left, i), (right, j))
                if i + j < len(counter.outputs):
                    self._add_down(counter, (left, i), (right, j))
        return counter

    def _add_up(self, counter: Counter, *parts: tuple[Counter, int]) -> None:
        """Add the clause that the sum is at least the sum of two counts."""
        output = counter.outputs[sum(count for _, count in parts) - 1]
        derivation, literals = output.if_false, [output.literal]
        if derivation is None:
            raise InternalError("a totalizer has two literals or more")
        for part, count in parts:
            if not count:
                for literal in part.literals:
                    derivation = derivation.plus(Derivation.axiom(literal))
                continue
            child = part.outputs[count - 1]
            literals.append(-child.literal)
            derivation = derivation if child.if_true is None else derivation.plus(child.if_true)
        self.add_clause(literals, derivation)

    def _add_down(self, counter: Counter, *parts: tuple[Counter, int]) -> None:
        """Add the clause that the sum is at most the sum of two counts."""
        output = counter.outputs[sum(count for _, count in parts)]
        derivation, literals = output.if_true, [-output.literal]
        if derivation is None:
            raise InternalError("a totalizer has two literals or more")
        for part, count in parts:
            if count == len(part.outputs) < len(part.literals):
                return  # the count may be higher
            if count == len(part.outputs):
                for literal in part.literals:
                    derivation = derivation.plus(Derivation.axiom(-literal))
                continue
            child = part.outputs[count]
            literals.append(child.literal)
            derivation = derivation if child.if_false is None else derivation.plus(child.if_false)
        self.add_clause(literals, derivation)

    def encode(self, linear: LinearConstraint) -> None:
        """Add clauses that mean the same as a cardinality constraint."""
        sides = self.inputs[linear.name]
        open_sides = []
        for side in sides:
            constraint = side.constraint
            if constraint.degree == 1 and {*constraint.terms.values()} == {1}:
                self.add_clause(constraint.terms, side)
            elif constraint.degree == len(constraint.terms) - 1 <= MAX_PAIRED_LITERALS - 1:
                literals = [*constraint.terms]
                for number, one in enumerate(literals):
                    for other in literals[:number]:
                        pair = clause((one, other))
                        self.add_clause(pair.terms, self.propagated(pair, [side]))
            elif constraint.degree > 0:
                open_sides.append(side)
        if open_sides:
            self._bound(open_sides)

    def _bound(self, sides: list[Derivation]) -> None:
        """Count the literals of constraints on one sum, and bound the count."""
        literals = tuple(sides[0].constraint.terms)
        if any({*side.constraint.terms.values()} != {1} for side in sides):
            raise InternalError("only the counts of colors have coefficients")
        bounds = [
            side.constraint.degree
            if literals[0] in side.constraint.terms
            else len(literals) - side.constraint.degree + 1
            for side in sides
        ]
        counter = self.count(literals, max(bounds))
        for side, bound in zip(sides, bounds, strict=True):
            output = counter.outputs[bound - 1]
            is_lower = literals[0] in side.constraint.terms
            definition = output.if_false if is_lower else output.if_true
            literal = output.literal if is_lower else -output.literal
            self.add_clause((literal,), side if definition is None else side.plus(definition))

    def encode_color(self, color: int) -> None:
        """Add clauses that define "at least t pegs have the color" for each t."""
        low, high, orders, depth = self.color_constraints(color)
        colors = self.system.code_variables // self.pegs
        pegs = tuple(range(color + 1, self.system.code_variables + 1, colors))
        counter = self.count(pegs, depth)
        first = self.first_count(color)
        for order in orders:
            self.add_clause(order.constraint.terms, order)
        for t, output in enumerate(counter.outputs, 1):
            y = first + t - 1
            lower = self.at_least(low, orders, first, t)
            upper = self.at_most(high, orders, first, t)
            if output.if_false is not None and output.if_true is not None:
                lower, upper = lower.plus(output.if_false), upper.plus(output.if_true)
            self.add_clause((output.literal, -y), lower)
            self.add_clause((-output.literal, y), upper)

    @property
    def pegs(self) -> int:
        """The number of pegs, each of which has one constraint."""
        return sum(name.startswith("peg") for name in self.inputs)

    def color_constraints(self, color: int) -> tuple[Derivation, Derivation, list[Derivation], int]:
        """Return the lower and the upper sum, the orders of the counts, and their number."""
        name = f"color{color + 1}"
        if name in self.inputs:
            low, high = self.inputs[name]
        else:
            (low,), (high,) = self.inputs[f"{name}_low"], self.inputs[f"{name}_high"]
        orders: list[Derivation] = []
        while (order := f"{name}_{len(orders) + 1}") in self.inputs:
            orders += self.inputs[order]
        return low, high, orders, len(orders) + 1

    def first_count(self, color: int) -> int:
        """Return the variable of "at least 1 peg has the color"."""
        name = f"color{color + 1}least1"
        return next(number for number, text in self.system.names.items() if text == name)

    def at_least(self, low: Derivation, orders: list[Derivation], first: int, t: int) -> Derivation:
        """Derive that the sum of a color is at least t if "at least t" is true."""
        for number, order in enumerate(orders[: t - 1], 1):
            low = low.plus(order.times(number))
        return low.without(range(first + t, first + len(orders) + 1))

    def at_most(self, high: Derivation, orders: list[Derivation], first: int, t: int) -> Derivation:
        """Derive that the sum of a color is below t if "at least t" is false."""
        for number in range(len(orders), t - 1, -1):
            coefficient = high.constraint.terms[first + number]
            high = high.plus(orders[number - 1].times(coefficient))
        return high.without(range(first, first + t - 1))

    def text(self, conclusion: str) -> str:
        """Return the proof."""
        end = ("output NONE ;", f"conclusion {conclusion} ;", "end pseudo-Boolean proof ;")
        return "".join(f"{line}\n" for line in (*self.lines, *end))


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
        """Return that the weight of the code is at least, or at most, a number, if it is equal."""
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
        """Return the two constraints of the black pegs of a row, or None if there is none."""
        guess = self.board.rows[row].guess
        terms = {(1, 2 * peg + 1 + color) for peg, color in enumerate(guess)}
        for linear in self.writer.system.rows[row]:
            sides = self.writer.inputs[linear.name]
            if {*linear.terms} == terms and len(sides) == 2:
                return sides
        return None

    def _combined(self, combination: Combination, *, is_lower: bool) -> Derivation | None:
        """Return one side of a sum of equations, over the second color only."""
        parts = []
        for row, times in combination.rows:
            sides = self._black(row)
            if sides is None:
                return None
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
            modulus = combination.modulus
            candidates = [lower.divided(modulus).plus(upper.divided(modulus))]
        else:
            candidates = [lower, upper]
        for candidate in candidates:
            bounded = candidate.without(self.second).saturated()
            if bounded.constraint.degree > 0:
                return self.writer.derive(bounded)
        return None

    def _exclude(self, rows: tuple[int, ...], weight: int) -> Derivation | None:
        """Derive that the code does not have a weight that the score of one row rules out."""
        for row in rows:
            if shared_pegs(self.board, row, weight):
                continue
            for times_weight, modulus in ((1, 2), (1, None), (-1, None)):
                combination = Combination(weight, ((row, 1),), times_weight, modulus)
                step = self._contradict(combination)
                if step is not None:
                    return step
            return self._exclude_by_common_pegs(row, weight)
        return None

    def _exclude_by_common_pegs(self, row: int, weight: int) -> Derivation | None:
        """Derive that the pegs in common contradict a weight: the counts of both colors follow."""
        names = self.writer.system.names
        for linear in self.writer.system.rows[row]:
            counts = {variable: names[variable] for _, variable in linear.terms}
            if not all("least" in name for name in counts.values()):
                continue
            lemmas = [self._count_lemma(variable, weight) for variable in counts]
            literals = [-definition.literal for definition in self.at_least[:weight][-1:]]
            literals += [definition.literal for definition in self.at_least[weight : weight + 1]]
            wanted = clause(literals)
            premises = [*lemmas, *self.writer.inputs[linear.name]]
            negated = wanted.negated()
            if propagate([negated, *(premise.constraint for premise in premises)], set()):
                return self.writer.propagated(wanted, premises)
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
        # At least `number` pegs of the second color are at most the others of the first one.
        is_lower = is_true == (color == 1)
        lemma = self._without_first_color(lemma).plus(self._weight(weight, is_lower=is_lower))
        return self.writer.derive(lemma.saturated())


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


def refute_by_algebra(board: Board, refutation: Refutation) -> str | None:
    """Return a proof by cutting planes from a valid certificate, or None if this fails."""
    return AlgebraicWriter(board).refute(refutation)


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
