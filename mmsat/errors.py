"""What can go wrong, told apart by whose move it is.

MmsatError (ValueError)     something to mend outside mmsat
├── InputError              a board, a file or an option breaks its notation; lists every Fault
├── InconsistentError       a code is needed, and no code gets the scores
├── SizeError               the job is too large for the method that was asked for
└── MissingError            an optional part is not installed
InternalError (RuntimeError)  mmsat contradicts itself; please report it
"""

from collections.abc import Iterable
from typing import NamedTuple

from mmsat.frozen import frozen


@frozen
class Fault:
    """One thing that is wrong with an input, and how to mend it."""

    rule: str
    """The rule that is broken."""
    got: object
    """What stands there instead."""
    write: str
    """What to write."""
    line: int | None = None
    """Where it stands, counted from 1; None when the input has no lines."""
    column: int | None = None
    """Where in the line it starts, counted from 1."""

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}: " if self.line is not None else ""
        got = f"; got {self.got!r}" if self.got is not None else ""
        return f"{place}{self.rule}{got}; write {self.write}"


class Place(NamedTuple):
    """Where a piece of text starts: line and column, from 1."""

    line: int
    column: int

    def fault(self, rule: str, got: object, write: str, offset: int = 0) -> Fault:
        """A fault so many characters further on in the line."""
        return Fault(rule, got, write, self.line, self.column + offset)


class MmsatError(ValueError):
    """The base of every error that a user can mend."""


class InputError(MmsatError):
    """An input that cannot be read, with everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault], source: str = "the board") -> None:
        """Keep the faults in reading order."""
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.line or 0, fault.column or 0)))
        self.source = source
        super().__init__(self.faults, source)

    def __str__(self) -> str:
        many = len(self.faults) != 1
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        return f"{len(self.faults)} fault{'s' * many} in {self.source}:\n{lines}"


class InconsistentError(MmsatError):
    """A code is needed, and no code gets the scores of the board; the message tells more."""


class SizeError(MmsatError):
    """The job is too large for the method that was asked for; the message names another."""


class MissingError(MmsatError):
    """An optional part is not installed; the message tells how to get it."""


class InternalError(RuntimeError):
    """Two parts of mmsat contradict each other: a bug, please report it with the board line."""
