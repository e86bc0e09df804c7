"""Parameter types of options and arguments: values, boards and files.

A board is a board line, a file, `-`, or a name in the library of `mmsat instances`. A file may also
be a game that was saved in `mmsat play`.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar
from warnings import catch_warnings, warn

import click

from mmsat._util.arguments import MAX_TIMEOUT_SECONDS
from mmsat._util.files import decode, is_folder, read_at_most
from mmsat._util.registry import require_name
from mmsat._util.text import PERCENT_UNITS, join_words, read_number, whole_range
from mmsat.cli.output import CURRENT_BOARD, doubts, say
from mmsat.errors import Description, GameWarning, InputError, MessageFault, source_as
from mmsat.game.board import Board
from mmsat.game.names import is_game, nearest_games
from mmsat.limits import LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping
    from fractions import Fraction

    from click.shell_completion import CompletionItem


T = TypeVar("T")
MAX_NUMBER = 10**18 - 1
"""Maximum of whole numbers for which no other maximum is given."""
MAX_MEMORY_BYTES = 1 << 50
ARGUMENTS = "the arguments"
"""The source of errors about several arguments, and about files given without an option."""


def parameter_name(param: click.Parameter | None) -> str:
    """Return the name of a parameter in errors, such as `--timeout` or `BOARD`."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    name = ARGUMENTS if param is None else (param.metavar or param.name or "").upper()
    return name.strip("[].")  # brackets of optional arguments, dots of repeated ones


def refuse(source: str, expected: str, found: object = None, rule: str = "") -> NoReturn:
    """Raise InputError with one fault of the options or arguments."""
    raise InputError.of(source, expected, found, rule)


def misuse(message: str) -> NoReturn:
    """Raise InputError with a message, which states the mistake and then the remedy."""
    raise InputError([MessageFault(message, None, "")], "")


def refuse_combination(option: str, others: Iterable[str], advice: str) -> None:
    """Raise InputError if an option is combined with others that exclude it.

    - `option`: an option on the command line, or words for one, such as `Several boards`.
    - `others`: the options on the command line that exclude it; may be empty.
    - `advice`: the remedy: an option or a command that does it, or the reason why none does.
    """
    if names := [*others]:
        misuse(f"{option} cannot be combined with {join_words(names, 'or')}. {advice}")


class Value(click.ParamType[T], Generic[T]):
    """Base class of parameter types."""

    expected = "a value"
    """The accepted values, for errors."""

    def refuse(self, value: object, param: click.Parameter | None, rule: str = "") -> NoReturn:
        """Raise InputError for an invalid value."""
        refuse(parameter_name(param), self.expected, value, rule)


