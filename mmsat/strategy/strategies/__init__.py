"""The registry of strategies.

A module of this package defines the strategy of its name, or the strategies in `SHARED`.
"""

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
"""The strategies of the modules that define several."""
STRATEGIES = Registry(
    __name__,
    module_names(__path__),
    Strategy,  # type: ignore[type-abstract]
    shared=SHARED,
)
