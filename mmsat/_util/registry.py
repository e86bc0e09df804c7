"""Registries of classes by name, and the errors about unknown names.

All registries follow one rule. The class registered as `some-name` has that `name`. It is defined
in the module or folder `some_name` of the registry's package, or in a module that is listed as
defining several classes. Adding such a file registers its class. Listing the names imports no
module, and a class is imported when it is first used.
"""

from __future__ import annotations

import os
from abc import ABC
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, TypeVar

from mmsat._util.plugins import VARIABLE, is_forbidden
from mmsat._util.text import join_words
from mmsat.errors import Fault, InputError, describe_found

T = TypeVar("T")
SIMILARITY = 0.7
"""Minimum similarity, from 0 to 1, of the names that an error suggests."""


def module_names(path: Iterable[str]) -> list[str]:
    """Return the names of the modules of a package, given by its `__path__`, in order."""
    files = [os.path.splitext(file) for folder in path for file in os.listdir(folder)]
    return sorted(name for name, ending in files if ending == ".py" and name != "__init__")


@dataclass(frozen=True)
class UnknownName(Fault):
    """A name that does not exist. The message asks whether a similar name was meant.

    If the name is that of a plug-in that is not allowed, the message says so.
    """

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

        - `expected`: the accepted names, for messages without a suggestion; by default all names.
        - `near`: the names to suggest; by default names with a similar spelling.
        """
        valid_names = [*names]
        similar = near or similar_names(name, valid_names)
        question = f"Did you mean {join_words(map(repr, similar), 'or')}?" if similar else ""
        if is_forbidden(name):
            question = f"{VARIABLE} does not allow this plug-in."
        return cls(question, name, expected or f"one of {', '.join(valid_names)}", kind=kind)

    def __str__(self) -> str:
        name = describe_found(self.found) if self.found else "''"
        return f"No such {self.kind} {name}. {self.rule or f'Expected {self.expected}.'}"


def similar_names(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return up to three names that are similar to `name`, the most similar first.

    Case and leading dashes are ignored.
    """
    from difflib import get_close_matches

    name_by_key = {valid.lower().lstrip("-"): valid for valid in names}
    keys = get_close_matches(name.lower().lstrip("-"), name_by_key, 3, SIMILARITY)
    return tuple(name_by_key[key] for key in keys)


def require_name(kind: str, name: str, names: Collection[str], source: str = "") -> None:
    """Raise InputError if `name` is not among `names`.

    - `kind`: the kind of thing, for the message.
    - `source`: the argument or option; by default the message starts with the kind.
    """
    if name not in names:
        raise InputError([UnknownName.of(kind, name, names)], source)


class Kind(ABC):
    """Base class of spaces and scorings, the kinds of rules.

    Objects of one class with equal attributes are equal, also after pickling.
    """

    name: ClassVar[str]
    """The name in registries, files and commands."""
    suffix: ClassVar[str]
    """The text after the size in a board line."""
    example: ClassVar[str] = "4x6"
    """An example of a size with the suffix."""
    summary: ClassVar[str]
    """A description in one line, for the catalogue."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))


class Named(Mapping[str, T]):
    """A mapping whose names are known and whose values are created when they are first used."""

    _sources: Mapping[str, Any]
    """From each name to the source that its value is created from."""

    def __contains__(self, name: object) -> bool:
        return name in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)


class Registry(Named[type[T]]):
    """The classes of a package by name, in the order of their modules."""

    def __init__(
        self,
        package: str,
        modules: Iterable[str],
        base: type[T],
        *,
        shared: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """Create a registry.

        - `modules`: the names of the modules in `package`.
        - `base`: the base class of all registered classes; its own module registers none.
        - `shared`: the names of the classes of each module that defines several; with it, the
          registry is in alphabetical order.
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
