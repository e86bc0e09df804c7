"""Registries: the things of a kind, by name; and the errors about unknown names.

One rule for all of them: a kind called `some-name` is the class with that `name` in the module or
folder `some_name` of the registry's package, or in a module that says which kinds it has. So adding
a kind is adding a file, listing the names imports nothing, and a kind is imported when it is first
asked for.
"""

from __future__ import annotations

import os
from abc import ABC
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, TypeVar

from mmsat.english import join_words
from mmsat.errors import Fault, InputError, describe_found
from mmsat.frozen import frozen

T = TypeVar("T")
SIMILARITY = 0.7
"""The least similarity (0 to 1) of a name that an error proposes."""


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


@frozen
class UnknownName(Fault):
    """A name that does not exist. The message asks whether a similar name was meant."""

    kind: str = "name"
    """The kind of thing that was looked up."""

    @classmethod
    def of(
        cls,
        kind: str,
        name: str,
        names: Iterable[str],
        expected: str = "",
        near: Sequence[str] = (),
    ) -> UnknownName:
        """Make the fault of a name that is not among `names`.

        - `expected`: for messages without a similar name; by default all names.
        - `near`: the names that were perhaps meant, if that is not seen from their letters.
        """
        known = [*names]
        similar = near or similar_names(name, known)
        question = f"Did you mean {join_words(map(repr, similar), 'or')}?" if similar else ""
        return cls(question, name, expected or f"one of {', '.join(known)}", kind=kind)

    def __str__(self) -> str:
        name = describe_found(self.found) if self.found else "''"
        return f"No such {self.kind} {name}. {self.rule or f'Expected {self.expected}.'}"


def similar_names(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return up to three names that are similar to `name`, the most similar first.

    Case and leading dashes do not count.
    """
    from difflib import get_close_matches  # noqa: PLC0415  (5 ms, for errors alone)

    plain = {known.lower().lstrip("-"): known for known in names}
    found = get_close_matches(name.lower().lstrip("-"), plain, 3, SIMILARITY)
    return tuple(plain[each] for each in found)


def require_name(kind: str, name: str, names: Collection[str], source: str = "") -> None:
    """Raise InputError if `name` is not among `names`.

    - `kind`: the kind of thing, for the message.
    - `source`: the argument or option; by default the message starts with the kind.
    """
    if name not in names:
        raise InputError([UnknownName.of(kind, name, names)], source)


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
