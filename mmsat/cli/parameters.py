"""The parameter types of options and arguments; each raises InputError for invalid values."""

from __future__ import annotations

import math
import os
import re
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar

import click

from mmsat._util.arguments import MAX_TIMEOUT_SECONDS
from mmsat._util.registry import require_name
from mmsat._util.text import join_words, whole_range
from mmsat.errors import InputError, MessageFault

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from click.shell_completion import CompletionItem

T = TypeVar("T")


def parameter_name(param: click.Parameter | None) -> str:
    """Return the name of a parameter in errors, such as `--timeout` or `BOARD`."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    name = "the arguments" if param is None else (param.metavar or param.name or "").upper()
    return name.strip("[].")  # brackets of optional arguments, dots of repeated ones


def refuse(source: str, expected: str, found: object = None, rule: str = "") -> NoReturn:
    """Raise InputError with one fault of the options or arguments."""
    raise InputError.of(source, expected, found, rule)


def misuse(message: str) -> NoReturn:
    """Raise InputError with a message, which states the mistake and then the remedy."""
    raise InputError([MessageFault(message, None, "")], "")


def refuse_with(option: str, others: Iterable[str], advice: str = "") -> None:
    """Raise InputError if an option is combined with others that exclude it.

    - `option`: an option on the command line, or words for one, such as `Several boards`.
    - `others`: the options on the command line that exclude it; may be empty.
    - `advice`: a sentence with the reason or the remedy.
    """
    if names := [*others]:
        misuse(f"{option} cannot be combined with {join_words(names, 'or')}. {advice}".rstrip())


class Value(click.ParamType[T], Generic[T]):
    """Base class of parameter types."""

    expected = "a value"
    """The accepted values, for errors."""

    def refuse(self, value: object, param: click.Parameter | None, rule: str = "") -> NoReturn:
        """Raise InputError for an invalid value."""
        refuse(parameter_name(param), self.expected, value, rule)


class Origin(Value[str]):
    """The origin of web pages, or "*" for every origin."""

    name = "ORIGIN"
    expected = "an origin such as https://example.org, or * for every site"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the origin without a trailing slash."""
        if not re.fullmatch(r"\*|https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?", value):
            self.refuse(value, param)
        return str(value).rstrip("/")


class Number(Value[int]):
    """A whole number from `low` to `high` (None: without a maximum)."""

    name = "N"

    def __init__(self, low: int = 0, high: int | None = None) -> None:
        self.low, self.high = low, high
        self.expected = whole_range(low, high)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        number = int(value) if re.fullmatch(r"[+-]?[0-9]{1,18}", str(value)) else self.low - 1
        if number < self.low or (self.high is not None and number > self.high):
            self.refuse(value, param)
        return number


class Real(Value[float]):
    """A real number that satisfies a condition."""

    def allows(self, number: float) -> bool:
        """Return whether a number, which may be NaN, is valid."""
        raise NotImplementedError

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not self.allows(number):
            self.refuse(value, param)
        return number


class Seconds(Real):
    """A time in seconds."""

    name = "seconds"
    expected = "seconds, such as 0, 0.5 or 60"

    def allows(self, number: float) -> bool:
        return 0 <= number <= MAX_TIMEOUT_SECONDS


class Share(Real):
    """A fraction from 0 to 1."""

    name = "fraction"
    expected = "a fraction from 0 to 1, such as 0.1"

    def allows(self, number: float) -> bool:
        return 0 <= number <= 1


class Memory(Value[int]):
    """An amount of memory, in bytes."""

    name = "size"
    expected = "a size, such as 500M or 4G"
    units: ClassVar = {"M": 20, "G": 30}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"([0-9]{1,6}) ?([MG])(i?B)?", value.strip())
        if not match or int(match[1]) == 0:
            self.refuse(value, param)
        return int(match[1]) << self.units[match[2]]


class Choice(click.Choice[str]):
    """One of a few words, which the help lists."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word."""
        if value not in self.choices:
            refuse(parameter_name(param), " or ".join(map(str, self.choices)), value)
        return str(value)


