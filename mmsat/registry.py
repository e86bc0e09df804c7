"""Registries that fill themselves: the modules of a package each define a kind."""

from __future__ import annotations

from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")


def classes(package: str, path: Iterable[str], base: type[T]) -> dict[str, type[T]]:
    """The concrete subclasses of `base` that the modules of a package define, by their `name`.

    In alphabetical order of the modules. `path` is the package's `__path__`.
    """
    modules = [import_module(f"{package}.{module.name}") for module in iter_modules(path)]
    found = [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, base)
        and each.__module__ == module.__name__
        and not isabstract(each)
    ]
    return {vars(each)["name"]: each for each in found}
