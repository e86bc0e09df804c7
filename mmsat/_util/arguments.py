"""Validation of the arguments of public calls: arguments of the same name have the same rule.

Whole numbers are ints and all objects with `__index__`, such as numpy integers and numpy arrays of
shape (). True and 1.0 are rejected, because they are usually mistakes. A code is a string, or a
sequence or an array of whole numbers: its colors, from 0. Rules convert them to ints and tuples.
"""

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from inspect import CO_VARKEYWORDS
from numbers import Real
from operator import index
from types import NoneType
from typing import Any, NamedTuple, ParamSpec, TypeVar

from mmsat._util.text import join_words, whole_range
from mmsat.errors import Fault, InputError, found_argument

P = ParamSpec("P")
T = TypeVar("T")
LARGEST_SEED = 2**31 - 1
"""The largest seed that every solver accepts."""
MAX_TIMEOUT_SECONDS = 10_000_000
"""The longest time limit in seconds, about four months."""


class Rule(NamedTuple):
    """A rule for the values of an argument."""

    expected: str
    """A description of the accepted values, for error messages."""
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
    return index(value)  # type: ignore[arg-type]  # raises TypeError for other objects


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


def numbers_or_none(value: object) -> tuple[int | None, ...]:
    """Return a sequence or an array of whole numbers and None as a tuple.

    A tuple of ints and None is returned unchanged. Raises TypeError for other objects.
    """
    if type(value) is tuple and {*map(type, value)} <= {int, NoneType}:
        return value
    return tuple([None if item is None else whole_number(item) for item in items_of(value)])


def code_of_colors(value: object) -> tuple[int, ...]:
    """Return a sequence or an array of whole numbers as a tuple.

    A tuple of ints is returned unchanged. Raises TypeError for other objects.
    """
    if type(value) is tuple and {*map(type, value)} <= {int}:
        return value
    return tuple([whole_number(color) for color in items_of(value)])


def json_text(value: Any) -> Any:
    """Return a mapping as JSON text; return other values, and mappings without JSON, unchanged."""
    if not isinstance(value, Mapping):
        return value
    import json  # here, because most programs do not need it

    try:
        return json.dumps(dict(value))
    except (TypeError, ValueError, RecursionError):
        return value


def code_or_text(value: object) -> str | tuple[int, ...]:
    """Return a string unchanged, and convert everything else by `code_of_colors`."""
    return value if isinstance(value, str) else code_of_colors(value)


def whole_number_from(low: int, high: int | None = None) -> Rule:
    """Make a rule that accepts whole numbers from `low` to `high` (None: without a maximum)."""

    def read(value: object) -> int:
        number = whole_number(value)
        if number < low or (high is not None and number > high):
            raise ValueError(number)
        return number

    return Rule(whole_range(low, high), read)


def real_number_up_to(high: float, expected: str) -> Rule:
    """Make a rule that accepts real numbers from 0 to `high`; NaN is rejected."""

    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(value)
        number = value if isinstance(value, int) else float(value)
        if not 0 <= number <= high:
            raise ValueError(value)
        return number

    return Rule(expected, read)


def satisfying(expected: str, predicate: Callable[[Any], object]) -> Rule:
    """Make a rule that accepts values for which a predicate holds, and returns them unchanged."""

    def read(value: object) -> object:
        if not predicate(value):
            raise ValueError(value)
        return value

    return Rule(expected, read)


def list_of(expected: str, read: Callable[[Any], Any]) -> Rule:
    """Make a rule that accepts sequences whose items `read` accepts."""
    return Rule(expected, lambda value: [read(item) for item in items_of(value)])


def instance_of(expected: str, *classes: type) -> Rule:
    """Make a rule that accepts instances of any of the given classes."""
    return satisfying(expected, lambda value: isinstance(value, classes))


def is_path(value: object) -> bool:
    """Return whether a value can be the path of a file."""
    return isinstance(value, os.PathLike) or (
        isinstance(value, str) and value != "" and "\0" not in value
    )


