"""The steps from source to source, by name: each module that defines one needs no further line."""

from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import Any

from mmsat.reduce.steps.base import Step


def _steps() -> dict[str, type[Step[Any, Any]]]:
    """What the modules define, in alphabetical order of their names."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return {
        each.name: each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Step)
        and each.__module__ == module.__name__
        and not isabstract(each)
    }


STEPS = _steps()

__all__ = ["STEPS", "Step"]
