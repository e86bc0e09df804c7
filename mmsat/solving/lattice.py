"""The engine lattice: enumerate the codes of a board as points of a lattice in a box.

The black scores of a board are linear equations over its code variables once the number of pegs of
each color is known. That number mostly follows from the other scores, up to a few possibilities.
The integer solutions of such equations are one solution plus a lattice. The basis of the lattice is
reduced [1, 2], and the points near the center of the box of all codes are enumerated [3, 4]. Most
branches end early, because a partial point must be compatible with a corner of the box
(_core/lattice/walk.hpp). The walk is complete: if it finds no code, there is none.

The box is flat in directions of colors that the equations make unlikely. Therefore lengths are
scaled by the probability of each color at each peg (constraints/max_entropy.py). The scaled box
is nearly round, and the walk takes a third of the time with two colors, and a tenth with six.

The cost depends on the dimension of the lattice, not on the number of codes. Most random boards
that have about one code are decided up to 120 pegs of two colors and 30 pegs of six.

Pruned walks (`Pruned`) also search for codes, one basis after another. All codes have the same
distance from the center of their box. Once some basis vectors are chosen, the determined fraction
of the squared distance is mostly not much more than the fraction of chosen vectors. A pruned walk
cuts off points that are farther: nearly all of the work, and some codes. Another basis gives
another chance [2, 5]. A pruned walk never proves that there is no code, so it is interleaved with
a walk over all points (`Points`). On three boards of 30 pegs and 6 colors, pruning did not pay off,
because the box itself cuts off as much there. Therefore only lattices of two colors are pruned.

References
----------
Lattices for equations with bounds were introduced in [6], and the scaling of a body before its
lattice is reduced in [7]. The test by the shape of the box whether a corner can still be reached is
that of [8] for two colors. For more colors, and for the scaled lengths, it was developed in this
project.

[1] A. K. Lenstra, H. W. Lenstra and Lovasz (1982), "Factoring polynomials with rational
    coefficients", Mathematische Annalen 261.
[2] Schnorr and Euchner (1994), "Lattice basis reduction: improved practical algorithms and solving
    subset sum problems", Mathematical Programming 66.
[3] Kannan (1983), "Improved algorithms for integer programming and related lattice problems", STOC.
[4] Fincke and Pohst (1985), "Improved methods for calculating vectors of short length in a
    lattice, including a complexity analysis", Mathematics of Computation 44.
[5] Gama, Nguyen and Regev (2010), "Lattice enumeration using extreme pruning", Eurocrypt 2010.
[6] Aardal, Hurkens and A. K. Lenstra (2000), "Solving a system of linear Diophantine equations with
    lower and upper bounds on the variables", Mathematics of Operations Research 25.
[7] H. W. Lenstra (1983), "Integer programming with a fixed number of variables", Mathematics of
    Operations Research 8.
[8] Ritter (1996), "Breaking knapsack cryptosystems by max-norm enumeration", Pragocrypt '96.
"""

from __future__ import annotations

import random
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf, log2
from typing import TYPE_CHECKING

from mmsat._core import Lattice as Kernel
from mmsat._core import SearchStatus
from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.constraints.system import System
from mmsat.constraints.two_color_games import suits
from mmsat.errors import SizeError
from mmsat.game.tolerance import STRICT
from mmsat.solving.engine import SolverEngine
from mmsat.solving.portfolio import AnyOf, Portfolio, Work, find_code
from mmsat.solving.simplification import simplify_two_colors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.constraints.linear_systems import PegEquations
    from mmsat.game.board import Board
    from mmsat.game.row import Code
    from mmsat.game.tolerance import Tolerance

BLOCKS = (10, 15, 20, 25, 30)
"""Block sizes of the basis reduction, in this order. Large blocks are expensive at first."""
LARGE_BLOCKS = (40, 50)
"""Additional block sizes, for half a second more, if the walk over a two-color lattice takes far
longer."""
LARGE = 90
"""The dimension from which LARGE_BLOCKS are used."""
MANY_COLORS_REDUCTION = (20, 4)
"""Block size and number of tours for more than two colors."""
FIRST_STEP_BLOCKS = 3
"""The number of block sizes reduced before the first step of a large lattice ends. The other block
sizes follow in the next step, so that interleaved solvers need not wait for them."""
TOURS = 4
"""Maximum number of passes over the basis per block size."""
THREADS = 2
"""Number of threads, each of which walks over a share of the points."""
POINTS_PER_BUDGET = 2_000_000
"""Points of a budget of 1: a tenth of a second."""
MAX_POINTS_PER_CALL = 5_000_000
"""Maximum number of points between checks for results of the other threads: about a third of a
second."""
CHECK_COST = 20_000
"""Cost, in points, of checking a solution of the equations against the whole system."""
MIN_PRUNED_BUDGET = 16
"""Budget from which pruned walks run. At smaller budgets, a walk over all points is either almost
finished or never finishes."""
MAX_POINTS_PER_TRIAL = 100_000_000
"""Maximum number of points per basis: about the time in which eight bases are made."""
INITIAL_OFFSET = 0.03
"""Initial offset of the pruning bounds: 0 cuts off the most, 1 nothing."""
OFFSET_GROWTH = 1.3
"""Factor by which the offset grows after a trial of few points, and shrinks after one of too
many."""


