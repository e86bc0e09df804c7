"""Formulas in CNF: the translation of a system, and the catalogue of encodings with exact sizes.

**Translation.** The code variables come first: 1 + peg * colors + color. All other variables are
auxiliary variables, whose values follow from the code, or selectors of rows, if rows are to be
enabled and disabled. If rows may be violated, the violations of each row are counted and the sum of
their costs is bounded.

**Catalogue.** An entry is `encodings/NAME/encoding.toml` with its README. Its text fields are
title, year, source, summary, kind (count: a way to count literals; code: a way to represent the
code) and propagation (complete, claims or partial: see the README of the catalogue). Its size
expressions are:

    [size]            variables, clauses and at_most. The parameters are n, the number of literals,
                      and a second one. It is the bound b if the entry is a way to count. If the
                      entry represents the code, it is `pairs`, the maximum number of literals for
                      which at-most-one is encoded by pairs
    [size.between]    the same for a constraint (n, low, high) that is not encoded by counting
    [size.where]      auxiliary expressions, each named with its parameters: "merge(x, y)"

From the size expressions, `formula_size` computes the exact size of a board's formula without
building it, at about the cost of one dictionary look-up per constraint.

A size expression may use its parameters, + - * // %, comparisons, `A if B else C`, min, max, comb,
isqrt, `sum(A for t in range(B, C))`, and the expressions of the same entry, including itself. The
check of the syntax tree rejects everything else, so that an expression can only compute numbers. It
is then evaluated as Python. Every value is cached, so that recursion computes each value once.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from math import comb, isqrt
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict, TypeGuard

from mmsat._util.files import folder
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
from mmsat.errors import InternalError, SizeError
from mmsat.game.space import CardinalityConstraint, Literal
from mmsat.limits import LIMITS

PARAMETERS = {"count": ("n", "b"), "code": ("n", "pairs")}
"""The parameters of the size expressions of each kind of entry."""
BETWEEN_PARAMETERS = ("n", "low", "high")
ENTRY_FILE = "encoding.toml"

FUNCTIONS: dict[str, Callable[..., int]] = {"min": min, "max": max, "comb": comb, "isqrt": isqrt}
"""The functions that every size expression may call."""
SUM_FUNCTIONS: dict[str, Callable[..., Any]] = {"sum": sum, "range": range}
"""Functions that a size expression may use only in a sum over a range."""
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


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
    return tuple(
        sorted(directory.name for directory in folder("encodings").iterdir() if is_entry(directory))
    )


@cache
def load(name: str) -> Entry:
    """Return the entry with this name. Raises InputError if there is none."""
    require_name("encoding", name, names())
    directory = folder("encodings") / name
    data = tomllib.loads((directory / ENTRY_FILE).read_text("utf-8"))
    size, kind = data.pop("size"), data["kind"]
    between, auxiliary = size.pop("between", {}), size.pop("where", {})
    return Entry(
        name=name,
        **data,
        readme=(directory / "README.md").read_text("utf-8"),
        size=size,
        has_between=bool(between),
        expressions=define_all(size, PARAMETERS[kind], between, auxiliary),
    )


def is_entry(directory: Traversable) -> bool:
    """Return whether a directory describes an encoding, rather than models for other solvers."""
    return directory.is_dir() and (directory / ENTRY_FILE).is_file()


def define_all(
    size: dict[str, str],
    parameters: tuple[str, ...],
    between: dict[str, str],
    auxiliary: dict[str, str],
) -> SizeExpressions:
    """Return all size expressions of an entry.

    The expressions of `between` are named between_variables, between_clauses and between_at_most.
    """
    expressions = SizeExpressions()
    for name, text in size.items():
        expressions.define(name, parameters, text)
    for name, text in between.items():
        expressions.define(f"between_{name}", BETWEEN_PARAMETERS, text)
    for signature, text in auxiliary.items():
        name, *parameter_names = re.findall(r"\w+", signature)
        expressions.define(name, parameter_names, text)
    return expressions


class Size(NamedTuple):
    """The size of a CNF formula, or what a group of constraints adds to it."""

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
    """Return the size that `add` adds to a formula, given n literals."""
    formula = Formula(n, n)
    add(range(1, n + 1), formula)
    return Size(formula.variables - n, len(formula.clauses), len(formula.at_most))


@cache
def count_size(encoding: str | Encoding, n: int, bound: int) -> Size:
    """Return the size that `Encoding.count` adds for n literals and a bound, 1 <= bound <= n.

    For a plug-in, which has no size expressions, the clauses are built and counted.
    """
    if not _is_listed(encoding):
        count = find_encoding(encoding).count
        return _measure(n, lambda literals, formula: count(literals, bound, formula))
    value = load(encoding).expressions.value
    return Size(*(value(part, n, bound) for part in Size._fields))


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
        value = entry.expressions.value
        return Size(*(value(f"between_{part}", n, low, high) for part in Size._fields))
    # One counter serves both bounds, each of which is a clause about one of its outputs.
    units = (low > 0) + (high < n)
    return count_size(encoding, n, min(high + 1, n)).plus(Size(clauses=units))


@cache
def one_hot_size(
    n: int, max_pairwise_literals: int = MAX_PAIRWISE_LITERALS, *, at_least: bool
) -> Size:
    """Return the size of `exactly_one` for n literals, or of `at_most_one` if not `at_least`."""
    value = load("one-hot").expressions.value
    clauses = value("clauses" if at_least else "at_most_one", n, max_pairwise_literals)
    return Size(value("variables", n, max_pairwise_literals), clauses)


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
    if (low, high) == (0, 1):
        return one_hot_size(n, find_encoding(encoding).max_pairwise_literals, at_least=False)
    if (low, high) == (1, 1):
        return one_hot_size(n, find_encoding(encoding).max_pairwise_literals, at_least=True)
    if low + high > n:
        low, high = n - high, n - low
    return between_size(encoding, n, max(low, 0), high)


def formula_size(system: System, encoding: str | Encoding, *, with_selectors: bool = False) -> Size:
    """Return the exact size of `cnf(system, encoding, with_selectors=with_selectors)`.

    If the system has a budget, the clauses that bound the violations are not counted.
    """
    pegs, colors = system.variables
    total = Size(variables=pegs * colors)
    max_pairwise_literals = find_encoding(encoding).max_pairwise_literals
    # Constraints of equal size are counted together, so that each size is looked up once.
    for literal_count, count in Counter(map(len, system.possible_literals())).items():
        total = total.plus(one_hot_size(literal_count, max_pairwise_literals, at_least=True), count)
    for bound, count in Counter(system.highest_counts().values()).items():
        total = total.plus(count_size(encoding, pegs, bound), count)
    if with_selectors:
        total = total.plus(Size(variables=len(system.soft)))
    constraints = Counter((len(literals), *bounds) for literals, *bounds in system.constraints)
    for members, count in Counter(map(len, system.conjunctions)).items():
        if members != 1:
            total = total.plus(Size(variables=1, clauses=members + 1), count)
    for (n, low, high), count in constraints.items():
        total = total.plus(constraint_size(encoding, n, low, high), count)
    return total


class SizeExpressions:
    """Named size expressions that may call each other."""

    def __init__(self) -> None:
        self._scope: dict[str, Any] = {**FUNCTIONS, **SUM_FUNCTIONS, "__builtins__": {}}

    def define(self, name: str, parameters: Sequence[str], text: str) -> None:
        """Add an expression. Raises InternalError if the text is not pure arithmetic."""
        text = text.strip()
        if not is_arithmetic(ast.parse(text, mode="eval").body, frozenset(parameters)):
            raise InternalError(f"the size expression {text!r} is not arithmetic")
        function = f"lambda {', '.join(parameters)}: ({text})"
        self._scope[name] = cache(eval(function, self._scope))  # noqa: S307  (the tree was checked)

    def value(self, name: str, *arguments: int) -> int:
        """Return the value of an expression for these arguments, in the order of its parameters."""
        try:
            return int(self._scope[name](*arguments))
        except (KeyError, NameError) as error:
            raise InternalError(f"a size expression is not defined: {error}") from error


def is_arithmetic(tree: ast.expr, names: frozenset[str]) -> bool:
    """Return whether an expression is pure arithmetic over these names."""

    def are_arithmetic(
        operands: Iterable[ast.expr], bound_names: frozenset[str] = frozenset()
    ) -> bool:
        return all(is_arithmetic(operand, names | bound_names) for operand in operands)

    match tree:
        case ast.Constant(value=int()):
            return True
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=left, op=op, right=right):
            return isinstance(op, OPERATORS) and are_arithmetic((left, right))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return isinstance(op, COMPARISONS) and are_arithmetic((left, right))
        case ast.IfExp(test=test, body=body, orelse=other):
            return are_arithmetic((test, body, other))
        case ast.Call(
            func=ast.Name(id="sum"),
            args=[
                ast.GeneratorExp(
                    elt=term,
                    generators=[
                        ast.comprehension(
                            target=ast.Name(id=name),
                            iter=ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]),
                            ifs=[],
                        )
                    ],
                )
            ],
            keywords=[],
        ):
            return are_arithmetic((low, high)) and are_arithmetic([term], frozenset({name}))
        case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]):
            return name not in SUM_FUNCTIONS and are_arithmetic(operands)
    return False


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
            exactly_one(literals, self.formula, (), self.encoding.max_pairwise_literals)
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
            at_most_one(literals, self.formula, guard, self.encoding.max_pairwise_literals)
        elif (low, high) == (1, 1):
            exactly_one(literals, self.formula, guard, self.encoding.max_pairwise_literals)
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
