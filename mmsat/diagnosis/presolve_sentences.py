"""Why the rows of a conflict have no code, in sentences, where presolve sees it without search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.constraints.system import System

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.results.verdict import Conflict


def presolve_sentences(board: Board, conflict: Conflict) -> list[str]:
    """Tell why no code satisfies the rows of a conflict; nothing where that takes search."""
    system = System.of(board)
    groups = (group if row in conflict.rows else () for row, group in enumerate(system.rows))
    found = presolve(system.with_rows(groups))
    if not isinstance(found, Infeasibility):
        return []
    first, *others = found.lines
    return [f"Why: {first}", *others]
