"""From a system to CNF, by any encoding.

The variables of the code come first: 1 + peg * colors + color. All others are helpers, which the
code defines, and the rows' selectors, where rows are to be switched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.constraints.system import System
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.formula import Formula
from mmsat.encoding.one_hot import at_most_one, exactly_one
from mmsat.errors import SizeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mmsat.constraints.lenient import Rules
    from mmsat.game.literals import CardinalityConstraint, Literal

DEFAULT = "totalizer"
CLAUSE = 320
"""Bytes that a clause takes, all told: as a Python list and in a solver. Measured: 200 to 320."""
MEMORY = 3 << 30
"""Bytes that a formula may take, so that a whole process stays below 4 GiB."""
SMALL = 4_000_000
"""Squares of the lengths of all counts, added up, below which no formula is that large."""


def cnf(system: Rules, encoding: str = DEFAULT, *, switched: bool = False) -> Formula:
    """The formula whose models are the consistent codes, or those within the lies, one each.

    With `switched`, each row holds only while its literal of `formula.selectors` is true. Raises
    SizeError, before anything is built, where the formula would take too much memory.
    """
    if not isinstance(system, System):
        from mmsat.encoding.lenient import lenient_cnf, switched_cnf  # noqa: PLC0415  (builds on this)

        return switched_cnf(system, encoding) if switched else lenient_cnf(system, encoding)
    require_memory(system, encoding, switched=switched)
    return Builder(system, encoding, switched=switched).formula


def require_memory(system: System, encoding: str, *, switched: bool = False) -> None:
    """Raise SizeError where a formula would take too much memory; costs no more than a look."""
    variables = system.variables
    lengths = [len(constraint.literals) for constraint in system.constraints]
    lengths += [variables.pegs for _ in system.depths()]
    if encoding != "direct" and sum(length * length for length in lengths) < SMALL:
        return
    from mmsat.encoding.sizes import formula_size  # noqa: PLC0415  (reads the catalogue)

    clauses = formula_size(system, encoding, switched=switched).clauses
    if clauses * CLAUSE > MEMORY:
        raise SizeError(
            f"the encoding {encoding} of this board has {clauses:,} clauses, about "
            f"{clauses * CLAUSE / (1 << 30):.0f} GiB, above the limit of {MEMORY >> 30} GiB; "
            "choose modulo-totalizer, which grows the least, or the engine auto or cp"
        )


class Builder:
    """Makes a formula step by step: pegs, color counters, ground constraints, rows."""

    def __init__(
        self,
        system: System,
        encoding: str = DEFAULT,
        *,
        switched: bool = False,
        depths: Mapping[int, int] | None = None,
    ) -> None:
        """Make the whole formula; colors are counted up to the depths, or to what it takes."""
        variables = system.variables
        self.variables = variables
        self.encoding = ENCODINGS[encoding]
        self.formula = Formula(variables.pegs * variables.colors, variables.pegs * variables.colors)
        for literal in range(1, self.formula.variables + 1):
            self.formula.names[literal] = variables.name(literal)
        for peg in range(variables.pegs):
            exactly_one(
                [variables.at(peg, color) for color in range(variables.colors)], self.formula
            )
        self.literals: dict[Literal, int] = {}
        self.counters: dict[tuple[Literal, ...], list[int]] = {}
        for color, depth in sorted((system.depths() if depths is None else depths).items()):
            self.count_color(color, depth)
        for constraint in system.ground:
            self.say(constraint, None)
        if switched:
            self.formula.selectors = tuple(self.formula.new() for _ in system.rows)
            for number, selector in enumerate(self.formula.selectors, 1):
                self.formula.names[selector] = f"row{number}"
        for number, constraints in enumerate(system.rows):
            for constraint in constraints:
                self.say(constraint, self.formula.selectors[number] if switched else None)

    def count_color(self, color: int, depth: int) -> None:
        """One counter a color, shared by all rows."""
        variables = self.variables
        pegs = [variables.at(peg, color) for peg in range(variables.pegs)]
        for count, output in enumerate(self.encoding.count(pegs, depth, self.formula), 1):
            literal = variables.least(color, count)
            if literal not in self.literals:  # else an earlier counter was not deep enough
                self.literals[literal] = output
                self.formula.names.setdefault(output, variables.name(literal))

    def literal(self, literal: Literal) -> int:
        """The number in the formula of a literal, of its negation, or of a conjunction."""
        if isinstance(literal, tuple):
            return self.conjunction(literal)
        if self.variables.is_at(literal):
            return literal
        if abs(literal) not in self.literals:  # the system's constraints do not ask for it
            self.count_color(*self.variables.color_count(literal))
        number = self.literals[abs(literal)]
        return number if literal > 0 else -number

    def conjunction(self, members: tuple[int, ...]) -> int:
        """A helper that holds exactly when all members do; one member is its own."""
        if members not in self.literals:
            literals = [self.literal(member) for member in members]
            if len(literals) == 1:
                return literals[0]
            self.literals[members] = together = self.formula.new()
            for literal in literals:
                self.formula.add(-together, literal)
            self.formula.add(together, *(-literal for literal in literals))
        return self.literals[members]

    def count(self, literals: Sequence[Literal]) -> list[int]:
        """Count literals in full: output t - 1 holds when at least t of them are true."""
        numbers = [self.literal(literal) for literal in literals]
        return self.encoding.count(numbers, len(numbers), self.formula)

    def saying(self, constraint: CardinalityConstraint) -> list[int]:
        """Literals that are all true exactly when a constraint is, one that can be true.

        They are outputs of one full count of the constraint's literals, made when first needed.
        """
        literals, low, high = constraint
        if literals and literals not in self.counters:
            self.counters[literals] = self.count(literals)
        outputs = self.counters.get(literals, [])
        enough = outputs[low - 1 : low] if low > 0 else []
        return enough + [-output for output in outputs[high : high + 1]]

    def say(self, constraint: CardinalityConstraint, selector: int | None) -> None:
        """One constraint, counted on whichever side is shorter."""
        literals = [self.literal(literal) for literal in constraint.literals]
        low, high = constraint.low, constraint.high
        guard = [] if selector is None else [-selector]
        if low <= 0 and high >= len(literals):
            return
        if low > len(literals) or high < 0 or low > high:
            self.formula.add(*guard)
        elif high == 0:
            for literal in literals:
                self.formula.add(*guard, -literal)
        elif low >= len(literals):
            for literal in literals:
                self.formula.add(*guard, literal)
        elif high >= len(literals) and low == 1:
            self.formula.add(*guard, *literals)
        elif low <= 0 and high == len(literals) - 1:
            self.formula.add(*guard, *(-literal for literal in literals))
        elif (low, high) == (0, 1):
            at_most_one(literals, self.formula, guard)
        elif (low, high) == (1, 1) and selector is None:
            exactly_one(literals, self.formula)
        else:
            if low + high > len(literals):
                literals = [-literal for literal in literals]
                low, high = len(literals) - high, len(literals) - low
            self.encoding.between(literals, max(low, 0), high, selector, self.formula)
