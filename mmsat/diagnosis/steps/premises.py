"""The fewest literals from which something follows: smallest premises by implicit hitting sets.

A set of literals that is not enough shows that one of the literals outside it is needed. A smallest
set that has one of each such outside (a hitting set) is enough, and then no smaller one is; or it
is not, and once it is grown as far as it goes, it shows one outside more. The method is the one of
Ignatiev, Previti, Liffiton and Marques-Silva (2015) for smallest unsatisfiable subsets, which
Gamba, Bogaerts and Guns (2021) took to explanations.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

IsEnough = Callable[[Sequence[int]], bool]

PATIENCE = 60
"""Hitting sets that are tried; beyond, what is found may be not the smallest."""
LARGE = 4
"""Literals of the largest hitting sets that are looked for."""


class Premises(NamedTuple):
    """Literals that are enough."""

    literals: tuple[int, ...]
    is_smallest: bool
    """Whether no fewer are enough, rather than that none can be left out."""


def minimize(known: Sequence[int], is_enough: IsEnough) -> tuple[int, ...]:
    """Of literals that are enough, some of which none can be left out; the last ones go first."""
    rest = list(known)
    size = max(1, len(rest) // 2)
    while size:
        for start in range(len(rest) - size, -size, -size):
            fewer = rest[: max(0, start)] + rest[start + size :]
            if is_enough(fewer):
                rest = fewer
        size //= 2
    return tuple(rest)


def smallest_premises(
    known: Sequence[int], is_enough: IsEnough, patience: int = PATIENCE
) -> Premises:
    """A smallest set of literals that is enough, as all of `known` are; more is never less.

    Ties are broken by the order of `known`.
    """
    best = minimize(known, is_enough)
    outside: list[frozenset[int]] = []
    for _ in range(patience):
        chosen = hitting_set(outside, known, min(LARGE, len(best) - 1))
        if chosen is None:
            return Premises(best, is_smallest=len(best) <= LARGE + 1)
        if is_enough(chosen):
            return Premises(chosen, is_smallest=True)
        outside.append(frozenset(known) - grow(chosen, known, is_enough))
    return Premises(best, is_smallest=False)


def grow(few: Sequence[int], known: Sequence[int], is_enough: IsEnough) -> frozenset[int]:
    """A set that is not enough, with all literals that keep it so; halves at a time."""
    kept = list(few)
    open_parts = [[literal for literal in known if literal not in set(few)]]
    while open_parts:
        part = open_parts.pop()
        if part and not is_enough([*kept, *part]):
            kept += part
        elif len(part) > 1:
            half = len(part) // 2
            open_parts += [part[half:], part[:half]]
    return frozenset(kept)


def hitting_set(
    sets: Sequence[frozenset[int]], known: Sequence[int], most: int
) -> tuple[int, ...] | None:
    """A smallest choice of at most so many literals with one of each set; None if there is none."""
    for size in range(most + 1):
        found = first_hitting_set(sets, known, size)
        if found is not None:
            return tuple(literal for literal in known if literal in found)
    return None


def first_hitting_set(
    sets: Sequence[frozenset[int]], known: Sequence[int], size: int
) -> set[int] | None:
    """The first choice of at most so many literals with one of each set, or None."""
    if not sets or not size:
        return None if sets else set()
    smallest = min(sets, key=len)
    for literal in known:
        if literal in smallest:
            rest = [each for each in sets if literal not in each]
            more = first_hitting_set(rest, known, size - 1)
            if more is not None:
                return {literal, *more}
    return None
