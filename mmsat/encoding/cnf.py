"""Formulas in CNF: the translation of a system, and the catalogue of encodings with exact sizes.

**Translation.** The code variables come first: 1 + peg * colors + color. All other variables are
auxiliary variables, whose values follow from the code, or selectors of rows, if rows are to be
enabled and disabled. If rows may be violated, the violations of each row are counted and the sum of
their costs is bounded.

**Catalogue.** An entry is `encodings/NAME/encoding.toml` with its README. Its text fields are
title, year, source, summary, kind (count: a way to count literals; code: a way to represent the
code) and propagation (complete, claims or partial: see the README of the catalogue). Its size
expressions are:

    [size]            the numbers of variables, clauses and native cardinality constraints
                      (at_most), from the number n of literals and the bound b of a way to count,
                      or, for a way to represent the code, `pairs`: the maximum number of literals
                      for which at-most-one is encoded by one clause per pair
    [size.between]    the same for a constraint (n, low, high) that is not encoded by counting
    [size.where]      auxiliary expressions, each named with its parameters: "merge(x, y)"

From the size expressions, `formula_size` computes the exact size of a board's formula without
building it, at about the cost of one dictionary look-up per constraint.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Annotated, NamedTuple, NotRequired, TypedDict, TypeGuard

from mmsat._util.files import catalogue_folder
from mmsat._util.registry import require_name
from mmsat._util.results import Schema
from mmsat.constraints import SoftRow, System
from mmsat.encoding import (
    ENCODINGS,
    MAX_PAIRWISE_LITERALS,
    Encoding,
    Formula,
    at_most_one,
    exactly_one,
    find_encoding,
)
from mmsat.errors import SizeError
from mmsat.game.space import CardinalityConstraint, Literal
from mmsat.limits import LIMITS

if TYPE_CHECKING:
    from mmsat._util.fields import SizeExpressions

PARAMETERS = {"count": ("n", "b"), "code": ("n", "pairs")}
"""The parameters of the size expressions of each kind of entry."""
BETWEEN_PARAMETERS = ("n", "low", "high")
"""The parameters of the size expressions in `[size.between]`."""
ENTRY_FILE = "encoding.toml"
"""The file of an entry, in its folder."""


class EntryJson(TypedDict):
    """An encoding."""

    name: str
    kind: Annotated[str, Schema(enum=tuple(PARAMETERS))]
    """A way to count literals, or a way to represent the code."""
    title: str
    year: str
    source: str
    """Publication."""
    summary: str
    """Description in one line."""
    propagation: str
    """How much unit propagation concludes; see the README of the catalogue."""
    size: dict[Annotated[str, Schema(enum=("variables", "clauses", "at_most"))], str]
    """Expressions of the size for n literals and, for a way to count, a bound b."""
    readme: NotRequired[str]
    """The page in the catalogue, in Markdown; only if a single encoding is described."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The catalogue's description of an encoding."""

    name: str
    kind: str
    title: str
    year: str
    source: str
    summary: str
    propagation: str
    readme: str
    """The text of its README, in Markdown."""
    size: dict[str, str]
    """The size expressions as text: variables, clauses and, if the entry has it, at_most."""
    has_between: bool
    """Whether the entry has separate size expressions for constraints (n, low, high)."""
    expressions: SizeExpressions = field(repr=False, compare=False)
    """All size expressions, ready to be evaluated: expressions.value("clauses", n, b)."""

    def to_dict(self) -> EntryJson:
        """Return the entry as JSON data, without the README."""
        return {
            "name": self.name,
            "kind": self.kind,
            "title": self.title,
            "year": self.year,
            "source": self.source,
            "summary": self.summary,
            "propagation": self.propagation,
            "size": self.size,
        }


def entries() -> tuple[Entry, ...]:
    """Return every entry of the catalogue, sorted by name."""
    return tuple(load(name) for name in names())


@cache
def names() -> tuple[str, ...]:
    """Return the sorted names of the entries."""
    # Folders without the file of an entry have models for other solvers.
    folders = catalogue_folder("encodings").iterdir()
    return tuple(sorted(entry.name for entry in folders if (entry / ENTRY_FILE).is_file()))


