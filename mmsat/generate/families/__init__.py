"""The families of boards, by name: each module here defines one, and needs no further line."""

from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules

from mmsat.generate.base import Family


def _families() -> dict[str, Family]:
    """What the modules define, in alphabetical order of their names."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    found = {
        each.name: each()
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Family)
        and each.__module__ == module.__name__
        and not isabstract(each)
    }
    return dict(sorted(found.items()))


FAMILIES = _families()

__all__ = ["FAMILIES", "Family"]