class Name(Value[str]):
    """A name in a registry, with completion in the shell."""

    def __init__(
        self, kind: str, names: Callable[[], Iterable[str]], registry: Container[object] = ()
    ) -> None:
        """Create the type.

        - `kind`: describes a name in messages and in the help.
        - `names`: returns the accepted names.
        - `registry`: contains further accepted names, which are not listed, such as plug-ins.
        """
        self.name = kind
        self.names = names
        self.registry = registry

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; if it is unknown, raise InputError that lists similar names, or all."""
        source = parameter_name(param) if isinstance(param, click.Option) else ""
        if value not in self.registry:
            require_name(self.name, value, sorted(self.names()), source)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that start with `incomplete`."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names() if name.startswith(incomplete)]


class File(Value[T]):
    """The name of a file, with completion in the shell."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return an item that makes the shell complete file names itself."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class OutputFile(File[str]):
    """The name of a file to write, in an existing folder."""

    def __init__(self, endings: tuple[str, ...] = ()) -> None:
        """Create the type; file names have to end in one of `endings`, if there are any."""
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; raise InputError if no such file can be written."""
        path = str(value)
        folder = os.path.dirname(path) or "."
        if os.path.isdir(path) or "\0" in path or not path:
            refuse(
                parameter_name(param), "the name of a file", path, "a folder" * os.path.isdir(path)
            )
        if not os.path.isdir(folder):
            refuse(parameter_name(param), "a file in a folder that exists", path)
        if not os.path.exists(path) and not os.access(folder, os.W_OK):
            refuse(parameter_name(param), "a file in a folder that can be written", path)
        if not path.endswith(self.endings or ""):
            kind = f"a name that ends in {join_words(self.endings, 'or')}"
            expected = f"{kind}, such as {ctx.info_name}{self.endings[0]}" if ctx else kind
            refuse(parameter_name(param), expected, path)
        return path


class OutputFolder(OutputFile):
    """The name of a folder to write files to; commands create it if it does not exist."""

    name = "dir"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; raise InputError if it is the name of a file."""
        if os.path.exists(value) and not os.path.isdir(value):
            refuse(parameter_name(param), "the name of a folder", value, "a file")
        return str(value)


class NewFolder(OutputFolder):
    """The name of a folder that does not exist or is empty, in a folder that exists."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; raise InputError if the folder has files or cannot be created."""
        path = super().convert(value, param, ctx)
        if os.path.isdir(path) and os.listdir(path):
            refuse(parameter_name(param), "a new or an empty folder", path, "it is not empty")
        if not os.path.isdir(path):
            OutputFile().convert(os.path.normpath(path), param, ctx)
        return path


class OutputPath(OutputFile):
    """The name of a file, or of a folder; see `is_folder`."""

    name = "file|dir"

    def __init__(self, folder: OutputFolder) -> None:
        """Create the type; `folder` checks the names of folders."""
        super().__init__()
        self.folder = folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, checked as a file or as a folder."""
        kind = self.folder if is_folder(str(value)) else OutputFile()
        return kind.convert(value, param, ctx)


def is_folder(path: str) -> bool:
    """Return whether an output path is a folder.

    A path that does not exist is a folder if it ends in a slash or has no extension. `-` is a file.
    """
    if os.path.exists(path) or path == "-":
        return os.path.isdir(path)
    return path.endswith("/") or not os.path.splitext(path)[1]


class EngineSpec(Name):
    """An engine: its name, possibly with settings, such as `sat:SOLVER:ENCODING`."""

    def __init__(self) -> None:
        super().__init__("engine", engine_specs)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the spec; if it is unknown, raise InputError that lists the engines."""
        from mmsat.solving import find_engine

        find_engine(value)
        return str(value)


def engine_specs() -> list[str]:
    """Return all specs: the engines, and SAT with each solver and each of its encodings."""
    from mmsat.encoding import ENCODINGS
    from mmsat.solving import ENGINES, SPECIAL
    from mmsat.solving.sat import NATIVE_SOLVERS, solver_names

    solvers = solver_names()
    return [
        *ENGINES,
        *SPECIAL,
        *(f"sat:{solver}" for solver in solvers),
        *(
            f"sat:{solver}:{name}"
            for solver in solvers
            for name, encoding in ENCODINGS.items()
            if not encoding.is_native or solver in NATIVE_SOLVERS
        ),
    ]
