"""The catalogue of encodings, and the exact sizes of the formulas that they produce.

An entry is `encodings/NAME/encoding.toml` with its README. Its text fields are title, year, source,
summary, kind (count: a way to count literals; code: a way to represent the code) and propagation
(complete, claims or partial: see the README of the catalogue). Its size expressions are:

    [size]            variables, clauses and at_most for n literals and, if the entry is a way to
                      count, a bound b; if it represents the code, `pairs`, the maximum number of
                      literals for which at-most-one is encoded by pairs
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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from math import comb, isqrt
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict, TypeGuard

from mmsat._util.files import folder
from mmsat._util.registry import require_name
from mmsat._util.results import Schema
from mmsat.constraints import System
from mmsat.encoding import (
    ENCODINGS,
    MAX_PAIRWISE_LITERALS,
    Encoding,
    Formula,
    find_encoding,
)
from mmsat.errors import InternalError

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
    units = (low > 0) + (high < n)
    return count_size(encoding, n, min(high + 1, n)).plus(Size(clauses=units))


@cache
def one_hot_size(n: int, pairs: int = MAX_PAIRWISE_LITERALS, *, at_least: bool) -> Size:
    """Return the size of `exactly_one` for n literals, or of `at_most_one` if not `at_least`."""
    value = load("one-hot").expressions.value
    clauses = value("clauses" if at_least else "at_most_one", n, pairs)
    return Size(value("variables", n, pairs), clauses)


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
        return one_hot_size(n, find_encoding(encoding).pairs, at_least=False)
    if (low, high) == (1, 1):
        return one_hot_size(n, find_encoding(encoding).pairs, at_least=True)
    if low + high > n:
        low, high = n - high, n - low
    return between_size(encoding, n, max(low, 0), high)


def formula_size(system: System, encoding: str | Encoding, *, with_selectors: bool = False) -> Size:
    """Return the exact size of `cnf(system, encoding, with_selectors=with_selectors)`."""
    pegs, colors = system.variables
    total = Size(variables=pegs * colors)
    pairs = find_encoding(encoding).pairs
    # Constraints of equal size are counted together, so that each size is looked up once.
    for literal_count, count in Counter(map(len, system.possible_literals())).items():
        total = total.plus(one_hot_size(literal_count, pairs, at_least=True), count)
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