def names_of(value: object) -> tuple[str, ...]:
    """Return a sequence of strings as a tuple; raise TypeError for other objects."""
    names = tuple(items_of(value))
    if not all(isinstance(name, str) for name in names):
        raise TypeError("not names")
    return names


def is_iterable(value: object) -> bool:
    """Return whether a value is iterable, and neither a string nor bytes."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


NAME = satisfying("a name", lambda value: isinstance(value, str))
FLAG = satisfying("True or False", lambda value: isinstance(value, bool))
PATH = satisfying("a path", is_path)
SECONDS = real_number_up_to(
    MAX_TIMEOUT_SECONDS, f"a number of seconds from 0 to {MAX_TIMEOUT_SECONDS:,}"
)
EXTREMES = ("fewest", "most")
"""The values of the argument `extreme`."""
OBJECTIVES = ("average", "worst", "worst-then-average")
"""The values of the argument `objective`."""

RULES: dict[str, Rule] = {
    **dict.fromkeys(("engine", "method", "family", "name", "to", "encoding", "answer"), NAME),
    "depth": NAME,
    **dict.fromkeys(("timeout", "reason"), SECONDS),  # `reason`: the time to find an explanation
    **dict.fromkeys(("limit", "memory", "sample", "size", "chunk", "count"), whole_number_from(1)),
    "turns": whole_number_from(1, 1_000_000),
    **dict.fromkeys(("rows", "games", "max_black"), whole_number_from(0)),
    **dict.fromkeys(("all_colors", "consistent_only", "easy_last", "hard", "worst"), FLAG),
    "seed": whole_number_from(0, LARGEST_SEED),
    "others": whole_number_from(0, 100),
    "extreme": satisfying(" or ".join(EXTREMES), lambda value: value in EXTREMES),
    "objective": satisfying(" or ".join(OBJECTIVES), lambda value: value in OBJECTIVES),
    "beam": whole_number_from(1, 1000),
    "jobs": whole_number_from(1, 1024),
    "max_guesses": whole_number_from(1, 64),
    "grade": whole_number_from(1, 6),
    "probability": real_number_up_to(1, "a probability from 0 to 1"),
    "slips": real_number_up_to(1, "a fraction of the games from 0 to 1"),
    "on_progress": satisfying("a function", callable),
    "on_partial": satisfying("a function", callable),
    "on_error": satisfying("a function", callable),
    "executor": satisfying("an Executor", lambda value: callable(value.submit)),
    "output": PATH,
    "checkpoint": PATH,
    "paths": Rule(
        "a path, or a list of paths",
        lambda value: [*map(PATH.read, [value] if is_path(value) else items_of(value))],
    ),
    "names": list_of("a list of names", NAME.read),
    **dict.fromkeys(
        ("opening", "own", "optimal.guesses"),
        list_of("a list of guesses, as text or as colors from 0", code_or_text),
    ),
    "prove_codes.codes": list_of("a list of codes, as colors from 0", code_of_colors),
    "boards": satisfying("an iterable of boards", is_iterable),
    "sample.number": whole_number_from(0),
    "audit.weights": satisfying("text", NAME.accepts),
    "suspect.rows": list_of("a list of rows", lambda row: row),
    "decode.answer": satisfying(
        "a text, a list of literals or values, a mapping from names to values, or a CpSolver",
        lambda value: (
            (isinstance(value, Iterable) and not isinstance(value, bytes))
            or hasattr(getattr(value, "response_proto", value), "solution")
        ),
    ),
}
"""The rules, keyed by the name of an argument, or by `FUNCTION.NAME`, which takes precedence.

