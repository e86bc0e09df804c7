"""Encodings as the catalogue describes them, and how large their formulas will be.

An entry is `encodings/NAME/encoding.toml` with its README. It says in words: title, year, source,
summary; kind (count = a way to count; code = a way to write the code down); propagation (complete,
claims or partial: see the README of the catalogue). And in formulas:

    [size]            variables, clauses, at_most of n literals and a bound b; of a code, of n
                      literals of which up to so many are told apart by pairs
    [size.between]    the same of a constraint (n, low, high), where it is not a count
    [size.where]      helping formulas, each named with its parameters: "pairs(x, y)"

`formula_size` tells from these the exact size of a board's formula without making it; it costs
about a dictionary look-up a constraint.

A formula may use its parameters, + - * // %, comparisons, `A if B else C`, the functions of TOOLS,
`sum(A for t in range(B, C))`, and the other formulas of the same table, itself included. Nothing
else gets past the check of its syntax tree, so that a formula can do nothing but count; what does
is Python. Every value is kept, so that recursion costs each value once.
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
from typing import Any, NamedTuple

from mmsat.catalogue import folder
from mmsat.constraints.system import System
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.formula import PAIRS
from mmsat.errors import InternalError
from mmsat.registry import require_name

PARAMETERS = {"count": ("n", "b"), "code": ("n", "pairs")}
"""What the sizes of a kind of entry are formulas of."""
BETWEEN = ("n", "low", "high")
FILE = "encoding.toml"


TOOLS: dict[str, Callable[..., int]] = {"min": min, "max": max, "comb": comb, "isqrt": isqrt}
"""The functions that every formula may call."""
SUMMING: dict[str, Callable[..., Any]] = {"sum": sum, "range": range}
"""Those that are for sums over a range only."""
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


@dataclass(frozen=True, slots=True)
class Entry:
    """An encoding's page in the catalogue."""

    name: str
    kind: str
    title: str
    year: str
    source: str
    summary: str
    propagation: str
    readme: str
    """The whole text of its README, in Markdown."""
    size: dict[str, str]
    """The formulas as they are written: variables, clauses, and where it has them, at_most."""
    has_between: bool
    """Whether constraints have formulas of their own."""
    formulas: Formulas = field(repr=False, compare=False)
    """The same, ready to be asked: formulas.value("clauses", n, b)."""

    def to_dict(self) -> dict[str, Any]:
        """What can be said in JSON."""
        keys = ("name", "kind", "title", "year", "source", "summary", "propagation", "size")
        return {key: getattr(self, key) for key in keys}


def entries() -> tuple[Entry, ...]:
    """Every entry of the catalogue, by name."""
    return tuple(load(name) for name in names())


@cache
def names() -> tuple[str, ...]:
    """The names of the entries, sorted."""
    return tuple(sorted(each.name for each in folder("encodings").iterdir() if is_entry(each)))


@cache
def load(name: str) -> Entry:
    """The entry of this name; raises InputError where there is none."""
    require_name("encoding", name, names())
    place = folder("encodings") / name
    read = tomllib.loads((place / FILE).read_text("utf-8"))
    size, kind = read.pop("size"), read["kind"]
    between, where = size.pop("between", {}), size.pop("where", {})
    return Entry(
        name=name,
        **read,
        readme=(place / "README.md").read_text("utf-8"),
        size=size,
        has_between=bool(between),
        formulas=formulas(size, PARAMETERS[kind], between, where),
    )


def is_entry(place: Traversable) -> bool:
    """Whether a folder describes an encoding; others hold models in other languages."""
    return place.is_dir() and (place / FILE).is_file()


def formulas(
    size: dict[str, str],
    parameters: tuple[str, ...],
    between: dict[str, str],
    where: dict[str, str],
) -> Formulas:
    """All formulas of an entry in one table, those of constraints as between_variables etc."""
    table = Formulas()
    for name, text in size.items():
        table.define(name, parameters, text)
    for name, text in between.items():
        table.define(f"between_{name}", BETWEEN, text)
    for signature, text in where.items():
        name, *given = re.findall(r"\w+", signature)
        table.define(name, given, text)
    return table


