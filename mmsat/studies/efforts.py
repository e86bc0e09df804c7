"""The effort of solvers: its growth at the half point, its peak, and planted boards."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mmsat.studies import MIN_BOARDS, BoardRecord, Point, Record
from mmsat.studies.measure import LOG_COUNT
from mmsat.studies.statistics import (
    Estimate,
    Line,
    bootstrap,
    curvature_tail,
    fit_line,
    mann_whitney,
    median,
    resample,
)

MIN_FITTED_STEPS = {"cp": 10, "cadical": 10, "lattice": 100}
"""Minimum median number of steps of a size in the fits of effort, by solver.

Fewer steps are mostly set-up. The points of the lattice are rounded up to a multiple of at least 8.
"""


class Selection(NamedTuple):
    """Selection of boards, and of the solver whose effort is measured."""

    family: str
    answer: str
    """"any" for random boards, "consistent" for planted boards."""
    solver: str
    status: str = "ci"
    """The verdicts of the selected boards, by their first letters."""


class Split(NamedTuple):
    """The boards of one size and number of rows, by their verdict."""

    with_code: Estimate
    """The median number of steps on the boards with a code."""
    without_code: Estimate
    share: float
    """The share of the boards with a code."""
    num_immediate: int
    """Number of boards without a code that need no step."""
    num_without_code: int
    p_value: float
    """The p-value that both kinds need equally many steps, by the test of Mann and Whitney."""


class Growth(NamedTuple):
    """The growth of the effort of one solver near the half point. The unit is a step."""

    kind: Selection
    rows: dict[int, int]
    """The number of rows by size: the measured one that is nearest to the predicted half point."""
    medians: dict[int, Estimate]
    """The median number of steps by size. Undecided boards count as infinite."""
    splits: dict[int, Split]
    """The same boards by their verdict; empty for planted boards."""
    num_censored: int
    """Number of boards whose effort is only known to exceed the budget."""
    fitted_sizes: list[int]
    """The sizes of the fits: the upper half of those with `MIN_FITTED_STEPS`."""
    exponent: Estimate | None = None
    """Base-2 logarithm of the growth per peg; None for fewer than 3 sizes."""
    line: Line | None = None
    """Fit of the base-2 logarithm of the median against the pegs."""
    local_exponents: tuple[tuple[int, int, float], ...] = ()
    """The first and the last size of each step between neighboring sizes, with its exponent."""
    curvature: float = math.nan
    """The p-value of curvature of the logarithm over all sizes with enough steps. A small value
    means that no exponential law holds over these sizes."""
    held_out: tuple[float, float] | None = None
    """The median at the largest size, divided by its prediction from the smaller sizes, by an
    exponential and by a power."""

    def last_exponent(self, name: str) -> float:
        """Return the exponent of the last step between sizes of a median of `Split`.

        It is NaN if a median is less than `MIN_FITTED_STEPS`.
        """
        if len(self.splits) < 2:
            return math.nan
        (size, split), (next_size, next_split) = sorted(self.splits.items())[-2:]
        first, last = (getattr(entry, name).value for entry in (split, next_split))
        if not MIN_FITTED_STEPS[self.kind.solver] <= min(first, last) < math.inf:
            return math.nan
        return math.log2(last / first) / (next_size - size)


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


def at_half(
    efforts: dict[Point, list[float]], halves: dict[int, float]
) -> dict[Point, list[float]]:
    """Return the efforts at the measured number of rows that is nearest to the half point."""
    nearest: dict[int, Point] = {}
    for point, values in efforts.items():
        half = halves.get(point.size, math.nan)
        if len(values) < MIN_BOARDS or not math.isfinite(half):
            continue
        best = nearest.get(point.size)
        if best is None or abs((point.rows or 0) - half) < abs((best.rows or 0) - half):
            nearest[point.size] = point
    return {point: efforts[point] for _, point in sorted(nearest.items())}


def find_growth(record: Record, selection: Selection, halves: dict[int, float]) -> Growth:
    """Return the medians of the effort of a solver at the half point by size, and their growth."""
    near = at_half(find_efforts(record, selection), halves)
    values = {point.size: efforts for point, efforts in near.items()}
    rows = {point.size: point.rows or 0 for point in near}
    medians = {size: median(efforts) for size, efforts in values.items()}
    num_censored = sum(efforts.count(math.inf) for efforts in values.values())
    sizes = [
        s for s in medians if MIN_FITTED_STEPS[selection.solver] <= medians[s].value < math.inf
    ]
    splits = _split(record, selection, near) if selection.answer == "any" else {}
    growth = Growth(selection, rows, medians, splits, num_censored, [])
    logarithms = [math.log2(medians[size].value) for size in sizes]
    local = tuple(
        (first[0], last[0], (last[1] - first[1]) / (last[0] - first[0]))
        for first, last in pairwise(zip(sizes, logarithms, strict=True))
    )
    growth = growth._replace(local_exponents=local, curvature=curvature_tail(sizes, logarithms))
    if len(sizes) < 3:
        return growth
    fitted_sizes = sizes[-max(3, (len(sizes) + 1) // 2) :]

    def fit(rng: np.random.Generator | None) -> Line:
        resampled = [median(resample(values[size], rng)).value for size in fitted_sizes]
        return fit_line(fitted_sizes, [math.log2(max(value, 1.0)) for value in resampled])

    growth = growth._replace(
        fitted_sizes=fitted_sizes,
        exponent=bootstrap(lambda rng: fit(rng).slope),
        line=fit(None),
    )
    if len(sizes) < 4:
        return growth
    predictions = []
    for transform in (float, math.log2):
        line = fit_line([transform(size) for size in sizes[:-1]], logarithms[:-1])
        predictions.append(line.intercept + line.slope * transform(sizes[-1]))
    exponential, power = (2 ** (logarithms[-1] - prediction) for prediction in predictions)
    return growth._replace(held_out=(exponential, power))


def _split(
    record: Record, selection: Selection, near: dict[Point, list[float]]
) -> dict[int, Split]:
    """Return the medians by verdict at the points of `near` that have both verdicts."""
    with_code, without_code = (
        find_efforts(record, selection._replace(status=status)) for status in "ci"
    )
    return {
        point.size: Split(
            median(with_code[point]),
            median(without_code[point]),
            len(with_code[point]) / (len(with_code[point]) + len(without_code[point])),
            without_code[point].count(0),
            len(without_code[point]),
            mann_whitney(with_code[point], without_code[point]),
        )
        for point in near
        if with_code[point] and without_code[point]
    }


class Peak(NamedTuple):
    """The effort of a solver by the number of rows, at one size."""

    kind: Selection
    size: int
    half: float
    """The number of rows at which half of the boards are predicted to have a code."""
    medians: dict[int, Estimate]
    """The median number of steps by the number of rows."""
    neighbor_p: float = math.nan
    """The p-value that the efforts at the highest median and at a neighboring number of rows are
    distributed equally, by the test of Mann and Whitney; the larger one of both neighbors."""

    @property
    def highest(self) -> int:
        """The number of rows with the highest median."""
        return max(self.medians, key=lambda rows: self.medians[rows].value)


MIN_PEAK_SPAN = 0.4
"""Minimum range of the numbers of rows, as a share of the half point, for a curve of the effort."""


def find_peaks(record: Record, family: str, solver: str, halves: dict[int, float]) -> Peak | None:
    """Return the effort by rows at the largest size with a wide range of rows, or None."""
    selection = Selection(family, "any", solver)
    by_size: dict[int, dict[int, list[float]]] = defaultdict(dict)
    for point, values in find_efforts(record, selection).items():
        if len(values) >= MIN_BOARDS and point.size in halves:
            by_size[point.size][point.rows or 0] = values
    wide = [
        size
        for size, efforts in by_size.items()
        if max(efforts) - min(efforts) >= MIN_PEAK_SPAN * halves[size]
    ]
    if not wide:
        return None
    size = max(wide)
    efforts = dict(sorted(by_size[size].items()))
    peak = Peak(selection, size, halves[size], {rows: median(v) for rows, v in efforts.items()})
    neighbors = [rows for pair in pairwise(efforts) if peak.highest in pair for rows in pair]
    p_values = [
        mann_whitney(efforts[peak.highest], efforts[rows])
        for rows in neighbors
        if rows != peak.highest
    ]
    return peak._replace(neighbor_p=max(p_values, default=math.nan))


class Comparison(NamedTuple):
    """Planted boards compared with random boards that have a code."""

    family: str
    solver: str
    size: int
    rows: int
    share: float
    """The share of the random boards of this size and number of rows that have a code."""
    log_counts: tuple[float, float]
    """The median estimated logarithms of the number of codes, of the planted boards and of the
    random boards with a code."""
    ratio: Estimate
    """The ratio of the median steps."""
    p_value: float
    """By the test of Mann and Whitney."""
    adjusted: float = math.nan
    """The p-value, adjusted for the number of comparisons."""


def compare_planted(
    record: Record, family: str, solver: str, halves: dict[int, float]
) -> Comparison | None:
    """Compare the efforts at the largest common size; without a common size, return None."""
    planted = at_half(find_efforts(record, Selection(family, "consistent", solver)), halves)
    random = find_efforts(record, Selection(family, "any", solver, status="c"))
    for point in sorted(planted, key=lambda point: point.size, reverse=True):
        others = random.get(point._replace(answer="any"), [])
        if len(others) < MIN_BOARDS:
            continue

        def ratio(
            rng: np.random.Generator | None, point: Point = point, others: list[float] = others
        ) -> float:
            one, other = (median(resample(v, rng)).value for v in (planted[point], others))
            return (one + 1) / (other + 1)

        boards_of = dict(record.points())
        both = boards_of[point], boards_of[point._replace(answer="any")]
        random_boards = [board for board in both[1] if board["degenerate"] == "0"]
        with_code = [board for board in random_boards if board["status"] == "c"]
        return Comparison(
            family,
            solver,
            point.size,
            point.rows or 0,
            len(with_code) / len(random_boards),
            (_median_log_count(both[0]), _median_log_count(with_code)),
            bootstrap(ratio),
            mann_whitney(planted[point], others),
        )
    return None


def _median_log_count(boards: list[BoardRecord]) -> float:
    """Return the median of the recorded estimates; NaN if they are not recorded."""
    values = [board[LOG_COUNT] for board in boards if board.get(LOG_COUNT) is not None]
    return float(np.median(values)) if values else math.nan
