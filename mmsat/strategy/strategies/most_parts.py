"""Kooi's: the most scores that are possible."""

from mmsat.strategy.heuristic import Heuristic


class MostParts(Heuristic):
    """How large the parts are does not matter."""

    name = "most-parts"
    summary = "the most different scores that may come"
    source = "Kooi, Yet another Mastermind strategy, 2005"
    key = "MOST_PARTS"

    def worth(self, sizes: list[int]) -> int:
        """Less one for each part."""
        return -len(sizes)