@cache
def load(name: str) -> Entry:
    """Return the entry with this name; raises InputError for unknown names."""
    import tomllib  # here, because most commands need formulas, but not the catalogue

    from mmsat._util.fields import SizeExpressions

    require_name("encoding", name, names())
    directory = catalogue_folder("encodings") / name
    data = tomllib.loads((directory / ENTRY_FILE).read_text("utf-8"))
    size, kind = data.pop("size"), data["kind"]
    between, auxiliary = size.pop("between", {}), size.pop("where", {})
    expressions = SizeExpressions()
    for expression, text in size.items():
        expressions.define(expression, PARAMETERS[kind], text)
    for expression, text in between.items():
        expressions.define(f"between_{expression}", BETWEEN_PARAMETERS, text)
    for signature, text in auxiliary.items():
        expression, *parameters = re.findall(r"\w+", signature)
        expressions.define(expression, parameters, text)
    return Entry(
        name=name,
        **data,
        readme=(directory / "README.md").read_text("utf-8"),
        size=size,
        has_between=bool(between),
        expressions=expressions,
    )


class Size(NamedTuple):
    """The size of a CNF formula, or the size that a group of constraints adds to a formula."""

    variables: int = 0
    """All variables of a formula, or the auxiliary variables of a group of constraints."""
    clauses: int = 0
    at_most: int = 0
    """Native cardinality constraints."""

    def plus(self, other: Size, times: int = 1) -> Size:
        """Return this size plus `times` times `other`."""
        return Size(
            *(size + times * other_size for size, other_size in zip(self, other, strict=True))
        )


def _is_listed(encoding: str | Encoding) -> TypeGuard[str]:
    """Return whether an encoding is in the catalogue; plug-ins are not."""
    return isinstance(encoding, str) and encoding in ENCODINGS.built_in


def _measure(n: int, add: Callable[[Sequence[int], Formula], object]) -> Size:
    """Return the size of the clauses and variables that `add` adds to a formula for n literals."""
    formula = Formula(n, n)
    add(range(1, n + 1), formula)
    return Size(formula.variables - n, len(formula.clauses), len(formula.at_most))


@cache
def count_size(encoding: str | Encoding, n: int, bound: int) -> Size:
    """Return the size that `Encoding.count` adds for n literals and a bound, 1 <= bound <= n.

    For a plug-in, which has no size expressions, the clauses are built and counted.
    """
    if not _is_listed(encoding):
        count = find_encoding(encoding).outputs
        return _measure(n, lambda literals, formula: count(literals, bound, formula))
    evaluate = load(encoding).expressions.value
    return Size(*(evaluate(part, n, bound) for part in Size._fields))


@cache
def between_size(encoding: str | Encoding, n: int, low: int, high: int) -> Size:
    """Return the size that `Encoding.between` adds for n literals, 0 <= low <= high <= n.

    A selector does not change the size.
    """
    if not _is_listed(encoding):
        between = find_encoding(encoding).between
        return _measure(n, lambda literals, formula: between(literals, low, high, None, formula))
    entry = load(encoding)
    if entry.has_between:
        evaluate = entry.expressions.value
        return Size(*(evaluate(f"between_{part}", n, low, high) for part in Size._fields))
    # One counter serves both bounds. Each bound is a unit clause about one output of the counter.
    num_unit_clauses = (low > 0) + (high < n)
    return count_size(encoding, n, min(high + 1, n)).plus(Size(clauses=num_unit_clauses))


@cache
def one_hot_size(
    n: int, max_pairwise_literals: int = MAX_PAIRWISE_LITERALS, *, at_least: bool
) -> Size:
    """Return the size of `exactly_one` for n literals, or of `at_most_one` if not `at_least`."""
    evaluate = load("one-hot").expressions.value
    clauses = evaluate("clauses" if at_least else "at_most_one", n, max_pairwise_literals)
    return Size(evaluate("variables", n, max_pairwise_literals), clauses)


@cache
def constraint_size(encoding: str | Encoding, n: int, low: int, high: int) -> Size:
    """Return the size of one constraint over n literals.

    The cases are those of `cnf.Builder.add`. A selector does not change the size.
    """
    if low <= 0 and high >= n:
        return Size()
    if low > n or high < 0 or low > high:
        return Size(clauses=1)
    if high == 0 or low >= n:
        return Size(clauses=n)
    if (high >= n and low == 1) or (low <= 0 and high == n - 1):
        return Size(clauses=1)
    if (low, high) in ((0, 1), (1, 1)):
        return one_hot_size(n, find_encoding(encoding).max_pairwise_literals, at_least=low == 1)
    if low + high > n:
        low, high = n - high, n - low
    return between_size(encoding, n, max(low, 0), high)


