"""Immutable records: dataclasses that load in a third of the time."""

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")
METHODS = (
    "__repr__",
    "__eq__",
    "__hash__",
    "__setattr__",
    "__delattr__",
)


class Methods:
    """What all frozen classes have but `__init__`; `__compared__` gives what makes them equal."""

    __compared__: Callable[[Any], Any]

    def __repr__(self: Any) -> str:
        shown = (f"{part.name}={getattr(self, part.name)!r}" for part in fields(self) if part.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __eq__(self: Any, other: object) -> bool:
        compared = self.__compared__
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(compared(self) == compared(other))

    def __hash__(self: Any) -> int:
        return hash(self.__compared__(self))

    def __setattr__(self: Any, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self: Any, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a class what `dataclass(frozen=True)` makes of it.

    That compiles seven methods for every class, which is most of what loading the class costs. Here
    only `__init__` is compiled, and the others are the same functions for all.
    """
    own = vars(cls)
    made: Any = dataclass(init=False, repr=False, eq=False)(cls)
    if "__init__" not in own:
        made.__init__ = _init(fields(made), has_more="__post_init__" in dir(made))
    compared = [part.name for part in fields(made) if part.compare]
    made.__compared__ = staticmethod(attrgetter(*compared) if compared else len)
    for name in METHODS:
        if name not in own and getattr(cls, name, None) is getattr(object, name, None):
            setattr(made, name, vars(Methods)[name])
    return made  # type: ignore[no-any-return]


def _init(parts: tuple[Field[Any], ...], *, has_more: bool) -> Any:
    """The `__init__` of these fields."""
    known: dict[str, Any] = {"put": object.__setattr__, "MISSING": MISSING}
    header: list[str] = ["self"]
    body: list[str] = []
    for part in parts:
        name, value = part.name, part.name
        if part.default is not MISSING:
            known[f"_{name}"] = part.default
            header.append(f"{name}=_{name}")
        elif part.default_factory is not MISSING:
            known[f"_{name}"] = part.default_factory
            header.append(f"{name}=MISSING")
            value = f"_{name}() if {name} is MISSING else {name}"
        else:
            header.append(name)
        body.append(f"put(self, {name!r}, {value})")
    body += ["self.__post_init__()"] * has_more
    exec(f"def __init__({', '.join(header)}):\n  " + "\n  ".join(body or ["pass"]), known)  # noqa: S102
    made = known["__init__"]
    made.__annotations__ = {part.name: part.type for part in parts if part.init} | {"return": None}
    return made
