"""A row: a guess and its score, as plain tuples."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

Code: TypeAlias = tuple[int, ...]
"""A color (from 0) for each peg."""
UNREAD = -1
"""In place of a color, for a peg of a guess that was not read."""
Score: TypeAlias = tuple[int | None, ...]
"""The numbers of a score, one for each part; None for a part that was not read."""


def hide(score: Sequence[int | None], said: Sequence[int | None]) -> Score:
    """A score without the parts that were not read of another."""
    return tuple(None if read is None else part for part, read in zip(score, said, strict=True))


class Row(NamedTuple):
    """A guess (colors from 0, -1 where unread) and its score (a number a part, None likewise)."""

    guess: Code
    score: Score
