"""Queries by enumeration of lattice points (solving/lattice.py)."""

from __future__ import annotations

from mmsat.solving.lattice import Lattices
from mmsat.solving.queries.presolved import PresolvedRows, Presolver, PresolvingSolver
from mmsat.solving.queries.query import Query, SystemWork


class LatticeEnumeration(PresolvingSolver[SystemWork]):
    """The points of lattices, if the presolved rows leave few enough dimensions.

    The basis of each lattice is reduced starting from the previous one.
    """

    name = "lattice"

    def __init__(self, presolver: Presolver) -> None:
        super().__init__(presolver)
        self._lattices = Lattices()

    def begin(self, query: Query, presolved: PresolvedRows) -> SystemWork | None:
        """Set up the enumeration if it suits the rows."""
        if not presolved.reading.is_suited:
            return None
        work = presolved.reading.work(presolved.system, self._lattices)
        return SystemWork(work, query.rows)
