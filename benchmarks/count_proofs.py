"""Measure proofs of counts, and check them by the published checkers of the format SCPOG.

All times are processor seconds. The checkers are those of Bryant, Tan and Heule (SAT 2025), if they
are on the PATH: `cpog-check`, which also reports the count, and `cake_scpog`, which is formally
verified. The first boards are random and small; the count of each is compared with the proof.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import mmsat
from benchmarks.timing import cpu_clock, report
from mmsat.proof.bundle import Bundle, split_bundle
from tests.support.planted_boards import planted

RANDOM = (("4x6", 2), ("5x8", 2), ("5x8", 3), ("6x9", 3), ("8x6", 4))
SEEDS = 4
"""Number of boards of each random size."""
LARGE = (("8x8", 3, 0), ("8x12", 3, 0), ("8x12", 3, 5), ("12x6", 4, 7))
LAYERED = (("14x8", 3, 0), ("16x6", 3, 0), ("20x4", 4, 0), ("20x6", 3, 0), ("40x2", 6, 0))
"""Boards with more than 100,000 edges, whose proofs list states."""
CHECKERS = {
    "cpog-check": (["-n", "1"], "FULL-PROOF SUCCESS"),
    "cake_scpog": ([], "s VERIFIED CPOG REPRESENTATION"),
}
"""For each checker, its options, and the text that it prints if it accepts a proof."""
CAKE_HEAP_MEGABYTES = "4000"


def main() -> None:
    """Prove and check the count of each board."""
    checkers = [name for name in CHECKERS if shutil.which(name)]
    boards = [(size, rows, seed) for size, rows in RANDOM for seed in range(SEEDS)]
    boards += LARGE + LAYERED
    lines = []
    for size, rows, seed in boards:
        board = planted(size, rows, seed)
        start = cpu_clock()
        proof = mmsat.prove_count(board)
        made = cpu_clock() - start
        if proof is None or proof.count != mmsat.count(board).count:
            raise AssertionError(board)
        start = cpu_clock()
        if not mmsat.verify(proof).holds:
            raise AssertionError(board)
        times = [f"make {made:6.2f}  verify {cpu_clock() - start:6.2f}"]
        if proof.method == "count":
            times += [f"{name} {seconds:6.2f}" for name, seconds in run_checkers(proof, checkers)]
        sizes = f"{proof.count:9d} codes {len(proof.text) / 1000:7.0f} kB"
        lines.append((f"{size}, {rows} rows, seed {seed}", f"{sizes}  {'  '.join(times)}"))
    report("Proofs of counts, processor seconds", lines)


def run_checkers(proof: mmsat.Proof, names: list[str]) -> list[tuple[str, float]]:
    """Return the processor seconds of each checker; raise AssertionError if one refuses."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for name, pieces in split_bundle(Bundle.read(proof.text)).items():
            (Path(folder) / name).write_text("".join(pieces), "utf-8")
        for name in names:
            options, success = CHECKERS[name]
            before = getrusage(RUSAGE_CHILDREN).ru_utime
            done = subprocess.run(
                [name, *options, "formula.cnf", "proof.scpog"],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
                env=os.environ | {"CML_HEAP_SIZE": CAKE_HEAP_MEGABYTES},
            )
            times.append((name, getrusage(RUSAGE_CHILDREN).ru_utime - before))
            counts = f"Regular model count = {proof.count}\n"
            if success not in done.stdout or (name == "cpog-check" and counts not in done.stdout):
                raise AssertionError(done.stdout)
    return times
