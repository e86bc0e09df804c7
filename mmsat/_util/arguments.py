"""Validation of the arguments of public calls: arguments of the same name have the same rule.

Whole numbers are ints and all objects with `__index__`, such as numpy integers and numpy arrays of
shape (). True and 1.0 are rejected, because they are usually mistakes. Codes are strings, or
sequences or arrays of whole numbers (colors, counted from 0). A rule returns plain ints and tuples.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from numbers import Real
from operator import index
from typing import Any, NamedTuple, ParamSpec, TypeVar

from mmsat._util.text import whole_range
from mmsat.errors import Fault, InputError, found_argument

P = ParamSpec("P")
T = TypeVar("T")
LARGEST_SEED = 2**31 - 1
"""The largest seed that every solver accepts."""
MAX_TIMEOUT_SECONDS = 10_000_000
"""The longest time limit in seconds."""


class Rule(NamedTuple):
    """A rule for the values of an argument."""

    expected: str
    """The accepted values, for errors."""
    read: Callable[[Any], Any]
    """Convert an accepted value to the form that the call uses; raise an exception for others."""

    def accepts(self, value: object) -> bool:
        """Return whether a value satisfies the rule."""
        return attempt(self.read, value) is not None


def attempt(read: Callable[[Any], T], value: object) -> T | None:
    """Return `read(value)`, or None if `read` raises an exception.

    Every exception is caught, because values can be objects of any class, whose methods may raise
    anything.
    """
    try:
        return read(value)
    except Exception:  # noqa: BLE001
        return None


def whole_number(value: object) -> int:
    """Return a whole number as an int; raise TypeError for other objects."""
    if isinstance(value, bool):
        raise TypeError("True and False are not whole numbers")
    return index(value)  # type: ignore[arg-type]


def items_of(value: object) -> list[Any]:
    """Return the items of a sequence or an array; raise TypeError for other objects.

    Strings, bytes and mappings do not count as sequences.
    """
    if isinstance(value, str | bytes | bytearray | Mapping):
        raise TypeError("not a sequence")
    items: Any = value.tolist() if hasattr(value, "tolist") else value
    if not (hasattr(items, "__len__") and hasattr(items, "__getitem__")):
        raise TypeError("not a sequence")
    return list(items)


def code_of_colors(value: object) -> tuple[int, ...]:
    """Return a sequence or an array of whole numbers as a tuple; raise TypeError for others.

    A tuple of ints is returned as it is.
    """
    if type(value) is tuple and {*map(type, value)} <= {int}:
        return value
    return tuple([whole_number(color) for color in items_of(value)])


def code_or_text(value: object) -> str | tuple[int, ...]:
    """Return a string unchanged, and convert everything else by `code_of_colors`."""
    return value if isinstance(value, str) else code_of_colors(value)


def whole(low: int, high: int | None = None) -> Rule:
    """Make a rule that accepts whole numbers from `low` to `high` (None: without a maximum)."""

    def read(value: object) -> int:
        number = whole_number(value)
        if number < low or (high is not None and number > high):
            raise ValueError(number)
        return number

    return Rule(whole_range(low, high), read)


def real(expected: str, high: float) -> Rule:
    """Make a rule that accepts real numbers from 0 to `high`; NaN is rejected."""

    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(value)
        number = value if isinstance(value, int) else float(value)
        if not 0 <= number <= high:
            raise ValueError(value)
        return number

    return Rule(expected, read)


def if_true(expected: str, is_right: Callable[[Any], object]) -> Rule:
    """Make a rule that accepts values for which a predicate holds, and returns them unchanged."""

    def read(value: object) -> object:
        if not is_right(value):
            raise ValueError(value)
        return value

    return Rule(expected, read)


def list_of(expected: str, read: Callable[[Any], Any]) -> Rule:
    """Make a rule that accepts sequences whose items `read` accepts."""
    return Rule(expected, lambda value: [read(item) for item in items_of(value)])


def instance_of(expected: str, *classes: type) -> Rule:
    """Make a rule that accepts instances of any of the given classes."""
    return if_true(expected, lambda value: isinstance(value, classes))


def is_path(value: object) -> bool:
    """Return whether a value can be the path of a file."""
    return isinstance(value, os.PathLike) or (
        isinstance(value, str) and value != "" and "\0" not in value
    )


def is_iterable(value: object) -> bool:
    """Return whether a value is iterable, and neither a string nor bytes."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


