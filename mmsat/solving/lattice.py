"""Find codes as points of a lattice in a box, for a board or for the rows of a query.

The black scores of a board are linear equations over its code variables once the numbers of pegs of
each color are known. These mostly follow from the other scores, up to a few possibilities.
The integer solutions of such equations are one solution plus a lattice. The basis of the lattice is
reduced [1, 2], and the points near the center of the box of all codes are enumerated [3, 4]. Most
branches end early, because a partial point must be compatible with a corner of the box
(_core/lattice/walk.hpp). The walk is complete: if it finds no code, the board is inconsistent.

If the equations make a color unlikely at a peg, nearly no code has it there. Therefore lengths are
scaled by the probability of each color at each peg (constraints/histograms.py). The scaled box is
nearly round, and the walk takes a third of the time with two colors, and a tenth with six.

The cost depends on the dimension of the lattice, not on the number of codes. The engine decides
most random boards that have about one code, up to 120 pegs of two colors and 30 pegs of six. In
this module, a *walk* is such an enumeration of the points, and a *pruned* walk omits some of them.

Pruned walks (`PrunedWalks`) also search for codes, with one basis after another. All codes
have the same distance from the center of their box. The coefficients of the last j of n basis
vectors determine a fraction of the squared distance, which for most codes is not much larger than j
/ n. A pruned walk cuts off the partial points whose fraction is larger. This saves nearly all of
the work and loses some codes, which another basis may find [2, 5]. A pruned walk never refutes a
board, so it is interleaved with a walk over all points (`PointWalk`). On three boards of 30 pegs
and 6 colors, pruning did not pay off, because the box itself cuts off as much. Therefore only
lattices of two colors are pruned.

References
----------
Lattices for equations with bounds were introduced in [6], and the scaling of a body before its
lattice is reduced in [7]. For two colors, the test whether a partial point can reach a corner of
the box is that of [8]. For more colors, and for the scaled lengths, it was developed in this
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
from mmsat.constraints import System, is_linear_board
from mmsat.constraints.presolve_steps import (
    HISTOGRAM_STEPS,
    Presolved,
    presolve,
)
from mmsat.constraints.two_colors import simplify_two_colors
from mmsat.errors import SizeError
from mmsat.game.tolerance import STRICT
from mmsat.solving import AnyOf, Portfolio, SolverEngine, Work, find_code
from mmsat.solving.presolved_rows import PresolvedRows, Presolver, PresolvingSolver, reduce_rows
from mmsat.solving.queries import Answer, Query, SystemWork

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.constraints.histograms import PegEquations
    from mmsat.game import Code
    from mmsat.game.board import Board
    from mmsat.game.tolerance import Tolerance

BLOCKS = (10, 15, 20, 25, 30)
"""Block sizes of the basis reduction (BKZ), in this order. Large blocks are cheaper once the basis
is reduced by small ones."""
LARGE_BLOCKS = (40, 50)
"""Additional block sizes for two-color lattices whose walk takes far longer than this reduction,
which takes half a second."""
MIN_LARGE_DIMENSION = 90
"""Minimum dimension of a large lattice, whose basis is also reduced by LARGE_BLOCKS."""
MANY_COLORS_REDUCTION = (20, 4)
"""Block size and maximum number of tours (passes over the basis) for more than two colors."""
FIRST_STEP_BLOCKS = 3
"""Number of block sizes used in the first step of a large lattice. The next step uses the others,
so that interleaved solvers need not wait for them."""
MAX_TOURS = 4
"""Maximum number of tours per block size."""
NUM_THREADS = 2
"""Number of threads of a walk. Each of them enumerates some of the points."""
POINTS_PER_BUDGET = 2_000_000
"""A budget of 1 is this number of points per thread: about a tenth of a second."""
MAX_POINTS_PER_CALL = 5_000_000
"""Maximum number of points per thread between checks for results of the other threads: about a
quarter of a second."""
CHECK_COST = 20_000
"""Cost, in points, of checking whether a solution of the equations satisfies the whole system."""
MIN_PRUNED_BUDGET = 16
"""Minimum budget for which pruned walks run. Most walks over all points that finish at all do so
with smaller budgets, and pruned walks would delay them."""
MAX_POINTS_PER_TRIAL = 100_000_000
"""Maximum number of points of a pruned walk, after which the next basis is tried. They take about
as long as making eight bases."""
FEW_POINTS = MAX_POINTS_PER_TRIAL // 4
"""If a pruned walk has fewer points than this, the next one is pruned less."""
INITIAL_OFFSET = 0.03
"""Initial offset of the pruning bounds. Once a fraction f of the coefficients is chosen, the bound
is offset + (1 - offset) f, relative to the squared distance of a code. So an offset of 0 cuts off
the most, and 1 cuts off nothing."""
OFFSET_GROWTH = 1.3
"""Factor by which the offset grows after a walk of fewer than FEW_POINTS points, and shrinks after
one that reached MAX_POINTS_PER_TRIAL."""


class PointWalk(Work):
    """A walk over all points of several lattices, one lattice after the other."""

    name = "lattice"

    def __init__(
        self,
        equation_sets: Sequence[PegEquations],
        system: System,
        factory: LatticeFactory | None = None,
    ) -> None:
        self._remaining_equations = list(equation_sets)
        self.system = system
        self._factory = LatticeFactory() if factory is None else factory
        self._kernel: Kernel | None = None
        self._remaining_blocks: tuple[int, ...] = ()
        """The block sizes by which the basis is still to be reduced."""

    def step(self, budget: int) -> bool:
        """Reduce a basis or resume the walk; return whether a code was found or the walk has ended.

        Each further step after a code searches for another one.
        """
        self.code = None
        remaining_points = POINTS_PER_BUDGET * budget
        while remaining_points > 0:
            if self._kernel is None:
                if not self._remaining_equations:
                    return True
                self._kernel = self._begin(self._remaining_equations.pop(0))
                if self._remaining_blocks:  # let interleaved solvers work before large blocks
                    return False
            self._reduce(self._kernel, len(self._remaining_blocks))
            status = self._kernel.advance(min(remaining_points, MAX_POINTS_PER_CALL), NUM_THREADS)
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

    def _begin(self, equations: PegEquations) -> Kernel:
        """Return the lattice of some equations with a reduced basis.

        The basis of a large lattice is reduced by the first block sizes only.
        """
        kernel = self._factory.make(equations)
        if equations.colors > 2:
            with size_errors():
                kernel.reduce_blocks(*MANY_COLORS_REDUCTION)
            return kernel
        is_large = len(kernel.basis) >= MIN_LARGE_DIMENSION
        self._remaining_blocks = BLOCKS + LARGE_BLOCKS if is_large else BLOCKS
        self._reduce(kernel, FIRST_STEP_BLOCKS if is_large else len(BLOCKS))
        return kernel

    def _reduce(self, kernel: Kernel, num_blocks: int) -> None:
        """Reduce the basis by the next `num_blocks` block sizes."""
        with size_errors():
            for block in self._remaining_blocks[:num_blocks]:
                kernel.reduce_blocks(block, MAX_TOURS)
        self._remaining_blocks = self._remaining_blocks[num_blocks:]

    def close(self) -> None:
        """Release the memory of the kernel."""
        self._kernel = None


class PrunedWalks(Work):
    """Pruned walks over one lattice, each with a new basis."""

    name = PointWalk.name

    def __init__(self, equations: PegEquations, system: System) -> None:
        self.equations = equations
        self.system = system
        self._offset = INITIAL_OFFSET
        self._num_trials = 0

    def step(self, budget: int) -> bool:
        """Run trials, each a pruned walk with a new basis, within half the budget.

        Return whether a code was found.
        """
        self.code = None
        remaining_points = POINTS_PER_BUDGET * (budget // 2) if budget >= MIN_PRUNED_BUDGET else 0
        while remaining_points > 0:
            points = self._try()
            if self.code is not None:
                return True
            remaining_points -= max(points, MAX_POINTS_PER_CALL)
            if points >= MAX_POINTS_PER_TRIAL:
                self._offset /= OFFSET_GROWTH
            elif points < FEW_POINTS:
                self._offset = min(1.0, self._offset * OFFSET_GROWTH)
        return False

    def _try(self) -> int:
        """Make a basis, and walk over its points up to the first solution of the equations.

        Return the number of points visited, rounded down to a multiple of MAX_POINTS_PER_CALL.
        """
        random_source = random.Random(self._num_trials)
        self._num_trials += 1
        pegs = len(self.equations.allowed)
        order = random_source.sample(range(pegs), pegs)
        kernel = make_kernel(reorder(self.equations, order))
        with size_errors():
            for block in BLOCKS + LARGE_BLOCKS:
                kernel.reduce_blocks(block, MAX_TOURS)
        num_levels = len(kernel.basis)
        # At a level, the coefficients of its basis vector and of all later ones are chosen.
        chosen_fractions = [(num_levels - level) / num_levels for level in range(num_levels)]
        kernel.prune(
            [self._offset + (1 - self._offset) * fraction for fraction in chosen_fractions]
        )
        for points in range(0, MAX_POINTS_PER_TRIAL, MAX_POINTS_PER_CALL):
            status = kernel.advance(MAX_POINTS_PER_CALL, NUM_THREADS)
            if status is SearchStatus.CODE_FOUND:
                colors = dict(zip(order, kernel.code, strict=True))
                code = tuple(colors[peg] for peg in range(pegs))
                if self.system.satisfies(code):
                    self.code = code
            if status is not SearchStatus.BUDGET_SPENT:
                return points
        return MAX_POINTS_PER_TRIAL


class LatticeFactory:
    """Make the lattices of similar boards; each basis starts from that of the previous lattice."""

    def __init__(self) -> None:
        self._last: Kernel | None = None

    def make(self, equations: PegEquations) -> Kernel:
        """Return the lattice of the solutions of some equations."""
        self._last = make_kernel(equations, self._last)
        return self._last


def make_kernel(equations: PegEquations, previous: Kernel | None = None) -> Kernel:
    """Return the lattice of some equations; if `previous` is similar, start from its basis."""
    with size_errors():
        return Kernel(
            equations.colors,
            equations.allowed,
            equations.coefficients,
            equations.totals,
            previous,
            equations.color_probabilities,
        )


@contextmanager
def size_errors() -> Iterator[None]:
    """Convert OverflowError, raised if numbers of a lattice become too large, to SizeError."""
    try:
        yield
    except OverflowError as error:
        raise SizeError(f"the board is too large for the engine lattice: {error}") from error


def reorder(equations: PegEquations, order: list[int]) -> PegEquations:
    """Return the same equations with the pegs in another order, which leads to another basis."""
    coefficients = equations.coefficients
    by_peg = coefficients.reshape(len(equations.totals), -1, equations.colors)
    return replace(
        equations,
        allowed=tuple(equations.allowed[peg] for peg in order),
        coefficients=by_peg[:, order].copy().reshape(coefficients.shape),
    )


MAX_FREE_COORDINATES = 500
"""Maximum number of free coordinates of a code (`PegEquations.freedom`). The computation of a basis
starts from this many vectors, and takes a few seconds."""
MIN_PRUNED_DIMENSION = 70
"""Pruned walks run only for lattices of two colors of at least this dimension."""
MAX_DIMENSION = 170
"""Maximum dimension for which a walk runs. No walk of higher dimension was observed to finish."""


class Lattice(SolverEngine):
    """Engine for boards of few pegs and colors, with enough rows to determine the code."""

    name = "lattice"
    summary = "a walk over lattice points, for few pegs and colors"

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        """Return a consistent code or None; raises SizeError for large boards.

        The tolerance must be strict.
        """
        systems = systems_to_solve(board)
        equation_sets = [read_lattice_equations(system) for system in systems]
        for equations in equation_sets:
            if not equations.is_suited:
                message = f"the board is too large for the engine lattice: {equations}"
                raise SizeError(message)
        return find_code(
            equations.work(system) for system, equations in zip(systems, equation_sets, strict=True)
        )


@dataclass(frozen=True)
class LatticeEquations:
    """The linear equations of a system, with the size of their lattices."""

    by_histogram: list[PegEquations] | None
    """The equations for each histogram (the numbers of pegs of each color), which differ in their
    totals only; None if there are too many histograms."""

    @property
    def is_suited(self) -> bool:
        """Whether a walk may finish."""
        is_small = self.freedom <= MAX_FREE_COORDINATES and self.dimension <= MAX_DIMENSION
        return self.by_histogram is not None and is_small

    @property
    def freedom(self) -> int:
        """The maximum number of free coordinates of a code."""
        return max((equations.freedom for equations in self.by_histogram or ()), default=0)

    @property
    def dimension(self) -> int:
        """The maximum dimension of a lattice."""
        return max((equations.dimension for equations in self.by_histogram or ()), default=0)

    @property
    def entropy(self) -> float:
        """The estimated entropy, in bits, of the codes that satisfy the equations.

        The larger it is, the longer is the walk.
        """
        if self.by_histogram is None:
            return inf
        entropies = [equations.entropy for equations in self.by_histogram]
        max_entropy = max(entropies, default=0.0)
        # Without any equations, because the board has no code, the result is 0.
        return max_entropy + log2(sum(2 ** (entropy - max_entropy) for entropy in entropies) or 1)

    def work(self, system: System, factory: LatticeFactory | None = None) -> AnyOf:
        """Return the walks over the system's lattices.

        Large lattices of two colors also get pruned walks. The `factory` is used for other lattices
        only. It saves time if it has made the lattices of similar systems before.
        """
        equation_sets = self.by_histogram or []
        if system.variables.colors > 2 or self.dimension < MIN_PRUNED_DIMENSION:
            walks = [PointWalk(equation_sets, system, factory)] if equation_sets else []
            return AnyOf(walks, Lattice.name)
        portfolios = [walk_with_pruned(equations, system) for equations in equation_sets]
        return AnyOf(portfolios, Lattice.name)

    def __str__(self) -> str:
        """Describe the size of the lattices."""
        if self.by_histogram is None:
            return "there are too many possible color counts"
        if len(self.by_histogram) == 1:
            return f"a lattice of {self.dimension} dimensions"
        return f"{len(self.by_histogram)} lattices of up to {self.dimension} dimensions"


def walk_with_pruned(equations: PegEquations, system: System) -> Portfolio:
    """Return a walk over all points of a lattice, interleaved with pruned walks."""
    return Portfolio(lambda: PointWalk([equations], system), lambda: PrunedWalks(equations, system))


def systems_to_solve(board: Board) -> list[System]:
    """Return the systems of a board: for two colors, one per possible weight; otherwise one."""
    return simplify_two_colors(board) if is_linear_board(board) else [System.of(board)]


def read_lattice_equations(system: System) -> LatticeEquations:
    """Presolve a system and return its equations; none if presolve refutes it."""
    presolved = presolve(system, HISTOGRAM_STEPS)
    if not isinstance(presolved, Presolved):
        return LatticeEquations([])
    from mmsat.constraints.histograms import linear_systems

    return LatticeEquations(linear_systems(presolved.problem))


def may_suit(presolved: PresolvedRows) -> bool:
    """Return whether the lattices may have few enough dimensions, without computing them."""
    max_equations = len(presolved.system.constraints) + presolved.system.variables.colors
    return presolved.freedom - max_equations <= MAX_DIMENSION


def entropy_without(system: System, row: int) -> float:
    """Return the entropy, in bits, of the codes given the equations of all rows except one.

    It is 0 if these rows are refuted.
    """
    other_rows = frozenset(range(len(system.soft))) - {row}
    reduced = reduce_rows(system, other_rows)
    if isinstance(reduced, Answer):
        return 0
    # Rounded so that an order of rows by entropy does not depend on rounding errors of the machine.
    return round(read_lattice_equations(reduced.system).entropy, 3)


class LatticeEnumeration(PresolvingSolver[SystemWork]):
    """Enumeration of lattice points, for rows whose lattices have few enough dimensions.

    Each basis starts from the basis of the previous lattice.
    """

    name = "lattice"

    def __init__(self, presolver: Presolver) -> None:
        super().__init__(presolver)
        self._factory = LatticeFactory()
        self._last_rows: PresolvedRows | None = None
        self._last_equations = LatticeEquations(None)

    def equations(self, presolved: PresolvedRows) -> LatticeEquations:
        """Return the linear equations of presolved rows; the last result is cached."""
        if presolved is not self._last_rows:
            self._last_rows = presolved
            self._last_equations = read_lattice_equations(presolved.system)
        return self._last_equations

    def begin(self, query: Query, presolved: PresolvedRows) -> SystemWork | None:
        """Set up the enumeration if it suits the rows."""
        equations = self.equations(presolved)
        if not equations.is_suited:
            return None
        return SystemWork(equations.work(presolved.system, self._factory), query.rows)
