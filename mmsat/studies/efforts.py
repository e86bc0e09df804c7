"""The effort of solvers on the boards of a record, by size, rows and estimated number of codes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mmsat.studies import Point, Record
from mmsat.studies.measure import LOG_COUNT


class Selection(NamedTuple):
    """Selection of boards, and of the solver whose effort is measured."""

    family: str
    answer: str
    """"any" for random boards, "consistent" for planted boards."""
    solver: str
    status: str = "ci"
    """The verdicts of the selected boards, by their first letters."""


def find_efforts(record: Record, selection: Selection) -> dict[Point, list[float]]:
    """Return the steps on each board that is not degenerate; infinity if undecided."""
    family, answer, solver, status = selection
    return {
        point: [
            math.inf if board[f"{solver} steps"] is None else board[f"{solver} steps"]
            for board in boards
            if f"{solver} steps" in board
            and board["degenerate"] == "0"
            and board["status"] in status + "?"
        ]
        for point, boards in record.points()
        if point[:4] == ("transition", family, answer, "any")
    }


class BoardEfforts(NamedTuple):
    """The effort of one solver on boards of one size, as arrays with one entry per board."""

    rows: np.ndarray
    log_count: np.ndarray
    """The logarithm of the estimated number of codes; NaN if it was not recorded."""
    steps: np.ndarray
    """Infinity if undecided."""
    is_consistent: np.ndarray

    def of(self, mask: np.ndarray) -> BoardEfforts:
        """Return the selected boards."""
        return BoardEfforts(*(column[mask] for column in self))

    @property
    def strata(self) -> np.ndarray:
        """The groups of boards with about the same estimate: the lower bounds of ln N."""
        return STRATUM_WIDTH * np.floor(self.log_count / STRATUM_WIDTH)


STRATUM_WIDTH = 0.5
"""Width of the groups of ln N in which efforts are compared at equal ln N."""


def find_board_efforts(record: Record, selection: Selection, size: int) -> BoardEfforts:
    """Return the efforts on the boards of one size that are not degenerate."""
    family, answer, solver, status = selection
    entries = [
        (
            point.rows or 0,
            -math.inf if board.get(LOG_COUNT, 0.0) is None else board.get(LOG_COUNT, math.nan),
            math.inf if board[f"{solver} steps"] is None else board[f"{solver} steps"],
            board["status"] == "c",
        )
        for point, boards in record.points()
        if point[:5] == ("transition", family, answer, "any", size)
        for board in boards
        if f"{solver} steps" in board
        and board["degenerate"] == "0"
        and board["status"] in status + "?"
    ]
    return BoardEfforts(*(np.array(column) for column in zip(*entries, strict=True)))
