"""The reductions, by name: each module here defines one, and needs no further line."""

from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import Any

from mmsat.reduce.base import Reduction


def _kinds() -> dict[str, type[Reduction[Any, Any]]]:
    """What the modules define, in alphabetical order of their names."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return {
        each.name: each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Reduction)
        and each.__module__ == module.__name__
        and not isabstract(each)
    }


REDUCTIONS = _kinds()

__all__ = ["REDUCTIONS", "Reduction"]
