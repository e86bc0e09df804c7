"""Registries of classes by name, plug-ins, and the errors about unknown names.

A registry maps each name to a class, of which it stores only the module. The class registered as
`some-name` is the class in that module whose attribute `name` is `some-name`. Listing the names
imports no module. A class is imported when it is first used.

**Plug-ins** are classes and objects of other packages that are used like built-in ones. A plug-in
is found by a reference such as `package.module:Class`, or by the name of an entry point in the
group of its kind, such as `mmsat.strategies`. Built-in names take precedence. Entry points are read
only if a name is not built-in or if names are listed, because reading them takes 40 ms.

The environment variable `MMSAT_PLUGINS` lists the plug-ins that may be used, separated by commas.
If it is not set, all may be used; `off` allows none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from inspect import isabstract
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar

from mmsat._util.arguments import Rule
from mmsat._util.results import NonEmpty
from mmsat._util.text import join_words
from mmsat.errors import Fault, InputError, InternalError, MessageFault, describe_found

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


T = TypeVar("T")
MIN_SIMILARITY = 0.7
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
    """The kind of the named object, for the message: "strategy" or "command"."""

    @classmethod
    def of(
        cls,
        kind: str,
        name: str,
        names: Iterable[str],
        expected: str = "",
        suggestions: Sequence[str] = (),
    ) -> UnknownName:
        """Make the fault of a name that is not among `names`.

        - `expected`: the accepted names, for messages without a suggestion; by default all names.
        - `suggestions`: the names to suggest; by default names with a similar spelling.
        """
        valid_names = [*names]
        suggested = suggestions or similar_names(name, valid_names)
        hint = f"Did you mean {join_words(map(repr, suggested), 'or')}?" if suggested else ""
        if not suggested and re.fullmatch(DOTTED_NAME_PATTERN, name):
            hint = f"A plug-in is written {':'.join(name.rsplit('.', 1))}."
        if in_file := re.fullmatch(CLASS_IN_FILE_PATTERN, name):
            class_name = f"{in_file[1]}:{in_file[2] or 'CLASS'}"
            hint = f"Write {class_name}, and put the folder of {in_file[1]}.py in PYTHONPATH."
        if is_forbidden(name):
            hint = f"{PLUGINS_VARIABLE} does not allow this plug-in."
        return cls(hint, name, expected or f"one of {', '.join(valid_names)}", kind=kind)

    def __str__(self) -> str:
        name = describe_found(self.found) if self.found else "''"
        return f"No such {self.kind} {name}. {self.rule or f'Expected {self.expected}.'}"


def similar_names(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return up to three names that are similar to `name`, the most similar first.

    Case and leading dashes are ignored.
    """
    from difflib import get_close_matches

    name_by_key = {valid.lower().lstrip("-"): valid for valid in names}
    keys = get_close_matches(name.lower().lstrip("-"), name_by_key, 3, MIN_SIMILARITY)
    return tuple(name_by_key[key] for key in keys)


def require_name(kind: str, name: str, names: Collection[str], source: str = "") -> None:
    """Raise InputError if `name` is not among `names`.

    - `kind`: the kind of the named object, such as "strategy", for the message.
    - `source`: the name of the argument or option, at the beginning of the message if it is given.
    """
    if name not in names:
        raise InputError([UnknownName.of(kind, name, names)], source)


class LazyMapping(Mapping[str, T]):
    """A mapping with fixed names, whose values are created when they are first used."""

    _sources: Mapping[str, Any]
    """For each name, the source from which its value is created."""

    def __contains__(self, name: object) -> bool:
        return name in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)


