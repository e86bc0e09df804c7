"""One encoding as the catalogue describes it: `encodings/NAME/encoding.toml` and its README.

It says in words: title, year, source, summary; kind (count = a way to count; code = a way to write
the code down); propagation (complete, claims or partial: see the README of the catalogue). And
in formulas:

    [size]            variables, clauses, at_most of n literals and a bound b
    [size.between]    the same of a constraint (n, low, high), where it is not a count
    [size.where]      helping formulas, each named with its parameters: "pairs(x, y)"
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from mmsat.catalogue import folder
from mmsat.encoding.arithmetic import Formulas
from mmsat.errors import Fault, InputError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PARAMETERS = {"count": ("n", "b"), "code": ("n",)}
"""What the sizes of a kind of entry are formulas of."""
BETWEEN = ("n", "low", "high")
FILE = "encoding.toml"


@dataclass(frozen=True, slots=True)
class Entry:
    """An encoding's page in the catalogue."""

    name: str
    kind: str
    title: str
    year: str
    source: str
    summary: str
    propagation: str
    readme: str
    """The whole text of its README, in Markdown."""
    size: dict[str, str]
    """The formulas as they are written: variables, clauses, and where it has them, at_most."""
    has_between: bool
    """Whether constraints have formulas of their own."""
    formulas: Formulas = field(repr=False, compare=False)
    """The same, ready to be asked: formulas.value("clauses", n, b)."""

    def to_dict(self) -> dict[str, Any]:
        """What can be said in JSON."""
        keys = ("name", "kind", "title", "year", "source", "summary", "propagation", "size")
        return {key: getattr(self, key) for key in keys}


def entries() -> tuple[Entry, ...]:
    """Every entry of the catalogue, by name."""
    return tuple(load(name) for name in names())


@cache
def names() -> tuple[str, ...]:
    """The names of the entries, sorted."""
    return tuple(sorted(each.name for each in folder("encodings").iterdir() if is_entry(each)))


@cache
def load(name: str) -> Entry:
    """The entry of this name; raises InputError where there is none."""
    if name not in names():
        fault = Fault("no such encoding is in the catalogue", name, f"one of {', '.join(names())}")
        raise InputError([fault], "the name of an encoding")
    place = folder("encodings") / name
    read = tomllib.loads((place / FILE).read_text("utf-8"))
    size, kind = read.pop("size"), read["kind"]
    between, where = size.pop("between", {}), size.pop("where", {})
    return Entry(
        name=name,
        **read,
        readme=(place / "README.md").read_text("utf-8"),
        size=size,
        has_between=bool(between),
        formulas=formulas(size, PARAMETERS[kind], between, where),
    )


def is_entry(place: Traversable) -> bool:
    """Whether a folder describes an encoding; others hold models in other languages."""
    return place.is_dir() and (place / FILE).is_file()


def formulas(
    size: dict[str, str],
    parameters: tuple[str, ...],
    between: dict[str, str],
    where: dict[str, str],
) -> Formulas:
    """All formulas of an entry in one table, those of constraints as between_variables etc."""
    table = Formulas()
    for name, text in size.items():
        table.define(name, parameters, text)
    for name, text in between.items():
        table.define(f"between_{name}", BETWEEN, text)
    for signature, text in where.items():
        name, *given = re.findall(r"\w+", signature)
        table.define(name, given, text)
    return table