class Quantity(Value[T]):
    """A number, possibly with a unit; `read_number` defines how it is written."""

    units: ClassVar[Mapping[str, float]] = {"": 1}
    """The size of each unit in lower case; "" if a unit can be missing."""
    kind: Callable[[Any], T]
    """The type of the value."""
    has_separators = False
    """Whether digits may be grouped, as in 1,000."""

    def allows(self, number: Fraction) -> bool:
        """Return whether a number is valid."""
        raise NotImplementedError

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Return the number, as a multiple of the unit of size 1."""
        if not isinstance(value, str):  # a default
            return self.kind(value)
        number = read_number(value, self.units, has_separators=self.has_separators)
        if number is None or not self.allows(number):
            self.refuse(value, param)
        return self.kind(number)


class Number(Quantity[int]):
    """A whole number from `low` to `high` (None: without a maximum)."""

    name = "N"
    kind = int
    has_separators = True

    def __init__(self, low: int = 0, high: int | None = None) -> None:
        self.low, self.high = low, high
        self.expected = whole_range(low, MAX_NUMBER if high is None else high)

    def allows(self, number: Fraction) -> bool:
        high = MAX_NUMBER if self.high is None else self.high
        return number.denominator == 1 and self.low <= number <= high


class Seconds(Quantity[float]):
    """A time in seconds."""

    name = "seconds"
    kind = float
    expected = "seconds, such as 0, 0.5 or 60"
    units: ClassVar = {"": 1, "ms": 0.001, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600}

    def allows(self, number: Fraction) -> bool:
        return 0 <= number <= MAX_TIMEOUT_SECONDS


class Share(Quantity[float]):
    """A fraction from 0 to 1."""

    name = "fraction"
    kind = float
    expected = "a fraction from 0 to 1, such as 0.1 or 10%"
    units = PERCENT_UNITS

    def allows(self, number: Fraction) -> bool:
        return 0 <= number <= 1


class Memory(Quantity[int]):
    """An amount of memory, in bytes."""

    name = "size"
    kind = int
    expected = "a size, such as 500M or 4G"
    units: ClassVar = {
        f"{letter}{ending}": 1 << bits
        for letter, bits in (("m", 20), ("g", 30))
        for ending in ("", "b", "ib")
    }

    def allows(self, number: Fraction) -> bool:
        return 1 <= number <= MAX_MEMORY_BYTES


class Choice(click.Choice[str]):
    """One of a few words, which the help lists; capitals are ignored."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word."""
        if value.lower() not in self.choices:
            refuse(parameter_name(param), " or ".join(map(str, self.choices)), value)
        return str(value.lower())


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
        # The message about an argument begins with its kind: "No such family 'x'".
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
            rule = "a folder" if os.path.isdir(path) else ""
            refuse(parameter_name(param), "the name of a file", path, rule)
        if not os.path.isdir(folder):
            refuse(parameter_name(param), "a file in a folder that exists", path)
        if not os.path.exists(path) and not os.access(folder, os.W_OK):
            refuse(parameter_name(param), "a file in a folder that can be written", path)
        if not path.endswith(self.endings or ""):
            kind = f"a name that ends in {join_words(self.endings, 'or')}"
            expected = f"{kind}, such as {ctx.info_name}{self.endings[0]}" if ctx else kind
            refuse(parameter_name(param), expected, path)
        return path


