"""Transformations of formulas: further variables, each defined by the ones before it."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property

from mmsat.reductions.link import Link
from mmsat.reductions.sources.formula import Assignment, Clause, Formula, spell_assignment

Truth = Callable[[int], bool]
"""Whether a literal is true."""
Definition = Callable[[Truth], bool]
"""The value of a variable, given the literals before it."""


class FormulaBuilder:
    """A formula to which variables and clauses are added."""

    def __init__(self, variables: int) -> None:
        """Start with the variables of the source, and no clauses."""
        self.variables = variables
        self.clauses: list[Clause] = []
        self.definitions: list[Definition] = []

    def variable(self, definition: Definition) -> int:
        """Add a variable; returns its number."""
        self.definitions.append(definition)
        return self.variables + len(self.definitions)

    def clause(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(literals)

    def formula(self) -> Formula:
        """Build the formula of all variables and clauses."""
        return Formula(self.variables + len(self.definitions), tuple(self.clauses))

    def assignment(self, values: Sequence[bool]) -> Assignment:
        """Extend values of the source's variables to all variables."""
        every = list(values)

        def is_true(literal: int) -> bool:
            return every[abs(literal) - 1] == (literal > 0)

        for definition in self.definitions:
            every.append(definition(is_true))  # noqa: PERF401  (a definition reads those before it)
        return tuple(every)


class FormulaLink(Link[Formula, Assignment]):
    """A larger formula, of which the first variables are the source's; one model, one model."""

    source_kind = target_kind = "formula"

    @abstractmethod
    def write(self, builder: FormulaBuilder) -> None:
        """Write the clauses of the target."""

    @cached_property
    def builder(self) -> FormulaBuilder:
        """The target with the definitions of its variables, written once."""
        builder = FormulaBuilder(self.source.variables)
        self.write(builder)
        return builder

    @cached_property
    def target(self) -> Formula:
        """The larger formula."""
        return self.builder.formula()

    def encode(self, certificate: Assignment) -> Assignment:
        """Add the values of the further variables."""
        return self.builder.assignment(certificate)

    def decode(self, certificate: Sequence[bool]) -> Assignment:
        """Take the values of the first variables."""
        return tuple(certificate[: self.source.variables])

    def is_certificate(self, certificate: Assignment) -> bool:
        """Whether it is a model of the source."""
        return self.source.is_model(certificate)

    @abstractmethod
    def is_target_certificate(self, certificate: Assignment) -> bool:
        """Whether something is a certificate of the target."""

    def spell(self, certificate: Assignment) -> str:
        """Write an assignment in the manner of DIMACS."""
        return spell_assignment(certificate)
