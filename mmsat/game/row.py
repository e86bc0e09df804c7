"""A row: a guess and its score, as plain tuples."""

from typing import NamedTuple, TypeAlias

Code: TypeAlias = tuple[int, ...]
"""A color (from 0) for each peg."""
UNREAD = -1
"""In place of a color, for a peg of a guess that was not read."""
Score: TypeAlias = tuple[int | None, ...]
"""The numbers of a score, one for each part; None for a part that was not read."""


class Row(NamedTuple):
    """A guess (colors from 0, -1 where unread) and its score (a number a part, None likewise)."""

    guess: Code
    score: Score
