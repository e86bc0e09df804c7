"""Formulas in the making: further variables, each defined by the ones before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.reductions.sources.formula import Clause, Formula

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Truth = Callable[[int], bool]
    """Whether a literal is true."""
    Definition = Callable[[Truth], bool]


class Growing:
    """A formula to which variables and clauses are added."""

    def __init__(self, variables: int) -> None:
        """Variables of the source, and no clauses yet."""
        self.variables = variables
        self.clauses: list[Clause] = []
        self.definitions: list[Definition] = []

    def variable(self, definition: Definition) -> int:
        """One more variable; `definition` tells its value, given the literals before it."""
        self.definitions.append(definition)
        return self.variables + len(self.definitions)

    def clause(self, *literals: int) -> None:
        """One more clause."""
        self.clauses.append(literals)

    def formula(self) -> Formula:
        """What there is by now."""
        return Formula(self.variables + len(self.definitions), tuple(self.clauses))

    def assignment(self, values: Sequence[bool]) -> tuple[bool, ...]:
        """Values for all variables, from those of the source."""
        every = list(values)

        def truth(literal: int) -> bool:
            return every[abs(literal) - 1] == (literal > 0)

        for definition in self.definitions:
            value = definition(truth)
            every.append(value)
        return tuple(every)
