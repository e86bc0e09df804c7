"""Registries: what exists of a kind, by name.

One rule for all of them: a kind called `some-name` is the class with that `name` in the module or
folder `some_name` of the registry's package, or in a module that says which kinds it has. So adding
a kind is adding a file, listing the names imports nothing, and a kind is imported when it is first
asked for.
"""

import os
from abc import ABC
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar, TypeVar

T = TypeVar("T")


def load(name: str) -> Any:
    """What stands in a module, by `module:name`: a door to what takes long to load and few need."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def module_names(path: Iterable[str], *, helpers: Collection[str] = ()) -> list[str]:
    """The modules of a package, in alphabetical order, but those that define no kind.

    `path` is the package's `__path__`.
    """
    files = [os.path.splitext(file) for folder in path for file in os.listdir(folder)]
    names = sorted(name for name, ending in files if ending == ".py")
    return [name for name in names if name not in ("__init__", *helpers)]


class Kind(ABC):
    """A kind of rule; objects of one kind with the same settings are equal, pickled or not."""

    name: ClassVar[str]
    """The name in registries, files and commands."""
    suffix: ClassVar[str]
    """What follows the size in a board line."""
    example: ClassVar[str] = "4x6"
    """A size with the suffix."""
    summary: ClassVar[str]
    """One line for the catalogue."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))


class Named(Mapping[str, T]):
    """Things of known names, each made when it is first asked for."""

    _sources: Mapping[str, Any]
    """What each is made from."""

    def __contains__(self, name: object) -> bool:
        return name in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)


class Registry(Named[type[T]]):
    """The kinds of a package by name, in the order of their modules."""

    def __init__(
        self,
        package: str,
        modules: Iterable[str],
        base: type[T],
        *,
        shared: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """Take the modules' names, and what all kinds are subclasses of: its module has no kind.

        `shared` has the kinds of modules that define several; then kinds stand in alphabetical
        order.
        """
        names = ((m, (shared or {}).get(m, [m.replace("_", "-")])) for m in modules)
        paths = {name: f"{package}.{module}" for module, kinds in names for name in kinds}
        order = sorted(paths) if shared else paths
        self._sources = {name: paths[name] for name in order if paths[name] != base.__module__}
        self._base = base
        self._kinds: dict[str, type[T]] = {}

    def __getitem__(self, name: str) -> type[T]:
        if name not in self._kinds:
            module = import_module(self._sources[name])
            (self._kinds[name],) = (
                value
                for value in vars(module).values()
                if isinstance(value, type)
                and issubclass(value, self._base)
                and value.__module__ == module.__name__
                and vars(value).get("name") == name
            )
        return self._kinds[name]


class Instances(Named[T]):
    """An object of each kind of a registry, made when it is first asked for."""

    def __init__(self, kinds: Mapping[str, type[T]]) -> None:
        self._sources = kinds
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            self._made[name] = self._sources[name]()
        return self._made[name]
