"""The rules of the game: codes, scoring, rows and published games. Independent of all solvers.

A score consists of parts, each a number. In most games, the parts count the key pegs of each color:
black ones for pegs of the right color in the right place, white ones for other pegs of a right
color. In other games, each part is the mark of one place.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, TypeAlias

Code: TypeAlias = tuple[int, ...]
"""A color (from 0) for each peg."""
UNREAD = -1
"""The value, in place of a color, of an unread peg: a peg of a guess whose color is not known."""
Score: TypeAlias = tuple[int | None, ...]
"""A score: one number per part, or None for an unread part."""


class GameRule(ABC):
    """Base class of code spaces and scorings, the two kinds of rules of a game.

    Objects of one class with equal attributes are equal, so that they stay equal if they are sent
    to worker processes.
    """

    name: ClassVar[str]
    """The name in registries, files and commands."""
    suffix: ClassVar[str]
    """The text after the size in a board line."""
    example: ClassVar[str] = "4x6"
    """An example of a size with the suffix."""
    summary: ClassVar[str]
    """A description in one line, for the list of games."""
    remark: ClassVar[str] = ""
    """A remark after the summary in the list of games."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))


def hide(score: Sequence[int | None], mask: Sequence[int | None]) -> Score:
    """Return `score` with None in the parts that are None in `mask`."""
    pairs = zip(score, mask, strict=True)
    return tuple(None if mask_part is None else part for part, mask_part in pairs)


class Row(NamedTuple):
    """A guess and its score."""

    guess: Code
    """One color from 0 for each peg; -1 for an unread peg."""
    score: Score
    """One number per part of the score; None for an unread part."""


class Conventions(NamedTuple):
    """The notation of the guesses and scores of a board that have been read so far.

    Texts that are read later must use the same notation. So a board that is typed row by row has
    the same meaning as a board that is read at once.
    """

    alphabets: frozenset[str] = frozenset()
    """The alphabets that can read every guess so far; empty before the first guess."""
    used_names: frozenset[int] = frozenset()
    """The names of colors that guesses use, as indices into `COLOR_NAMES` of the notation."""
    sign_meanings: frozenset[str] = frozenset()
    """The meanings of ambiguous letters and signs of scores, such as `b=black`."""
