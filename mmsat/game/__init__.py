"""The rules of the game: codes, scoring, rows and published games. Independent of all solvers."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

Code: TypeAlias = tuple[int, ...]
"""A color (from 0) for each peg."""
UNREAD = -1
"""Value in place of a color, for an unread peg of a guess."""
Score: TypeAlias = tuple[int | None, ...]
"""A score: one number per part, or None for an unread part."""


def hide(score: Sequence[int | None], mask: Sequence[int | None]) -> Score:
    """Return `score` with None in the parts that are None in `mask`."""
    return tuple(None if shown is None else part for part, shown in zip(score, mask, strict=True))


class Row(NamedTuple):
    """A guess and its score."""

    guess: Code
    """One color from 0 for each peg; -1 for an unread peg."""
    score: Score
    """One number per part of the score; None for an unread part."""
