"""The steps of the presolve, by name: each module that defines one needs no further line."""

from mmsat.constraints.presolve.steps.base import Change, Step
from mmsat.registry import classes

STEPS: dict[str, type[Step]] = classes(__name__, __path__, Step)  # type: ignore[type-abstract]

__all__ = ["STEPS", "Change", "Step"]
