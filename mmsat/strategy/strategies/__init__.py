"""The strategies, by name: each module here defines one, and needs no further line."""

from mmsat.registry import Registry, module_names
from mmsat.strategy.strategy import Strategy

STRATEGIES = Registry(__name__, module_names(__path__), Strategy)  # type: ignore[type-abstract]