class OutputFolder(File[str]):
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
    """The name of a file, or of a folder if it is one, ends in a slash, or has no extension."""

    name = "file|dir"

    def __init__(self, folder: OutputFolder) -> None:
        """Create the type; `folder` checks the names of folders."""
        super().__init__()
        self.folder = folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, checked as a file or as a folder."""
        if is_folder(str(value)):
            return self.folder.convert(value, param, ctx)
        return super().convert(value, param, ctx)


MAX_PROOF_BYTES = 1 << 32
"""Maximum size of a proof file, in bytes."""
STANDARD_INPUT = "standard input"
"""The name of standard input in messages, and the key in `ctx.meta` of the parameter that reads
it."""
BOARD_LINE = "a board line such as 4x6/1122=1.1"
COMMENT_STARTS = ("c ", "* ", "\\ ", "% ", "; ")
"""The first characters of files that `mmsat encode` writes, which start with a comment."""
HEADING_OF_GAME = r"(?i)(game|round|board|puzzle)\s*[#:]?\s*[0-9]+\b"
"""The beginning of a line between the games of a log, such as `Game 2`."""
NOT_A_BOARD = "neither a board nor a file, nor a name that `mmsat games` or `mmsat instances` lists"


class TextFile(File[str]):
    """A text file, or `-` for standard input; the value is its text."""

    expected = "a file, or - for standard input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read the file; raise InputError if it cannot be read."""
        self.claim_standard_input(value, param, ctx)
        return read(value, param)

    def claim_standard_input(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> None:
        """Raise InputError if another parameter reads standard input as well."""
        if value == "-" and ctx is not None and ctx.meta.setdefault(STANDARD_INPUT, param) != param:
            option = parameter_name(param)
            misuse(f"{option}: standard input can be read only once. Give a file instead.")


class ProofFile(TextFile):
    """A proof file, or `-` for standard input; the value is the name and the bytes."""

    name = "proof"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the file without decoding it, because proofs can be binary."""
        if isinstance(value, tuple):  # already converted
            return value
        from mmsat.proof.bundle import KIND, VERIPB_START

        self.claim_standard_input(value, param, ctx)
        starts = KIND.encode(), VERIPB_START.encode()
        data = read_bytes(value, "a proof file", MAX_PROOF_BYTES, starts, param)
        return name_of(value), data


class BoardSource(TextFile):
    """A board line, a file, `-` for standard input, or a name; the value is the Board."""

    name = "board"
    expected = f"{BOARD_LINE}, a file, or - for standard input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the board; raise InputError with every fault and the name of the source."""
        self.claim_standard_input(value, param, ctx)
        board = read_board(value, param)
        if ctx is not None:
            ctx.meta[CURRENT_BOARD] = board
        return board


def data_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines with their numbers from 1, except blank lines and comments."""
    stripped = ((number, line.strip()) for number, line in enumerate(text.split("\n"), 1))
    return [(number, line) for number, line in stripped if line and not line.startswith("#")]


def is_board_list(lines: list[tuple[int, str]]) -> bool:
    """Return whether a file has one board per line, by its first two lines.

    Both have to start with a game, or to be a JSON document. In a file with one board, the second
    line is a row, or is inside a JSON document.
    """
    return len(lines) > 1 and all(
        is_game(line.partition("/")[0].strip()) or (line[0] == "{" and line[-1] == "}")
        for _, line in lines[:2]
    )


def refuse_non_board(text: str, source: str) -> None:
    """Raise InputError if a text is the definition of a game, or the index of a suite."""
    if source.endswith(".toml") and re.search(
        r"^(pegs|colors|symbols|words)\s*=", text, re.MULTILINE
    ):
        rule = f"write game:{source}, as in game:{source}/GUESS=SCORE"
        raise InputError.of(source, "a board", Description("the definition of a game"), rule)
    columns = text.partition("\n")[0].split(",")
    if columns[0] == "name" and columns[-1] == "board":
        description = Description("the index of a suite")
        rule = (
            f"column {len(columns)} has the boards: copy it, without its head, to a file with one "
            "board per line"
        )
        raise InputError.of(source, "a board", description, rule)


def board_of_line(line: str) -> str:
    """Return the text of the board in a line, which may be a JSON document with a key `board`.

    `mmsat generate --count` prints such documents.
    """
    import json

    with suppress(ValueError, RecursionError):
        document = json.loads(line)
        if isinstance(document, dict) and isinstance(document.get("board"), str):
            return str(document["board"])
    return line


def read_board(value: str, param: click.Parameter | None = None) -> Board:
    """Read a board from an argument: a board line, a file, `-`, or a name in the library."""
    text = read_board_text(value, param)
    if is_board_list(lines := data_lines(text)):
        description = Description(f"{len(lines):,} boards, one per line")
        raise InputError.of(
            name_of(value), "one board", description, "mmsat check reads several boards"
        )
    return parse_argument(value, text)


def read_board_text(value: str, param: click.Parameter | None = None) -> str:
    """Return the text of a file, of standard input for `-`, or of a board of the library.

    An existing file is read, whatever its name. If `value` is itself a board, returns "".
    """
    if is_board_text(value):
        return ""
    if not os.path.exists(value):
        from mmsat.game.library import families, find

        if value.partition("/")[0] in families():
            return find(value).text
    text = read(value, param, is_board=True)
    refuse_non_board(text, name_of(value))
    if text.startswith(COMMENT_STARTS):
        from mmsat.solving.encode import encoded_board

        return encoded_board(text) or text
    return text


def parse_argument(value: str, text: str) -> Board:
    """Return the board of an argument; if that is the name of a file, `text` is its content."""
    is_text = is_board_text(value)
    source = "the board line" if is_text else name_of(value)
    if not (value if is_text else text).strip():
        refuse("BOARD" if is_text else source, BoardSource.expected if is_text else "a board")
    try:
        return parse_board(value if is_text else text, source)
    except InputError as error:
        if is_text and "\n" not in value and error.source == source:
            # "line 1" would not help in an argument of one line
            error = InputError([replace(fault, line=None) for fault in error.faults], source)
        if any(re.match(HEADING_OF_GAME, str(fault.found)) for fault in error.faults):
            message = "A file with headings of games is a log: mmsat audit checks each game."
            error = InputError([*error.faults, MessageFault(message, None, "")], source)
        raise error from None


def parse_board(text: str, source: str) -> Board:
    """Return the board of a text; raise InputError with the name of the source.

    Prints a warning that the game was assumed, and doubts about the board, after that name.
    """
    with source_as(source), catch_warnings(record=True, action="always") as warned:
        board = board_of_saved_game(text) or Board.parse(text)
    for warning in warned:
        if issubclass(warning.category, GameWarning):
            say(f"{source}: {warning.message}")
        else:
            warn(warning.message, stacklevel=1)
    for doubt in doubts(board):
        say(f"{source}: {doubt}")
    return board


def board_of_saved_game(text: str) -> Board | None:
    """Return the board of a game that was saved in `mmsat play`; None for any other text.

    Raises InputError with every fault if the saved game is invalid, or if it has several boards.
    """
    if text.lstrip()[:1] != "{":
        return None
    from mmsat.play.saved import VERSION_KEY, SavedGame, read_saved

    if f'"{VERSION_KEY}"' not in text:
        return None
    saved = read_saved(text)
    if not isinstance(saved, SavedGame):
        rule = "its key boards has the board lines"
        raise InputError.of("the saved game", "one board", Description("several boards"), rule)
    return saved.now.board


def is_board_text(value: str) -> bool:
    """Return whether an argument is the text of a board, and not the name of a file.

    An existing file is a file, whatever its name. Text that is almost a board counts as a board, so
    that the error message lists its faults. Names such as `./4x6` are not boards.
    """
    if value == "-" or os.path.isfile(value):
        return False
    head, slash, _ = value.partition("/")
    return (
        not value.strip()
        or is_game(head.strip())
        or is_game(re.split(r"[\s,;]", value.strip(), maxsplit=1)[0])
        or "\n" in value
        or value.strip()[:1] == "{"
        or ("=" in value and not value.startswith((".", "/")))
        or bool(slash and nearest_games(head))
    )


def name_of(value: str) -> str:
    """Return the name of a file in messages."""
    return STANDARD_INPUT if value == "-" else value


def read(value: str, param: click.Parameter | None = None, *, is_board: bool = False) -> str:
    """Return the text of a file, or of standard input for `-`; see `read_bytes` for errors."""
    expected = BOARD_LINE if is_board else "a file"
    data = read_bytes(value, expected, LIMITS.input_bytes, param=param, is_board=is_board)
    return decode(data, name_of(value))


def read_bytes(
    value: str,
    expected: str,
    max_bytes: int,
    starts: tuple[bytes, ...] = (b"",),
    param: click.Parameter | None = None,
    *,
    is_board: bool = False,
) -> bytes:
    """Return the bytes of a file, or of standard input for `-`.

    If the file does not begin with one of `starts`, only its beginning is returned, which is enough
    to refuse it. Raises InputError if the file cannot be read, or has more than `max_bytes` bytes.
    The message names `param` if it is an option, and for boards suggests names of the library.
    """
    argument = parameter_name(param) if isinstance(param, click.Option) else ARGUMENTS
    try:
        if value == "-":
            data = read_standard_input(max_bytes, starts)
        else:
            with open(value, "rb") as file:
                data = read_at_most(file.read, max_bytes + 1, starts)
    except FileNotFoundError:
        if is_board:
            from mmsat.game.library import instances

            short_name = os.path.basename(value).removesuffix(".txt")
            similar = [board.name for board in instances() if board.short_name == short_name]
            rule = f"did you mean {join_words(similar, 'or')}?" if similar else NOT_A_BOARD
            refuse(argument, f"{expected}, a file, or -", value, rule)
        refuse(argument, f"{expected}, or -", value, "no such file")
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        refuse(argument, "a file that can be read", value, reason)
    if len(data) > max_bytes:
        refuse(name_of(value), f"at most {max_bytes >> 20} MiB", Description("more"))
    return data


def read_standard_input(max_bytes: int, starts: tuple[bytes, ...] = (b"",)) -> bytes:
    """Return standard input, at most `max_bytes` + 1 bytes; see `read_bytes` for `starts`."""
    if sys.stdin is None:  # the calling process closed it
        return b""
    if sys.stdin.isatty():
        say("reading from the terminal, Ctrl-D ends")
    return read_at_most(sys.stdin.buffer.read, max_bytes + 1, starts)
