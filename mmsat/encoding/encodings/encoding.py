"""The base classes of encodings.

An encoding is a way to count: from literals and a bound, it makes outputs o_1 .. o_bound such that
o_t holds exactly when at least t of the literals are true. Every auxiliary variable is *defined*:
its value follows from the literals. So rows can share auxiliary variables, a formula has exactly as
many models as the board has codes, and a disabled row does not constrain anything. The catalogue
(`encodings/`) describes the variables, clauses, propagation and source of each encoding.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from mmsat.encoding.formula import MAX_PAIRWISE_LITERALS, Formula


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
