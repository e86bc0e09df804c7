"""The reductions, by name: each module here defines one, and needs no further line."""

from typing import Any

from mmsat.reductions.base import Reduction
from mmsat.registry import classes

REDUCTIONS: dict[str, type[Reduction[Any, Any]]] = classes(__name__, __path__, Reduction)  # type: ignore[type-abstract]

__all__ = ["REDUCTIONS", "Reduction"]
