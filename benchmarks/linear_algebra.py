"""Exact linear algebra: our elimination and Hermite form against python-flint on the systems met.

The systems are what presolve and the algebra of two colors eliminate on boards of `reach` and
`decide`. CPU seconds, the median of ten runs; python-flint's include making its matrices.
"""

from __future__ import annotations

import sys
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

from benchmarks.boards import planted
from mmsat.constraints.algebra.elimination import PRIMES, Elimination, find_dependencies
from mmsat.constraints.algebra.sparsify import sparsify
from mmsat.constraints.algebra.two_color_equations import read_equations
from mmsat.constraints.presolve.integers import MOST_ROWS, find_integer_infeasibility
from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmsat.board import Board

RUNS = 10
LIMIT = 40.0
"""Seconds from which a way is measured once."""
RANDOM = (("20x20", 40), ("30x30", 58), ("30x6", 24), ("80x2", 28), ("100x2", 40))
REDUCED = (
    ("vertex-cover-regular", 40),
    ("one-in-three-3sat", 100),
    ("one-in-three-3sat", 400),
    ("sat", 20),
)

Rows = list[tuple[dict[int, int], int]]


def main(_: list[str] | None = None) -> int:
    """Print a line for each board and way."""
    try:
        import flint  # noqa: PLC0415
    except ImportError:
        print("python-flint is not installed", file=sys.stderr)
        return 1
    print(f"python-flint {flint.__version__}, FLINT {flint.__FLINT_VERSION__}")
    for name, board in boards():
        for what, rows in systems(board):
            width = len({key for left, _ in rows for key in left})
            entries = sum(len(left) for left, _ in rows)
            size = f"{len(rows)} x {width}, {entries} entries"
            ways: dict[str, Callable[[], Any]] = {
                "elimination: ours": lambda rows=rows: eliminate(rows),
                "nmod_mat.rref": lambda rows=rows: modular(flint, rows, multipliers=False),
                "nmod_mat.rref, multipliers": lambda rows=rows: modular(flint, rows),
                "fmpq_mat.rref": lambda rows=rows: rational(flint, rows),
            }
            if len(rows) <= MOST_ROWS:  # above, the step does not try
                ways["Hermite: ours"] = lambda rows=rows: hermite(rows)
                ways["fmpz_mat.hnf"] = lambda rows=rows: normal_form(flint, rows)
            for way, run in ways.items():
                print(f"{name:<28} {what:<10} {size:<28} {way:<28} {measure(run)}", flush=True)
    return 0


def boards() -> Iterator[tuple[str, Board]]:
    """Boards of both benchmarks, the reductions smaller."""
    for game, rows in RANDOM:
        yield f"{game}, {rows} rows", planted(game, rows, 1)
    for family, size in REDUCED:
        yield f"{family} {size}", FAMILIES[family].make(size, 1, Answer("consistent")).board


def systems(board: Board) -> Iterator[tuple[str, Rows]]:
    """The equations that are eliminated."""
    made = presolve(board, ("bounds", "histograms", "bounds", "differences"))
    if isinstance(made, Presolved) and (rows := made.problem.equations.active):
        yield "presolve", [(row.left, row.total) for row in rows]
    if board.game.colors == 2:
        rows = sparsify(next(read_equations(board)))
        if isinstance(rows, list):
            plain = [
                (dict(zip(row.pegs.tolist(), row.signs.tolist(), strict=True)), row.total)
                for row in rows
            ]
            yield "two colors", plain


def measure(run: Callable[[], Any]) -> str:
    """CPU seconds, the median of ten."""
    seconds = []
    for _ in range(RUNS):
        before = process_time()
        try:
            run()
        except (MemoryError, OverflowError) as error:
            return type(error).__name__
        seconds.append(process_time() - before)
        if sum(seconds) > LIMIT:
            break
    return f"{median(seconds):.4f}"


def eliminate(rows: Rows) -> object:
    """As the step `rational` does."""
    for prime in PRIMES:
        found, are_all_read = find_dependencies(Elimination.of(rows, prime), rows, 500_000)
        if are_all_read:
            break
    return found


def hermite(rows: Rows) -> object:
    """As the step `hermite` does."""

    class Row:
        def __init__(self, left: dict[int, int], total: int) -> None:
            self.left, self.total = left, total

    return find_integer_infeasibility([Row(*row) for row in rows])  # type: ignore[misc]


def dense(rows: Rows, *, identity: bool) -> list[list[int]]:
    """The coefficients, the totals, and the identity that keeps the multipliers."""
    columns = {
        key: n for n, key in enumerate(dict.fromkeys(key for left, _ in rows for key in left))
    }
    size = len(columns) + 1 + identity * len(rows)
    if len(rows) * size > 50_000_000:
        raise MemoryError
    table = []
    for index, (left, total) in enumerate(rows):
        line = [0] * size
        for key, number in left.items():
            line[columns[key]] = number
        line[len(columns)] = total
        if identity:
            line[len(columns) + 1 + index] = 1
        table.append(line)
    return table


def modular(flint: Any, rows: Rows, *, multipliers: bool = True) -> object:
    """Modulo 2^61 - 1, with the multipliers that a certificate needs."""
    return flint.nmod_mat(flint.fmpz_mat(dense(rows, identity=multipliers)), PRIMES[0]).rref()


def rational(flint: Any, rows: Rows) -> object:
    """Over the rationals (fraction free)."""
    return flint.fmpz_mat(dense(rows, identity=False)).rref()


def normal_form(flint: Any, rows: Rows) -> object:
    """Hermite's normal form."""
    return flint.fmpz_mat(dense(rows, identity=False)).transpose().hnf()


if __name__ == "__main__":
    sys.exit(main())
