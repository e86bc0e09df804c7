"""Strategies: the kernel's rate, heuristic trees, optimal ones, games too large to list.

Processor time after start-up, one core.
"""

from __future__ import annotations

from benchmarks.strategy import bounds, kernel, large, optimal, several, trees


def main(names: list[str]) -> int:
    """Run the named parts, or all. `optimal` and `several` accept arguments."""
    parts = {
        "kernel": kernel.main,
        "trees": trees.main,
        "optimal": optimal.main,
        "large": large.main,
        "bounds": bounds.main,
        "several": several.main,
    }
    if names[:1] == ["optimal"] and names[1:]:
        optimal.main([" ".join(names[1:])])
        return 0
    if names[:1] == ["several"]:
        several.main(names[1:])
        return 0
    for name in names or parts:
        if name not in parts:
            print(f"no such part: {name}; write {', '.join(parts)}")
            return 2
        parts[name]()
    return 0
