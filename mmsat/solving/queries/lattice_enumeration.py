"""Queries by enumeration of lattice points (solving/lattice.py)."""

from __future__ import annotations

from mmsat.solving.lattice import LatticeFactory
from mmsat.solving.queries.presolved import PresolvedRows, Presolver, PresolvingSolver
from mmsat.solving.queries.query import Query, SystemWork


class LatticeEnumeration(PresolvingSolver[SystemWork]):
    """Enumeration of lattice points, for rows whose lattices have few enough dimensions.

    Each basis starts from the basis of the previous lattice.
    """

    name = "lattice"

    def __init__(self, presolver: Presolver) -> None:
        super().__init__(presolver)
        self._factory = LatticeFactory()

    def begin(self, query: Query, presolved: PresolvedRows) -> SystemWork | None:
        """Set up the enumeration if it suits the rows."""
        if not presolved.lattice_equations.is_suited:
            return None
        work = presolved.lattice_equations.work(presolved.system, self._factory)
        return SystemWork(work, query.rows)
