"""Encodings of cardinality constraints in clauses, by name.

An encoding is a way to count: from literals and a bound, it makes outputs o_1 .. o_bound such that
o_t holds exactly when at least t of the literals are true. Every auxiliary variable is *defined*:
its value follows from the literals. So rows can share auxiliary variables, a formula has exactly as
many models as the board has codes, and a disabled row does not constrain anything.

These encodings do not divide the literals:

- direct: one clause for every set of literals that is too large or too small. The number of clauses
  grows as binomial coefficients, so a formula that would be too large is refused before it is made.
- sequential: Sinz's counter (2005), made bidirectional.
- native: "at most k of these literals", which the solver handles itself. The constraint may list a
  literal several times, and then counts it with this multiplicity. That makes conditional
  constraints possible: over n literals and d copies of a switch s, "at most n" means "at most n - d
  of the literals" if s is true, and is always satisfied if s is false.

These encodings count parts of the literals and merge the results. All of them are bidirectional:

- sorting-network: the outputs are the literals in order, the true ones first. A sorting network
  (Batcher 1968, as constraints: Eén and Sörensson 2006) sorts any number of inputs.
- cardinality-network: a sorting network in which every merge is cut at the bound (Asín,
  Nieuwenhuis, Oliveras and Rodríguez-Carbonell 2009, 2011; halves of any size follow Abío and
  others 2013).
- totalizer: merges unary counts, cut at the bound (Bailleux and Boufkhad 2003).
- modulo-totalizer: represents the counts as quotient * p + remainder (Ogawa, Liu, Hasegawa,
  Koshimura and Fujita 2013; in its k-cardinality form Morgado, Ignatiev and Marques-Silva 2014).
  For bounds below 4 it uses the totalizer, which is smaller there.

A new encoding is a class in this module, an entry of `ENCODINGS`, and a folder of the catalogue
(`encodings/`), which describes the variables, clauses, propagation and source of each encoding.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from math import comb, isqrt
from typing import ClassVar

from mmsat.encoding.formula import MAX_PAIRWISE_LITERALS, Formula
from mmsat.errors import SizeError


class Encoding(ABC):
    """A way to express in clauses how many literals are true."""

    name: ClassVar[str]
    """The name of the catalogue's folder, also used on the command line."""
    is_native: ClassVar[bool] = False
    """Whether it needs a solver that supports cardinality constraints natively."""
    pairs: ClassVar[int] = MAX_PAIRWISE_LITERALS
    """The largest number of literals for which at-most-one is encoded by pairs."""

    @abstractmethod
    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Return o_1 .. o_bound, with 1 <= bound <= len(literals)."""

    def between(
        self, literals: Sequence[int], low: int, high: int, selector: int | None, formula: Formula
    ) -> None:
        """Require that low to high of the literals are true, if the selector is (None: always)."""
        outputs = self.count(literals, min(high + 1, len(literals)), formula)
        guard = [] if selector is None else [-selector]
        if low > 0:
            formula.add(*guard, outputs[low - 1])
        if high < len(literals):
            formula.add(*guard, -outputs[high])


class Halving(Encoding):
    """Counts the two halves of the literals separately, each cut at the bound, and merges them."""

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Split in halves, count each, merge."""
        if len(literals) == 1:
            return list(literals)
        half = len(literals) // 2
        left = self.count(literals[:half], min(bound, half), formula)
        right = self.count(literals[half:], min(bound, len(literals) - half), formula)
        return self.merge(left, right, bound, formula)

    @abstractmethod
    def merge(
        self, left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
    ) -> list[int]:
        """Return the outputs of the whole, up to the bound, from those of the halves."""


MAX_CLAUSES = 2_000_000
"""The maximum number of clauses of a formula with the encoding `direct`."""


class Direct(Encoding):
    """One clause for each set of literals, without a counter."""

    name = "direct"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Define each output by the sets of its size, with C(n + 1, t) clauses for o_t."""
        n = len(literals)
        if n == 1:
            return list(literals)
        refuse(sum(comb(n + 1, t) for t in range(1, bound + 1)), formula)
        outputs = []
        for t in range(1, bound + 1):
            output = formula.new()
            outputs.append(output)
            for subset in combinations(literals, t):
                formula.add(*(-literal for literal in subset), output)
            for subset in combinations(literals, n - t + 1):
                formula.add(-output, *subset)
        return outputs

    def between(
        self, literals: Sequence[int], low: int, high: int, selector: int | None, formula: Formula
    ) -> None:
        """Forbid every set that breaks a bound, with C(n, low - 1) + C(n, high + 1) clauses."""
        n = len(literals)
        refuse((comb(n, low - 1) if low > 0 else 0) + comb(n, high + 1), formula)
        guard = [] if selector is None else [-selector]
        if low > 0:
            for subset in combinations(literals, n - low + 1):
                formula.add(*guard, *subset)
        for subset in combinations(literals, high + 1):
            formula.add(*guard, *(-literal for literal in subset))


def refuse(clauses: int, formula: Formula) -> None:
    """Raise SizeError if the formula would be too large with this number of additional clauses."""
    total = len(formula.clauses) + clauses
    if total > MAX_CLAUSES:
        advice = "choose the encoding totalizer instead"
        found = f"at least {total:,}"
        raise SizeError.of("the direct encoding", f"up to {MAX_CLAUSES:,} clauses", found, advice)


class Sequential(Encoding):
    """A chain of counters, one for each literal."""

    name = "sequential"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Carry the counts from each literal to the next."""
        line = [literals[0]]
        for literal in literals[1:]:
            wider = []
            for t in range(1, min(len(line) + 1, bound) + 1):
                here = formula.new()
                wider.append(here)
                before = line[t - 1] if t <= len(line) else None  # at least t without this literal
                less = line[t - 2] if t > 1 else None  # at least t - 1 without it; always for t = 1
                if less is None:
                    formula.add(-literal, here)
                else:
                    formula.add(-literal, -less, here)
                    formula.add(-here, less)
                if before is None:
                    formula.add(-here, literal)
                else:
                    formula.add(-before, here)
                    formula.add(-here, literal, before)
            line = wider
        return line


