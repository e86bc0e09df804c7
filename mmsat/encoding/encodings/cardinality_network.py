"""Cardinality network (Asín, Nieuwenhuis, Oliveras and Rodríguez-Carbonell 2009, 2011).

Halves of any size follow Abío, Nieuwenhuis, Oliveras and Rodríguez-Carbonell 2013.
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