class Points(Work):
    """Enumerates the points of lattices step by step, one lattice after the other."""

    name = "lattice"

    def __init__(
        self, readings: Sequence[PegEquations], system: System, lattices: Lattices | None = None
    ) -> None:
        self._remaining_lattices = list(readings)
        self.system = system
        self._lattices = Lattices() if lattices is None else lattices
        self._kernel: Kernel | None = None
        self._blocks: tuple[int, ...] = ()
        """The block sizes that are still to be used."""

    def step(self, budget: int) -> bool:
        """Reduce a basis or resume the walk; return True on a further code, or if there is none."""
        self.code = None
        remaining_points = POINTS_PER_BUDGET * budget
        while remaining_points > 0:
            if self._kernel is None:
                if not self._remaining_lattices:
                    return True
                self._kernel = self._begin(self._remaining_lattices.pop(0))
                if self._blocks:  # let interleaved solvers work before the slow block sizes
                    return False
            self._shorten(self._kernel, len(self._blocks))
            status = self._kernel.advance(min(remaining_points, MAX_POINTS_PER_CALL), THREADS)
            if status is SearchStatus.EXHAUSTED:
                self._kernel = None
            elif status is SearchStatus.BUDGET_SPENT:
                remaining_points -= MAX_POINTS_PER_CALL
            elif self.system.satisfies(self._kernel.code):
                self.code = self._kernel.code
                return True
            else:
                remaining_points -= CHECK_COST
        return False

    def _begin(self, places: PegEquations) -> Kernel:
        """Return the next lattice with a reduced basis.

        The basis of a large lattice is reduced by the first block sizes only.
        """
        kernel = self._lattices.make(places)
        if places.colors > 2:
            with size_errors():
                kernel.reduce_blocks(*MANY_COLORS_REDUCTION)
            return kernel
        is_large = len(kernel.basis) >= LARGE
        self._blocks = BLOCKS + LARGE_BLOCKS if is_large else BLOCKS
        self._shorten(kernel, FIRST_STEP_BLOCKS if is_large else len(BLOCKS))
        return kernel

    def _shorten(self, kernel: Kernel, count: int) -> None:
        """Reduce the basis by the next `count` block sizes."""
        with size_errors():
            for block in self._blocks[:count]:
                kernel.reduce_blocks(block, TOURS)
        self._blocks = self._blocks[count:]

    def close(self) -> None:
        """Release the memory of the kernel."""
        self._kernel = None


