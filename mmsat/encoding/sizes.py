"""How large a formula will be, told by the catalogue's formulas without making it.

    size = formula_size(System.of(board), "totalizer")
    size.variables, size.clauses, size.at_most

The numbers are exact. What they cost is about a dictionary look-up a constraint.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

from mmsat.constraints.system import System
from mmsat.encoding.entry import Entry, entries, load

__all__ = ["Entry", "Size", "between_size", "entries", "formula_size", "load", "sizes"]


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
def one_hot_size(n: int, *, at_least: bool) -> Size:
    """What exactly_one (or, without `at_least`, at_most_one) adds for n literals, 1 <= n."""
    value = load("one-hot").formulas.value
    clauses = value("clauses" if at_least else "at_most_one", n)
    return Size(value("variables", n), clauses)


@cache
def constraint_size(encoding: str, n: int, low: int, high: int, *, with_selectors: bool) -> Size:
    """What one constraint over n literals adds; the cases are those of Builder.add."""
    if low <= 0 and high >= n:
        return Size()
    if low > n or high < 0 or low > high:
        return Size(clauses=1)
    if high == 0 or low >= n:
        return Size(clauses=n)
    if (high >= n and low == 1) or (low <= 0 and high == n - 1):
        return Size(clauses=1)
    if (low, high) == (0, 1):
        return one_hot_size(n, at_least=False)
    if (low, high) == (1, 1) and not with_selectors:
        return one_hot_size(n, at_least=True)
    if low + high > n:
        low, high = n - high, n - low
    return between_size(encoding, n, max(low, 0), high)


def formula_size(system: System, encoding: str, *, with_selectors: bool = False) -> Size:
    """The size of `cnf(system, encoding, with_selectors=with_selectors)`, to the clause."""
    pegs, colors = system.variables
    total = Size(variables=pegs * colors).plus(one_hot_size(colors, at_least=True), pegs)
    for depth, many in Counter(system.depths().values()).items():
        total = total.plus(sizes(encoding, pegs, depth), many)
    if with_selectors:
        total = total.plus(Size(variables=len(system.soft)))
    every = system.constraints
    constraints = Counter(
        (len(constraint.literals), constraint.low, constraint.high, guarded)
        for guarded, part in (
            (False, every[: len(system.hard)]),
            (with_selectors, every[len(system.hard) :]),
        )
        for constraint in part
    )
    conjunctions = {
        literal
        for constraint in every
        for literal in constraint.literals
        if isinstance(literal, tuple)
    }
    for members, many in Counter(map(len, conjunctions)).items():
        if members != 1:
            total = total.plus(Size(variables=1, clauses=members + 1), many)
    for (n, low, high, guarded), many in constraints.items():
        total = total.plus(constraint_size(encoding, n, low, high, with_selectors=guarded), many)
    return total
