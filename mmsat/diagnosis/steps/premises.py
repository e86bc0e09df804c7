"""The fewest literals from which something follows: smallest premises by implicit hitting sets.

A set of literals that is not enough shows that one of the literals outside it is needed. A smallest
set that has one of each such outside (a hitting set, found by python-sat) is enough, and then no
smaller one is; or it is not, and once it is grown as far as it goes, it shows one outside more. The
method is the one of Ignatiev, Previti, Liffiton and Marques-Silva (2015) for smallest unsatisfiable
subsets, which Gamba, Bogaerts and Guns (2021) took to explanations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    IsEnough = Callable[[Sequence[int]], bool]

PATIENCE = 400
"""Hitting sets that are tried; beyond, what is found may be not the smallest."""
PLAIN = 2
"""Sizes up to which hitting sets are looked for by trying them all."""


class Premises:
    """Smallest premises for one question after the other, as ever more literals are known.

    A set that is not enough is remembered; `is_enough` may change from call to call, but only so
    that fewer sets are enough.
    """

    def __init__(self) -> None:
        """Nothing is known to be too little."""
        self.too_few: list[frozenset[int]] = []
        self.is_optimal = True
        """Whether the last answer is the smallest, rather than the best found with patience."""

    def smallest(
        self, known: Sequence[int], most: int, is_enough: IsEnough
    ) -> tuple[int, ...] | None:
        """A smallest set of at most so many known literals that is enough; None if there is none.

        `known` as a whole need not be enough. Ties are broken by the order of `known`.
        """
        self.is_optimal = True
        if most < 0 or not is_enough(known):
            return None
        outside = [frozenset(known) - few for few in self.too_few]
        for _ in range(PATIENCE):
            chosen = hitting_set(outside, known, most)
            if chosen is None:
                return None
            if is_enough(chosen):
                return chosen
            grown = self.grow(chosen, known, is_enough)
            self.too_few.append(grown)
            outside.append(frozenset(known) - grown)
        self.is_optimal = False
        rest = self.minimize(known, is_enough)
        return rest if len(rest) <= most else None

    @staticmethod
    def grow(few: Sequence[int], known: Sequence[int], is_enough: IsEnough) -> frozenset[int]:
        """A set that is not enough, with all literals that keep it so; halves at a time."""
        kept = list(few)
        open_parts = [[literal for literal in known if literal not in set(few)]]
        while open_parts:
            part = open_parts.pop()
            if not part:
                continue
            if not is_enough([*kept, *part]):
                kept += part
            elif len(part) > 1:
                half = len(part) // 2
                open_parts += [part[half:], part[:half]]
        return frozenset(kept)

    @staticmethod
    def minimize(known: Sequence[int], is_enough: IsEnough) -> tuple[int, ...]:
        """A set that is enough while none of its literals can be left out."""
        rest = list(known)
        for literal in known:
            fewer = [each for each in rest if each != literal]
            if is_enough(fewer):
                rest = fewer
        return tuple(rest)


def hitting_set(
    sets: Sequence[frozenset[int]], known: Sequence[int], most: int
) -> tuple[int, ...] | None:
    """A smallest choice of at most so many literals with one of each set; None if there is none."""
    if not all(sets):
        return None
    for size in range(min(most, PLAIN) + 1):
        found = first_hitting_set(sets, known, size)
        if found is not None:
            return found
    if most <= PLAIN:
        return None
    from pysat.examples.hitman import Hitman  # noqa: PLC0415  (loaded when first needed)

    with Hitman(bootstrap_with=[sorted(each) for each in sets], htype="sorted") as hitman:
        chosen = set(hitman.get())
    found = tuple(literal for literal in known if literal in chosen)
    return found if len(found) <= most else None


def first_hitting_set(
    sets: Sequence[frozenset[int]], known: Sequence[int], size: int
) -> tuple[int, ...] | None:
    """The first choice of so many literals with one of each set; None if there is none."""
    if not size:
        return None if sets else ()
    if not sets:
        return None
    smallest = min(sets, key=len)
    for literal in known:
        if literal in smallest:
            rest = [each for each in sets if literal not in each]
            if not rest:
                return (literal,)
            if size > 1:
                more = first_hitting_set(rest, known, size - 1)
                if more is not None:
                    both = {literal, *more}
                    return tuple(each for each in known if each in both)
    return None
