"""Measure proofs: sizes, and the time to solve, trim and check; compare with other checkers.

The first table has proofs of verdicts by lemmas; its times are processor times. "Solve" is glucose
on the formula. "Check" is our kernel on the trimmed proof. "Verify" is all of `mmsat verify`:
reading, digests, regenerating the formula, and the check. The same trimmed proof is checked by
drat-trim if it is installed, otherwise by dratify.

The second table has the other kinds of proofs: counts, lists, explanations and optimal strategies.
Its times are wall-clock times of the library calls. The time to make a proof includes its check,
and for a strategy excludes the search.

Proofs of counts and their published checkers are in `count_proofs.py`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import partial
from math import exp, isnan, log, nan
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import count_proofs
from benchmarks.timing import report
from mmsat import (
    check,
    optimal,
    prove_codes,
    prove_count,
    prove_explanation,
    prove_optimum,
    verify,
)
from mmsat._core import Check, LratChecker, Trimmer
from mmsat.game import library
from mmsat.proof.bundle import Bundle, board_text, lrat_to_drat, write_dimacs
from mmsat.proof.prove import SOLVER, select_proof_encoding
from mmsat.solving.sat import pysat
from tests.support.planted_boards import planted, slipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmsat import Board, Proof, StrategyProof

RANDOM = (("8x8", 9), ("12x12", 13), ("16x10", 16), ("20x6", 14), ("20x20", 24), ("14x6", 11))
MAX_LEMMAS = 2000
"""Maximum number of lemmas for the other checker. Dratify, which is written in Python, would take
too long for more."""
LIBRARY = (
    "classic/knuth-1122-1.3",
    "mistakes/black-and-white-exchanged",
    "mistakes/two-slips",
    "mistakes/super-one-off",
    "mistakes/royale",
    "mistakes/word",
    "papers/coloring-triangle",
    "reductions/black-white-lift-10-slipped",
    "reductions/graph-coloring-4-inconsistent",
    "hard/six-colors-18-slipped",
    "hard/six-colors-black-20-slipped",
)


EXPLAINED = (
    "mistakes/two-slips",
    "mistakes/black-and-white-exchanged",
    "reductions/graph-coloring-4-inconsistent",
)
"""Boards whose explanations are proved."""


class Measured(NamedTuple):
    """The sizes of one proof, and the times in processor seconds."""

    solver_bytes: int
    file_bytes: int
    lemmas: int
    solve: float
    trim: float
    check: float
    verify: float
    other: float


def main() -> None:
    """Prove each board from all of its rows."""
    other = "drat-trim" if shutil.which("drat-trim") else "dratify"
    rows, ratios, against = [], [], []
    for name, board in boards():
        result = measured(board)
        sizes = f"{result.solver_bytes / 1000:8.0f} kB DRUP {result.file_bytes / 1000:7.0f} kB file"
        times = f"solve {result.solve:6.3f}  trim {result.trim:6.3f}  check {result.check:6.3f}"
        remainder = f"verify {result.verify:6.3f}  {other} {result.other:6.2f}"
        rows.append((name, f"{sizes} {result.lemmas:6d} lemmas  {times}  {remainder}"))
        if result.solve > 0.01:
            ratios.append(result.check / result.solve)
        if result.check > 0.0001 and not isnan(result.other):
            against.append(result.other / result.check)
    rows.append(("check / solve", f"{mean(ratios):.3f} (geometric mean, if solving takes 10 ms)"))
    rows.append((f"{other} / check", f"{mean(against):.0f}"))
    report("Proofs by lemmas, processor seconds", rows)

    report("Other proofs, seconds", [other_row(*entry) for entry in other_proofs()])
    count_proofs.main()


def other_proofs() -> Iterator[tuple[str, Callable[[], Proof | StrategyProof | None]]]:
    """Yield names, and calls that make proofs of each other kind."""
    counted = planted("8x12", 3, 1)
    yield "count, 4x6 and 2 rows", partial(prove_count, "4x6/1122=1.1/3345=0.2")
    yield "count, 8x12 and 3 rows", partial(prove_count, counted)
    yield "list, 4x6 and 2 rows", partial(prove_codes, "4x6/1122=1.1/3345=0.2")
    yield "list, 4x6 and 1 row", partial(prove_codes, "4x6/1122=1.1")
    yield "list, 6x6 and 1 row", partial(prove_codes, "6x6/112233=3.0")
    for name in EXPLAINED:
        yield f"explanation, {name}", partial(prove_explanation, library.find(name).board)
    for game in ("3x4", "4x4"):
        yield f"strategy, {game}", partial(prove_optimum, optimal(game))


def other_row(name: str, make: Callable[[], Proof | StrategyProof | None]) -> tuple[str, str]:
    """Make a proof and check it; return its name, and its size and times in words."""
    start = perf_counter()
    proof = make()
    made = perf_counter() - start
    if proof is None:
        raise AssertionError(name)
    start = perf_counter()
    if not verify(proof).holds:
        raise AssertionError(name)
    checked = perf_counter() - start
    size = len(proof.text) / 1000
    return name, f"{size:9.1f} kB file  make {made:7.3f}  verify {checked:7.3f}"


def mean(ratios: list[float]) -> float:
    """Return the geometric mean, or NaN of an empty list."""
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else nan


def boards() -> Iterator[tuple[str, Board]]:
    """Yield boards of the library, and random inconsistent boards, with their names."""
    for name in LIBRARY:
        yield name, library.find(name).board
    for size, count in RANDOM:
        seed = 0
        while True:
            board = slipped(planted(size, count, seed), seed)
            if check(board, reason=0, timeout=60).is_consistent is False:
                break
            seed += 1
        yield f"{size}, {count} rows", board


def measured(board: Board) -> Measured:
    """Solve, trim, check, verify, and run the other checker."""
    encoding = select_proof_encoding(board)
    dimacs = write_dimacs(board, encoding)
    start = process_time()
    with pysat().Solver(SOLVER, bootstrap_with=dimacs.formula.clauses, with_proof=True) as solver:
        solver.solve()
        solve = process_time() - start
        drup = "".join(f"{line}\n" for line in solver.get_proof()).encode()
    start = process_time()
    trimmer = Trimmer(dimacs.formula.variables, dimacs.formula.literals, drup)
    while trimmer.advance(1 << 30) == Check.UNFINISHED:
        pass
    trim = process_time() - start
    start = process_time()
    checker = LratChecker(dimacs.formula.variables, dimacs.formula.literals, trimmer.lrat)
    while checker.advance(1 << 30) == Check.UNFINISHED:
        pass
    checked = process_time() - start
    text = str(
        Bundle(
            board_text(board),
            "inconsistent",
            "lrat",
            {
                "rows": " ".join(str(row + 1) for row in range(len(board.rows))),
                "encoding": encoding,
            },
            {"cnf": dimacs.text, "lrat": trimmer.lrat.decode()},
        )
    )
    start = process_time()
    if not verify(text).holds:
        raise AssertionError(board)
    verified = process_time() - start
    lemmas = "".join(lrat_to_drat(dimacs.text, trimmer.lrat.decode()))
    other = by_other(dimacs.text, lemmas) if checker.lemmas <= MAX_LEMMAS else nan
    return Measured(len(drup), len(text), checker.lemmas, solve, trim, checked, verified, other)


def by_other(cnf: str, proof: str) -> float:
    """Return the processor time of drat-trim, or of dratify if drat-trim is not installed."""
    program = shutil.which("drat-trim")
    if program is None:
        import dratify

        start = process_time()
        if not dratify.check_proof(dratify.parse_dimacs(cnf), proof).ok:
            raise AssertionError(cnf)
        return process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.cnf").write_text(cnf)
        (Path(folder) / "a.drat").write_text(proof)
        before = getrusage(RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "a.cnf", "a.drat"], cwd=folder, capture_output=True, check=False)
        return getrusage(RUSAGE_CHILDREN).ru_utime - before
