"""lattice: enumerate the codes of a board as points of a lattice in a box.

The black scores of a board are linear equations over its code variables once the number of pegs of
each color is known. That number mostly follows from the other scores, up to a few possibilities.
The integer solutions of such equations are one solution plus a lattice. The basis of the lattice is
reduced (Lenstra, Lenstra, Lovasz; Schnorr, Euchner), and the points near the center of the box of
all codes are enumerated (Kannan; Fincke, Pohst). Most branches end early, because a partial point
must be compatible with a corner of the box (_core/lattice/walk.hpp). The walk is complete: if it
finds no code, there is none.

The box is flat in directions of colors that the equations make unlikely. So lengths are scaled by
the probability of each color at each peg (constraints/max_entropy.py). Then the box looks round,
and the walk takes a third of the time with two colors, and a tenth with six.

The cost depends on the dimension of the lattice, not on the number of codes. Most random boards
that have about one code are decided up to 120 pegs of two colors and 30 pegs of six.

Sources: lattices for equations with bounds are by Aardal, Hurkens and Lenstra, Mathematics of
Operations Research 25 (2000). To make a body look round before its lattice is reduced: H. W.
Lenstra, Mathematics of Operations Research 8 (1983). The test by the shape of the box whether a
corner can still be reached is Ritter's (1996) for two colors; for more colors, and for the scaled
lengths, it was developed in this project.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log2
from typing import TYPE_CHECKING

from mmsat.constraints.algebra.games import suits
from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.solving.engine import SolverEngine
from mmsat.solving.points import Lattices, Points, Pruned
from mmsat.solving.portfolio import AnyOf, Portfolio, find_code
from mmsat.solving.simplification import simplify_two_colors
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.constraints.linear_systems import PegEquations
    from mmsat.game.row import Code
    from mmsat.tolerance import Tolerance

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
