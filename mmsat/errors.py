"""What can go wrong, told apart by whose move it is.

MmsatError (ValueError)     something to mend outside mmsat
├── InputError              a board, a file or an option breaks its notation; lists every Fault
├── InconsistentError       a code is needed, and no code gets the scores
├── SizeError               the job is too large for the method that was asked for
├── MissingError            an optional part is not installed
├── LibraryError            a solver's library failed, or cannot be loaded
└── DiedError               a solver's process ended before it had an answer
InternalError (RuntimeError)  mmsat contradicts itself; please report it
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from mmsat.frozen import frozen

LIBRARIES = ("ortools", "pysat", "pyganak", "pyapproxmc")
"""The libraries of solvers."""
NO_MEMORY = (
    "std::bad_alloc",
    "failed to map segment from shared object",
    "Resource temporarily unavailable",
    "can't start new thread",
    "error return without exception set",
    "returned NULL without setting an exception",
)
"""How they say that there is none; how the system does as it loads one, or has no room for the
stack of a thread; and Python, where it lost what it wanted to say."""
SHOWN = 120
"""Characters of what was found that an error shows at most."""
TOLD = 100
"""Faults that an error tells in words at most; its `faults` are all."""


@frozen
class Fault:
    """One thing that is wrong with an input, and how to mend it."""

    rule: str
    """The rule that is broken."""
    found: object
    """What stands there; None for nothing."""
    expected: str
    """What should stand there."""
    line: int | None = None
    """Where it stands, counted from 1; None when the input has no lines."""
    column: int | None = None
    """Where in the line it starts, counted from 1."""
    part: str = ""
    """What of the input is wrong, where that has a name: an argument, an option, a row."""

    @property
    def place(self) -> str:
        """Where it is wrong: `line 2, column 5`; empty where that is not known."""
        numbers = (("line", self.line), ("column", self.column))
        places = [f"{name} {number}" for name, number in numbers if number is not None]
        return ", ".join(places + [self.part] * bool(self.part))

    def __str__(self) -> str:
        found = "nothing" if self.found in (None, "") else repr(self.found)
        if len(found) > SHOWN:
            found = f"{found[: SHOWN - 4]} ..."
        rule = f" ({self.rule})" if self.rule else ""
        return f"expected {self.expected}, found {found}{rule}"


class Place(NamedTuple):
    """Where a piece of text starts: line and column, from 1."""

    line: int
    column: int

    def fault(self, rule: str, found: object, expected: str, offset: int = 0) -> Fault:
        """A fault so many characters further on in the line."""
        return Fault(rule, found, expected, self.line, self.column + offset)


class MmsatError(ValueError):
    """The base of every error that a user can mend."""


class InputError(MmsatError):
    """An input that cannot be read, with everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault], source: str = "the board") -> None:
        """Keep the faults in reading order."""
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.line or 0, fault.column or 0)))
        self.source = source
        super().__init__(self.faults, source)

    @classmethod
    def of(cls, source: str, expected: str, found: object = None, rule: str = "") -> InputError:
        """The error of one fault, which has no line; its parts are as in Fault."""
        return cls([Fault(rule, found, expected)], source)

    @classmethod
    def refuse(cls, faults: Collection[Fault], source: str = "the board") -> None:
        """Raise the error of these faults, if there are any."""
        if faults:
            raise cls(faults, source)

    def __str__(self) -> str:
        """A line for each fault: `board.txt, line 2, column 5: expected ..., found ...`."""
        told = [
            f"{', '.join(filter(None, (self.source, fault.place)))}: {fault}"
            for fault in self.faults[:TOLD]
        ]
        more = len(self.faults) - len(told)
        return "\n".join(told + [f"{self.source}: faults beyond these: {more:,}"] * bool(more))


class InconsistentError(MmsatError):
    """A code is needed, and no code gets the scores of the board; the message tells more."""


class SizeError(MmsatError):
    """The job is too large for the method that was asked for; the message may name another."""

    limit: tuple[str, str, str] | None = None
    """The work, the size that it needs, and the size that was found, if there is a limit."""

    @classmethod
    def of(cls, work: str, expected: str, found: str, advice: str = "") -> SizeError:
        """Return the error of a size above the limit of some work.

        `advice` names another command, for the command line.
        """
        error = cls(f"{work}: expected {expected}, found {found}{advice and '; '}{advice}")
        error.limit = work, expected, found
        return error


class MissingError(MmsatError):
    """An optional part is not installed; the message tells how to get it."""


class LibraryError(MmsatError):
    """A solver's library failed, or cannot be loaded; the message says which, and with what."""


class DiedError(MmsatError):
    """A solver's process ended before it had an answer."""


GIVEN_UP = SizeError, MissingError, LibraryError, DiedError, MemoryError
"""What ends one way to an answer, where another may still lead there."""


class GameWarning(UserWarning):
    """A text names no game, and the one that is told was assumed."""


class InternalError(RuntimeError):
    """Two parts of mmsat contradict each other: a bug, please report it with the board line."""


def name_library(error: Exception) -> Exception:
    """The error of a solver's library as a LibraryError, which crosses processes; others as is.

    Where it says in its own words that there is no memory, a MemoryError.
    """
    if isinstance(error, (MmsatError, MemoryError)):
        return error
    if str(error).rstrip().endswith(NO_MEMORY):
        return MemoryError()
    told = f"{type(error).__name__}: {error}"
    if isinstance(error, ImportError):
        return LibraryError(f"a library cannot be loaded: {told}")
    trace = error.__traceback__
    while trace is not None:
        library = trace.tb_frame.f_globals.get("__name__", "").partition(".")[0]
        if library in LIBRARIES:
            return LibraryError(f"the library {library} failed: {told}; try another engine")
        trace = trace.tb_next
    return error
