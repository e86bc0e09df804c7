"""Pseudo-Boolean constraints, and the rules of cutting planes on them.

A constraint is a sum of literals with positive coefficients that is at least a degree, with each
variable once: 2 x1 + 1 ~x3 >= 2. This is the normal form of the proof format of VeriPB, in which a
negative coefficient is written with the negated literal: -2 x = 2 ~x - 2. The constraints of a
board have the numbers that VeriPB gives to the lines of `mmsat encode --to opb`: an equation is two
constraints, first `>=` and then `<=`.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator
from typing import NamedTuple

from mmsat.encoding.integer_models import LinearConstraint, LinearSystem

HEADER = "pseudo-Boolean proof version 3.0"
"""The first line of a proof."""


class PbConstraint(NamedTuple):
    """A sum of literals that is at least a degree."""

    terms: dict[int, int]
    """The positive coefficient of each literal; -v is the negation of variable v."""
    degree: int

    @classmethod
    def of(cls, terms: Iterable[tuple[int, int]], degree: int) -> PbConstraint:
        """Return the normal form of a sum of coefficients and literals that is at least `degree`.

        Literals may repeat, and coefficients may be negative.
        """
        sums: dict[int, int] = {}
        for coefficient, literal in terms:
            if literal < 0:
                degree -= coefficient
            number = coefficient if literal > 0 else -coefficient
            sums[abs(literal)] = sums.get(abs(literal), 0) + number
        degree -= sum(number for number in sums.values() if number < 0)
        literals = {
            (variable if number > 0 else -variable): abs(number)
            for variable, number in sums.items()
            if number
        }
        return cls(literals, degree)

    def __str__(self) -> str:
        terms = "".join(
            f"{number} {print_literal(literal)} " for literal, number in self.terms.items()
        )
        return f"{terms}>= {self.degree}"

    @property
    def is_contradiction(self) -> bool:
        """Whether no assignment satisfies the constraint."""
        return sum(self.terms.values()) < self.degree

    def plus(self, other: PbConstraint) -> PbConstraint:
        """Return the sum, in which x and ~x cancel to 1."""
        terms, degree = dict(self.terms), self.degree + other.degree
        for literal, number in other.items():
            opposite = terms.pop(-literal, 0)
            cancelled = min(opposite, number)
            degree -= cancelled
            if opposite > cancelled:
                terms[-literal] = opposite - cancelled
            elif number > cancelled:
                terms[literal] = terms.get(literal, 0) + number - cancelled
        return PbConstraint(terms, degree)

    def items(self) -> ItemsView[int, int]:
        """Return the pairs of a literal and its coefficient."""
        return self.terms.items()

    def times(self, factor: int) -> PbConstraint:
        """Return the constraint with all numbers multiplied by a factor, at least 0."""
        terms = {literal: number * factor for literal, number in self.items() if factor}
        return PbConstraint(terms, self.degree * factor)

    def divided(self, divisor: int) -> PbConstraint:
        """Return the constraint with all numbers divided by a positive divisor and rounded up."""
        terms = {literal: -(-number // divisor) for literal, number in self.items()}
        return PbConstraint(terms, -(-self.degree // divisor))

    def saturated(self) -> PbConstraint:
        """Return the constraint with coefficients cut at the degree."""
        degree = max(0, self.degree)
        terms = {literal: min(number, degree) for literal, number in self.items() if degree}
        return PbConstraint(terms, degree)

    def negated(self) -> PbConstraint:
        """Return the negation, which is a constraint, too."""
        terms = {-literal: number for literal, number in self.items()}
        return PbConstraint(terms, sum(self.terms.values()) - self.degree + 1)


def clause(literals: Iterable[int]) -> PbConstraint:
    """Return the constraint that one of the literals is true."""
    return PbConstraint(dict.fromkeys(literals, 1), 1)


def print_literal(literal: int) -> str:
    """Return a literal as text, such as ~x3."""
    return f"{'~' * (literal < 0)}x{abs(literal)}"


def print_literals(literals: Iterable[int]) -> str:
    """Return literals as text, separated by spaces."""
    return " ".join(map(print_literal, literals))


def halves(constraint: LinearConstraint) -> Iterator[PbConstraint]:
    """Yield the constraints of the lines of a linear constraint in OPB."""
    if constraint.low is not None:
        yield PbConstraint.of(constraint.terms, constraint.low)
    if constraint.high is not None:
        negated = ((-number, variable) for number, variable in constraint.terms)
        yield PbConstraint.of(negated, -constraint.high)


def constraints_of(system: LinearSystem) -> list[PbConstraint]:
    """Return the constraints of a board in the order of their numbers in a proof."""
    return [half for constraint in system.constraints for half in halves(constraint)]


def propagate(constraints: Iterable[PbConstraint], true: set[int]) -> bool:
    """Add implied literals to `true`, and return whether a constraint is violated.

    The constraints are visited in order, and again until nothing is added.
    """
    pending = list(constraints)
    has_changed = True
    while has_changed:
        has_changed = False
        for constraint in pending:
            open_terms = [
                (literal, number) for literal, number in constraint.items() if -literal not in true
            ]
            slack = sum(number for _, number in open_terms) - constraint.degree
            if slack < 0:
                return True
            for literal, number in open_terms:
                if number > slack and literal not in true:
                    true.add(literal)
                    has_changed = True
    return False
