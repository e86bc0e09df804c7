"""The steps of the presolve, by name: each module that defines one needs no further line."""

from collections.abc import Mapping

from mmsat.constraints.presolve.steps.base import Change, Step
from mmsat.registry import Registry, module_names

STEPS: Mapping[str, type[Step]] = Registry(__name__, module_names(__path__), Step)  # type: ignore[type-abstract]

__all__ = ["STEPS", "Change", "Step"]
