"""The strategies, by name: each module here defines one, and needs no further line."""

from mmsat.registry import classes
from mmsat.strategy.strategies.base import Strategy

STRATEGIES: dict[str, type[Strategy]] = classes(__name__, __path__, Strategy)  # type: ignore[type-abstract]

__all__ = ["STRATEGIES", "Strategy"]
