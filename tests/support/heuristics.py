"""Plain definitions of the heuristic strategies."""

from __future__ import annotations

import math

from mmsat.strategy.strategies import STRATEGIES
from mmsat.strategy.strategies.heuristics import Heuristic

HEURISTICS = {name: kind for name, kind in STRATEGIES.items() if issubclass(kind, Heuristic)}


KEYS = {
    "knuth": max,
    "expected-size": lambda sizes: sum(size * size for size in sizes),
    "entropy": lambda sizes: math.prod(size**size for size in sizes),
    "most-parts": lambda sizes: -len(sizes),
}
"""For each heuristic, the key of a guess from the sizes of its parts; the smallest key is the
best."""