class Pruned(Work):
    """Pruned walks over one lattice, each with another basis."""

    name = Points.name

    def __init__(self, places: PegEquations, system: System) -> None:
        self.places = places
        self.system = system
        self._offset = INITIAL_OFFSET
        self._trials = 0

    def step(self, budget: int) -> bool:
        """Run trials within half the budget; return whether a code was found."""
        self.code = None
        remaining_points = POINTS_PER_BUDGET * (budget // 2) if budget >= MIN_PRUNED_BUDGET else 0
        while remaining_points > 0:
            points = self._try()
            if self.code is not None:
                return True
            remaining_points -= max(points, MAX_POINTS_PER_CALL)
            if points >= MAX_POINTS_PER_TRIAL:
                self._offset /= OFFSET_GROWTH
            elif points < MAX_POINTS_PER_TRIAL / 4:
                self._offset = min(1.0, self._offset * OFFSET_GROWTH)
        return False

    def _try(self) -> int:
        """Walk with a new basis, and return the number of points visited."""
        source = random.Random(self._trials)
        self._trials += 1
        pegs = len(self.places.allowed)
        order = source.sample(range(pegs), pegs)
        kernel = make_kernel(reorder(self.places, order))
        with size_errors():
            for block in BLOCKS + LARGE_BLOCKS:
                kernel.reduce_blocks(block, TOURS)
        levels = len(kernel.basis)
        fixed_shares = [(levels - level) / levels for level in range(levels)]
        kernel.prune([self._offset + (1 - self._offset) * share for share in fixed_shares])
        for points in range(0, MAX_POINTS_PER_TRIAL, MAX_POINTS_PER_CALL):
            status = kernel.advance(MAX_POINTS_PER_CALL, THREADS)
            if status is SearchStatus.CODE_FOUND:
                colors = dict(zip(order, kernel.code, strict=True))
                code = tuple(colors[peg] for peg in range(pegs))
                if self.system.satisfies(code):
                    self.code = code
            if status is not SearchStatus.BUDGET_SPENT:
                return points
        return MAX_POINTS_PER_TRIAL

    def close(self) -> None:
        """Do nothing: no memory outside Python is kept."""


class Lattices:
    """Makes lattices of similar boards. Each starts from the basis of the previous one."""

    def __init__(self) -> None:
        self._last: Kernel | None = None

    def make(self, places: PegEquations) -> Kernel:
        """Return the lattice with some basis."""
        self._last = make_kernel(places, self._last)
        return self._last


def make_kernel(places: PegEquations, other: Kernel | None = None) -> Kernel:
    """Return the lattice with some basis, which starts from that of `other` if it is suitable."""
    with size_errors():
        return Kernel(
            places.colors, places.allowed, places.weights, places.totals, other, places.likely
        )


@contextmanager
def size_errors() -> Iterator[None]:
    """Convert OverflowError, for numbers of a lattice that are too large, to SizeError."""
    try:
        yield
    except OverflowError as error:
        raise SizeError(f"the board is too large for the engine lattice: {error}") from error


def reorder(places: PegEquations, order: list[int]) -> PegEquations:
    """Return the same equations with the pegs in another order, which leads to another basis."""
    by_peg = places.weights.reshape(len(places.totals), -1, places.colors)
    return replace(
        places,
        allowed=tuple(places.allowed[peg] for peg in order),
        weights=by_peg[:, order].copy().reshape(places.weights.shape),
    )


COUNTING = ("bounds", "histograms", "bounds")
"""The steps of the presolve that bound the number of pegs of each color."""
MAX_FREEDOM = 500
"""Maximum number of free coordinates of a code. The basis has as many numbers at the start, which
is a few seconds of work."""
MIN_PRUNED_DIMENSION = 70
"""Dimension of a two-color lattice from which pruned walks find codes sooner."""
MAX_DIMENSION = 170
"""Dimension beyond which no walk was observed to finish."""


class Lattice(SolverEngine):
    """Engine for boards of few pegs and colors, with enough rows to determine the code."""

    name = "lattice"
    summary = "a walk over lattice points, for few pegs and colors"

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        """Return a consistent code or None, in this process; raises SizeError for large boards."""
        systems = short_equations(board)
        readings = [read_places(system) for system in systems]
        for reading in readings:
            if not reading.is_suited:
                message = f"the board is too large for the engine lattice: {reading}"
                raise SizeError(message)
        return find_code(
            reading.work(system) for system, reading in zip(systems, readings, strict=True)
        )


@dataclass(frozen=True)
class Reading:
    """The equations about pegs of a system, and whether a walk over their lattices is feasible."""

    places: list[PegEquations] | None
    """Lattices that differ in their totals only; None if there would be too many."""

    @property
    def is_suited(self) -> bool:
        """Whether a walk may finish."""
        is_small = self.freedom <= MAX_FREEDOM and self.dimension <= MAX_DIMENSION
        return self.places is not None and is_small

    @property
    def freedom(self) -> int:
        """The maximum number of free coordinates of a code."""
        return max((equations.freedom for equations in self.places or ()), default=0)

    @property
    def dimension(self) -> int:
        """The maximum dimension of a lattice."""
        return max((equations.dimension for equations in self.places or ()), default=0)

    @property
    def entropy(self) -> float:
        """The entropy that the equations leave, in bits. A walk takes longer if it is larger."""
        if self.places is None:
            return inf
        entropies = [each.entropy for each in self.places]
        max_entropy = max(entropies, default=0.0)
        return max_entropy + log2(sum(2 ** (each - max_entropy) for each in entropies) or 1)

    def work(self, system: System, lattices: Lattices | None = None) -> AnyOf:
        """Return the walks over the system's lattices.

        Large lattices of two colors also get pruned walks. With more colors, the first basis is
        found faster from the `lattices` of similar systems.
        """
        places = self.places or []
        if system.variables.colors > 2 or self.dimension < MIN_PRUNED_DIMENSION:
            return AnyOf([Points(places, system, lattices)] if places else [], Lattice.name)
        return AnyOf([walk_beside_pruned(equations, system) for equations in places], Lattice.name)

    def __str__(self) -> str:
        """Return the size that decides whether a walk finishes."""
        if self.places is None:
            return "the colors can be counted in too many ways"
        if len(self.places) == 1:
            return f"a lattice of {self.dimension} dimensions"
        return f"{len(self.places)} lattices of up to {self.dimension} dimensions"


def walk_beside_pruned(places: PegEquations, system: System) -> Portfolio:
    """Return a portfolio of a walk over all points of a lattice and pruned walks."""
    return Portfolio(lambda: Points([places], system), lambda: Pruned(places, system))


def short_equations(board: Board) -> list[System]:
    """Return the systems of a board: a single one, or for two colors one per weight."""
    return simplify_two_colors(board) if suits(board) else [System.of(board)]


def read_places(system: System) -> Reading:
    """Extract the equations about pegs of a system."""
    presolved = presolve(system, COUNTING)
    if not isinstance(presolved, Presolved):
        return Reading([])
    from mmsat.constraints.linear_systems import linear_systems

    return Reading(linear_systems(presolved.problem))
