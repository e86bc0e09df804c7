"""A row: a guess and its score, as plain tuples."""

from typing import NamedTuple, TypeAlias

Code: TypeAlias = tuple[int, ...]
"""A color (from 0) for each peg."""
Score: TypeAlias = tuple[int | None, ...]
"""The numbers of a score, one for each part; None for a part that was not read."""


class Row(NamedTuple):
    """A guess (colors from 0) and its score, one number a part, None where it was not read."""

    guess: Code
    score: Score
