"""The families of boards, by name: each module here defines one, and needs no further line."""

from mmsat.generators.base import Family
from mmsat.registry import classes

_found = classes(__name__, __path__, Family)  # type: ignore[type-abstract]
FAMILIES: dict[str, Family] = {name: _found[name]() for name in sorted(_found)}

__all__ = ["FAMILIES", "Family"]
