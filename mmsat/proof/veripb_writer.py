"""Steps of a proof in the format of VeriPB: derivations, definitions, and counters of sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mmsat.encoding.integer_models import LinearConstraint, LinearSystem
from mmsat.errors import InternalError
from mmsat.proof.check_veripb import (
    HEADER,
    PbConstraint,
    clause,
    halves,
    print_literal,
    print_literals,
)

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
        """Return the constraint without these variables: their literals are replaced by 1."""
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
    """Output k - 1 is true if and only if at least k literals are; there may be fewer outputs than
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

    def log(self, assignment: Sequence[int]) -> Derivation:
        """Write a solution as a step that excludes its code, and return the added clause."""
        self.lines.append(f"solx {print_literals(assignment)} ;")
        excluded = [
            -literal for literal in assignment if abs(literal) <= self.system.code_variables
        ]
        return self.add_clause(excluded, self._next(clause(excluded)))

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

    def count(self, literals: tuple[int, ...], max_outputs: int) -> Counter:
        """Return a totalizer with up to `max_outputs` outputs, and add its clauses."""
        if len(literals) == 1:
            return Counter(literals, (Definition(literals[0], None, None),))
        middle = len(literals) // 2
        left, right = (
            self.count(literals[:middle], max_outputs),
            self.count(literals[middle:], max_outputs),
        )
        bounds = range(1, min(max_outputs, len(literals)) + 1)
        counter = Counter(literals, tuple(self.define(literals, bound) for bound in bounds))
        for i in range(len(left.outputs) + 1):
            for j in range(len(right.outputs) + 1):
                if 0 < i + j <= len(counter.outputs):
                    self._add_up(counter, (left, i), (right, j))
                if i + j < len(counter.outputs):
                    self._add_down(counter, (left, i), (right, j))
        return counter

    def _add_up(self, counter: Counter, *parts: tuple[Counter, int]) -> None:
        """Add the clause that the sum reaches the sum of two counts if both parts reach theirs."""
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
        """Add the clause that the sum exceeds the sum of two counts only if a part exceeds its."""
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
        """Return both sides of a color's sum, the order of its counts, and the number of counts."""
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
        # the orders add up to: the sum of the first t - 1 counts is at least (t - 1) times count t
        for number, order in enumerate(orders[: t - 1], 1):
            low = low.plus(order.times(number))
        return low.without(range(first + t, first + len(orders) + 1))

    def at_most(self, high: Derivation, orders: list[Derivation], first: int, t: int) -> Derivation:
        """Derive that the sum of a color is below t if "at least t" is false."""
        # the orders replace each count after count t by the one before it, down to count t
        for number in range(len(orders), t - 1, -1):
            coefficient = high.constraint.terms[first + number]
            high = high.plus(orders[number - 1].times(coefficient))
        return high.without(range(first, first + t - 1))

    def text(self, conclusion: str) -> str:
        """Return the proof."""
        end = ("output NONE ;", f"conclusion {conclusion} ;", "end pseudo-Boolean proof ;")
        return "".join(f"{line}\n" for line in (*self.lines, *end))
