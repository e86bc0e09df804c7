"""Encodings as described in the catalogue, and the exact sizes of their formulas.

An entry is `encodings/NAME/encoding.toml` with its README. It has texts: title, year, source,
summary; kind (count = a way to count; code = a way to represent the code); propagation (complete,
claims or partial: see the README of the catalogue). And it has formulas:

    [size]            variables, clauses, at_most; for a way to count, of n literals and a bound b;
                      for a code, of n literals and the most literals that are encoded by pairs
    [size.between]    the same for a constraint (n, low, high) that is not encoded by counting
    [size.where]      auxiliary formulas, each named with its parameters: "pairs(x, y)"

`formula_size` computes from these the exact size of a board's formula without building it, at about
the cost of one dictionary look-up per constraint.

A formula may use its parameters, + - * // %, comparisons, `A if B else C`, min, max, comb, isqrt,
`sum(A for t in range(B, C))`, and the formulas of the same table, including itself. The check of
the syntax tree rejects everything else, so that the text of a formula can only compute numbers; it
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
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

from mmsat._util.files import folder
from mmsat._util.json_types import Schema
from mmsat._util.registry import require_name
from mmsat.constraints.system import System
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.formula import MAX_PAIRWISE_LITERALS
from mmsat.errors import InternalError

PARAMETERS = {"count": ("n", "b"), "code": ("n", "pairs")}
"""The parameters of the size formulas of each kind of entry."""
BETWEEN_PARAMETERS = ("n", "low", "high")
FILE = "encoding.toml"

FUNCTIONS: dict[str, Callable[..., int]] = {"min": min, "max": max, "comb": comb, "isqrt": isqrt}
"""The functions that every formula may call."""
SUM_FUNCTIONS: dict[str, Callable[..., Any]] = {"sum": sum, "range": range}
"""Functions that a formula may use only in a sum over a range."""
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
    """Formulas of the size for n literals and a bound b."""
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
    """The formulas as they are written: variables, clauses and, if the entry has it, at_most."""
    has_between: bool
    """Whether the entry has separate formulas for constraints."""
    formulas: Formulas = field(repr=False, compare=False)
    """The same formulas, ready to be evaluated: formulas.value("clauses", n, b)."""

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
    return tuple(sorted(place.name for place in folder("encodings").iterdir() if is_entry(place)))


@cache
def load(name: str) -> Entry:
    """Return the entry with this name; raises InputError if there is none."""
    require_name("encoding", name, names())
    place = folder("encodings") / name
    data = tomllib.loads((place / FILE).read_text("utf-8"))
    size, kind = data.pop("size"), data["kind"]
    between, where = size.pop("between", {}), size.pop("where", {})
    return Entry(
        name=name,
        **data,
        readme=(place / "README.md").read_text("utf-8"),
        size=size,
        has_between=bool(between),
        formulas=formulas(size, PARAMETERS[kind], between, where),
    )


def is_entry(directory: Traversable) -> bool:
    """Return whether a folder describes an encoding; the others hold models in other languages."""
    return directory.is_dir() and (directory / FILE).is_file()


def formulas(
    size: dict[str, str],
    parameters: tuple[str, ...],
    between: dict[str, str],
    where: dict[str, str],
) -> Formulas:
    """Return all formulas of an entry in one table, those of `between` as between_variables etc."""
    table = Formulas()
    for name, text in size.items():
        table.define(name, parameters, text)
    for name, text in between.items():
        table.define(f"between_{name}", BETWEEN_PARAMETERS, text)
    for signature, text in where.items():
        name, *parameter_names = re.findall(r"\w+", signature)
        table.define(name, parameter_names, text)
    return table


class Size(NamedTuple):
    """The size of a formula or of a group of constraints."""

    variables: int = 0
    """Auxiliary variables of a group of constraints; all variables of a whole formula."""
    clauses: int = 0
    at_most: int = 0
    """Native cardinality constraints."""

    def plus(self, other: Size, times: int = 1) -> Size:
        """Return this size plus `times` times another."""
        return Size(
            *(size + times * other_size for size, other_size in zip(self, other, strict=True))
        )


@cache
def sizes(encoding: str, n: int, bound: int) -> Size:
    """Return the size of what `count` adds for n literals and a bound, 1 <= bound <= n."""
    value = load(encoding).formulas.value
    return Size(*(value(part, n, bound) for part in Size._fields))


@cache
def between_size(encoding: str, n: int, low: int, high: int) -> Size:
    """Return the size of what `between` adds for n literals, 0 <= low <= high <= n.

    A selector does not change it.
    """
    entry = load(encoding)
    if entry.has_between:
        value = entry.formulas.value
        return Size(*(value(f"between_{part}", n, low, high) for part in Size._fields))
    units = (low > 0) + (high < n)
    return sizes(encoding, n, min(high + 1, n)).plus(Size(clauses=units))


@cache
def one_hot_size(n: int, pairs: int = MAX_PAIRWISE_LITERALS, *, at_least: bool) -> Size:
    """Return the size of exactly_one (or, without `at_least`, of at_most_one) for n literals."""
    value = load("one-hot").formulas.value
    clauses = value("clauses" if at_least else "at_most_one", n, pairs)
    return Size(value("variables", n, pairs), clauses)


@cache
def constraint_size(encoding: str, n: int, low: int, high: int) -> Size:
    """Return the size of one constraint over n literals.

    The cases are those of Builder.add. A selector does not change the size.
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
        return one_hot_size(n, ENCODINGS[encoding].pairs, at_least=False)
    if (low, high) == (1, 1):
        return one_hot_size(n, ENCODINGS[encoding].pairs, at_least=True)
    if low + high > n:
        low, high = n - high, n - low
    return between_size(encoding, n, max(low, 0), high)


