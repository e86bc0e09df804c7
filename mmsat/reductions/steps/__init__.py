"""The steps from source to source, by name: each module that defines one needs no further line."""

from typing import Any

from mmsat.reductions.steps.base import Step
from mmsat.registry import classes

STEPS: dict[str, type[Step[Any, Any]]] = classes(__name__, __path__, Step)  # type: ignore[type-abstract]

__all__ = ["STEPS", "Step"]
