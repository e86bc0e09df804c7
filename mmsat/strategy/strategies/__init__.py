"""The strategies, by name: each module here defines one, and needs no further line."""

from pkgutil import iter_modules

from mmsat.registry import Registry
from mmsat.strategy.strategy import Strategy

STRATEGIES = Registry(__name__, (module.name for module in iter_modules(__path__)), Strategy)  # type: ignore[type-abstract]
