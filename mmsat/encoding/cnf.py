"""Translate a constraint system to CNF with any of the encodings.

The code variables come first: 1 + peg * colors + color. All other variables are auxiliary
variables, whose values follow from the code, or selectors of rows, if rows are to be enabled and
disabled. If rows may be violated, the violations of each row are counted and the sum of their costs
is bounded.
"""

from collections.abc import Mapping, Sequence

from mmsat.constraints import SoftRow, System
from mmsat.encoding import Encoding, Formula, at_most_one, exactly_one, find_encoding
from mmsat.encoding.catalogue import formula_size
from mmsat.errors import SizeError
from mmsat.game.space import CardinalityConstraint, Literal
from mmsat.limits import LIMITS

DEFAULT = "totalizer"
"""The name of the default encoding."""
BYTES_PER_CLAUSE = 320
"""Bytes per clause, in a Python list and in a solver together. Measured: 200 to 320."""


def cnf(
    system: System, encoding: str | Encoding = DEFAULT, *, with_selectors: bool = False
) -> Formula:
    """Return the formula whose models are the codes that satisfy `system`, one model per code.

    With selectors, a row is enforced only while its literal in `formula.selectors` is true. If the
    system also has a budget, some auxiliary variables of disabled rows are free, so that the number
    of models is not the number of codes. Raises SizeError, before anything is built, if the formula
    would need too much memory.
    """
    require_memory(system, encoding, with_selectors=with_selectors)
    return Builder(system, encoding, with_selectors=with_selectors).formula


def require_memory(
    system: System, encoding: str | Encoding, *, with_selectors: bool = False
) -> None:
    """Raise SizeError if a formula would need too much memory.

    The size is computed without building the formula, so that the check is cheap.
    """
    variables = system.variables
    lengths = [len(constraint.literals) for constraint in system.constraints]
    lengths += [variables.pegs for _ in system.highest_counts()]
    # The exact size is computed only if this quick bound is exceeded. The bound does not hold for
    # the encoding direct, which grows as binomial coefficients.
    if encoding != "direct" and sum(length * length for length in lengths) < LIMITS.small_formula:
        return
    clauses = formula_size(system, encoding, with_selectors=with_selectors).clauses
    if clauses * BYTES_PER_CLAUSE > LIMITS.clause_memory:
        advice = "choose the smallest encoding, modulo-totalizer, or the engine auto or cp"
        raise SizeError.of(
            f"the encoding {encoding}",
            f"up to {LIMITS.clause_memory >> 30} GiB of clauses",
            f"{clauses:,} clauses, about {clauses * BYTES_PER_CLAUSE / (1 << 30):.0f} GiB",
            "" if encoding == "modulo-totalizer" else advice,
        )


