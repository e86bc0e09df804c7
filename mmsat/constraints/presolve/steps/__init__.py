"""The steps of the presolve, by name: each module that defines one needs no further line."""

from collections.abc import Mapping

from mmsat.constraints.presolve.steps.presolve_step import Change, PresolveStep
from mmsat.registry import Registry, module_names

STEPS: Mapping[str, type[PresolveStep]] = Registry(
    __name__,
    module_names(__path__),
    PresolveStep,  # type: ignore[type-abstract]
)

__all__ = ["STEPS", "Change", "PresolveStep"]
