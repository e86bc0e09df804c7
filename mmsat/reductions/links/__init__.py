"""The transformations of formulas that chains start with, by name: a module each."""

from collections.abc import Mapping
from typing import Any

from mmsat.reductions.link import Link
from mmsat.registry import Registry, module_names

LINKS: Mapping[str, type[Link[Any, Any]]] = Registry(
    __name__,
    module_names(__path__),
    Link,  # type: ignore[type-abstract]
)