def conjunction_size(members: int) -> Size:
    """Return the size of `Formula.conjunction`, which returns a single member itself."""
    return Size() if members == 1 else Size(variables=1, clauses=members + 1)


def formula_size(system: System, encoding: str | Encoding, *, with_selectors: bool = False) -> Size:
    """Return the exact size of `cnf(system, encoding, with_selectors=with_selectors)`."""
    pegs, colors = system.variables
    total = Size(variables=pegs * colors)
    max_pairwise_literals = find_encoding(encoding).max_pairwise_literals
    # Constraints of equal size are counted together, so that each size is looked up once.
    for literal_count, count in Counter(map(len, system.possible_literals())).items():
        total = total.plus(one_hot_size(literal_count, max_pairwise_literals, at_least=True), count)
    for bound, count in Counter(system.highest_counts().values()).items():
        total = total.plus(count_size(encoding, pegs, bound), count)
    if system.budget:
        return total.plus(BudgetSizes(system, encoding).measure(with_selectors=with_selectors))
    if with_selectors:
        total = total.plus(Size(variables=len(system.soft)))
    constraints = Counter((len(literals), *bounds) for literals, *bounds in system.constraints)
    for members, count in Counter(map(len, system.conjunctions)).items():
        total = total.plus(conjunction_size(members), count)
    for (n, low, high), count in constraints.items():
        total = total.plus(constraint_size(encoding, n, low, high), count)
    return total


