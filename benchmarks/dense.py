"""Dense random boards: 30 pegs, 30 colors, 29 rows, against CaDiCaL on the plain CNF."""

from __future__ import annotations

from statistics import geometric_mean, median

from benchmarks.timing import report, seconds
from mmsat import check
from tests.support.planted_boards import planted

LIMIT = 60
"""Time limit of each decision, in seconds."""
PLAIN = "sat:cadical195:sequential"
"""The engine of the rival: CaDiCaL on sequential counters."""


def main() -> None:
    """Decide each board by auto and by the rival, in turn."""
    rows, ratios, ours, theirs = [], [], [], []
    for seed in range(7):
        board = planted("30x30", 29, seed)
        times = {}
        for engine in ("auto", PLAIN):
            times[engine] = seconds(
                lambda board=board, engine=engine: check(board, engine=engine, timeout=LIMIT)
            )
        ratios.append(times[PLAIN] / times["auto"])
        ours.append(times["auto"])
        theirs.append(times[PLAIN])
        late = " (its limit)" if times[PLAIN] >= LIMIT else ""
        rows.append((f"seed {seed}", f"auto {ours[-1]:6.2f} s   CaDiCaL {theirs[-1]:6.2f} s{late}"))
    rows.append(("median", f"auto {median(ours):6.2f} s   CaDiCaL {median(theirs):6.2f} s"))
    rows.append(("ratio", f"{geometric_mean(ratios):.0f} times faster (geometric mean, at least)"))
    report(f"30 pegs, 30 colors, 29 random rows; CaDiCaL on sequential counters, {LIMIT} s", rows)
