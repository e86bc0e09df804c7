"""What kinds of scoring and kinds of code space have in common: a name, and equality by value."""

from abc import ABC
from typing import ClassVar


class Kind(ABC):
    """A kind of rule; objects of one kind with the same settings are equal, pickled or not."""

    name: ClassVar[str]
    """The name in registries, files and commands."""
    suffix: ClassVar[str]
    """What follows the size in a board line."""
    example: ClassVar[str] = "4x6"
    """A size with the suffix."""
    summary: ClassVar[str]
    """One line for the catalogue."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))
