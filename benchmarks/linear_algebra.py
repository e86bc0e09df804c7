"""Compare exact linear algebra with python-flint, and lattice reduction with fpylll.

Elimination and Hermite form: the systems are those that presolve and the algebra of two colors
eliminate on boards of `reach` and `decide`, for ten seeds each. Times are CPU times. For
python-flint, they include the conversion to its matrices.

Lattice reduction: the lattices are those of boards of `reach`, for ten seeds each. LLL is compared
with python-flint and fpylll, and block reduction with fpylll.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import hypot, log
from statistics import median
from time import process_time
from typing import Any

from mmsat._core import Lattice as Kernel
from mmsat.constraints.histograms import PegEquations
from mmsat.constraints.linear_algebra import (
    PRIMES,
    Equation,
    find_dependencies,
    find_integer_contradiction,
)
from mmsat.constraints.presolve_steps import MAX_HERMITE_EQUATIONS, Presolved, presolve
from mmsat.constraints.two_colors import read_equations, read_signed_equations, sparsify
from mmsat.game.board import Board
from mmsat.limits import LIMITS
from mmsat.reductions.families import FAMILIES
from mmsat.reductions.samples import Answer
from mmsat.solving.lattice import BLOCKS, MAX_TOURS, read_lattice_equations, systems_to_solve
from tests.support.planted_boards import planted

LIMIT = 40.0
"""Seconds after which a method is not measured on further boards."""
RANDOM = (("20x20", 40), ("30x30", 58), ("30x6", 24), ("80x2", 28), ("100x2", 40))
"""Games and numbers of rows of random boards for elimination."""
LATTICES = (("30x6", 24), ("80x2", 28), ("100x2", 24), ("100x2", 40))
"""The same for lattice reduction."""
SEEDS = range(1001, 1011)
LARGE = 1 << 20
"""Weight of a violated equation in the basis that libraries start from."""
REDUCED = (
    ("vertex-cover-regular", 40),
    ("one-in-three-3sat", 100),
    ("one-in-three-3sat", 400),
    ("sat", 20),
)
"""Families of reductions, and sizes."""

Rows = list[Equation]


def reduced(family: str, size: int, seed: int) -> Board:
    """Return a consistent board of a reduction."""
    return FAMILIES[family].make(size, seed, Answer("consistent")).board


BOARDS: dict[str, Callable[[int], Board]] = {
    **{f"{game}, {rows} rows": partial(planted, game, rows) for game, rows in RANDOM},
    **{f"{family} {size}": partial(reduced, family, size) for family, size in REDUCED},
}
"""Functions that make the boards of elimination from a seed: boards as in `reach` and `decide`, but
with smaller reductions."""


def main(_: list[str] | None = None) -> int:
    """Print a line for each board and method."""
    try:
        import flint
    except ImportError:
        print("python-flint is not installed", file=sys.stderr)
        return 1
    print(f"python-flint {flint.__version__}, FLINT {flint.__FLINT_VERSION__}")
    for name, make in BOARDS.items():
        compare_eliminations(flint, name, map(make, SEEDS))
    for game, rows in LATTICES:
        compare_lattices(flint, game, rows)
    return 0


def compare_lattices(flint: Any, game: str, rows: int) -> None:
    """Print the median and maximum time of each method, and the mean log length of vectors."""
    from fpylll import BKZ, LLL, IntegerMatrix

    seconds: dict[str, list[float]] = {}
    lengths: dict[str, list[float]] = {}

    def clock(way: str, run: Callable[[], Any]) -> Any:
        before = process_time()
        result = run()
        seconds.setdefault(way, []).append(process_time() - before)
        return result

    def reduce_by_blocks(basis: list[list[float]]) -> Any:
        matrix = IntegerMatrix.from_matrix([[int(number) for number in row] for row in basis])
        for block in BLOCKS:
            flags = BKZ.AUTO_ABORT | BKZ.MAX_LOOPS
            BKZ.reduction(matrix, BKZ.Param(block_size=block, flags=flags, max_loops=MAX_TOURS))
        return [[float(number) for number in row] for row in matrix]

    def reduce_own(kernel: Kernel) -> list[list[float]]:
        for block in BLOCKS:
            kernel.reduce_blocks(block, MAX_TOURS)
        return kernel.basis

    for seed in SEEDS:
        for system in systems_to_solve(planted(game, rows, seed)):
            for equations in read_lattice_equations(system).by_histogram or ():
                given = (
                    equations.colors,
                    equations.allowed,
                    equations.coefficients,
                    equations.totals,
                )
                kernel = clock("LLL: ours", lambda given=given: Kernel(*given))
                start = unreduced(equations)
                clock("LLL: fmpz_mat.lll", lambda start=start: flint.fmpz_mat(start).lll())
                created = IntegerMatrix.from_matrix(start)
                clock("LLL: fpylll", lambda item=created: LLL.reduction(item))
                basis = kernel.basis
                ways = {
                    "blocks: fpylll": lambda basis=basis: reduce_by_blocks(basis),
                    "blocks: ours": lambda kernel=kernel: reduce_own(kernel),
                }
                for way, run in ways.items():
                    short = clock(way, run)
                    mean = sum(log(hypot(*vector)) for vector in short) / len(short)
                    lengths.setdefault(way, []).append(mean)
    for way, times in seconds.items():
        figures = f"{len(times)} lattices, {median(times):.3f} s, at most {max(times):.3f} s"
        mean = f", mean log length {median(lengths[way]):.3f}" if way in lengths else ""
        print(f"{game}, {rows} rows: {way:<20} {figures}{mean}", flush=True)


def unreduced(equations: PegEquations) -> list[list[int]]:
    """Return the identity matrix, extended by the heavily weighted equations.

    There is one column for each color of a peg except the first, as in the kernel.
    """
    columns = [
        [
            int(row[peg * equations.colors + color]) - int(row[peg * equations.colors + first])
            for row in equations.coefficients
        ]
        for peg, (first, *others) in enumerate(equations.allowed)
        for color in others
    ]
    size = len(columns)
    return [
        [int(other == index) for other in range(size)] + [LARGE * number for number in column]
        for index, column in enumerate(columns)
    ]


def compare_eliminations(flint: Any, name: str, boards: Iterable[Board]) -> None:
    """Print median and maximum of the milliseconds over the boards, by system and method."""
    seconds: dict[str, list[float]] = {}
    for board in boards:
        for what, rows in systems(board):
            ways: dict[str, Callable[[Rows], object]] = {
                "elimination: ours": eliminate,
                "nmod_mat.rref": lambda rows: modular(flint, rows, multipliers=False),
                "nmod_mat.rref, multipliers": lambda rows: modular(flint, rows),
            }
            if len(rows) <= MAX_HERMITE_EQUATIONS:  # above, the step does not try
                ways |= {"Hermite: ours": hermite, "fmpz_mat.hnf": partial(normal_form, flint)}
            for way, run in ways.items():
                times = seconds.setdefault(f"{what:<10} {way}", [])
                if sum(times) < LIMIT:
                    before = process_time()
                    run(rows)
                    times.append(process_time() - before)
    for way, times in seconds.items():
        shown = f"{1000 * median(times):.1f} ms, at most {1000 * max(times):.1f} ms"
        print(f"{name:<22} {way:<38} {len(times)} boards, {shown}", flush=True)


def systems(board: Board) -> Iterator[tuple[str, Rows]]:
    """Yield the systems of equations that mmsat eliminates, each after the name of its step."""
    presolved = presolve(board, ("bounds", "histograms", "bounds", "differences"))
    if isinstance(presolved, Presolved) and (rows := presolved.problem.equations.active_equations):
        yield "presolve", rows
    if board.game.colors == 2:
        equations = next(read_equations(board))
        signed = read_signed_equations(equations)
        sparsify(signed, equations.pegs)
        yield "two colors", [(row.coefficients(), row.total) for row in signed]


def eliminate(rows: Rows) -> object:
    """Eliminate with the limits of the step `rational`."""
    return find_dependencies(rows, 500_000)


def hermite(rows: Rows) -> object:
    """Compute a Hermite form with the limits of the step `hermite`."""
    return find_integer_contradiction(rows, LIMITS.hermite_work)


def dense(rows: Rows, *, identity: bool) -> list[list[int]]:
    """Return a dense matrix: coefficients, totals, and with `identity`, columns for multipliers."""
    columns = {
        key: n
        for n, key in enumerate(dict.fromkeys(key for remaining, _ in rows for key in remaining))
    }
    size = len(columns) + 1 + identity * len(rows)
    if len(rows) * size > 50_000_000:
        raise MemoryError
    table = []
    for index, (coefficients, total) in enumerate(rows):
        line = [0] * size
        for key, number in coefficients.items():
            line[columns[key]] = number
        line[len(columns)] = total
        if identity:
            line[len(columns) + 1 + index] = 1
        table.append(line)
    return table


def modular(flint: Any, rows: Rows, *, multipliers: bool = True) -> object:
    """Eliminate modulo 2^61 - 1, by default with the multipliers that a certificate needs."""
    return flint.nmod_mat(flint.fmpz_mat(dense(rows, identity=multipliers)), PRIMES[0]).rref()


def normal_form(flint: Any, rows: Rows) -> object:
    """Compute the Hermite normal form."""
    return flint.fmpz_mat(dense(rows, identity=False)).transpose().hnf()


if __name__ == "__main__":
    sys.exit(main())
