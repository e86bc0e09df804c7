"""What a writer must provide. One language is one module beside this one."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from mmsat.board import Board
from mmsat.encoding.cnf import DEFAULT

__all__ = ["DEFAULT", "Writer"]


class Writer(ABC):
    """A language of solvers."""

    name: ClassVar[str]
    """The name of the module and on the command line."""
    suffix: ClassVar[str]
    """What the names of such files end in."""
    summary: ClassVar[str]
    """One line for the catalogue: the language and who reads it."""
    has_encoding: ClassVar[bool] = False
    """Whether it is made of clauses, so that the choice of an encoding matters."""

    @abstractmethod
    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:
        """The file, in pieces to be written one after the other.

        The same board gives the same bytes. Everything that can be wrong with the arguments is
        raised here and not by the first piece.
        """
