"""Queries by enumeration of lattice points (solving/lattice.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.solving.points import Lattices
from mmsat.solving.queries.query import Answer, Query, SteppingSolver
from mmsat.solving.queries.system_work import SystemWork

if TYPE_CHECKING:
    from mmsat.solving.queries.presolved import Presolver


class LatticeEnumeration(SteppingSolver[SystemWork]):
    """The points of lattices, if the presolved rows leave few enough dimensions.

    The basis of each lattice is reduced starting from the previous one.
    """

    name = "lattice"

    def __init__(self, presolver: Presolver) -> None:
        super().__init__()
        self._presolver = presolver
        self._lattices = Lattices()

    def start(self, query: Query) -> SystemWork | Answer | None:
        """Presolve the rows, and set up the enumeration if it suits them."""
        presolved = self._presolver.reduce(query.rows)
        if isinstance(presolved, Answer):
            return presolved
        if not presolved.reading.is_suited:
            return None
        work = presolved.reading.work(presolved.system, self._lattices)
        return SystemWork(work, query.rows)