class Native(Encoding):
    """Cardinality constraints of the solver; the only clauses order the outputs."""

    name = "native"
    is_native = True
    pairs = 20
    """On 30 pegs and colors, this takes half the time of 6, as the solver also decides steps of a
    ladder."""

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Link a sorted list of outputs to the literals."""
        n = len(literals)
        if n == 1:
            return list(literals)
        outputs = [formula.new() for _ in range(bound)]
        for lower, higher in pairwise(outputs):
            formula.add(-higher, lower)
        formula.add_at_most([*negate(literals), *outputs], n)
        full = [-outputs[-1]] * (n - bound)  # the last output means "bound or more"
        formula.add_at_most([*literals, *negate(outputs), *full], n)
        return outputs

    def between(
        self, literals: Sequence[int], low: int, high: int, selector: int | None, formula: Formula
    ) -> None:
        """Require at most `high` of the literals and at most n - low of their negations."""
        n = len(literals)
        if low > 0:
            add_guarded(negate(literals), n - low, selector, formula)
        if high < n:
            add_guarded(literals, high, selector, formula)


def add_guarded(
    literals: Sequence[int], bound: int, selector: int | None, formula: Formula
) -> None:
    """Require at most `bound` of the literals, if the selector is true (None: always)."""
    if selector is None:
        formula.add_at_most(literals, bound)
    else:
        n = len(literals)
        formula.add_at_most([*literals, *[selector] * (n - bound)], n)


def negate(literals: Sequence[int]) -> list[int]:
    """Return the negation of every literal."""
    return [-literal for literal in literals]


class SortingNetwork(Encoding):
    """Odd-even merge sort."""

    name = "sorting-network"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Sort both halves completely, and merge them up to the bound."""
        if len(literals) == 1:
            return list(literals)
        half = len(literals) // 2
        left, right = (
            self.count(part, 1 if bound == 1 else len(part), formula)
            for part in (literals[:half], literals[half:])
        )
        return merge_sorted(left, right, bound, formula)