class Builder:
    """Builds a formula step by step: pegs, color counters, hard constraints, rows."""

    def __init__(
        self,
        system: System,
        encoding: str | Encoding = DEFAULT,
        *,
        with_selectors: bool = False,
        depths: Mapping[int, int] | None = None,
    ) -> None:
        """Build the whole formula.

        `depths` maps each color that gets a counter at the start to the counter's highest count. By
        default, these are the counts that the system needs.
        """
        variables = system.variables
        self.variables = variables
        self.encoding = find_encoding(encoding)
        self.formula = Formula(variables.pegs * variables.colors, variables.pegs * variables.colors)
        for literal in range(1, self.formula.variables + 1):
            self.formula.names[literal] = variables.name(literal)
        for literals in system.possible_literals():
            exactly_one(literals, self.formula, (), self.encoding.pairs)
        self.literals: dict[Literal, int] = {}
        """The formula's literal for each count and each conjunction of the system."""
        self.counters: dict[tuple[Literal, ...], list[int]] = {}
        """The outputs of `count` for the literals of each constraint that was reified."""
        for color, depth in sorted((system.highest_counts() if depths is None else depths).items()):
            self.count_color(color, depth)
        for constraint in system.hard:
            self.add(constraint)
        if with_selectors:
            row_numbers = {row_number for row in system.soft for row_number in row.rows}
            selector_count = len(row_numbers) if system.budget else len(system.soft)
            self.formula.selectors = tuple(self.formula.new() for _ in range(selector_count))
            for number, selector in enumerate(self.formula.selectors, 1):
                self.formula.names[selector] = f"row{number}"
        if with_selectors and system.budget:
            self._bound_violations_of_enabled_rows(system)
        elif with_selectors:
            for selector, constraints in zip(self.formula.selectors, system.rows, strict=True):
                for constraint in constraints:
                    self.add(constraint, selector)
        else:
            for row in system.enforced:
                for constraint in row.constraints:
                    self.add(constraint)
            self._bound_violations(system)

    def count_color(self, color: int, depth: int) -> None:
        """Count the pegs of a color, up to `depth` pegs. All rows share this counter."""
        variables = self.variables
        pegs = [variables.at(peg, color) for peg in range(variables.pegs)]
        for count, output in enumerate(self.encoding.count(pegs, depth, self.formula), 1):
            literal = variables.least(color, count)
            if literal not in self.literals:  # otherwise an earlier, shorter counter defined it
                self.literals[literal] = output
                self.formula.names.setdefault(output, variables.name(literal))

    def literal(self, literal: Literal) -> int:
        """Return the formula's literal for a literal or a conjunction of the system."""
        if isinstance(literal, tuple):
            return self.conjunction(literal)
        if self.variables.is_at(literal):
            return literal
        if abs(literal) not in self.literals:  # no constraint of the system uses it
            self.count_color(*self.variables.color_count(literal))
        formula_literal = self.literals[abs(literal)]
        return formula_literal if literal > 0 else -formula_literal

    def conjunction(self, members: tuple[int, ...]) -> int:
        """Return a literal that is true exactly when all members are.

        For one member, this is the formula's literal for this member.
        """
        if members not in self.literals:
            literals = [self.literal(member) for member in members]
            if len(literals) == 1:
                return literals[0]
            self.literals[members] = self.formula.conjunction(literals)
        return self.literals[members]

    def count(self, literals: Sequence[Literal]) -> list[int]:
        """Return an output per literal. Output t - 1 is true exactly if at least t literals are."""
        inputs = [self.literal(literal) for literal in literals]
        return self.encoding.count(inputs, len(inputs), self.formula)

    def reify(self, constraint: CardinalityConstraint) -> list[int]:
        """Return literals that are all true exactly when a satisfiable constraint holds.

        They are outputs of `count` for the constraint's literals, which is called on first use.
        """
        literals, low, high = constraint
        if literals and literals not in self.counters:
            self.counters[literals] = self.count(literals)
        outputs = self.counters.get(literals, [])
        at_least_low = outputs[low - 1 : low] if low > 0 else []
        return at_least_low + [-output for output in outputs[high : high + 1]]

    def violation(self, row: SoftRow, cap: int) -> tuple[list[int], int]:
        """Return literals and a number that together count the violation of a row, up to `cap`.

        The capped violation is the number of true literals plus the returned number, which is a
        violation that every code has.
        """
        literals: list[int] = []
        unavoidable = 0
        for slack in range(min(cap, row.max_violation)):
            constraints = [
                constraint for constraint in row.relax(slack) if not is_trivial(constraint)
            ]
            if any(map(is_impossible, constraints)):
                unavoidable += 1
            else:
                conditions = [literal for c in constraints for literal in self.reify(c)]
                literals.append(-self.formula.conjunction(conditions))
        return literals, unavoidable

    def _bound_violations(self, system: System) -> None:
        """Limit the total cost of the violations to the budget."""
        cost_literals: list[int] = []  # each true one costs 1, so literals are repeated
        remaining_budget = system.budget
        for row in system.relaxed:
            literals, unavoidable = self.violation(row, system.budget // row.weight + 1)
            cost_literals += literals * row.weight
            remaining_budget -= unavoidable * row.weight
        self._at_most(cost_literals, remaining_budget)

    def _bound_violations_of_enabled_rows(self, system: System) -> None:
        """Limit the total cost of the violations of rows whose selectors are true to the budget."""
        cost_literals: list[int] = []  # each true one costs 1
        for row in system.soft:
            literals, unavoidable = self.violation(row, system.budget + 1)
            for selector in (self.formula.selectors[number] for number in row.rows):
                cost_literals += [selector] * unavoidable
                for literal in literals:
                    cost_literals.append(self.formula.new())
                    self.formula.add(-selector, -literal, cost_literals[-1])
        self._at_most(cost_literals, system.budget)

    def _at_most(self, literals: Sequence[int], bound: int) -> None:
        """Require that at most `bound` of the literals are true. Literals may repeat."""
        if bound < 0:
            self.formula.add()
        elif bound == 0:
            for literal in literals:
                self.formula.add(-literal)
        elif bound < len(literals):
            self.encoding.between(literals, 0, bound, None, self.formula)

    def add(self, constraint: CardinalityConstraint, selector: int | None = None) -> None:
        """Add one constraint, which is enforced only while `selector` is true (None: always)."""
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
            # Counting the negated literals instead needs a shorter counter if the bounds are high.
            if low + high > len(literals):
                literals = [-literal for literal in literals]
                low, high = len(literals) - high, len(literals) - low
            self.encoding.between(literals, max(low, 0), high, selector, self.formula)


def is_trivial(constraint: CardinalityConstraint) -> bool:
    """Return whether the bounds of a constraint allow any number of true literals."""
    return constraint.low <= 0 and constraint.high >= len(constraint.literals)


def is_impossible(constraint: CardinalityConstraint) -> bool:
    """Return whether the bounds of a constraint allow no number of true literals."""
    return constraint.low > len(constraint.literals) or constraint.high < max(constraint.low, 0)