NAME = if_true("a name", lambda value: isinstance(value, str))
FLAG = if_true("True or False", lambda value: isinstance(value, bool))
PATH = if_true("a path", is_path)
SECONDS = real(f"a number of seconds from 0 to {MAX_TIMEOUT_SECONDS:,}", MAX_TIMEOUT_SECONDS)
EXTREMES = ("fewest", "most")
OBJECTIVES = ("average", "worst", "worst-then-average")

RULES: dict[str, Rule] = {
    **dict.fromkeys(("engine", "method", "family", "name", "to", "encoding", "answer"), NAME),
    "depth": NAME,
    **dict.fromkeys(("timeout", "reason"), SECONDS),
    **dict.fromkeys(("limit", "memory", "sample", "size", "chunk", "count"), whole(1)),
    "turns": whole(1, 1_000_000),
    **dict.fromkeys(("rows", "games", "max_black"), whole(0)),
    **dict.fromkeys(("all_colors", "consistent_only", "easy_last", "hard"), FLAG),
    "seed": whole(0, LARGEST_SEED),
    "others": whole(0, 100),
    "extreme": if_true(" or ".join(EXTREMES), lambda value: value in EXTREMES),
    "objective": if_true(" or ".join(OBJECTIVES), lambda value: value in OBJECTIVES),
    "beam": whole(1, 1000),
    "jobs": whole(1, 1024),
    "max_guesses": whole(1, 64),
    "grade": whole(1, 6),
    "probability": real("a probability from 0 to 1", 1),
    "slips": real("a fraction of the games from 0 to 1", 1),
    "on_progress": if_true("a function", callable),
    "executor": if_true("an Executor", lambda value: callable(value.submit)),
    "output": PATH,
    "checkpoint": PATH,
    "paths": list_of("a list of paths", PATH.read),
    "names": list_of("a list of names", NAME.read),
    **dict.fromkeys(
        ("opening", "own", "optimal.guesses"),
        list_of("a list of guesses, as text or as colors from 0", code_or_text),
    ),
    "prove_codes.codes": list_of("a list of codes, as colors from 0", code_of_colors),
    "boards": if_true("an iterable of boards", is_iterable),
    "sample.number": whole(0),
    "audit.weights": if_true("text", NAME.accepts),
    "suspect.rows": list_of("a list of rows", lambda row: row),
    "decode.answer": if_true(
        "a text, a list of literals, or a mapping from names to values",
        lambda value: isinstance(value, Iterable) and not isinstance(value, bytes),
    ),
}
"""The rules, keyed by `NAME` of an argument, or by `CALL.NAME`, which takes precedence.

Modules that define the class of an argument add its rule."""
OPTIONAL = {
    *("timeout", "seed", "turns", "sample", "jobs", "max_guesses", "on_progress", "checkpoint"),
    *("grade", "max_black", "encoding", "weights", "verdict", "executor"),
    *("generate.size", "generate.rows", "generate.answer", "puzzle.rows", "puzzles.rows"),
    *("generate.probability", "generate_many.probability", "prove_codes.codes"),
    *("generate_many.size", "generate_many.rows", "generate_many.answer"),
}
"""The arguments that may be None, with the meaning given in the docstring of the call."""


def require(call: str, **given: object) -> dict[str, Any]:
    """Validate and convert the arguments of a call; raise InputError with every wrong one.

    Arguments without a rule are returned unchanged.
    """
    faults = []
    accepted: dict[str, Any] = {}
    for name, value in given.items():
        key = f"{call}.{name}"
        rule = RULES.get(key) or RULES.get(name)
        is_optional = name in OPTIONAL or key in OPTIONAL
        accepted[name] = value
        if rule is None or (value is None and is_optional):
            continue
        accepted[name] = attempt(rule.read, value)
        if accepted[name] is None:
            expected = f"{rule.expected}{', or None' * is_optional}"
            faults.append(Fault("", found_argument(value), expected, part=name))
    InputError.refuse(faults, "the arguments")
    return accepted


def check_arguments(call: Callable[P, T]) -> Callable[P, T]:
    """Decorate a public call so that its arguments are validated before it runs."""
    names = call.__code__.co_varnames[: call.__code__.co_argcount]

    @wraps(call)
    def check_and_call(*args: P.args, **kwargs: P.kwargs) -> T:
        given = dict(zip(names, args, strict=False))
        extra = args[len(given) :]  # too many arguments, for which the call raises TypeError
        accepted = require(call.__name__, **given, **kwargs)
        positional = [accepted.pop(name) for name in given]
        return call(*positional, *extra, **accepted)  # type: ignore[arg-type]

    return check_and_call