class Registry(LazyMapping[type[T]]):
    """The classes of a package by name."""

    def __init__(self, package: str, modules: Mapping[str, str], base: type[T]) -> None:
        """Create a registry.

        - `modules`: the module in `package` that defines the class of each name, in order.
        - `base`: the base class of all registered classes.
        """
        self._sources = {name: f"{package}.{module}" for name, module in modules.items()}
        self._base = base
        self._classes: dict[str, type[T]] = {}

    def __getitem__(self, name: str) -> type[T]:
        if name not in self._classes:
            module = import_module(self._sources[name])
            candidates = [
                value
                for value in vars(module).values()
                if isinstance(value, type)
                and issubclass(value, self._base)
                and value.__module__ == module.__name__
                and vars(value).get("name") == name
            ]
            if len(candidates) != 1:
                raise InternalError(f"{module.__name__} has {len(candidates)} classes {name!r}")
            (self._classes[name],) = candidates
        return self._classes[name]


PLUGINS_VARIABLE, NO_PLUGINS = "MMSAT_PLUGINS", "off"
"""The environment variable that lists the allowed plug-ins, and its value that allows none."""
KINDS = ("strategies", "engines", "encodings", "scorings", "reductions", "games")
"""The kinds of plug-ins. The entry points of a kind are in the group `mmsat.KIND`."""
REFERENCE_PATTERN = r"[^\W\d]\w*(\.\w+)*:[^\W\d]\w*(\.\w+)*"
"""The form of a reference, `package.module:Class`."""
CLASS_IN_FILE_PATTERN = r"(?:.*[/\\])?(\w+)\.py(?::(\w+))?"
"""Matches a file of Python, or a class that is written with its file: `./mine.py:Adder`."""
DOTTED_NAME_PATTERN = r"[^\W\d]\w*(\.\w+)+"
"""The form of a reference that has a dot instead of the colon, which is a common mistake."""
TOML_ENDING = ".toml"
"""The ending of an entry point that refers to a file, `package:FILE.toml`, not to an object."""
LOADED_PLUGINS: list[str] = []
"""The names of the plug-ins that this process has loaded."""


class PluginJson(TypedDict):
    """A plug-in."""

    name: NonEmpty
    """Name of the entry point."""
    package: NonEmpty
    """Name of the package that provides it."""
    summary: str
    """Description in one line; may be empty."""


class Plugin(NamedTuple):
    """A loaded plug-in, which was found by an entry point or a reference."""

    name: str
    """The name of the entry point, or the reference."""
    package: str
    """The package that provides the plug-in."""
    value: Any
    """The class or the object."""

    def to_dict(self, summary: str | None = None) -> PluginJson:
        """Return the plug-in's entry in the list of a command such as `mmsat strategies --json`.

        By default, the summary is the first line of the object's summary, title or docstring.
        """
        texts = (getattr(self.value, key, None) for key in ("summary", "title", "__doc__"))
        text = next((text for text in texts if isinstance(text, str)), "")
        first_line = next(iter(text.strip().splitlines()), "")
        return {
            "name": self.name,
            "package": self.package,
            "summary": first_line if summary is None else summary,
        }


class PluginTypeError(TypeError):
    """An object is of the wrong type for its use as a plug-in."""


def unusable_plugin(kind: str, name: str, package: str, cause: str) -> InputError:
    """Return the error for a plug-in that cannot be used."""
    origin = f" of the package {package}" if package else ""
    message = f"The {kind} {name!r}{origin} cannot be used. {cause}"
    return InputError([MessageFault(message, name, "")], "")


def is_allowed(name: str) -> bool:
    """Return whether `MMSAT_PLUGINS` allows a plug-in, given by its name or reference."""
    setting = os.environ.get(PLUGINS_VARIABLE)
    return not setting or (setting != NO_PLUGINS and name in setting.split(","))


def allow_only(names: Iterable[str]) -> None:
    """Forbid all plug-ins except `names` in this process and in the processes that it starts.

    Names that are already forbidden remain forbidden.
    """
    os.environ[PLUGINS_VARIABLE] = ",".join(filter(is_allowed, names)) or NO_PLUGINS


def is_reference(name: str) -> bool:
    """Return whether a name has the form `package.module:Class`."""
    return re.fullmatch(REFERENCE_PATTERN, name) is not None


def is_forbidden(name: str) -> bool:
    """Return whether a name is a reference or an entry point that `MMSAT_PLUGINS` forbids."""
    return not is_allowed(name) and (
        is_reference(name) or any(name in entry_points(f"mmsat.{kind}") for kind in KINDS)
    )