class BudgetSizes:
    """Computes the size of the constraints of a system with a budget.

    The cases are those of `Builder`, which defines literals and counters on first use.
    """

    def __init__(self, system: System, encoding: str | Encoding) -> None:
        self._system = system
        self._encoding = encoding
        self._size = Size()
        self._defined: set[Literal] = set()
        """The counts and conjunctions that have a literal of the formula."""
        self._counted: set[tuple[Literal, ...]] = set()
        """The literals of each constraint that was reified."""
        for color, highest in system.highest_counts().items():
            self._define_counts(color, highest)

    def measure(self, *, with_selectors: bool) -> Size:
        """Return the size of all constraints, without the color counters of `highest_counts`."""
        system, budget = self._system, self._system.budget
        for constraint in system.hard:
            self._add(constraint)
        cost_literals = 0
        if with_selectors:
            self._grow(Size(variables=len({i for row in system.soft for i in row.row_indices})))
            for row in system.soft:
                literals, unavoidable = self._violation(row, budget + 1)
                # Equal rows share the literals, and each row has copies of them that cost nothing
                # if its selector is false.
                self._grow(Size(variables=1, clauses=1), literals * len(row.row_indices))
                cost_literals += (literals + unavoidable) * len(row.row_indices)
        else:
            for row in system.enforced:
                for constraint in row.constraints:
                    self._add(constraint)
            for row in system.relaxed:
                literals, unavoidable = self._violation(row, system.budget // row.weight + 1)
                cost_literals += literals * row.weight
                budget -= unavoidable * row.weight
        if budget <= 0:  # see `Builder._at_most`
            self._grow(Size(clauses=1 if budget else cost_literals))
        elif budget < cost_literals:
            self._grow(between_size(self._encoding, cost_literals, 0, budget))
        return self._size

    def _grow(self, size: Size, times: int = 1) -> None:
        """Add a size that occurs several times."""
        self._size = self._size.plus(size, times)

    def _add(self, constraint: CardinalityConstraint) -> None:
        """Count a constraint that is added; see `Builder.add`."""
        literals, low, high = constraint
        self._use(literals)
        self._grow(constraint_size(self._encoding, len(literals), low, high))

    def _violation(self, row: SoftRow, cap: int) -> tuple[int, int]:
        """Count the literals of a violation, and return their number; see `Builder.violation`."""
        num_literals = unavoidable = 0
        for slack in range(min(cap, row.max_violation)):
            constraints = row.conditions(slack)
            if constraints is None:
                unavoidable += 1
                continue
            num_conditions = 0
            for literals, low, high in constraints:
                if literals not in self._counted:
                    self._counted.add(literals)
                    self._use(literals)
                    self._grow(count_size(self._encoding, len(literals), len(literals)))
                num_conditions += (low > 0) + (high < len(literals))
            self._grow(conjunction_size(num_conditions))
            num_literals += 1
        return num_literals, unavoidable

    def _use(self, literals: Iterable[Literal]) -> None:
        """Count the definitions of literals that are not defined yet; see `Builder.literal`."""
        variables = self._system.variables
        for literal in literals:
            if isinstance(literal, tuple):
                if literal not in self._defined:
                    self._use(literal)
                    self._grow(conjunction_size(len(literal)))
                    self._defined.add(literal)
            elif not variables.is_at(literal) and abs(literal) not in self._defined:
                color, count = variables.color_count(literal)
                self._grow(count_size(self._encoding, variables.pegs, count))
                self._define_counts(color, count)

    def _define_counts(self, color: int, highest: int) -> None:
        """Record that the formula has literals for the counts of a color up to `highest`."""
        least = self._system.variables.least
        self._defined.update(least(color, count) for count in range(1, highest + 1))


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
    if system.budget:  # the violations are counted in unary
        lengths.append(
            sum(row.weight * min(row.max_violation, system.budget + 1) for row in system.soft)
        )
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
            exactly_one(literals, self.formula, (), self.encoding.max_pairwise_literals)
        self.literals: dict[Literal, int] = {}
        """The formula's literal for each `least` literal and each conjunction of the system."""
        self.counters: dict[tuple[Literal, ...], list[int]] = {}
        """The outputs of `count` for the literals of each constraint that was reified."""
        for color, depth in sorted((system.highest_counts() if depths is None else depths).items()):
            self.count_color(color, depth)
        for constraint in system.hard:
            self.add(constraint)
        if with_selectors:
            # With a budget, equal rows share a soft row, but every row has its own selector.
            row_numbers = {row_number for row in system.soft for row_number in row.row_indices}
            selector_count = len(row_numbers) if system.budget else len(system.soft)
            self.formula.selectors = tuple(self.formula.new() for _ in range(selector_count))
            for number, selector in enumerate(self.formula.selectors, 1):
                self.formula.names[selector] = f"row{number}"
        if with_selectors and system.budget:
            self._bound_violations_of_enabled_rows(system)
        elif with_selectors:
            for selector, group in zip(self.formula.selectors, system.row_constraints, strict=True):
                for constraint in group:
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
        for count, output in enumerate(self.encoding.outputs(pegs, depth, self.formula), 1):
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
        return self.encoding.outputs(inputs, len(inputs), self.formula)

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
            constraints = row.conditions(slack)
            if constraints is None:
                unavoidable += 1
            else:
                conditions = chain.from_iterable(map(self.reify, constraints))
                literals.append(-self.formula.conjunction([*conditions]))
        return literals, unavoidable

    def _bound_violations(self, system: System) -> None:
        """Limit the total cost of the violations to the budget."""
        # Each true literal costs 1. A literal of cost c is listed c times.
        cost_literals: list[int] = []
        remaining_budget = system.budget
        for row in system.relaxed:
            # A violation above this cap exceeds the budget just as the cap does.
            literals, unavoidable = self.violation(row, system.budget // row.weight + 1)
            cost_literals += literals * row.weight
            remaining_budget -= unavoidable * row.weight
        self._at_most(cost_literals, remaining_budget)

    def _bound_violations_of_enabled_rows(self, system: System) -> None:
        """Limit the total cost of the violations of rows whose selectors are true to the budget."""
        cost_literals: list[int] = []  # each true one costs 1
        for row in system.soft:
            literals, unavoidable = self.violation(row, system.budget + 1)
            for selector in (self.formula.selectors[row_index] for row_index in row.row_indices):
                cost_literals += [selector] * unavoidable
                # The row costs 1 for this literal if its selector and the literal are true.
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
            at_most_one(literals, self.formula, guard, self.encoding.max_pairwise_literals)
        elif (low, high) == (1, 1):
            exactly_one(literals, self.formula, guard, self.encoding.max_pairwise_literals)
        else:
            # Counting the negated literals instead needs a shorter counter if the bounds are high.
            if low + high > len(literals):
                literals = [-literal for literal in literals]
                low, high = len(literals) - high, len(literals) - low
            self.encoding.between(literals, max(low, 0), high, selector, self.formula)
