"""Immutable dataclasses that take a third of the time to define."""

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
    """The methods that all frozen classes share."""

    __compared__: Callable[[Any], Any]
    """Return the values of the fields that are compared and hashed."""

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
    """Decorate a class like `dataclass(frozen=True)`.

    The decorator of the standard library compiles seven methods for every class, which is most of
    the time that defining the class takes. This one compiles only `__init__`; all classes share the
    functions of the other methods.
    """
    own_attributes = vars(cls)
    frozen_class: Any = dataclass(init=False, repr=False, eq=False)(cls)
    if "__init__" not in own_attributes:
        frozen_class.__init__ = _init(
            fields(frozen_class), has_more="__post_init__" in dir(frozen_class)
        )
    compared = [part.name for part in fields(frozen_class) if part.compare]
    frozen_class.__compared__ = staticmethod(attrgetter(*compared) if compared else len)
    for name in METHODS:
        # methods that the class or one of its bases defines take precedence
        if name not in own_attributes and getattr(cls, name, None) is getattr(object, name, None):
            setattr(frozen_class, name, vars(Methods)[name])
    return frozen_class  # type: ignore[no-any-return]


def _init(parts: tuple[Field[Any], ...], *, has_more: bool) -> Any:
    """Compile an `__init__` for the given fields; with `has_more`, it calls `__post_init__`."""
    namespace: dict[str, Any] = {"put": object.__setattr__, "MISSING": MISSING}
    header: list[str] = ["self"]
    body: list[str] = []
    for part in parts:
        name, value = part.name, part.name
        if part.default is not MISSING:
            namespace[f"_{name}"] = part.default
            header.append(f"{name}=_{name}")
        elif part.default_factory is not MISSING:
            namespace[f"_{name}"] = part.default_factory
            header.append(f"{name}=MISSING")
            value = f"_{name}() if {name} is MISSING else {name}"
        else:
            header.append(name)
        body.append(f"put(self, {name!r}, {value})")
    body += ["self.__post_init__()"] * has_more
    exec(f"def __init__({', '.join(header)}):\n  " + "\n  ".join(body or ["pass"]), namespace)  # noqa: S102
    method = namespace["__init__"]
    method.__annotations__ = {part.name: part.type for part in parts if part.init} | {
        "return": None
    }
    return method