A rule that accepts objects of a class, such as `weights`, is added by the module of the class."""
OPTIONAL = {
    *("timeout", "seed", "turns", "sample", "jobs", "max_guesses", "on_progress", "checkpoint"),
    "on_error",
    *("grade", "max_black", "encoding", "weights", "verdict", "executor"),
    *("generate.size", "generate.rows", "generate.answer", "puzzle.rows", "puzzles.rows"),
    *("generate.probability", "generate_many.probability", "prove_codes.codes", "on_partial"),
    *("generate_many.size", "generate_many.rows", "generate_many.answer"),
    "decode.answer",
    *("audit.output", "Weights.codes"),
}
"""The arguments that may be None, keyed as in `RULES`. Each docstring states what None means."""


def require(function_name: str, **arguments: object) -> dict[str, Any]:
    """Return the converted arguments of a function; raise InputError that lists every invalid one.

    Arguments without a rule are returned unchanged.
    """
    faults = []
    converted: dict[str, Any] = {}
    for name, value in arguments.items():
        key = f"{function_name}.{name}"
        rule = RULES.get(key) or RULES.get(name)
        is_optional = name in OPTIONAL or key in OPTIONAL
        converted[name] = value
        if rule is None or (value is None and is_optional):
            continue
        converted[name] = attempt(rule.read, value)
        if converted[name] is None:
            expected = f"{rule.expected}, or None" if is_optional else rule.expected
            faults.append(Fault("", found_argument(value), expected, part=name))
    InputError.refuse(faults, "the arguments")
    return converted


def _refuse_unknown_keywords(
    function_name: str, given: Collection[str], accepted: Collection[str]
) -> None:
    """Raise TypeError, as Python does, with the accepted keywords or the most similar one."""
    for name in given:
        if name in accepted:
            continue
        import difflib  # here, because most programs do not need it

        similar = difflib.get_close_matches(name, accepted, 1)
        hint = f"Did you mean {similar[0]!r}?" if similar else f"Expected {join_words(accepted)}."
        message = f"{function_name}() got an unexpected keyword argument {name!r}. {hint}"
        raise TypeError(message)


def check_arguments(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a public function so that its arguments are validated before it runs.

    The rules of a constructor are keyed by the name of its class.
    """
    code = function.__code__
    is_constructor = function.__name__ == "__init__"
    function_name = function.__qualname__.split(".")[-2] if is_constructor else function.__name__
    names = code.co_varnames[: code.co_argcount]
    keywords = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def check_and_call(*args: P.args, **kwargs: P.kwargs) -> T:
        if not code.co_flags & CO_VARKEYWORDS:  # no parameter `**keywords`
            _refuse_unknown_keywords(function_name, kwargs, keywords)
        # not strict: some parameters may be omitted, or passed by keyword
        positional_by_name = dict(zip(names, args, strict=False))
        surplus = args[len(positional_by_name) :]  # the function raises TypeError for these
        converted = require(function_name, **positional_by_name, **kwargs)
        positional = [converted.pop(name) for name in positional_by_name]
        return function(*positional, *surplus, **converted)  # type: ignore[arg-type]

    return check_and_call


def check_constructor(decorated: type[T]) -> type[T]:
    """Decorate a class so that the arguments of its constructor are validated."""
    decorated.__init__ = check_arguments(decorated.__init__)  # type: ignore[method-assign]
    return decorated


def refusing_text(source: str, expected: str, rule: str) -> Callable[[type[T]], type[T]]:
    """Decorate a class so that a text as its only argument is an InputError that explains the call.

    Otherwise, a constructor of several arguments would raise a TypeError about the missing ones.
    """

    def decorate(decorated: type[T]) -> type[T]:
        initialize = decorated.__init__

        @wraps(initialize)
        def check_and_initialize(self: T, *args: Any, **kwargs: Any) -> None:
            if len(args) == 1 and isinstance(args[0], str) and not kwargs:
                raise InputError.of(source, expected, args[0], rule)
            initialize(self, *args, **kwargs)

        decorated.__init__ = check_and_initialize  # type: ignore[assignment]
        return decorated

    return decorate
