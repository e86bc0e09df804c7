"""Cardinality network (Asín, Nieuwenhuis, Oliveras and Rodríguez-Carbonell 2009, 2011).

A sorting network that carries no more than `bound` literals from any part to the next: halves are
sorted as far as the bound, and simplified odd-even merges make only the outputs that are read. (The
original takes blocks of powers of two; halves of any size follow Abío, Nieuwenhuis, Oliveras and
Rodríguez-Carbonell 2013.)

Unit propagation keeps the bounds consistent. About n (log bound)^2 / 2 helpers, three clauses each.
"""

from collections.abc import Sequence

from mmsat.encoding.encodings.encoding import Halving
from mmsat.encoding.encodings.sorting_network import merge_sorted
from mmsat.encoding.formula import Formula


class CardinalityNetwork(Halving):
    """Odd-even merge sort, cut at the bound everywhere."""

    name = "cardinality-network"

    def merge(
        self, left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
    ) -> list[int]:
        """Merge the two sorted lists, as far as the bound."""
        return merge_sorted(left, right, bound, formula)
