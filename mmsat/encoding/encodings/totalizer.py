"""Totalizer (Bailleux and Boufkhad 2003), bidirectional and cut at the bound."""

from collections.abc import Sequence

from mmsat.encoding.encodings.encoding import Halving
from mmsat.encoding.formula import Formula


class Totalizer(Halving):
    """A tree of merged counts."""

    name = "totalizer"

    def merge(
        self, left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
    ) -> list[int]:
        """Add the two counts."""
        return merge(left, right, bound, formula)


def merge(left: Sequence[int], right: Sequence[int], bound: int, formula: Formula) -> list[int]:
    """Add two unary numbers, cut at the bound; each may itself be cut there."""
    a, b = len(left), len(right)
    outputs = [formula.new() for _ in range(min(a + b, bound))]
    for i in range(a + 1):
        for j in range(b + 1):
            if 1 <= i + j <= len(outputs):  # at least i and at least j make at least i + j
                known = [-left[i - 1]] * (i > 0) + [-right[j - 1]] * (j > 0)
                formula.add(*known, outputs[i + j - 1])
            if i + j < len(outputs):  # at most i and at most j make at most i + j
                known = [left[i]] if i < a else []
                known += [right[j]] if j < b else []
                formula.add(*known, -outputs[i + j])
    return outputs
