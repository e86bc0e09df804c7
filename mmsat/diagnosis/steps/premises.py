"""Smallest premises: the fewest literals that suffice for a conclusion, by implicit hitting sets.

If a set of literals is insufficient, one of the literals outside of it is needed. The set is grown
to a maximal insufficient one, and its complement is recorded. A smallest hitting set of all
recorded complements is tried next. If it is sufficient, no smaller set is. The algorithm is that of
Ignatiev, Previti, Liffiton and Marques-Silva (2015) for smallest unsatisfiable subsets, which
Gamba, Bogaerts and Guns (2021) applied to explanations.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

IsEnough = Callable[[Sequence[int]], bool]

MAX_HITTING_SETS = 60
"""Maximum number of hitting sets that are tried. After that, the result may not be smallest."""
MAX_HITTING_SET_SIZE = 4
"""Maximum number of literals of the hitting sets that are tried."""


class Premises(NamedTuple):
    """A sufficient set of literals."""

    literals: tuple[int, ...]
    is_smallest: bool
    """Whether no smaller set suffices. If False, the set is only minimal."""


def minimize(known: Sequence[int], is_enough: IsEnough) -> tuple[int, ...]:
    """Return a minimal sufficient subset of sufficient literals, removing the last ones first."""
    remaining = list(known)
    size = max(1, len(remaining) // 2)
    while size:
        for start in range(len(remaining) - size, -size, -size):
            fewer = remaining[: max(0, start)] + remaining[start + size :]
            if is_enough(fewer):
                remaining = fewer
        size //= 2
    return tuple(remaining)


def smallest_premises(
    known: Sequence[int], is_enough: IsEnough, patience: int = MAX_HITTING_SETS
) -> Premises:
    """Return a smallest sufficient subset of `known`, which is sufficient.

    `is_enough` must be monotone. Ties are broken by the order of `known`.
    """
    best = minimize(known, is_enough)
    complements: list[frozenset[int]] = []
    for _ in range(patience):
        candidate = hitting_set(complements, known, min(MAX_HITTING_SET_SIZE, len(best) - 1))
        if candidate is None:
            return Premises(best, is_smallest=len(best) <= MAX_HITTING_SET_SIZE + 1)
        if is_enough(candidate):
            return Premises(candidate, is_smallest=True)
        complements.append(frozenset(known) - grow(candidate, known, is_enough))
    return Premises(best, is_smallest=False)


def grow(few: Sequence[int], known: Sequence[int], is_enough: IsEnough) -> frozenset[int]:
    """Return a maximal insufficient set that contains `few`, by adding halves of the others."""
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
    """Return a smallest hitting set of at most `most` literals, or None."""
    for size in range(most + 1):
        hit = first_hitting_set(sets, known, size)
        if hit is not None:
            return tuple(literal for literal in known if literal in hit)
    return None


def first_hitting_set(
    sets: Sequence[frozenset[int]], known: Sequence[int], size: int
) -> set[int] | None:
    """Return the first hitting set of at most `size` literals, or None."""
    if not sets or not size:
        return None if sets else set()
    smallest = min(sets, key=len)
    for literal in known:
        if literal in smallest:
            unhit = [other_set for other_set in sets if literal not in other_set]
            further = first_hitting_set(unhit, known, size - 1)
            if further is not None:
                return {literal, *further}
    return None
