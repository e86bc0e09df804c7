"""What kinds of scoring and kinds of code space have in common: a name, and equality by kind."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar


class Kind(ABC):
    """A kind of rule; all objects of one kind are equal, so that games survive pickling."""

    name: ClassVar[str]
    """The name in registries, files and commands."""
    suffix: ClassVar[str]
    """What follows the size in a board line."""
    summary: ClassVar[str]
    """One line for the catalogue."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))
