"""numpy, loaded when something of it is first used, and the type of its arrays."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["Array", "LateModule", "np"]


class LateModule:
    """A heavy module that is loaded when something of it is first used."""

    def __init__(self, name: str) -> None:
        self.__dict__["__name__"] = name

    def __getattr__(self, name: str) -> Any:
        """What the module has by this name, which is then as quick to reach as in the module."""
        found = self.__dict__[name] = getattr(import_module(self.__dict__["__name__"]), name)
        return found


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    np = LateModule("numpy")
    Array = Any
    """A numpy array; boards alone need no numpy, and their types can be read all the same."""
