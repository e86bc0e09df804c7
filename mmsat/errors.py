"""The exceptions of mmsat, by who can fix the cause.

MmsatError (ValueError)     the input, a limit or the installation has to change
├── InputError              a board, a file or an option is invalid; lists every Fault
│   └── PluginError         a plug-in gave a wrong answer
├── InconsistentError       a code is needed, but no code gets the scores
├── SizeError               the job is too large for the requested method
├── TimeLimitError          the time limit passed before the job was finished
├── MissingError            an optional dependency is not installed
├── LibraryError            a solver's library failed, or cannot be loaded
└── DiedError               a solver's process ended before it had an answer
InternalError (RuntimeError)  mmsat contradicts itself; please report it

InternalError is not a MmsatError on purpose: `except mmsat.MmsatError` must not hide a bug.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from reprlib import Repr
from typing import NamedTuple

from mmsat._util.text import duration, join_words

LIBRARIES = ("ortools", "pysat", "pyganak", "pyapproxmc")
"""The top-level packages of the solver libraries."""
MEMORY_ERROR_ENDINGS = (
    "std::bad_alloc",
    "failed to map segment from shared object",
    "Resource temporarily unavailable",
    "can't start new thread",
    "error return without exception set",
    "returned NULL without setting an exception",
)
"""Endings of the error messages of solver libraries, of the dynamic loader, of thread creation and
of CPython if memory runs out. CPython prints the last two if it cannot allocate an exception."""
MAX_FOUND_CHARACTERS = 120
"""Maximum length of the description of a value in a message; longer descriptions are cut."""
MAX_SEPARATE_FAULTS = 3
"""Maximum number of faults of one kind that are printed in separate lines."""
MAX_PRINTED_FAULTS = 100
"""Maximum number of faults listed in a message; the attribute `faults` has all of them."""


class FoundRepr(Repr):
    """Repr of objects for messages; its cost for large containers is bounded."""

    def __init__(self) -> None:
        super().__init__()
        self.maxtuple = self.maxlist = self.maxdict = MAX_FOUND_CHARACTERS
        self.maxset = self.maxfrozenset = self.maxdeque = MAX_FOUND_CHARACTERS
        self.maxlong = MAX_FOUND_CHARACTERS

    def repr_str(self, x: str, level: int) -> str:  # noqa: ARG002
        """Return the repr of the beginning of a string."""
        return repr(x[:MAX_FOUND_CHARACTERS])

    def repr_instance(self, x: object, level: int) -> str:  # noqa: ARG002
        """Return the repr of an object of any other class in one line."""
        return re.sub(r"\n\s*", " ", repr(x))


FOUND_REPR = FoundRepr()


class Description(str):
    """Words that describe a wrong value, which messages print without quotation marks.

    If they contain unprintable characters, which can come from names in the input, they are quoted
    and escaped.
    """

    __slots__ = ()


def describe_found(found: object) -> str:
    """Describe any object in a message, even one whose methods raise exceptions."""
    if found is None or (type(found) is str and not found):
        return "nothing"
    try:
        is_description = isinstance(found, Description) and found.isprintable()
        text = str(found) if is_description else FOUND_REPR.repr(found)
    except Exception:  # noqa: BLE001  (the object can be of any class)
        text = f"an object of the class {type(found).__name__}"
    if len(text) > MAX_FOUND_CHARACTERS:
        text = f"{text[: MAX_FOUND_CHARACTERS - 4]} ..."
    return text


def found_argument(value: object) -> object:
    """Return an argument of a call as the `found` of a fault.

    The argument None becomes the word "None", because `found=None` means that a value is missing.
    """
    return Description("None") if value is None else value


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with an input, and how to fix it."""

    rule: str
    """The rule that is broken."""
    found: object
    """The wrong value or text; None if a value is missing."""
    expected: str
    """What to write instead."""
    line: int | None = None
    """The line, from 1; None if the input has no lines."""
    column: int | None = None
    """The column of the first wrong character, from 1."""
    part: str = ""
    """The name of the wrong part of the input: an argument, an option, a row; may be empty."""

    @property
    def place(self) -> str:
        """The position as text, such as `line 2, column 5`; empty if it is not known."""
        numbers = (("line", self.line), ("column", self.column))
        places = [f"{name} {number}" for name, number in numbers if number is not None]
        return ", ".join(filter(None, [*places, self.part]))

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        return f"expected {self.expected}, found {describe_found(self.found)}{rule}"


