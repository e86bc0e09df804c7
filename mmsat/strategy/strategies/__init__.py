"""The registry of strategies.

A module of this package defines the strategy of its name, or the strategies in `SHARED`.
"""

from mmsat._util.arguments import RULES
from mmsat._util.registry import Extensible, Registry, module_names
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
STRATEGIES: Extensible[type[Strategy]] = Extensible(
    "strategy",
    "strategies",
    Registry(
        __name__,
        module_names(__path__),
        Strategy,  # type: ignore[type-abstract]
        shared=SHARED,
    ),
    Strategy,
    has_classes=True,
)
RULES["strategy"] = STRATEGIES.rule()
