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
MODULES = {
    name: module
    for module in module_names(__path__)
    for name in SHARED.get(module, (module.replace("_", "-"),))
}
"""The module of each strategy."""
STRATEGIES: Extensible[type[Strategy]] = Extensible(
    "strategy",
    "strategies",
    Registry(
        __name__,
        {name: MODULES[name] for name in sorted(MODULES)},
        Strategy,  # type: ignore[type-abstract]
    ),
    Strategy,
    has_classes=True,
)
RULES["strategy"] = STRATEGIES.rule()
