"""Neuwirth's: the most information."""

from mmsat.strategy.heuristic import Heuristic
from mmsat.strategy.partition import uncertainty


class Entropy(Heuristic):
    """A score tells most where the sum of n log n is least.

    It is compared exactly, as the product of n to the n, so that ties are ties on every machine.
    """

    name = "entropy"
    summary = "the most information, in bits"
    source = "Neuwirth, Some strategies for Mastermind, 1982"
    key = "ENTROPY"

    def worth(self, sizes: list[int]) -> int:
        """The product of n ** n."""
        return uncertainty(sizes)
