"""Registries that fill themselves: the modules of a package each define a kind."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


class Registry(Mapping[str, type[T]]):
    """Kinds by name, each in a module or folder of its own, imported when it is first asked for.

    The rule: the kind `some-name` is the class of that `name` in the module or folder `some_name`.
    So the names are known from the files, in alphabetical order, and listing them imports nothing.
    """

    def __init__(self, package: str, modules: Iterable[str], base: type[T]) -> None:
        """Take the names of the modules of a package, and what their kinds are subclasses of."""
        self._package = package
        self._names = sorted(module.replace("_", "-") for module in modules)
        self._base = base

    def __getitem__(self, name: str) -> type[T]:
        if name not in self._names:
            raise KeyError(name)
        module = import_module(f"{self._package}.{name.replace('-', '_')}")
        (kind,) = (
            each
            for each in vars(module).values()
            if isinstance(each, type)
            and issubclass(each, self._base)
            and each.__module__ == module.__name__
            and vars(each).get("name") == name
        )
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
