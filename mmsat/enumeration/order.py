"""The order in which pegs are processed, chosen so that few sums are open at a time.

A sum is open from the first peg of its constraint to the last. The number of states between two
pegs is about the number of combinations of values that all open sums can have. The best of a few
orders is used: the pegs' own, two that group pegs with the same constraints, and some greedy ones
that always continue with the peg that leaves the fewest values open.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

MAX_GREEDY_STEPS = 2_000_000
"""Maximum number of steps spent on greedy orders."""
MAX_GROUPING_CONSTRAINTS = 100
"""Maximum number of constraints for which pegs are grouped by all constraints."""
MAX_EXTRA_DOUBLINGS = 3.0
"""The own order of the pegs is used unless its states exceed those of the best order by more than
this many doublings."""

Order = tuple[int, ...]


class Orders:
    """The orders of pegs, given the pegs of each constraint and its upper bound."""

    def __init__(
        self, pegs: int, constraints: Sequence[Sequence[int]], highs: Sequence[int]
    ) -> None:
        self.own: Order = tuple(range(pegs))
        self.pegs = pegs
        self.members = [sorted(set(constraint)) for constraint in constraints]
        self.sizes = [len(constraint) for constraint in self.members]
        self.highs = highs
        self.constraints: list[list[int]] = [[] for _ in range(pegs)]
        """The constraints of each peg."""
        for number, constraint in enumerate(self.members):
            for peg in constraint:
                self.constraints[peg].append(number)

    @cached_property
    def best(self) -> Order:
        """The candidate with the fewest states."""
        return min(self.candidates(), key=self.cost)

    @property
    def own_is_fine(self) -> bool:
        """Whether the pegs' own order is nearly as good as the best one."""
        return self.cost(self.own) <= self.cost(self.best) + MAX_EXTRA_DOUBLINGS

    def candidates(self) -> Iterator[Order]:
        """Yield orders that may be good."""
        yield self.own
        by_size = sorted(range(len(self.members)), key=lambda n: (-self.sizes[n], n))
        rank = {number: place for place, number in enumerate(by_size)}
        yield tuple(
            sorted(self.own, key=lambda peg: sorted(rank[n] for n in self.constraints[peg]))
        )
        if len(self.members) <= MAX_GROUPING_CONSTRAINTS:
            yield tuple(
                sorted(self.own, key=lambda peg: [n not in self.constraints[peg] for n in by_size])
            )
        if sum(size * size for size in self.sizes) + self.pegs <= MAX_GREEDY_STEPS:
            # Start greedy orders at the peg with the fewest constraints, the ends and the middle.
            rarest_peg = min(self.own, key=lambda peg: len(self.constraints[peg]))
            for start in dict.fromkeys((rarest_peg, 0, self.pegs - 1, self.pegs // 2)):
                yield self.greedy(start)

    def greedy(self, start: int) -> Order:
        """Return an order that always continues with the peg that leaves the fewest values open.

        It begins with `start`. Each next peg shares an open sum, if any peg does.
        """
        done = [0] * len(self.members)
        left = dict.fromkeys(self.own)
        near: dict[int, None] = {start: None}
        order: list[int] = []

        def growth(peg: int) -> tuple[float, int]:
            change = sum(
                self.values(constraint, done[constraint] + 1)
                - self.values(constraint, done[constraint])
                for constraint in self.constraints[peg]
            )
            return round(change, 9), -sum(
                done[constraint] > 0 for constraint in self.constraints[peg]
            )

        while left:
            peg = min(near, key=growth) if near else next(iter(left))
            near.pop(peg, None)
            del left[peg]
            order.append(peg)
            for constraint in self.constraints[peg]:
                done[constraint] += 1
                if done[constraint] == 1:
                    near.update(
                        (other, None) for other in self.members[constraint] if other in left
                    )
        return tuple(order)

    def cost(self, order: Order) -> float:
        """Return the logarithm of the approximate number of states in all layers together."""
        done = [0] * len(self.members)
        width = 0.0
        widths = [width]
        for peg in order:
            for constraint in self.constraints[peg]:
                width -= self.values(constraint, done[constraint])
                done[constraint] += 1
                width += self.values(constraint, done[constraint])
            widths.append(width)
        top = max(widths)
        return round(top + math.log2(sum(2.0 ** (width - top) for width in widths)), 6)

    def values(self, constraint: int, done: int) -> float:
        """Return the logarithm of the number of values of a sum after `done` of its pegs."""
        return math.log2(
            1 + max(0, min(done, self.sizes[constraint] - done, self.highs[constraint]))
        )
