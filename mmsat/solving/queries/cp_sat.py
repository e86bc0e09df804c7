"""Queries by CP-SAT."""

from __future__ import annotations

from mmsat.solving.cp import CpWork
from mmsat.solving.queries.presolved import PresolvedRows, PresolvingSolver
from mmsat.solving.queries.query import Query, SystemWork


class CpSat(PresolvingSolver[SystemWork]):
    """CP-SAT on the presolved rows; each step starts from scratch with another random seed."""

    name = "cp"

    def begin(self, query: Query, presolved: PresolvedRows) -> SystemWork:
        """Set up the work; its first step builds the model."""
        return SystemWork(CpWork(presolved.system), query.rows)
