"""lattice: the codes of a board as points of a lattice in a box, all of them looked at in order.

The black scores of a board are linear equations over its code variables, once the number of pegs of
each color is known; and that is nearly always known from the other scores, or one of a few. The
whole solutions of such equations are one of them plus a lattice. Its basis is made short (Lenstra,
Lenstra, Lovasz; Schnorr, Euchner), and its points near the middle of the box of all codes are
walked over (Kannan; Fincke, Pohst), where most ways end early: what is known of a point must be
compatible with a corner of the box (_core/lattice/walk.hpp). The walk is complete: if it finds no
code, there is none.

What is left of the box is flat where the equations make some colors unlikely. So lengths are told
by how likely each color of each peg is (constraints/max_entropy.py): then it looks round, and the
walk takes a third of the time with two colors, and a tenth with six.

What decides the cost is the dimension of the lattice, not the number of codes: random boards that
leave about one code are mostly decided up to 120 pegs of two colors and 30 pegs of six.

Source: lattices for equations with bounds, by Aardal, Hurkens and Lenstra, Mathematics of
Operations Research 25 (2000); a body is to look round before its lattice is reduced: H. W. Lenstra,
Mathematics of Operations Research 8 (1983). Telling by the box's own shape that no corner is left
is, for two colors, Ritter's (1996); for more colors, and for these lengths, it is this project's.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log2
from typing import TYPE_CHECKING

from mmsat.constraints.algebra.games import suits
from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.registry import load
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

LINEAR_SYSTEMS = "mmsat.constraints.linear_systems:linear_systems"
"""What reads equations about pegs, by name: it loads numpy."""
COUNTING = ("bounds", "histograms", "bounds")
"""Steps of presolve that settle how many pegs each color has, as far as is told at once."""
FREEDOM = 500
"""Numbers that describe a code, as many as the basis has to start with: a few seconds' work."""
WIDE = 70
"""Dimensions of a lattice of two colors from which codes are found sooner by pruned walks."""
DIMENSION = 170
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
    """Lattices that differ in their totals alone; None where they would be too many."""

    @property
    def is_suited(self) -> bool:
        """Whether a walk may come to an end."""
        is_small = self.freedom <= FREEDOM and self.dimension <= DIMENSION
        return self.places is not None and is_small

    @property
    def freedom(self) -> int:
        """The most numbers that describe a code."""
        return max((each.freedom for each in self.places or ()), default=0)

    @property
    def dimension(self) -> int:
        """The most dimensions of a lattice."""
        return max((each.dimension for each in self.places or ()), default=0)

    @property
    def entropy(self) -> float:
        """What the equations leave open, in bits: the more, the longer a walk takes."""
        if self.places is None:
            return inf
        parts = [each.entropy for each in self.places]
        most = max(parts, default=0.0)
        return most + log2(sum(2 ** (each - most) for each in parts) or 1)

    def work(self, system: System, lattices: Lattices | None = None) -> AnyOf:
        """The walks over the system's lattices; of large ones of two colors, pruned ones beside.

        Those of more colors are quicker to begin with the lattices of systems that are much alike.
        """
        places = self.places or []
        if system.variables.colors > 2 or self.dimension < WIDE:
            return AnyOf([Points(places, system, lattices)] if places else [], Lattice.name)
        return AnyOf([walk_beside_pruned(each, system) for each in places], Lattice.name)

    def __str__(self) -> str:
        """What decides whether a walk comes to an end."""
        if self.places is None:
            return "a lattice for each of too many ways to count the colors"
        if len(self.places) == 1:
            return f"a lattice of {self.dimension} dimensions"
        return f"{len(self.places)} lattices of up to {self.dimension} dimensions"


def walk_beside_pruned(places: PegEquations, system: System) -> Portfolio:
    """All points of a lattice, and some of them."""
    return Portfolio(lambda: Points([places], system), lambda: Pruned(places, system))


def short_equations(board: Board) -> list[System]:
    """The board as one system, made smaller; two colors as short equations, a system a weight."""
    return simplify_two_colors(board) if suits(board) else [System.of(board)]


def read_places(system: System) -> Reading:
    """A system's equations about pegs."""
    made = presolve(system, COUNTING)
    if not isinstance(made, Presolved):
        return Reading([])
    return Reading(load(LINEAR_SYSTEMS)(made.problem))
