"""What public calls check of their arguments: one rule for each name, wherever it stands."""

from collections.abc import Callable

from mmsat.errors import Fault, InputError

LARGEST_SEED = 2**31 - 1
"""What every solver takes."""


def whole(low: int, high: int | None = None) -> tuple[str, Callable[[object], bool]]:
    """A whole number in a range."""
    words = f"from {low}" if high is None else f"{low} to {high}"

    def fits(value: object) -> bool:
        return type(value) is int and low <= value and (high is None or value <= high)

    return f"a whole number {words}", fits


def is_time(value: object) -> bool:
    """Whether something is a number of seconds; not a number is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


OBJECTIVES = ("average", "worst", "worst-then-average")

RULES: dict[str, tuple[str, Callable[[object], bool]]] = {
    "timeout": ("seconds, 0 or more", is_time),
    "seed": whole(0, LARGEST_SEED),
    "limit": whole(1),
    "memory": whole(1),
    "sample": whole(1),
    "others": whole(0, 100),
    "objective": (" or ".join(OBJECTIVES), lambda value: value in OBJECTIVES),
    "cores": whole(1, 1024),
    "max_guesses": whole(1, 64),
    "size": whole(1),
    "count": whole(1),
    "rows": whole(0),
    "grade": whole(1, 6),
    "most_black": whole(0),
    "all_colors": ("True or False", lambda value: isinstance(value, bool)),
    "reason": ("seconds, 0 or more", is_time),
    "consistent_only": ("True or False", lambda value: isinstance(value, bool)),
    "on_progress": ("a function", callable),
}
"""Name of an argument -> what is expected, and whether a value is that."""
OPTIONAL = {
    *("timeout", "seed", "sample", "cores", "max_guesses", "size", "rows", "on_progress"),
    *("grade", "most_black"),
}
"""Those that may be None, for what the call's own docstring says."""


def require(**given: object) -> None:
    """Raise InputError with every argument that breaks the rule of its name."""
    faults = []
    for name, value in given.items():
        expected, fits = RULES[name]
        if name in OPTIONAL:
            if value is None:
                continue
            expected += ", or None"
        if not fits(value):
            faults.append(Fault("", repr(value) if value is None else value, expected, part=name))
    if faults:
        raise InputError(faults, "the arguments")