class MessageFault(Fault):
    """A fault whose rule is the whole message, such as a wrong combination of options."""

    def __str__(self) -> str:
        return self.rule


class Place(NamedTuple):
    """The position at which a piece of text starts: line and column, from 1."""

    line: int
    column: int

    def fault(self, rule: str, found: object, expected: str, offset: int = 0) -> Fault:
        """Return a fault at `offset` characters after this position, in the same line."""
        return Fault(rule, found, expected, self.line, self.column + offset)


BOARD_SOURCE = "the board"
"""The source of errors in a board whose file or argument is not known."""


class MmsatError(ValueError):
    """Base class of the errors caused by the input, a limit or the environment."""


class InputError(MmsatError):
    """The input is invalid; `faults` lists all its faults.

    Parameters
    ----------
    faults : iterable of Fault
        The faults. They are sorted in reading order.
    source : str, default "the board"
        The text or the argument with the faults.
    """

    def __init__(self, faults: Iterable[Fault], source: str = BOARD_SOURCE) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.line or 0, fault.column or 0)))
        self.source = source
        super().__init__(self.faults, source)

    @classmethod
    def of(cls, source: str, expected: str, found: object = None, rule: str = "") -> InputError:
        """Make an error with one fault that has no line.

        Parameters
        ----------
        source : str
            The text or the argument with the fault.
        expected : str
            What to write instead.
        found : object, optional
            The wrong value; None if a value is missing.
        rule : str, default ""
            The rule that is broken.

        Returns
        -------
        InputError
            The error; it is not raised.
        """
        return cls([Fault(rule, found, expected)], source)

    @classmethod
    def refuse(cls, faults: Collection[Fault], source: str = BOARD_SOURCE) -> None:
        """Raise an error with the given faults; do nothing if there are none.

        Parameters
        ----------
        faults : collection of Fault
            The faults.
        source : str, default "the board"
            The text or the argument with the faults.

        Raises
        ------
        InputError
            If there is a fault.
        """
        if faults:
            raise cls(faults, source)

    def __str__(self) -> str:
        """One line per fault: `board.txt, line 2, column 5: expected ..., found ...`.

        A fault that is repeated in many lines is printed once, with the numbers of the other lines.
        """
        groups = [*self._groups()]
        lines = []
        for fault, *others in groups[:MAX_PRINTED_FAULTS]:
            place = ", ".join(filter(None, (self.source, fault.place)))
            lines.append(f"{place}: {fault}" if place else str(fault))
            if others:
                places = [f"line {other.line}" for other in others]
                lines[-1] += f"; the same fault in {join_words(places[:MAX_PRINTED_FAULTS])}"
                if len(places) > MAX_PRINTED_FAULTS:
                    lines[-1] += f" and {len(places) - MAX_PRINTED_FAULTS:,} other lines"
        num_omitted = sum(map(len, groups[MAX_PRINTED_FAULTS:]))
        if num_omitted:
            lines.append(f"{self.source}: and {num_omitted:,} more faults")
        return "\n".join(lines)

    def _groups(self) -> Iterator[list[Fault]]:
        """Yield groups of faults that are printed together.

        A fault that is repeated in many lines is in one group with its repetitions. Every other
        fault is alone in its group.
        """
        kinds: dict[tuple[str, str], dict[int | None, Fault]] = {}
        for fault in self.faults:
            # one fault for each line
            kinds.setdefault((fault.rule, fault.expected), {}).setdefault(fault.line, fault)
        for fault in self.faults:
            by_line = kinds[fault.rule, fault.expected]
            is_first_in_line = fault is by_line[fault.line]
            if fault.line is None or not is_first_in_line or len(by_line) <= MAX_SEPARATE_FAULTS:
                yield [fault]
            elif fault is next(iter(by_line.values())):
                yield [*by_line.values()]


@contextmanager
def source_as(name: str) -> Iterator[None]:
    """Replace the source `BOARD_SOURCE` of errors that are raised in the context by `name`."""
    try:
        yield
    except InputError as error:
        if error.source != BOARD_SOURCE:  # a more precise source, such as a word list
            raise
        raise InputError(error.faults, name) from None


