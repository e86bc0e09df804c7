"""The order in which pegs are walked, so that few sums are open at a time.

A sum is open from the first peg of its claim to the last, and the states between two pegs are about
as many as the values that all open sums can have. The best order of a few is taken: the pegs' own,
two that group pegs with the same claims, and one that always goes on with the peg that leaves least
open.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST = 2_000_000
"""Steps that may be spent on an order."""


def best_order(
    pegs: int, claims: Sequence[Sequence[int]], highs: Sequence[int]
) -> tuple[int, ...]:
    """The pegs in the best order found; `claims` has the pegs of each, `highs` its upper bound."""
    members = [sorted(set(claim)) for claim in claims]
    of_peg: list[list[int]] = [[] for _ in range(pegs)]
    for number, claim in enumerate(members):
        for peg in claim:
            of_peg[peg].append(number)
    sizes = [len(claim) for claim in members]
    by_size = sorted(range(len(members)), key=lambda number: (-sizes[number], number))
    rank = {number: place for place, number in enumerate(by_size)}
    found = [
        tuple(range(pegs)),
        tuple(sorted(range(pegs), key=lambda peg: sorted(rank[n] for n in of_peg[peg]))),
        tuple(
            sorted(
                range(pegs),
                key=lambda peg: (
                    [-(number in of_peg[peg]) for number in by_size] if len(members) < 100 else []
                ),
            )
        ),
    ]
    if sum(size * size for size in sizes) + pegs <= MOST:
        found += [
            greedy(pegs, members, of_peg, highs, start)
            for start in starts(pegs, of_peg)
        ]
    cost = _coster(of_peg, sizes, highs)
    return min(found, key=cost)


def starts(pegs: int, of_peg: Sequence[Sequence[int]]) -> list[int]:
    """A few pegs to begin with: of the fewest claims, and the ends."""
    few = min(range(pegs), key=lambda peg: (len(of_peg[peg]), peg))
    return list(dict.fromkeys((few, 0, pegs - 1, pegs // 2)))


def _coster(
    of_peg: Sequence[Sequence[int]], sizes: Sequence[int], highs: Sequence[int]
) -> Callable[[Sequence[int]], float]:
    """A measure of orders: the logarithm of the states of all layers together, about."""

    def cost(order: Sequence[int]) -> float:
        done = [0] * len(sizes)
        width = 0.0
        widths = []
        for peg in order:
            for claim in of_peg[peg]:
                width -= values(done[claim], sizes[claim], highs[claim])
                done[claim] += 1
                width += values(done[claim], sizes[claim], highs[claim])
            widths.append(width)
        top = max(widths)
        return top + math.log2(sum(2.0 ** (width - top) for width in widths))

    return cost


def values(done: int, size: int, high: int) -> float:
    """The logarithm of how many values an open sum can have."""
    return math.log2(1 + min(done, size - done, high))


def greedy(
    pegs: int,
    members: Sequence[Sequence[int]],
    of_peg: Sequence[Sequence[int]],
    highs: Sequence[int],
    start: int,
) -> tuple[int, ...]:
    """Go on with the peg that leaves least open, of those that share an open claim if possible."""
    done = [0] * len(members)
    sizes = [len(claim) for claim in members]
    left = dict.fromkeys(range(pegs))
    near: dict[int, None] = {start: None}
    order: list[int] = []

    def growth(peg: int) -> tuple[float, int]:
        change = 0.0
        for claim in of_peg[peg]:
            change += values(done[claim] + 1, sizes[claim], highs[claim])
            change -= values(done[claim], sizes[claim], highs[claim])
        touched = -sum(done[claim] > 0 for claim in of_peg[peg])
        return round(change, 9), touched

    while left:
        peg = min(near, key=growth) if near else next(iter(left))
        near.pop(peg, None)
        del left[peg]
        order.append(peg)
        for claim in of_peg[peg]:
            done[claim] += 1
            if done[claim] == 1:
                near.update((other, None) for other in members[claim] if other in left)
    return tuple(order)
