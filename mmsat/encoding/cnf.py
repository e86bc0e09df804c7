"""From a system to CNF, by any encoding.

The variables of the code come first: 1 + peg * colors + color. All others are helpers, which the
code defines, and the rows' selectors, where rows are to be switched. Where some may be violated,
violations are counted in full and the sum of their costs is bounded.
"""

from collections.abc import Mapping, Sequence

from mmsat.constraints.system import SoftConstraint, System
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.entry import formula_size
from mmsat.encoding.formula import Formula, at_most_one, exactly_one
from mmsat.errors import SizeError
from mmsat.game.literals import CardinalityConstraint, Literal
from mmsat.limits import LIMITS

DEFAULT = "totalizer"
CLAUSE = 320
"""Bytes that a clause takes, all told: as a Python list and in a solver. Measured: 200 to 320."""


def cnf(system: System, encoding: str = DEFAULT, *, with_selectors: bool = False) -> Formula:
    """The formula whose models are the codes that satisfy a system, one each.

    With selectors, a row counts only while its literal of `formula.selectors` is true; where there
    is a budget, what does not count may be anything, so that models are no measure of the codes.
    Raises SizeError, before anything is built, where the formula would take too much memory.
    """
    require_memory(system, encoding, with_selectors=with_selectors)
    return Builder(system, encoding, with_selectors=with_selectors).formula


def require_memory(system: System, encoding: str, *, with_selectors: bool = False) -> None:
    """Raise SizeError where a formula would take too much memory; costs no more than a look."""
    variables = system.variables
    lengths = [len(constraint.literals) for constraint in system.constraints]
    lengths += [variables.pegs for _ in system.depths()]
    if encoding != "direct" and sum(length * length for length in lengths) < LIMITS.small_formula:
        return
    clauses = formula_size(system, encoding, with_selectors=with_selectors).clauses
    if clauses * CLAUSE > LIMITS.clause_memory:
        shorter = "choose modulo-totalizer, which grows the least, or the engine auto or cp"
        raise SizeError.of(
            f"the encoding {encoding}",
            f"up to {LIMITS.clause_memory >> 30} GiB of clauses",
            f"{clauses:,} clauses, about {clauses * CLAUSE / (1 << 30):.0f} GiB",
            "" if encoding == "modulo-totalizer" else shorter,
        )


class Builder:
    """Makes a formula step by step: pegs, color counters, hard constraints, rows."""

    def __init__(
        self,
        system: System,
        encoding: str = DEFAULT,
        *,
        with_selectors: bool = False,
        depths: Mapping[int, int] | None = None,
    ) -> None:
        """Make the whole formula; colors are counted up to the depths, or to what it takes."""
        variables = system.variables
        self.variables = variables
        self.encoding = ENCODINGS[encoding]
        self.formula = Formula(variables.pegs * variables.colors, variables.pegs * variables.colors)
        for literal in range(1, self.formula.variables + 1):
            self.formula.names[literal] = variables.name(literal)
        for places in system.places():
            exactly_one(places, self.formula, (), self.encoding.pairs)
        self.literals: dict[Literal, int] = {}
        self.counters: dict[tuple[Literal, ...], list[int]] = {}
        for color, depth in sorted((system.depths() if depths is None else depths).items()):
            self.count_color(color, depth)
        for constraint in system.hard:
            self.add(constraint)
        if with_selectors:
            numbers = {number for row in system.soft for number in row.rows}
            count = len(numbers) if system.budget else len(system.soft)
            self.formula.selectors = tuple(self.formula.new() for _ in range(count))
            for number, selector in enumerate(self.formula.selectors, 1):
                self.formula.names[selector] = f"row{number}"
        if with_selectors and system.budget:
            self._bound_switched(system)
        elif with_selectors:
            for selector, group in zip(self.formula.selectors, system.rows, strict=True):
                for constraint in group:
                    self.add(constraint, selector)
        else:
            for row in system.enforced:
                for constraint in row.constraints:
                    self.add(constraint)
            self._bound(system)

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
            self.literals[members] = self.formula.conjunction(literals)
        return self.literals[members]

    def count(self, literals: Sequence[Literal]) -> list[int]:
        """Count literals in full: output t - 1 holds when at least t of them are true."""
        numbers = [self.literal(literal) for literal in literals]
        return self.encoding.count(numbers, len(numbers), self.formula)

    def reify(self, constraint: CardinalityConstraint) -> list[int]:
        """Literals that are all true exactly when a constraint is, one that can be true.

        They are outputs of one full count of the constraint's literals, made when first needed.
        """
        literals, low, high = constraint
        if literals and literals not in self.counters:
            self.counters[literals] = self.count(literals)
        outputs = self.counters.get(literals, [])
        enough = outputs[low - 1 : low] if low > 0 else []
        return enough + [-output for output in outputs[high : high + 1]]

    def violation(self, row: SoftConstraint, most: int) -> tuple[list[int], int]:
        """Literals of which as many are true as a row is violated by, but no more than `most`.

        And how many more there would be that are always true.
        """
        literals: list[int] = []
        always = 0
        for slack in range(min(most, row.max_violation)):
            constraints = [
                constraint for constraint in row.relax(slack) if not is_trivial(constraint)
            ]
            if any(map(is_never, constraints)):
                always += 1
            else:
                all_hold = [literal for c in constraints for literal in self.reify(c)]
                literals.append(-self.formula.conjunction(all_hold))
        return literals, always

    def _bound(self, system: System) -> None:
        """Violations cost no more than the budget."""
        costs: list[int] = []
        left = system.budget
        for row in system.relaxed:
            literals, always = self.violation(row, system.budget // row.weight + 1)
            costs += literals * row.weight
            left -= always * row.weight
        self._at_most(costs, left)

    def _bound_switched(self, system: System) -> None:
        """Violations of the rows whose selectors are true cost no more than the budget."""
        costs: list[int] = []
        for row in system.soft:
            literals, always = self.violation(row, system.budget + 1)
            for selector in (self.formula.selectors[number] for number in row.rows):
                costs += [selector] * always
                for literal in literals:
                    costs.append(self.formula.new())
                    self.formula.add(-selector, -literal, costs[-1])
        self._at_most(costs, system.budget)

    def _at_most(self, literals: Sequence[int], bound: int) -> None:
        """No more than so many of the literals are true; they may repeat."""
        if bound < 0:
            self.formula.add()
        elif bound == 0:
            for literal in literals:
                self.formula.add(-literal)
        elif bound < len(literals):
            self.encoding.between(literals, 0, bound, None, self.formula)

    def add(self, constraint: CardinalityConstraint, selector: int | None = None) -> None:
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
            at_most_one(literals, self.formula, guard, self.encoding.pairs)
        elif (low, high) == (1, 1):
            exactly_one(literals, self.formula, guard, self.encoding.pairs)
        else:
            if low + high > len(literals):
                literals = [-literal for literal in literals]
                low, high = len(literals) - high, len(literals) - low
            self.encoding.between(literals, max(low, 0), high, selector, self.formula)


def is_trivial(constraint: CardinalityConstraint) -> bool:
    """Whether every code satisfies a constraint."""
    return constraint.low <= 0 and constraint.high >= len(constraint.literals)


def is_never(constraint: CardinalityConstraint) -> bool:
    """Whether no code satisfies a constraint."""
    return constraint.low > len(constraint.literals) or constraint.high < max(constraint.low, 0)