class Size(NamedTuple):
    """What a formula, or a part of it, is made of."""

    variables: int = 0
    """Helper variables of a part; all variables of a whole formula."""
    clauses: int = 0
    at_most: int = 0
    """Native cardinality constraints."""

    def plus(self, other: Size, times: int = 1) -> Size:
        """The two together, the other so many times."""
        return Size(*(one + times * more for one, more in zip(self, other, strict=True)))


@cache
def sizes(encoding: str, n: int, bound: int) -> Size:
    """What `count` adds for n literals and a bound, 1 <= bound <= n."""
    value = load(encoding).formulas.value
    return Size(*(value(part, n, bound) for part in Size._fields))


@cache
def between_size(encoding: str, n: int, low: int, high: int) -> Size:
    """What `between` adds for n literals, 0 <= low <= high <= n; a selector changes nothing."""
    entry = load(encoding)
    if entry.has_between:
        value = entry.formulas.value
        return Size(*(value(f"between_{part}", n, low, high) for part in Size._fields))
    units = (low > 0) + (high < n)
    return sizes(encoding, n, min(high + 1, n)).plus(Size(clauses=units))


@cache
def one_hot_size(n: int, pairs: int = PAIRS, *, at_least: bool) -> Size:
    """What exactly_one (or, without `at_least`, at_most_one) adds for n literals."""
    value = load("one-hot").formulas.value
    clauses = value("clauses" if at_least else "at_most_one", n, pairs)
    return Size(value("variables", n, pairs), clauses)


@cache
def constraint_size(encoding: str, n: int, low: int, high: int) -> Size:
    """What one constraint over n literals adds; the cases are those of Builder.add.

    A selector changes nothing.
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
    """The size of `cnf(system, encoding, with_selectors=with_selectors)`, to the clause."""
    pegs, colors = system.variables
    total = Size(variables=pegs * colors)
    pairs = ENCODINGS[encoding].pairs
    for left, many in Counter(map(len, system.places())).items():
        total = total.plus(one_hot_size(left, pairs, at_least=True), many)
    for depth, many in Counter(system.depths().values()).items():
        total = total.plus(sizes(encoding, pegs, depth), many)
    if with_selectors:
        total = total.plus(Size(variables=len(system.soft)))
    constraints = Counter((len(literals), *bounds) for literals, *bounds in system.constraints)
    for members, many in Counter(map(len, system.conjunctions)).items():
        if members != 1:
            total = total.plus(Size(variables=1, clauses=members + 1), many)
    for (n, low, high), many in constraints.items():
        total = total.plus(constraint_size(encoding, n, low, high), many)
    return total


class Formulas:
    """Formulas that may call each other, by name."""

    def __init__(self) -> None:
        self._scope: dict[str, Any] = {**TOOLS, **SUMMING, "__builtins__": {}}

    def define(self, name: str, parameters: Sequence[str], text: str) -> None:
        """Add a formula; raises InternalError where the text is more than arithmetic."""
        text = text.strip()
        if not is_arithmetic(ast.parse(text, mode="eval").body, frozenset(parameters)):
            raise InternalError(f"the formula {text!r} is not arithmetic")
        function = f"lambda {', '.join(parameters)}: ({text})"
        self._scope[name] = cache(eval(function, self._scope))  # noqa: S307  (the tree was checked)

    def value(self, name: str, *arguments: int) -> int:
        """The value of a formula for these arguments, in the order of its parameters."""
        try:
            return int(self._scope[name](*arguments))
        except (KeyError, NameError) as error:
            raise InternalError(f"a formula is not defined: {error}") from error


def is_arithmetic(tree: ast.expr, names: frozenset[str]) -> bool:
    """Whether an expression only counts, with these names for numbers."""

    def are_arithmetic(parts: Iterable[ast.expr], more: frozenset[str] = frozenset()) -> bool:
        return all(is_arithmetic(part, names | more) for part in parts)

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
            return name not in SUMMING and are_arithmetic(parts)
    return False
