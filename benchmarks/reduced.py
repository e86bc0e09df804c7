"""Count the codes of boards made from formulas, and compare with ganak on the formula.

Ten seeds each: uniform 3SAT with 4.26 clauses per variable, one-in-three 3SAT of 200 pegs, and
parities on grids (Tseitin). The run stops at the first difference.
"""

from __future__ import annotations

from statistics import median

from mmsat.counting.count import count
from tests.support.reduced_boards import one_in_three, three_sat, tseitin

SEEDS = range(10)
SIDES = range(2, 7)


def main() -> None:
    """Print the seconds of each count."""
    kinds = {
        "3SAT, 20 variables": (three_sat(20, seed) for seed in SEEDS),
        "3SAT, 50 variables": (three_sat(50, seed) for seed in SEEDS),
        "one in three, 200 pegs": (one_in_three(100, seed) for seed in SEEDS),
        "Tseitin, grids of 2 x 2 to 6 x 6": (
            tseitin(side, odd) for side in SIDES for odd in (False, True)
        ),
    }
    for name, sources in kinds.items():
        seconds, counts = [], []
        for reduction, expected in sources:
            code_count = count(reduction.board)
            if (code_count.count, code_count.exact) != (expected, True):
                raise RuntimeError(f"{name}: {code_count} codes, and {expected} answers")
            seconds.append(code_count.seconds)
            counts.append(code_count.count)
        text = f"median {median(seconds):5.2f} s, at most {max(seconds):5.2f} s"
        print(f"{name:<34} {text}; counts from {min(counts):,} to {max(counts):,}", flush=True)