def describe_plugin(kind: str, value: object) -> str:
    """Return a kind and a reference, such as `engine package.module:Class`, or "".

    It is "" if the class of the object belongs to mmsat.
    """
    plugin_class = value if isinstance(value, type) else type(value)
    is_built_in = plugin_class.__module__.partition(".")[0] == "mmsat"
    return "" if is_built_in else f"{kind} {plugin_class.__module__}:{plugin_class.__qualname__}"


def split_spec(spec: str, names: Container[str]) -> tuple[str, list[str]]:
    """Split a name with settings: `sat:glucose4` into `sat` and `glucose4`.

    In `package.module:Class:0.5`, the name is the reference `package.module:Class`.
    """
    name, *settings = spec.split(":")
    if settings and name not in names and is_reference(f"{name}:{settings[0]}"):
        return f"{name}:{settings[0]}", settings[1:]
    return name, settings


@lru_cache
def entry_points(group: str) -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return the installed entry points of a group by name, in alphabetical order."""
    from importlib.metadata import entry_points as read_entry_points

    points: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(read_entry_points(group=group), key=lambda point: point.name):
        points[point.name] = (*points.get(point.name, ()), point)
    return points


def require_plugins(names: tuple[str, ...]) -> None:
    """Raise InputError if a name is neither a reference nor an entry point of any kind."""
    installed = {name for kind in KINDS for name in entry_points(f"mmsat.{kind}")}
    InputError.refuse(
        [
            MessageFault(f"No package provides the plug-in {name!r}.", name, "")
            for name in names
            if name not in installed and not is_reference(name)
        ],
        "",
    )


def _package(point: EntryPoint) -> str:
    """Return the name of the installed package of an entry point, or else its top-level module."""
    return point.dist.name if point.dist else point.value.partition(".")[0]


def _load_reference(reference: str) -> object:
    """Import the object of a reference `module:attribute`."""
    module, _, attribute = reference.partition(":")
    return attrgetter(attribute)(import_module(module))


def _load_entry_point(point: EntryPoint) -> object:
    """Import the object of an entry point, or return the path of its TOML file."""
    if not point.value.endswith(TOML_ENDING):
        return point.load()
    from pathlib import Path

    package, _, file = point.value.partition(":")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"No package named {package!r}")
    return Path(spec.submodule_search_locations[0], file)


class Extensible(Mapping[str, T]):
    """The built-in values of one kind by name. Lookups also find plug-ins; iteration does not."""

    def __init__(
        self,
        kind: str,
        plural: str,
        built_in: Mapping[str, T],
        base: type,
        *,
        has_classes: bool = False,
        read: Callable[[Any, str], Any] | None = None,
    ) -> None:
        """Create the mapping.

        - `kind`, `plural`: the noun for a value, such as strategy, in the singular and the plural.
        - `base`: the base class of the values, or if the values are classes, their base class.
        - `has_classes`: whether the values are classes, which callers instantiate with settings.
        - `read`: a function that converts the object or the path of a plug-in to a value. Its
          second argument is the name of the plug-in.
        """
        self.kind = kind
        self.group = f"mmsat.{plural}"
        self.built_in = built_in
        self.base = base
        self.has_classes = has_classes
        self._read = read
        self._plugins: dict[str, Plugin] = {}

    def __contains__(self, name: object) -> bool:
        """Return whether a name is built-in or an allowed plug-in, which may fail to load."""
        return name in self.built_in or (isinstance(name, str) and self.has_plugin(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.built_in)

    def __len__(self) -> int:
        return len(self.built_in)

    def __getitem__(self, name: str) -> T:
        if name in self.built_in:
            return self.built_in[name]
        if not self.has_plugin(name):
            raise KeyError(name)
        value: T = self.plugin(name).value
        return value

    def has_plugin(self, name: str) -> bool:
        """Return whether a name is an allowed reference, or an allowed entry point."""
        return is_allowed(name) and (is_reference(name) or name in entry_points(self.group))

    def plugin(self, name: str) -> Plugin:
        """Load the plug-in with a name or reference for which `has_plugin` is true.

        Raises InputError if it cannot be imported, is of another class, or is ambiguous.
        """
        if name in self._plugins:
            return self._plugins[name]
        points = () if is_reference(name) else entry_points(self.group)[name]
        top_level_module = name.partition(":")[0].partition(".")[0]
        package = " and ".join(sorted(map(_package, points))) or top_level_module
        if len(points) > 1:
            cause = "Several packages provide it; uninstall all but one."
            raise unusable_plugin(self.kind, name, package, cause)
        try:
            value = _load_entry_point(points[0]) if points else _load_reference(name)
            if self._read is not None:
                value = self._read(value, name)
            value = self.adapt(value)
        except (Exception, SystemExit) as error:  # importing a plug-in can raise anything
            is_type_error = isinstance(error, PluginTypeError)
            cause = str(error) if is_type_error else f"{type(error).__name__}: {error}"
            if ".py:" in name:
                cause = f"Write the name of the module: {name.replace('.py:', ':')}."
            elif isinstance(error, ModuleNotFoundError) and os.path.isfile(f"{error.name}.py"):
                cause += (
                    f". {error.name}.py is in the working directory: set PYTHONPATH=. to import it."
                )
            raise unusable_plugin(self.kind, name, package, cause) from error
        class_name = getattr(value, "name", name)
        # An entry point has the name of its class. This does not hold for the values of `read`,
        # such as games.
        if points and class_name != name and self._read is None:
            cause = f"Its class has the name {class_name!r}."
            raise unusable_plugin(self.kind, name, package, cause)
        self._plugins[name] = Plugin(name, package, value)
        LOADED_PLUGINS.append(name)
        return self._plugins[name]

    def plugins(self) -> tuple[list[Plugin], list[InputError]]:
        """Return the plug-ins of all allowed entry points, and the errors of the others."""
        plugins, errors = [], []
        for name in entry_points(self.group):
            if name not in self.built_in and is_allowed(name):
                try:
                    plugins.append(self.plugin(name))
                except InputError as error:
                    errors.append(error)
        return plugins, errors

    def adapt(self, value: object) -> Any:
        """Convert a class or an object to a value of this mapping; see `adapt_extension`."""
        return adapt_extension(value, self.base, has_classes=self.has_classes)

    def rule(self) -> Rule:
        """Return the rule for arguments that select a value; see `extension_rule`."""
        return extension_rule(self.kind, self.base, has_classes=self.has_classes)


def adapt_extension(value: object, base: type, *, has_classes: bool) -> Any:
    """Convert a class or an object to a value of an `Extensible` mapping with this base class.

    If the values are objects, a class is instantiated. Raises TypeError for a class that is not a
    subclass of `base`, and for an object of another class.
    """
    if isinstance(value, type) and issubclass(value, base):
        if isabstract(value):
            missing = ", ".join(sorted(value.__abstractmethods__))  # type: ignore[attr-defined]
            raise PluginTypeError(f"Its class does not define {missing}.")
        return value if has_classes else value()
    if has_classes or not isinstance(value, base):
        which = "a subclass" if has_classes else "an object or a subclass"
        class_name = getattr(value, "__name__", type(value).__name__)
        raise PluginTypeError(f"Expected {which} of mmsat's {base.__name__}, found {class_name}.")
    return value


def extension_rule(kind: str, base: type, *, has_classes: bool = False) -> Rule:
    """Return the rule for arguments that select a value of an `Extensible` mapping.

    They are names, subclasses of `base`, and unless `has_classes`, objects of these classes. The
    rule does not need the mapping, so that it can be declared in the module of the base class.
    """

    def read(value: Any) -> Any:
        return (
            value
            if isinstance(value, (str, base))
            else adapt_extension(value, base, has_classes=has_classes)
        )

    article = "an" if kind[0] in "aeiou" else "a"
    return Rule(f"the name of {article} {kind}, or {article} {base.__name__}", read)
