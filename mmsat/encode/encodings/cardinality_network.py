"""Cardinality network (Asín, Nieuwenhuis, Oliveras and Rodríguez-Carbonell 2009, 2011).

A sorting network that carries no more than `bound` literals from any part to the next: halves are
sorted as far as the bound, and simplified odd-even merges make only the outputs that are read. (The
original takes blocks of powers of two; halves of any size follow Abío, Nieuwenhuis, Oliveras and
Rodríguez-Carbonell 2013.)

Unit propagation keeps the bounds consistent. About n (log bound)^2 / 2 helpers, three clauses each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.encode.encodings.base import Encoding
from mmsat.encode.encodings.sorting_network import merge_sorted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.encode.formula import Formula


class CardinalityNetwork(Encoding):
    """Odd-even merge sort, cut at the bound everywhere."""

    name = "cardinality-network"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Sort both halves and merge them, as far as the bound."""
        if len(literals) == 1:
            return list(literals)
        half = len(literals) // 2
        left = self.count(literals[:half], min(bound, half), formula)
        right = self.count(literals[half:], min(bound, len(literals) - half), formula)
        return merge_sorted(left, right, bound, formula)
