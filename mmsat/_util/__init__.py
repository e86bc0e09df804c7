"""Helpers without knowledge of Mastermind, and numpy as `np`, which is imported on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["Array", "Executor", "LateModule", "np"]


class LateModule:
    """Proxy of a heavy module, which is imported when one of its attributes is first used."""

    def __init__(self, name: str) -> None:
        self.__dict__["__name__"] = name

    def __getattr__(self, name: str) -> Any:
        """Import the module and return its attribute.

        The attribute is stored in the proxy, so that later accesses do not call this method.
        """
        attribute = self.__dict__[name] = getattr(import_module(self.__dict__["__name__"]), name)
        return attribute


if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    np = LateModule("numpy")
    Array = Executor = Any
    """Types of numpy arrays and of executors, for annotations. At run time, they are `Any`, so that
    a module that only uses them in annotations does not load numpy or concurrent.futures."""
