"""Irving's: the fewest codes left on average."""

from mmsat.strategy.heuristic import Heuristic


class ExpectedSize(Heuristic):
    """A score that leaves n codes has a chance of n in all, so that the sum of squares counts."""

    name = "expected-size"
    summary = "the fewest codes left on average"
    source = "Irving, Towards an optimum Mastermind strategy, 1978-79"
    key = "EXPECTED_SIZE"

    def worth(self, sizes: list[int]) -> int:
        """The sum of the squares."""
        return sum(size * size for size in sizes)
