"""The registry of strategies. A module here defines one with its own name, or those in `SHARED`."""

from mmsat._util.registry import Registry, module_names
from mmsat.strategy.strategy import Strategy

SHARED = {
    "consistent": (
        *("any-consistent", "first-consistent", "next-consistent", "random-consistent"),
        *("sat-consistent", "six-guess"),
    ),
    "halving": ("halving", "parallel-halving"),
    "heuristics": ("entropy", "expected-size", "knuth", "most-parts", "weighing"),
}
"""Modules that define several strategies, or one with another name."""
STRATEGIES = Registry(
    __name__,
    module_names(__path__),
    Strategy,  # type: ignore[type-abstract]
    shared=SHARED,
)
