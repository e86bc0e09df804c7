"""Totalizers, bidirectional and cut at the bound.

A totalizer (Bailleux and Boufkhad 2003) merges unary counts. A modulo totalizer (Ogawa, Liu,
Hasegawa, Koshimura and Fujita 2013; in its k-cardinality form Morgado, Ignatiev and Marques-Silva
2014) represents them as quotient * p + remainder. For bounds below 4 it uses the totalizer, which
is smaller there.
"""

from collections.abc import Sequence
from math import isqrt

from mmsat.encoding.encodings.encoding import Encoding, Halving
from mmsat.encoding.formula import Formula

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
