"""A growing formula: clauses, native cardinality constraints, and names for the variables."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Formula:
    """A formula in conjunctive form. Literals are numbers from 1; negative means denied."""

    variables: int = 0
    """The number of variables."""
    code_variables: int = 0
    """How many of them, the first ones, are the code: 1 + peg * colors + color."""
    clauses: list[list[int]] = field(default_factory=list)
    """Each is true when one of its literals is."""
    at_most: list[tuple[list[int], int]] = field(default_factory=list)
    """Native constraints: at most so many of these literals (which may repeat) are true."""
    selectors: tuple[int, ...] = ()
    """For each row the literal that switches it on, if the formula was made to be switched."""
    names: dict[int, str] = field(default_factory=dict)
    """What the variables mean, where that can be said in a word."""

    def new(self) -> int:
        """A fresh variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(list(literals))

    def conjunction(self, literals: Sequence[int]) -> int:
        """A literal that is true exactly when all of these are: the AND gate."""
        if len(literals) == 1:
            return literals[0]
        together = self.new()
        for literal in literals:
            self.add(-together, literal)
        self.add(together, *(-literal for literal in literals))
        return together

    def add_at_most(self, literals: Sequence[int], bound: int) -> None:
        """Add a native cardinality constraint."""
        self.at_most.append((list(literals), bound))
