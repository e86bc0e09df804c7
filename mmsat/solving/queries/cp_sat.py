"""Queries by CP-SAT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.solving.cp import CpWork
from mmsat.solving.queries.query import Answer, Query, SteppingSolver
from mmsat.solving.queries.system_work import SystemWork

if TYPE_CHECKING:
    from mmsat.solving.queries.presolved import Presolver


class CpSat(SteppingSolver[SystemWork]):
    """CP-SAT on the presolved rows; each step starts from scratch, with a different random seed."""

    name = "cp"

    def __init__(self, presolver: Presolver) -> None:
        super().__init__()
        self._presolver = presolver

    def start(self, query: Query) -> SystemWork | Answer:
        """Presolve the rows; the model is built with the first step."""
        presolved = self._presolver.reduce(query.rows)
        if isinstance(presolved, Answer):
            return presolved
        return SystemWork(CpWork(presolved.system), query.rows)
