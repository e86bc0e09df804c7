"""The parameters of questions, which are read from a URL or a JSON body."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from mmsat._util.registry import UnknownName, require_name
from mmsat._util.text import whole_range
from mmsat.errors import Fault, InputError
from mmsat.game.board import Board
from mmsat.game.names import GAME_PREFIX, is_file_name, published_names
from mmsat.game.tolerance import MEASURES
from mmsat.strategy.strategies import AUTO, STRATEGIES

CUSTOM_KEYS = {"symbols", "words"}
"""The keys that only the definition of a custom game has."""
REQUEST = "the question"
"""The source of faults that are not in the value of a single parameter."""


class Parameter(NamedTuple):
    """A parameter of a question."""

    expected: str
    """The accepted values, for the documentation and for faults."""
    read: Callable[[Any], Any]
    """Convert a string or a JSON value; raise InputError, TypeError or ValueError."""
    default: Any = None
    """The value if the parameter is missing."""
    is_required: bool = False
    """Whether the parameter is required."""
    meaning: str = ""
    """The meaning of the value, if the name of the parameter is not enough."""

    @property
    def rule(self) -> str:
        """The meaning and the accepted values, for the documentation."""
        return ": ".join(filter(None, (self.meaning, self.expected)))


def read_parameters(
    parameters: Mapping[str, Parameter], arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Read the arguments of a question; missing optional arguments get their defaults.

    Raises InputError with the faults of all arguments. If only one argument is wrong, the error is
    that of its parameter, which may name another source.
    """
    errors = [
        InputError([UnknownName.of("parameter", name, parameters)], "")
        for name in arguments
        if name not in parameters
    ]
    values: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if arguments.get(name) is None:
            if parameter.is_required:
                errors.append(_refuse(name, None, parameter))
            values[name] = parameter.default
            continue
        try:
            values[name] = parameter.read(arguments[name])
        except InputError as error:
            errors.append(error)
        except (TypeError, ValueError):
            errors.append(_refuse(name, arguments[name], parameter))
    if len(errors) == 1:
        raise errors[0]
    InputError.refuse([fault for error in errors for fault in error.faults], REQUEST)
    return values


def _refuse(name: str, found: object, parameter: Parameter) -> InputError:
    """Return the error for a parameter whose value is missing or wrong."""
    return InputError([Fault(parameter.meaning, found, parameter.expected, part=name)], REQUEST)


def _read_board(value: Any) -> Board:
    text = value if isinstance(value, str) else json.dumps(value)
    if not text.strip():
        raise InputError.of("the board", "a board line such as 4x6/1122=1.1")
    named_text = _name_custom_game(text)
    try:
        board = Board.parse(named_text or text, files=False)
    except InputError as error:
        if named_text is None:
            raise
        # Omit lines and columns: they refer to the changed text, which the client does not have.
        faults = [replace(fault, line=None, column=None) for fault in error.faults]
        raise InputError(faults, error.source) from None
    return board.without_known("the analysis board")


def _name_custom_game(text: str) -> str | None:
    """Return a board document in which the custom game has a name like that of a file, or None.

    None means that the text is not a document with a custom game, or can be read unchanged.
    """
    if not text.lstrip().startswith("{"):
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    game = document.get("game")
    if not isinstance(game, dict) or not CUSTOM_KEYS & game.keys():
        return None
    name = game.get("name", "own")
    if not isinstance(name, str) or name in published_names() or is_file_name(name):
        return None
    return json.dumps(document | {"game": game | {"name": f"{GAME_PREFIX}{name}"}})


def _whole(low: int, high: int | None) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        number = int(value) if isinstance(value, str) else value
        if type(number) is not int or number < low or (high is not None and number > high):
            raise ValueError
        return number

    return read


def _one_of(names: Sequence[str]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in names:
            raise ValueError
        return str(value)

    return read


def _read_strategy(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    if value not in STRATEGIES:  # including the plug-ins that the server allows
        require_name("strategy", value, (AUTO, *STRATEGIES))
    return value


def _read_truth(value: Any) -> bool:
    return bool(("false", "true").index(str(value).lower()))


def _read_rows(value: Any) -> tuple[int, ...]:
    numbers = value.split(",") if isinstance(value, str) else value
    read = _whole(1, 1_000_000)
    return tuple(read(number) - 1 for number in numbers)


def _read_text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 1000:
        raise ValueError
    return value


def whole(low: int, high: int | None, default: int | None, meaning: str) -> Parameter:
    """Return a parameter for a whole number from `low` to `high` (None for no maximum)."""
    return Parameter(whole_range(low, high), _whole(low, high), default, meaning=meaning)


BOARD = Parameter(
    "a board line, the text of a board file, or a board document", _read_board, is_required=True
)
LIES = whole(0, 1000, 0, "the maximum number of wrong scores")
BY = Parameter(" or ".join(MEASURES), _one_of(MEASURES), "rows", meaning="the unit of wrong scores")
SEED = whole(0, 2**31 - 1, None, "a seed for repeatable results")
GUESS = Parameter("a guess as in a board line", _read_text, is_required=True)
OPTIONAL_GUESS = GUESS._replace(is_required=False)
CODE = Parameter("a code as in a board line", _read_text, is_required=True)
ROWS = Parameter("row numbers from 1, such as 3,5", _read_rows, is_required=True)
STRATEGY = Parameter(
    f"one of {', '.join((AUTO, *STRATEGIES))}", _read_strategy, AUTO, meaning="a strategy"
)
TRUTH = Parameter("true or false", _read_truth, default=False)
