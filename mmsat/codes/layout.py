"""The layout of a board for the engine that counts: labels, amounts, steps, the order of pegs.

Colors that no claim tells apart are one label. A claim about all places of one color is a claim
about the color's count, and is told as one where counts are kept anyway.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmsat.codes.order import Orders
from mmsat.game.facts import Claim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.codes.presolve import Presolved


@dataclass(frozen=True, slots=True)
class Layout:
    """What the engine reads, and how its pegs and labels are read back."""

    order: tuple[int, ...]
    """The pegs in the engine's order."""
    labels: tuple[tuple[int, ...], ...]
    """The colors of each label."""
    once: tuple[bool, ...]
    """Labels of colors that a code has once at most."""
    allowed: tuple[frozenset[int], ...]
    """The labels that each peg, in the engine's order, may have."""
    amounts: array[int]
    steps: array[int]
    ranges: array[int]
    bits: int
    """What the number of codes takes at most."""

    @property
    def is_in_order(self) -> bool:
        """Whether the engine goes from the first peg to the last."""
        return self.order == tuple(range(len(self.order)))

    @property
    def arguments(
        self,
    ) -> tuple[int, array[int], array[int], array[int], array[int], array[int], array[int], int]:
        """What the engine is called with."""
        allowed = array("i", [0]) * (len(self.order) * len(self.labels))
        for place, labels in enumerate(self.allowed):
            for label in labels:
                allowed[place * len(self.labels) + label] = 1
        return (
            len(self.order),
            array("i", map(len, self.labels)),
            array("i", self.once),
            allowed,
            self.amounts,
            self.steps,
            self.ranges,
            self.bits,
        )


def lay_out(board: Presolved, *, in_order: bool | None = False) -> Layout:
    """The layout of a board's claims, in the order of the pegs or in the best one found.

    With None, in the order of the pegs unless the best one is much better.
    """
    facts = board.facts
    claims, single = counts_told(board)
    kept = {color: number for number, color in enumerate(single)}
    labels, once = labels_of(board, claims, set(kept))
    label_of = {color: number for number, colors in enumerate(labels) for color in colors}
    places = [
        [
            facts.peg_color(fact)[0]
            for fact in claim.facts
            if isinstance(fact, int) and facts.is_at(fact)
        ]
        for claim in claims
    ]
    orders = Orders(facts.pegs, places, [claim.high for claim in claims])
    order = orders.own if in_order or (in_order is None and orders.own_is_fine) else orders.best
    position = {peg: place for place, peg in enumerate(order)}
    amounts, steps, ranges = array("i"), array("i"), array("i")
    for number, claim in enumerate(claims):
        denied = 0
        for fact in claim.facts:
            assert isinstance(fact, int)  # noqa: S101  (no conjunctions)
            sign = 1 if fact > 0 else -1
            denied += fact < 0
            if facts.is_at(fact):
                peg, color = facts.peg_color(fact)
                amounts.extend((position[peg], label_of[color], number, sign))
            else:
                color, count = facts.color_count(fact)
                steps.extend((label_of[color], count, number, sign))
        ranges.extend((claim.low - denied, claim.high - denied))
    allowed = tuple(frozenset(label_of[color] for color in board.colors[peg]) for peg in order)
    size = sum(math.log2(len(colors)) for colors in board.colors)
    return Layout(order, labels, once, allowed, amounts, steps, ranges, math.ceil(size + 0.01))


def counts_told(board: Presolved) -> tuple[list[Claim], list[int]]:
    """The claims, those about all places of a color told as counts where that is better.

    And the colors of which nothing is said but that a code has them once at most; these claims are
    left out.
    """
    facts = board.facts
    open_pegs: dict[int, set[int]] = {color: set() for color in range(facts.colors)}
    fixed = [0] * facts.colors
    for peg, colors in enumerate(board.colors):
        if len(colors) == 1:
            fixed[next(iter(colors))] += 1
        else:
            for color in colors:
                open_pegs[color].add(peg)
    whole = {
        n: color
        for n, claim in enumerate(board.claims)
        if (color := _whole(board, claim, open_pegs)) is not None
    }
    mentions = [0] * facts.colors
    counted: set[int] = set()
    for number, claim in enumerate(board.claims):
        if number in whole:
            mentions[whole[number]] += 1
            continue
        for fact in claim.facts:
            assert isinstance(fact, int)  # noqa: S101
            if facts.is_at(fact):
                mentions[facts.peg_color(fact)[1]] += 2
            else:
                mentions[facts.color_count(fact)[0]] += 2
                counted.add(facts.color_count(fact)[0])
    exhausting = facts.pegs == facts.colors and all(
        any(color == each and board.claims[n].high + fixed[color] == 1 for n, each in whole.items())
        or fixed[color] == 1
        for color in range(facts.colors)
    )
    claims, single = [], []
    for number, claim in enumerate(board.claims):
        color = whole.get(number)
        if color is None:
            claims.append(claim)
            continue
        low, high = claim.low, claim.high
        if exhausting and high + fixed[color] == 1:
            low = 0  # all colors are taken anyway
        if mentions[color] == 1 and fixed[color] == 0 and (low, high) == (0, 1):
            single.append(color)
        elif low < high or color in counted:
            top = min(high + 1, len(open_pegs[color]))
            steps = tuple(facts.least(color, fixed[color] + count) for count in range(1, top + 1))
            claims.append(Claim(steps, low, high))
        else:
            claims.append(claim)
    return claims, single


def _whole(board: Presolved, claim: Claim, open_pegs: dict[int, set[int]]) -> int | None:
    """The color whose open places are the claim's facts, if there is one."""
    facts = board.facts
    first = claim.facts[0]
    if not isinstance(first, int) or first < 0 or not facts.is_at(first):
        return None
    color = facts.peg_color(first)[1]
    if len(claim.facts) != len(open_pegs[color]):
        return None
    same = {facts.at(peg, color) for peg in open_pegs[color]}
    return color if same == set(claim.facts) else None


def labels_of(
    board: Presolved, claims: Sequence[Claim], single: set[int]
) -> tuple[tuple[tuple[int, ...], ...], tuple[bool, ...]]:
    """Colors in groups that nothing tells apart, and which groups may be used once a color."""
    facts = board.facts
    told = set()
    for claim in claims:
        for fact in claim.facts:
            assert isinstance(fact, int)  # noqa: S101
            is_at = facts.is_at(fact)
            told.add(facts.peg_color(fact)[1] if is_at else facts.color_count(fact)[0])
    pegs: dict[int, list[int]] = {color: [] for color in range(facts.colors)}
    for peg, colors in enumerate(board.colors):
        for color in colors:
            pegs[color].append(peg)
    groups: dict[tuple[int, ...], list[int]] = {}
    for color in range(facts.colors):
        if pegs[color]:
            mark = (color, -1) if color in told else (-1, color in single)
            groups.setdefault((*mark, *pegs[color]), []).append(color)
    labels = tuple(tuple(colors) for colors in groups.values())
    return labels, tuple(colors[0] in single for colors in labels)
