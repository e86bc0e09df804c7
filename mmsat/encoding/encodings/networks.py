"""Sorting networks, whose outputs are the literals in order, the true ones first.

A sorting network (Batcher 1968, as constraints: Eén and Sörensson 2006) sorts any number of inputs.
If every merge is cut at the bound, it is the cardinality network (Asín, Nieuwenhuis, Oliveras and
Rodríguez-Carbonell 2009, 2011; halves of any size follow Abío and others 2013).
"""

from collections.abc import Sequence

from mmsat.encoding.encodings.encoding import Encoding, Halving
from mmsat.encoding.formula import Formula


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
