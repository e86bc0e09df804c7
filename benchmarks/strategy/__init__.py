"""Strategies: the kernel's rate, whole heuristic trees, games too large to list.

Processor time after start-up, one core.
"""

from __future__ import annotations

from benchmarks.strategy import kernel, large, trees


def main(names: list[str]) -> int:
    """Run the parts named, or all."""
    parts = {"kernel": kernel.main, "trees": trees.main, "large": large.main}
    for name in names or parts:
        if name not in parts:
            print(f"no such part: {name}; write {', '.join(parts)}")
            return 2
        parts[name]()
    return 0