class PluginError(InputError):
    """A plug-in, such as a strategy, an engine or an encoding of your own, gave a wrong answer."""

    @classmethod
    def about(cls, plugin: str, message: object) -> PluginError:
        """Make the error about a plug-in, such as `engine package.module:Class`."""
        return cls([MessageFault(f"The {plugin} is wrong: {message}", plugin, "")], "")


class InconsistentError(MmsatError):
    """A code is needed, but no code gets the scores of the board."""


class SizeError(MmsatError):
    """The job is too large for the requested method; the message may name another one."""

    limit: tuple[str, str, str] | None = None
    """The job, the allowed size and the actual size; None if the error is not about a limit."""

    @classmethod
    def of(cls, work: str, expected: str, found: str, advice: str = "") -> SizeError:
        """Make an error about a size above a limit.

        Parameters
        ----------
        work : str
            The job.
        expected : str
            The allowed size.
        found : str
            The actual size.
        advice : str, default ""
            What to do instead. It ends the message.

        Returns
        -------
        SizeError
            The error; it is not raised.
        """
        ending = f"; {advice}" if advice else ""
        error = cls(f"{work}: expected {expected}, found {found}{ending}")
        error.limit = work, expected, found
        return error


class TimeLimitError(MmsatError):
    """The time limit passed before the job was finished.

    Parameters
    ----------
    work : str
        The job.
    seconds : float or None
        The limit; None if it is unknown.
    advice : str, default ""
        What to do instead. It ends the message.
    """

    def __init__(self, work: str, seconds: float | None, advice: str = "") -> None:
        super().__init__(work, seconds, advice)
        self.work, self.seconds, self.advice = work, seconds, advice

    def __str__(self) -> str:
        within = "in time" if self.seconds is None else f"within {duration(self.seconds)}"
        ending = f"; {self.advice}" if self.advice else ""
        return f"{self.work}: not finished {within}{ending}"


class MissingError(MmsatError):
    """An optional dependency is not installed; the message has the command that installs it."""


@contextmanager
def requiring_extra(message: str) -> Iterator[None]:
    """Raise MissingError with the message if a module that the body imports is not installed.

    Other errors of an import are not caught: a library that cannot be loaded, for example because
    memory is short, is not missing.
    """
    try:
        yield
    except ModuleNotFoundError:
        raise MissingError(message) from None


class LibraryError(MmsatError):
    """A solver's library failed, or cannot be loaded; the message names the library."""


class DiedError(MmsatError):
    """A solver's process ended before it had an answer."""


RECOVERABLE_ERRORS = SizeError, MissingError, LibraryError, DiedError, MemoryError
"""Exceptions of one method after which another method may still succeed."""


class GameWarning(UserWarning):
    """The text does not name its game; the warning names the assumed one."""


class ColorNamesWarning(GameWarning):
    """Colors were read by alternative names."""

    def __init__(self, message: str, colors: dict[str, int]) -> None:
        """Create the warning; `colors` maps each name to its color, counted from 0."""
        super().__init__(message)
        self.colors = colors


class WordListWarning(UserWarning):
    """Some words of a list do not fit the game and are omitted."""


class ColumnWarning(UserWarning):
    """Columns of a log are not used, although one of them may distinguish its games."""


class InternalError(RuntimeError):
    """Two parts of mmsat contradict each other. This is a bug; please report it with the board."""


def convert_library_error(error: Exception) -> Exception:
    """Return the exception to report for an exception during the work with solver libraries.

    - MemoryError if the message means that memory ran out
    - LibraryError for any other exception of a library, or any other ImportError; the original
      exceptions cannot always be pickled
    - the exception itself in all other cases
    """
    if isinstance(error, (MmsatError, MemoryError)):
        return error
    if str(error).rstrip().endswith(MEMORY_ERROR_ENDINGS):
        return MemoryError()
    description = f"{type(error).__name__}: {error}"
    if isinstance(error, ImportError):
        return LibraryError(f"a library cannot be loaded: {description}")
    # an exception whose traceback passes through a library is an exception of that library
    trace = error.__traceback__
    while trace is not None:
        library = trace.tb_frame.f_globals.get("__name__", "").partition(".")[0]
        if library in LIBRARIES:
            return LibraryError(f"the library {library} failed: {description}; try another engine")
        trace = trace.tb_next
    return error
