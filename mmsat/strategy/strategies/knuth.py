"""Knuth's: the fewest codes left in the worst case."""

from mmsat.strategy.heuristic import Heuristic


class Knuth(Heuristic):
    """Minimax. With four pegs and six colors it never needs more than five guesses."""

    name = "knuth"
    summary = "the fewest codes left in the worst case (minimax)"
    source = "Knuth, The computer as Master Mind, 1977"
    key = "MINIMAX"

    def worth(self, sizes: list[int]) -> int:
        """The largest."""
        return max(sizes)
