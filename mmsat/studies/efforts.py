"""The effort of solvers on the boards of a record, by size, rows and estimated number of codes."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mmsat.studies import BoardRecord, Point, Record
from mmsat.studies.measure import LOG_COUNT
from mmsat.studies.statistics import rank_correlation, van_elteren

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    return {point: [steps for _, steps in boards] for point, boards in _measured(record, selection)}


def _measured(
    record: Record, selection: Selection
) -> Iterator[tuple[Point, list[tuple[BoardRecord, float]]]]:
    """Yield the points of a selection, with their boards and the steps on each of them."""
    family, answer, solver, status = selection
    key = f"{solver} steps"
    for point, boards in record.points():
        if point[:4] == ("transition", family, answer, "any"):
            yield (
                point,
                [
                    (board, math.inf if board[key] is None else board[key])
                    for board in boards
                    if key in board
                    and board["degenerate"] == "0"
                    and board["status"] in status + "?"
                ],
            )


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
    entries = [
        (
            point.rows or 0,
            -math.inf if board.get(LOG_COUNT, 0.0) is None else board.get(LOG_COUNT, math.nan),
            steps,
            board["status"] == "c",
        )
        for point, boards in _measured(record, selection)
        if point.size == size
        for board, steps in boards
    ]
    return BoardEfforts(*(np.array(column) for column in zip(*entries, strict=True)))


COUNT_BOUNDS = (-math.inf, -10, -5, -2, 0, 2, 5, math.inf)
"""Bounds of ln N of the groups of boards whose median effort is reported."""


class CountProfile(NamedTuple):
    """The effort of one solver on random boards of one size, by the estimated number of codes."""

    kind: Selection
    size: int
    medians: list[float]
    """The median number of steps between neighboring `COUNT_BOUNDS`; NaN without boards."""
    count_correlation: float
    """The rank correlation of the steps with -|ln N|."""
    rows_correlation: float
    """The rank correlation of the steps with the negative distance from the half point in rows."""
    log_counts: tuple[float, float]
    """The median ln N of boards with and of boards without a code, near the half point."""
    with_code: dict[int, float]
    """The median number of steps on the boards with a code, by the number of rows."""
    equal_count: tuple[float, float]
    """The test of van Elteren at equal ln N near the half point: the standardized statistic, which
    is negative if boards without a code need more steps, and its p-value."""


def find_count_profile(
    record: Record, kind: Selection, size: int, half: float, near_rows: int
) -> CountProfile:
    """Return the effort by ln N over all rows, and its comparison by verdict at `near_rows`."""
    boards = find_board_efforts(record, kind, size)
    near = boards.of(boards.rows == near_rows)

    def median_of(values: np.ndarray) -> float:
        if not len(values):
            return math.nan
        # interpolation between infinite values is not defined
        return float(np.quantile(values, 0.5, method="averaged_inverted_cdf"))

    return CountProfile(
        kind,
        size,
        [
            median_of(boards.steps[(low <= boards.log_count) & (boards.log_count < high)])
            for low, high in pairwise(COUNT_BOUNDS)
        ],
        rank_correlation(boards.steps, -np.abs(boards.log_count)),
        rank_correlation(boards.steps, -np.abs(boards.rows - half)),
        (
            median_of(near.log_count[near.is_consistent]),
            median_of(near.log_count[~near.is_consistent]),
        ),
        {
            int(rows): median_of(boards.steps[(boards.rows == rows) & boards.is_consistent])
            for rows in np.unique(boards.rows)
        },
        van_elteren(near.steps, near.is_consistent, near.strata),
    )