def formula_size(system: System, encoding: str, *, with_selectors: bool = False) -> Size:
    """Return the exact size of `cnf(system, encoding, with_selectors=with_selectors)`."""
    pegs, colors = system.variables
    total = Size(variables=pegs * colors)
    pairs = ENCODINGS[encoding].pairs
    # Equal parts are grouped, so that each size is looked up once.
    for literal_count, count in Counter(map(len, system.possible_literals())).items():
        total = total.plus(one_hot_size(literal_count, pairs, at_least=True), count)
    for depth, count in Counter(system.highest_counts().values()).items():
        total = total.plus(sizes(encoding, pegs, depth), count)
    if with_selectors:
        total = total.plus(Size(variables=len(system.soft)))
    constraints = Counter((len(literals), *bounds) for literals, *bounds in system.constraints)
    for members, count in Counter(map(len, system.conjunctions)).items():
        if members != 1:
            total = total.plus(Size(variables=1, clauses=members + 1), count)
    for (n, low, high), count in constraints.items():
        total = total.plus(constraint_size(encoding, n, low, high), count)
    return total


class Formulas:
    """A table of named formulas that may call each other."""

    def __init__(self) -> None:
        self._scope: dict[str, Any] = {**FUNCTIONS, **SUM_FUNCTIONS, "__builtins__": {}}

    def define(self, name: str, parameters: Sequence[str], text: str) -> None:
        """Add a formula; raises InternalError if the text is not pure arithmetic."""
        text = text.strip()
        if not is_arithmetic(ast.parse(text, mode="eval").body, frozenset(parameters)):
            raise InternalError(f"the formula {text!r} is not arithmetic")
        function = f"lambda {', '.join(parameters)}: ({text})"
        self._scope[name] = cache(eval(function, self._scope))  # noqa: S307  (the tree was checked)

    def value(self, name: str, *arguments: int) -> int:
        """Return the value of a formula for these arguments, in the order of its parameters."""
        try:
            return int(self._scope[name](*arguments))
        except (KeyError, NameError) as error:
            raise InternalError(f"a formula is not defined: {error}") from error


def is_arithmetic(tree: ast.expr, names: frozenset[str]) -> bool:
    """Return whether an expression is pure arithmetic over these names."""

    def are_arithmetic(
        parts: Iterable[ast.expr], bound_names: frozenset[str] = frozenset()
    ) -> bool:
        return all(is_arithmetic(part, names | bound_names) for part in parts)

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
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]):
            return name not in SUM_FUNCTIONS and are_arithmetic(parts)
    return False
