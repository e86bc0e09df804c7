"""Write a proof in the format of VeriPB: derivations, definitions of variables, and totalizers.

check_veripb.py describes the rules of the format, and integer_models.py the constraints of a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from mmsat.constraints.parities import ParityRefutation
from mmsat.encoding.integer_models import LinearConstraint, LinearSystem
from mmsat.errors import InternalError
from mmsat.proof.check_algebra import ParityCheck, PegSum, PegValues
from mmsat.proof.check_veripb import (
    HEADER,
    PbConstraint,
    clause,
    halves,
    print_literal,
    print_literals,
)

MAX_PAIRED_LITERALS = 8
"""Maximum number of literals for which "at most one is false" is encoded by a clause for each pair.
For more literals, a totalizer has fewer clauses."""


class Derivation(NamedTuple):
    """A constraint, and its derivation in reverse Polish notation."""

    text: str
    constraint: PbConstraint

    @classmethod
    def axiom(cls, literal: int, times: int = 1) -> Derivation:
        """Return the constraint `times * literal >= 0`."""
        one = cls(print_literal(literal), PbConstraint({literal: 1}, 0))
        return one if times == 1 else one.times(times)

    def plus(self, *others: Derivation) -> Derivation:
        """Return the sum of constraints."""
        text = " ".join((self.text, *(f"{other.text} +" for other in others)))
        return Derivation(text, self.constraint.plus(*(other.constraint for other in others)))

    def times(self, factor: int) -> Derivation:
        """Return the constraint multiplied by a factor."""
        return (
            self
            if factor == 1
            else Derivation(f"{self.text} {factor} *", self.constraint.times(factor))
        )

    def divided(self, divisor: int) -> Derivation:
        """Return the constraint divided by a number; coefficients and degree are rounded up."""
        return Derivation(f"{self.text} {divisor} d", self.constraint.divided(divisor))

    def saturated(self) -> Derivation:
        """Return the constraint with coefficients cut at the degree."""
        return Derivation(f"{self.text} s", self.constraint.saturated())

    def without(self, variables: Iterable[int]) -> Derivation:
        """Return the constraint without these variables, as if their literals were true."""
        removed = {*variables}
        return self.plus(
            *(
                Derivation.axiom(-literal, number)
                for literal, number in self.constraint.items()
                if abs(literal) in removed
            )
        )


class Definition(NamedTuple):
    """A literal that is true if and only if at least `bound` of some literals are."""

    literal: int
    if_true: Derivation | None
    """The constraint that the sum is at least `bound` if `literal` is true; None if the sum is this
    literal itself."""
    if_false: Derivation | None
    """The constraint that the sum is below `bound` if `literal` is false; None if the sum is this
    literal itself."""


class UnaryCounter(NamedTuple):
    """A totalizer, which counts how many of its literals are true."""

    literals: tuple[int, ...]
    """The counted literals."""
    outputs: tuple[Definition, ...]
    """The literal of `outputs[k - 1]` is true if and only if at least k literals are true. There
    are only as many outputs as are needed."""


class ProofWriter:
    """A proof under construction, from the constraints of a board."""

    def __init__(self, system: LinearSystem) -> None:
        self.system = system
        self.inputs: dict[str, list[Derivation]] = {}
        """The constraints of the board by the name of their linear constraint: the sides `>=` and
        `<=` of an equation, in this order, or one side."""
        self.number = 0
        """The number of the last constraint; constraints are numbered from 1."""
        self.variables = system.variables
        """The number of variables of the board and of definitions."""
        for linear in system.constraints:
            self.inputs[linear.name] = [self._next(half) for half in halves(linear)]
        self.lines = [HEADER, f"f {self.number} ;"]
        self.clauses: list[tuple[tuple[int, ...], Derivation]] = []
        """The derived clauses, which are the input of a SAT solver. Its refutation is then
        translated into steps."""

    def _next(self, constraint: PbConstraint) -> Derivation:
        """Return a constraint with the next number."""
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

    def log(self, assignment: Sequence[int]) -> Derivation:
        """Write a solution as a step that excludes its code, and return the added clause."""
        self.lines.append(f"solx {print_literals(assignment)} ;")
        excluded = [
            -literal for literal in assignment if abs(literal) <= self.system.code_variables
        ]
        return self.add_clause(excluded, self._next(clause(excluded)))

    def define(self, literals: Sequence[int], bound: int) -> Definition:
        """Write the definition of a new variable: at least `bound` of the literals are true."""
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
        """Derive a clause from a constraint that implies it, and store it for the SAT solver."""
        wanted = clause(literals)
        if derivation.constraint != wanted:
            step = self.derive(derivation.saturated())
            derivation = step if step.constraint == wanted else self.propagated(wanted, [step])
        elif not derivation.text.isdecimal():
            derivation = self.derive(derivation)
        self.clauses.append((tuple(wanted.terms), derivation))
        return derivation

    def count(self, literals: tuple[int, ...], max_outputs: int) -> UnaryCounter:
        """Return a totalizer with up to `max_outputs` outputs, and add its clauses."""
        if len(literals) == 1:
            return UnaryCounter(literals, (Definition(literals[0], None, None),))
        middle = len(literals) // 2
        first_half, second_half = (
            self.count(literals[:middle], max_outputs),
            self.count(literals[middle:], max_outputs),
        )
        bounds = range(1, min(max_outputs, len(literals)) + 1)
        counter = UnaryCounter(literals, tuple(self.define(literals, bound) for bound in bounds))
        for i in range(len(first_half.outputs) + 1):
            for j in range(len(second_half.outputs) + 1):
                if 0 < i + j <= len(counter.outputs):
                    self._add_up(counter, (first_half, i), (second_half, j))
                if i + j < len(counter.outputs):
                    self._add_down(counter, (first_half, i), (second_half, j))
        return counter

    def _add_up(self, counter: UnaryCounter, *parts: tuple[UnaryCounter, int]) -> None:
        """Add the clause: if both halves reach their counts, the whole reaches the sum of these.

        `parts` are the halves of `counter`, each with a count.
        """
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

    def _add_down(self, counter: UnaryCounter, *parts: tuple[UnaryCounter, int]) -> None:
        """Add the clause: if neither half exceeds its count, the whole does not exceed the sum.

        `parts` are the halves of `counter`, each with a count.
        """
        output = counter.outputs[sum(count for _, count in parts)]
        derivation, literals = output.if_true, [-output.literal]
        if derivation is None:
            raise InternalError("a totalizer has two literals or more")
        for part, count in parts:
            if count == len(part.outputs) < len(part.literals):
                return  # no output of the half states "at most `count`"
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
        self.encode_sides(self.inputs[linear.name])

    def encode_sides(self, sides: Iterable[Derivation]) -> None:
        """Add clauses that mean the same as a constraint, or as the two sides of an equation."""
        open_sides = []
        for side in sides:
            constraint = side.constraint
            if constraint.degree == 1 and {*constraint.terms.values()} == {1}:
                self.add_clause(constraint.terms, side)
            elif constraint.degree == len(constraint.terms) - 1 <= MAX_PAIRED_LITERALS - 1:
                literals = [*constraint.terms]  # at most one is false, so one of each pair is true
                for number, one in enumerate(literals):
                    for other in literals[:number]:
                        pair = clause((one, other))
                        self.add_clause(pair.terms, self.propagated(pair, [side]))
            elif constraint.degree > 0:
                open_sides.append(side)
        if open_sides:
            self._bound(open_sides)

    def _bound(self, sides: list[Derivation]) -> None:
        """Add clauses for one or two constraints on the same sum, by a totalizer of its literals.

        A constraint on the negated literals is an upper bound of the sum.
        """
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
            count_variable = first + t - 1
            lower = self.at_least(low, orders, first, t)
            upper = self.at_most(high, orders, first, t)
            if output.if_false is not None and output.if_true is not None:
                lower, upper = lower.plus(output.if_false), upper.plus(output.if_true)
            self.add_clause((output.literal, -count_variable), lower)
            self.add_clause((-output.literal, count_variable), upper)

    @property
    def pegs(self) -> int:
        """The number of pegs, each of which has one constraint."""
        return sum(name.startswith("peg") for name in self.inputs)

    def color_constraints(self, color: int) -> tuple[Derivation, Derivation, list[Derivation], int]:
        """Return the constraints on the variables "at least t pegs have the color" of a color.

        The sum of these variables is the number of pegs with the color. The first two results are
        the bounds `>=` and `<=` of this equation. The third one are the order constraints: "at
        least t + 1" implies "at least t". The last one is the number of variables.
        """
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
        """Derive that t pegs have a color if its variable "at least t" is true.

        The color has `color_constraints`, and its variables are numbered from `first`.
        """
        # The order constraints, with these factors, add up to: the sum of the first t - 1 counts is
        # at least (t - 1) times count t. The later counts are at least 0.
        for number, order in enumerate(orders[: t - 1], 1):
            low = low.plus(order.times(number))
        return low.without(range(first + t, first + len(orders) + 1))

    def at_most(self, high: Derivation, orders: list[Derivation], first: int, t: int) -> Derivation:
        """Derive that fewer than t pegs have a color if its variable "at least t" is false.

        The color has `color_constraints`, and its variables are numbered from `first`.
        """
        # The order constraints replace each count after count t by the one before it, so that the
        # sum is bounded by multiples of count t. The earlier counts are at most 1.
        for number in range(len(orders), t - 1, -1):
            coefficient = high.constraint.terms[first + number]
            high = high.plus(orders[number - 1].times(coefficient))
        return high.without(range(first, first + t - 1))

    def text(self, conclusion: str) -> str:
        """Return the text of the proof with this conclusion."""
        end = ("output NONE ;", f"conclusion {conclusion} ;", "end pseudo-Boolean proof ;")
        return "".join(f"{line}\n" for line in (*self.lines, *end))


class ParityWriter:
    """Writes a refutation of short sums by parities as steps of a proof.

    Each relation of the refutation becomes clauses, one for each combination of values that it
    excludes. Let S be the sum of k pegs whose parity is b in a relation, and let z_m be the new
    variable "S is at least m". Then S = z_1 + .. + z_k follows by divisions. Because S cannot be m
    if m has the other parity, z_m = z_(m+1) for these m, so S - b is twice a sum of variables.
    """

    def __init__(
        self, writer: ProofWriter, sums: Sequence[PegSum], sides: Sequence[list[Derivation]]
    ) -> None:
        """Start with short sums and the two constraints of each, `sides`."""
        self.writer = writer
        self.check = ParityCheck(sums)
        """The relations, numbered from 1: those of the sums, then those of the steps."""
        self.sides = sides
        self.clauses: dict[int, dict[PegValues, Derivation]] = {}
        """For each relation of a step, the clause of each combination that it excludes."""

    def refute(self, refutation: ParityRefutation) -> Derivation:
        """Write the steps of a refutation, and return the contradiction."""
        for pegs, sources in refutation.steps:
            self.add_relation([peg + 1 for peg in pegs], sources)
        lower, upper = [], []
        for number, pegs in refutation.parities:
            projected = self.project(number, [peg + 1 for peg in pegs])
            if not pegs:
                return self.clauses[projected][()]
            sides = self.parity(projected)
            lower.append(sides[0])
            upper.append(sides[1])
        # Each peg is in an even number of the sums, and the parities add up to 1. So the division
        # by 2 rounds both sides up, and together they are a contradiction.
        halved = [sides[0].plus(*sides[1:]).divided(2) for sides in (lower, upper)]
        return self.writer.derive(halved[0].plus(halved[1]))

    def add_relation(self, pegs: Sequence[int], sources: Sequence[int]) -> int:
        """Write the clauses of the projection of relations to pegs, and return its number.

        The relations have at most one other peg, so that unit propagation derives each clause.
        """
        number = len(self.sides) + len(self.clauses) + 1
        allowed = self.check.project(tuple(pegs), sources)
        joined = [(source, *self.check.relation(source)) for source in sources]
        all_pegs = {peg for _, source_pegs, _ in joined for peg in source_pegs}
        other_pegs = sorted(all_pegs - {*pegs})
        clauses: dict[PegValues, Derivation] = {}
        for values in product((0, 1), repeat=len(pegs)):
            if values in allowed:
                continue
            # For each value of the other peg, some relation excludes the values.
            premises: dict[str, Derivation] = {}
            for other_values in product((0, 1), repeat=len(other_pegs)):
                value_of = dict(zip((*pegs, *other_pegs), (*values, *other_values), strict=True))
                own_values = (
                    (source, tuple(value_of[peg] for peg in source_pegs), source_allowed)
                    for source, source_pegs, source_allowed in joined
                )
                source, excluded, _ = next(item for item in own_values if item[1] not in item[2])
                constraints = (
                    self.sides[source - 1]
                    if source <= len(self.sides)
                    else [self.clauses[source][excluded]]
                )
                premises |= {constraint.text: constraint for constraint in constraints}
            excluding = clause(self._differing(pegs, values))
            clauses[values] = self.writer.propagated(excluding, premises.values())
        self.clauses[number] = clauses
        self.check.relations[number] = tuple(pegs), allowed
        return number

    def _differing(self, pegs: Sequence[int], values: PegValues) -> list[int]:
        """Return the clause that pegs, numbered from 1, do not have these values."""
        pairs = zip(pegs, values, strict=False)  # fewer values are those of the first pegs
        return [-2 * peg if value else 2 * peg for peg, value in pairs]

    def project(self, number: int, pegs: Sequence[int]) -> int:
        """Write the projection of a relation to some of its pegs, and return its number."""
        remaining = sorted(self.check.relation(number)[0])
        if number <= len(self.sides):
            number = self.add_relation(remaining, [number])
        for peg in sorted({*remaining} - {*pegs}):
            remaining.remove(peg)
            number = self.add_relation(remaining, [number])
        return number

    def parity(self, number: int) -> tuple[Derivation, Derivation]:
        """Derive that the sum S of the pegs of a relation is its parity plus twice some variables.

        Return the two sides, S >= and S <=.
        """
        pegs, allowed = self.check.relation(number)
        size, parity = len(pegs), sum(next(iter(allowed))) % 2
        literals = [2 * peg for peg in pegs]
        outputs = [self.writer.define(literals, bound) for bound in range(1, size + 1)]
        if_true = [output.if_true for output in outputs if output.if_true is not None]
        if_false = [output.if_false for output in outputs if output.if_false is not None]
        # S = z_1 + ... + z_k, where z_m is the output "S is at least m"
        lower, upper = if_true[0], if_false[-1]
        for bound in range(2, size + 1):
            lower = lower.times(bound - 1).plus(if_true[bound - 1]).divided(bound)
            upper = upper.times(bound - 1).plus(if_false[-bound]).divided(bound)
        for count in range(1 - parity, size + 1, 2):
            # S is not `count`, so z_count = z_(count + 1); the constants are z_0 = 1, z_(k + 1) = 0
            reached = outputs[count - 1].literal if count else None
            exceeded = outputs[count].literal if count < size else None
            claim = [-reached] if reached is not None else []
            claim += [exceeded] if exceeded is not None else []
            implied = self._exclude_count(number, count, claim, if_true, if_false)
            if reached is not None and exceeded is not None:
                # z_count >= z_(count + 1), the reverse of `implied`
                order = if_true[count].plus(if_false[count - 1]).saturated().divided(2)
                lower, upper = lower.plus(order), upper.plus(implied)
            elif exceeded is not None:
                lower, upper = lower.plus(implied), upper.plus(Derivation.axiom(-exceeded))
            elif reached is not None:
                lower, upper = lower.plus(Derivation.axiom(reached)), upper.plus(implied)
        return self.writer.derive(lower), self.writer.derive(upper)

    def _exclude_count(
        self,
        number: int,
        count: int,
        claim: Sequence[int],
        if_true: Sequence[Derivation],
        if_false: Sequence[Derivation],
    ) -> Derivation:
        """Derive the clause `claim`: if the sum of some pegs reaches `count`, it exceeds it.

        The pegs are those of relation `number`. First, the claim is derived for given values of all
        pegs, then for given values of all but the last one, and so on.
        """
        pegs, _ = self.check.relation(number)
        # For the values of the first pegs, a constraint that implies the claim.
        reasons: dict[PegValues, Derivation] = {}
        for values in product((0, 1), repeat=len(pegs)):
            if sum(values) < count:
                reasons[values] = if_true[count - 1]
            elif sum(values) > count:
                reasons[values] = if_false[count]
            else:
                reasons[values] = self.clauses[number][values]
        for size in range(len(pegs) - 1, -1, -1):
            reasons = {
                values: self.writer.propagated(
                    clause([*claim, *self._differing(pegs, values)]),
                    [reasons[(*values, 0)], reasons[(*values, 1)]],
                )
                for values in product((0, 1), repeat=size)
            }
        return reasons[()]
