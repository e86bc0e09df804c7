"""lattice: the codes of a board as points of a lattice in a box, all of them looked at in order.

The black scores of a board are linear equations over its code variables, once the number of pegs of
each color is known; and that is nearly always known from the other scores, or one of a few. The
whole solutions of such equations are one of them plus a lattice. Its basis is made short (Lenstra,
Lenstra, Lovasz; Schnorr, Euchner), and its points near the middle of the box of all codes are
walked over (Kannan; Fincke, Pohst), where most ways end early: what is known of a point must be
compatible with a corner of the box (_core/lattice/walk.hpp). The walk is complete: if it finds no
code, there is none.

What decides the cost is the dimension of the lattice, not the number of codes: random boards that
leave about one code are decided up to 100 pegs of two colors and 30 pegs of six.

Source: lattices for equations with bounds, by Aardal, Hurkens and Lenstra, Mathematics of
Operations Research 25 (2000). Telling by the box's own shape that no corner is left is, for two
colors, Ritter's (1996); for more colors it is this project's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmsat._core import Lattice as Kernel
from mmsat._core import SearchStatus
from mmsat.constraints.algebra.games import suits
from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.registry import load
from mmsat.solving.engine import SolverEngine
from mmsat.solving.portfolio import AnyOf, Work, find_code
from mmsat.solving.simplification import simplify_two_colors
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.constraints.linear_systems import PegEquations
    from mmsat.game.row import Code
    from mmsat.tolerance import Tolerance

LINEAR_SYSTEMS = "mmsat.constraints.linear_systems:linear_systems"
"""What reads equations about pegs, by name: it loads numpy."""
BLOCKS = (10, 15, 20, 25, 30)
"""Sizes of the blocks of basis vectors that are made short, in turn: large ones are costly at
first."""
LARGE_BLOCKS = (40, 50)
"""Half a second more, for lattices whose walk takes far longer ..."""
LARGE = 90
"""... from so many dimensions on."""
FIRST = 3
"""Sizes that are quick: those who work by turns with a large lattice need not wait for them all."""
TOURS = 4
"""Times that each size goes over the basis, at most."""
THREADS = 2
"""Cores that walk, each over a part of the points."""
STEPS = 2_000_000
"""Points of the least budget: a tenth of a second."""
MOST_STEPS = 5_000_000
"""Points without a look at what the other threads have found: about a third of a second."""
FREEDOM = 500
"""Numbers that describe a code, as many as the basis has to start with: a few seconds' work."""
DIMENSION = 140
"""Dimensions beyond which no walk was seen to come to an end."""


class Lattice(SolverEngine):
    """For boards of few pegs and colors, and as many rows as decide the code."""

    name = "lattice"
    summary = "a walk over lattice points, for few pegs and colors"

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        """A consistent code or None, in this process; raises SizeError for large boards."""
        systems = short_equations(board)
        readings = [read_places(system) for system in systems]
        for reading in readings:
            if not reading.is_suited:
                message = f"the engine lattice is for smaller boards; this one makes {reading}"
                raise SizeError(message)
        return find_code(
            reading.work(system) for system, reading in zip(systems, readings, strict=True)
        )


@dataclass(frozen=True)
class Reading:
    """How a system reads as equations about pegs, and whether that is few enough of them."""

    places: list[PegEquations] | None
    """A lattice each; None where they would be too many."""

    @property
    def is_suited(self) -> bool:
        """Whether a walk may come to an end."""
        return self.places is not None and all(
            each.freedom <= FREEDOM and each.dimension <= DIMENSION for each in self.places
        )

    @property
    def dimension(self) -> int:
        """The most dimensions of a lattice."""
        return max((each.dimension for each in self.places or ()), default=0)

    def work(self, system: System) -> AnyOf:
        """The walks over the system's lattices."""
        return AnyOf([Points(each, system) for each in self.places or ()], Lattice.name)

    def __str__(self) -> str:
        """What decides whether a walk comes to an end."""
        if self.places is None:
            return "a lattice for each of too many ways to count the colors"
        if len(self.places) == 1:
            return f"a lattice of {self.dimension} dimensions"
        return f"{len(self.places)} lattices of up to {self.dimension} dimensions"


def short_equations(board: Board) -> list[System]:
    """The board as one system, made smaller; two colors as short equations, a system a weight."""
    return simplify_two_colors(board) if suits(board) else [System.of(board)]


def read_places(system: System) -> Reading:
    """A system's equations about pegs."""
    made = presolve(system, ("bounds", "histograms", "bounds"))
    if not isinstance(made, Presolved):
        return Reading([])
    return Reading(load(LINEAR_SYSTEMS)(made.problem))


class Points(Work):
    """The points of one lattice, walked over step by step."""

    name = Lattice.name

    def __init__(self, places: PegEquations, system: System) -> None:
        """Do nothing yet."""
        self.places = places
        self.system = system
        self._kernel: Kernel | None = None
        self._blocks: tuple[int, ...] = ()
        """The sizes of blocks that are still to be made short."""

    def step(self, budget: int) -> bool:
        """Make a basis, make it shorter, or walk on; whether there is a further code, or none."""
        self.code = None
        if self._kernel is None:
            self._kernel = self.make()
            if len(self._kernel.basis) >= LARGE:
                self._shorten(self._kernel, FIRST)
                return False
        if self._blocks:
            self._shorten(self._kernel, len(self._blocks))
        left = STEPS * budget
        while left > 0:
            status = self._kernel.advance(min(left, MOST_STEPS), THREADS)
            if status is SearchStatus.EXHAUSTED:
                return True
            if status is SearchStatus.BUDGET_SPENT:
                left -= MOST_STEPS
            elif self.system.satisfies(self._kernel.code):
                self.code = self._kernel.code
                return True
        return False

    def _shorten(self, kernel: Kernel, many: int) -> None:
        """Make the basis shorter, by so many sizes of blocks."""
        for block in self._blocks[:many]:
            kernel.reduce_blocks(block, TOURS)
        self._blocks = self._blocks[many:]

    def close(self) -> None:
        """Let go of what holds memory outside Python."""
        self._kernel = None

    def make(self) -> Kernel:
        """The lattice with some basis."""
        try:
            places = self.places
            kernel = Kernel(places.colors, places.allowed, places.weights, places.totals)
            self._blocks = BLOCKS + LARGE_BLOCKS * (len(kernel.basis) >= LARGE)
        except OverflowError as error:
            raise SizeError(f"the engine lattice is for smaller boards: {error}") from error
        return kernel
