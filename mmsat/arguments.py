"""What public calls check of their arguments: one rule for each name, wherever it stands."""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from mmsat.errors import Fault, InputError
from mmsat.registry import load

P = ParamSpec("P")
T = TypeVar("T")
Fits = Callable[[object], bool]
LARGEST_SEED = 2**31 - 1
"""What every solver takes."""
LONGEST = 10_000_000
"""Seconds that work may take at most."""


def whole(low: int, high: int | None = None) -> tuple[str, Fits]:
    """A whole number in a range."""
    words = f"from {low}" if high is None else f"{low} to {high}"

    def fits(value: object) -> bool:
        return type(value) is int and low <= value and (high is None or value <= high)

    return f"a whole number {words}", fits


def number(words: str, high: float) -> tuple[str, Fits]:
    """A number from 0 on; not a number is none."""

    def fits(value: object) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and 0 <= value <= high  # type: ignore[operator]

    return words, fits


def made_by(words: str, path: str) -> tuple[str, Fits]:
    """An object of a class, by `module:name`."""
    return words, lambda value: isinstance(value, load(path))


def is_path(value: object) -> bool:
    """Whether something can be the path of a file."""
    return isinstance(value, os.PathLike) or (
        isinstance(value, str) and value != "" and "\0" not in value
    )


def is_list(value: object, fits: Fits = lambda _: True) -> bool:
    """Whether something is a sequence, and no text, of what fits."""
    return (
        isinstance(value, Sequence) and not isinstance(value, str | bytes) and all(map(fits, value))
    )


def is_code(value: object) -> bool:
    """Whether something is a list of whole numbers."""
    return is_list(value, lambda color: type(color) is int)


NAME: tuple[str, Fits] = ("a name", lambda value: isinstance(value, str))
FLAG: tuple[str, Fits] = ("True or False", lambda value: isinstance(value, bool))
SECONDS = number("seconds, 0 or more", LONGEST)
EXTREMES = ("fewest", "most")
OBJECTIVES = ("average", "worst", "worst-then-average")

RULES: dict[str, tuple[str, Fits]] = {
    **dict.fromkeys(("engine", "method", "family", "name", "to", "encoding", "answer"), NAME),
    **dict.fromkeys(("strategy", "depth"), NAME),
    **dict.fromkeys(("timeout", "reason"), SECONDS),
    **dict.fromkeys(("limit", "memory", "sample", "size", "chunk", "count"), whole(1)),
    "turns": whole(1, 1_000_000),
    **dict.fromkeys(("rows", "games", "most_black"), whole(0)),
    **dict.fromkeys(("all_colors", "consistent_only", "easy_last", "hard"), FLAG),
    "seed": whole(0, LARGEST_SEED),
    "others": whole(0, 100),
    "extreme": (" or ".join(EXTREMES), lambda value: value in EXTREMES),
    "objective": (" or ".join(OBJECTIVES), lambda value: value in OBJECTIVES),
    "beam": whole(1, 1000),
    "cores": whole(1, 1024),
    "max_guesses": whole(1, 64),
    "grade": whole(1, 6),
    "slips": number("a part of the games, 0 to 1", 1),
    "on_progress": ("a function", callable),
    "executor": ("an Executor", lambda value: callable(getattr(value, "submit", None))),
    "output": ("a path", is_path),
    "checkpoint": ("a path", is_path),
    "paths": ("a list of paths", lambda value: is_list(value, is_path)),
    "names": ("a list of names", lambda value: is_list(value, NAME[1])),
    **dict.fromkeys(
        ("opening", "own", "optimal.guesses"),
        ("a list of guesses, colors from 0", lambda value: is_list(value, is_code)),
    ),
    "boards": (
        "boards, one after the other",
        lambda value: isinstance(value, Iterable) and not isinstance(value, str | bytes),
    ),
    "weights": made_by("Weights", "mmsat.weights:Weights"),
    "verdict": made_by("a Verdict", "mmsat.results.verdict:Verdict"),
    "analyze.strategy": (
        "a Strategy, or the name of one",
        lambda value: isinstance(value, str | load("mmsat.strategy.strategy:Strategy")),
    ),
    "audit.weights": ("text", NAME[1]),
    "suspect.rows": ("a list of rows", is_list),
    "decode.answer": (
        "text, the literals of a model, or values by name",
        lambda value: isinstance(value, Iterable) and not isinstance(value, bytes),
    ),
}
"""Name of an argument, or CALL.NAME -> what is expected, and whether a value is that."""
OPTIONAL = {
    *("timeout", "seed", "turns", "sample", "cores", "max_guesses", "on_progress", "checkpoint"),
    *("grade", "most_black", "encoding", "weights", "verdict", "executor"),
    *("generate.size", "generate.rows", "generate.answer", "puzzle.rows", "puzzles.rows"),
    *("generate_many.size", "generate_many.rows", "generate_many.answer"),
}
"""Those that may be None, for what the call's own docstring says."""


def require(call: str, **given: object) -> None:
    """Raise InputError with every argument of a call that breaks the rule of its name."""
    faults = []
    for name, value in given.items():
        key = f"{call}.{name}"
        rule = RULES.get(key) or RULES.get(name)
        if rule is None:
            continue
        expected, fits = rule
        if name in OPTIONAL or key in OPTIONAL:
            if value is None:
                continue
            expected += ", or None"
        if not fits(value):
            faults.append(Fault("", repr(value) if value is None else value, expected, part=name))
    InputError.refuse(faults, "the arguments")


def check_arguments(call: Callable[P, T]) -> Callable[P, T]:
    """Let a public call check the arguments that it is given, before it does anything."""
    names = call.__code__.co_varnames

    @wraps(call)
    def check_and_call(*args: P.args, **kwargs: P.kwargs) -> T:
        require(call.__name__, **dict(zip(names, args, strict=False)), **kwargs)
        return call(*args, **kwargs)

    return check_and_call