def merge_sorted(
    left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
) -> list[int]:
    """Merge two sorted lists and return the first `bound` literals."""
    if not left or not right or bound == 0:
        return [*left, *right][:bound]
    if len(left) == len(right) == 1:
        return compare(left[0], right[0], bound, formula)
    # Among the merged literals, the i-th of the odd positions can only be adjacent to the (i-1)-th
    # of the even positions, so that one comparison puts the two in order.
    odd = merge_sorted(left[::2], right[::2], bound // 2 + 1, formula)
    even = merge_sorted(left[1::2], right[1::2], bound // 2, formula)
    outputs = odd[:1]
    for higher, lower in zip(odd[1:], even, strict=False):
        outputs += compare(higher, lower, bound - len(outputs), formula)
    compared_pairs = len(outputs) // 2
    return [*outputs, *odd[compared_pairs + 1 :], *even[compared_pairs:]][:bound]


def compare(one: int, other: int, bound: int, formula: Formula) -> list[int]:
    """Return the "or" of two literals and, if the bound is at least 2, their "and"."""
    outputs = [formula.new() for _ in range(min(bound, 2))]
    for larger in outputs[:1]:
        formula.add(-one, larger)
        formula.add(-other, larger)
        formula.add(-larger, one, other)
    for smaller in outputs[1:]:
        formula.add(-smaller, one)
        formula.add(-smaller, other)
        formula.add(smaller, -one, -other)
    return outputs


class CardinalityNetwork(Halving):
    """Odd-even merge sort, cut at the bound everywhere."""

    name = "cardinality-network"

    def merge(
        self, left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
    ) -> list[int]:
        """Merge the two sorted lists up to the bound."""
        return merge_sorted(left, right, bound, formula)


MIN_MODULO_BOUND = 4
"""The lowest bound for which quotient and remainder are smaller than a totalizer."""


class Totalizer(Halving):
    """A tree of merged unary counts."""

    name = "totalizer"

    def merge(
        self, left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
    ) -> list[int]:
        """Add the two counts."""
        return merge(left, right, bound, formula)


def merge(left: Sequence[int], right: Sequence[int], bound: int, formula: Formula) -> list[int]:
    """Add two unary numbers, cut at the bound. Each may itself be cut there."""
    outputs = [formula.new() for _ in range(min(len(left) + len(right), bound))]
    output_count, add = len(outputs), formula.clauses.append
    at_least = [[], *([-each] for each in right)]
    at_most = [*([each] for each in right), []]
    for i in range(len(left) + 1):
        first = [-left[i - 1]] if i else []
        above = [left[i]] if i < len(left) else []
        for j in range(min(len(right), output_count - i) + 1):
            if i + j:  # at least i and at least j make at least i + j
                add([*first, *at_least[j], outputs[i + j - 1]])
            if i + j < output_count:  # at most i and at most j make at most i + j
                add([*above, *at_most[j], -outputs[i + j]])
    return outputs


class ModuloTotalizer(Encoding):
    """A tree of merged quotients and remainders."""

    name = "modulo-totalizer"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Count as quotient and remainder, then define the outputs by the two."""
        if bound < MIN_MODULO_BOUND:
            return Totalizer().count(literals, bound, formula)
        modulus = isqrt(bound) + 1
        upper, lower = count_parts(literals, modulus, -(-bound // modulus), formula)
        return [output(*divmod(t, modulus), upper, lower, formula) for t in range(1, bound + 1)]


def count_parts(
    literals: Sequence[int], modulus: int, cap: int, formula: Formula
) -> tuple[list[int], list[int]]:
    """Return the quotient, cut at `cap`, and the remainder of the count, both in unary."""
    if len(literals) == 1:
        return [], list(literals)
    half = len(literals) // 2
    left_upper, left = count_parts(literals[:half], modulus, cap, formula)
    right_upper, right = count_parts(literals[half:], modulus, cap, formula)
    if len(literals) < modulus:
        return [], merge(left, right, len(literals), formula)
    carry = formula.new()
    lower = add_remainders(left, right, carry, modulus, formula)
    if len(literals) < 2 * modulus and not left_upper and not right_upper:
        return [carry], lower
    length = min(len(literals) // modulus, cap)
    return add_quotients(left_upper, right_upper, carry, length, formula), lower


def add_remainders(
    left: Sequence[int], right: Sequence[int], carry: int, modulus: int, formula: Formula
) -> list[int]:
    """Return the remainder of the sum of two remainders; defines `carry`, too."""
    a, b = len(left), len(right)
    lower = [formula.new() for _ in range(modulus - 1)]
    for i in range(a + 1):
        for j in range(b + 1):
            least = [
                -literal for literal in (*left[:i][-1:], *right[:j][-1:])
            ]  # false if the summands are at least i and j
            most = [*left[i : i + 1], *right[j : j + 1]]  # false if they are at most i and j
            total = i + j
            if total < modulus:
                if total > 0:
                    formula.add(*least, carry, lower[total - 1])
                formula.add(*most, -carry if total == modulus - 1 else -lower[total])
            else:
                formula.add(*least, carry if total == modulus else lower[total - modulus - 1])
                formula.add(*most, -carry, -lower[total - modulus])
    for literal in lower[a + b - modulus + 1 :]:  # too high for a remainder after a carry
        formula.add(-carry, -literal)
    return lower


def add_quotients(
    left: Sequence[int], right: Sequence[int], carry: int, length: int, formula: Formula
) -> list[int]:
    """Return the sum of two quotients and a carry. All quotients may be cut at `length`."""
    a, b = len(left), len(right)
    upper = [formula.new() for _ in range(length)]
    for i in range(a + 1):
        for j in range(b + 1):
            least = [-literal for literal in (*left[:i][-1:], *right[:j][-1:])]
            most = [*left[i : i + 1], *right[j : j + 1]]
            total = i + j
            if 0 < total <= length:
                formula.add(*least, upper[total - 1])
            if total < length:
                formula.add(*least, -carry, upper[total])
                formula.add(*most, carry, -upper[total])
            if total + 1 < length:
                formula.add(*most, -upper[total + 1])
    return upper


def output(
    quotient: int, remainder: int, upper: Sequence[int], lower: Sequence[int], formula: Formula
) -> int:
    """Return the literal of "at least quotient * modulus + remainder"."""
    if remainder == 0:
        return upper[quotient - 1]
    over = list(upper[quotient : quotient + 1])  # the quotient is higher
    reached = list(upper[:quotient][-1:])  # the quotient is at least this
    remainder_reached = lower[remainder - 1]
    if not over and not reached:
        return remainder_reached
    here = formula.new()
    for literal in over:
        formula.add(-literal, here)
    for literal in reached:
        formula.add(-here, literal)
    formula.add(*(-literal for literal in reached), -remainder_reached, here)
    formula.add(-here, *over, remainder_reached)
    return here


ENCODINGS: Mapping[str, Encoding] = {
    encoding.name: encoding
    for encoding in (
        CardinalityNetwork(),
        Direct(),
        ModuloTotalizer(),
        Native(),
        Sequential(),
        SortingNetwork(),
        Totalizer(),
    )
}
"""The encodings by name, in alphabetical order."""
