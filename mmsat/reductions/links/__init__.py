"""The transformations of formulas that chains start with, by name: a module each."""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import iter_modules
from typing import Any

from mmsat.reductions.link import Link
from mmsat.registry import Registry

LINKS: Mapping[str, type[Link[Any, Any]]] = Registry(
    __name__,
    (module.name for module in iter_modules(__path__)),
    Link,  # type: ignore[type-abstract]
)
