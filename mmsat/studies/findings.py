"""The findings of a study, computed from its record: estimates with intervals."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from mmsat.studies.measure import SOLVERS
from mmsat.studies.point import ENSEMBLES, NARROW_ROW_RATIOS, Point, Record, expected_rows
from mmsat.studies.statistics import (
    Collapse,
    Estimate,
    Line,
    Shares,
    bootstrap,
    fit_collapse,
    fit_line,
    fit_logistic,
    median,
    resample,
    wilson,
)

BoardRecord = dict[str, Any]
"""The measurements of one board."""
MIN_BOARDS = 20
"""Minimum number of boards of a point that is evaluated."""
MIN_MEDIAN_STEPS = 8
"""Minimum median number of steps of a size in the fits of effort. Fewer steps are mostly set-up."""

MIN_ROW_NUMBERS = 3
"""Minimum number of different numbers of rows at a size to estimate its threshold."""


class Law(NamedTuple):
    """A scaling law that is fitted to some sizes."""

    sizes: list[int]
    fit: Collapse
    location: Estimate
    exponent: Estimate
    expected: float
    """The exponent that would follow from the spread of the information in scores alone."""


class Transition(NamedTuple):
    """The transition of one ensemble and question, over all sizes."""

    family: str
    question: str
    points: list[tuple[Point, int, int]]
    """Each point, with its number of boards that have a (further) code, and of all boards."""
    degenerate: dict[int, tuple[int, int]]
    """By size, the number of boards that two rows refute (not in `points`), and of all boards."""
    halves: dict[int, Estimate]
    """By size, the number of rows at which half of the boards have a code."""
    laws: list[Law]
    """The law of all sizes, and that of the sizes beyond exhaustive search if there are several."""

    @property
    def sizes(self) -> list[int]:
        """The sizes of the points."""
        return sorted({point.size for point, _, _ in self.points})


def find_transition(record: Record, family: str, question: str) -> Transition | None:
    """Return the transition of an ensemble, or None if there are fewer than two sizes."""
    colors = ENSEMBLES[family].colors
    points = []
    degenerate: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    answer = "any" if question == "any" else "consistent"
    for point, boards in record.points():
        if point[:4] != ("transition", family, answer, question) or len(boards) < MIN_BOARDS:
            continue
        # Boards that two rows refute are counted separately. Undecided boards are not counted.
        other_boards = [board for board in boards if board["degenerate"] == "0"]
        num_degenerate, num_boards = degenerate[point.size]
        degenerate[point.size] = (
            num_degenerate + len(boards) - len(other_boards),
            num_boards + len(boards),
        )
        statuses = [board["status"] for board in other_boards if board["status"] != "?"]
        points.append((point, statuses.count("c"), len(statuses)))
    num_points = Counter(point.size for point, _, _ in points)  # by size
    sizes = sorted(size for size in num_points if num_points[size] >= MIN_ROW_NUMBERS)
    if len(sizes) < 2:
        return None
    points = [entry for entry in points if entry[0].size in sizes]
    scales = {size: expected_rows(colors, size).typical for size in sizes}
    data = Shares(
        np.array([float(point.size) for point, _, _ in points]),
        np.array([(point.rows or 0) / scales[point.size] for point, _, _ in points]),
        np.array([num_consistent for _, num_consistent, _ in points]),
        np.array([num_boards for _, _, num_boards in points]),
    )
    halves = {}
    for size, scale in scales.items():
        size_data = Shares(*(column[data.size == size] for column in data))
        position = bootstrap(partial(_find_half, size_data))
        halves[size] = Estimate(*(scale * bound for bound in position))
    laws = [_find_law(family, data)]
    is_large = data.size >= ENSEMBLES[family].min_large_size
    if not is_large.all() and len({*data.size[is_large]}) > 1:
        laws.append(_find_law(family, Shares(*(column[is_large] for column in data))))
    return Transition(family, question, points, dict(degenerate), halves, laws)


def _find_law(family: str, data: Shares) -> Law:
    sizes = sorted({int(size) for size in data.size})
    expected = [expected_rows(ENSEMBLES[family].colors, size) for size in sizes]
    widths = [math.log(rows.width / rows.typical) for rows in expected]
    return Law(
        sizes,
        fit_collapse(data),
        bootstrap(lambda rng: fit_collapse(data.resample(rng)).location),
        bootstrap(lambda rng: fit_collapse(data.resample(rng)).exponent),
        -fit_line([math.log(size) for size in sizes], widths).slope,
    )


def _find_half(data: Shares, rng: np.random.Generator | None) -> float:
    """Return the position at which half of the boards are consistent; `rng` resamples boards."""
    resampled = data.resample(rng)
    columns = np.column_stack([np.ones(len(data.position)), data.position])
    (intercept, slope), _ = fit_logistic(columns, resampled.num_consistent, resampled.num_boards)
    return float(-intercept / slope)


class Selection(NamedTuple):
    """Selection of boards, and of a measure of the effort of a solver."""

    family: str
    answer: str
    """"any" for random boards, "consistent" for planted boards."""
    solver: str
    unit: str = "steps"
    """The unit of effort: "steps", "branches" or "seconds"."""
    status: str = "ci"
    """The verdicts of the selected boards, by their first letters."""


class Growth(NamedTuple):
    """The growth of the effort of one solver near the threshold."""

    kind: Selection
    medians: dict[int, Estimate]
    """The median effort by size."""
    exponent: Estimate | None = None
    """Base-2 logarithm of the growth of the median per peg; None for fewer than 3 sizes."""
    line: Line | None = None
    """Fit of the base-2 logarithm of the median against the pegs."""
    power: Line | None = None
    """Fit of the base-2 logarithm of the median against that of the pegs. The fit with the smaller
    residual is better."""


def find_efforts(record: Record, selection: Selection) -> dict[int, list[float]]:
    """Return the effort on each board near the threshold, by size; infinity if undecided."""
    family, answer, solver, unit, status = selection
    values: dict[int, list[float]] = defaultdict(list)
    for point, boards in record.points():
        if point[:4] == ("transition", family, answer, "any"):
            scale = expected_rows(ENSEMBLES[family].colors, point.size).typical
            if (point.rows or 0) in {round(ratio * scale) for ratio in NARROW_ROW_RATIOS}:
                values[point.size] += [
                    math.inf if board[f"{solver} steps"] is None else board[f"{solver} {unit}"]
                    for board in boards
                    if f"{solver} steps" in board
                    and board["degenerate"] == "0"
                    and board["status"] in status
                ]
    return {size: efforts for size, efforts in sorted(values.items()) if len(efforts) >= MIN_BOARDS}


def find_growth(record: Record, selection: Selection) -> Growth:
    """Return the medians of the effort of a solver near the threshold by size, and their growth."""
    values = find_efforts(record, selection)
    medians = {size: median(efforts) for size, efforts in values.items()}
    steps = find_efforts(record, selection._replace(unit="steps"))
    fitted_sizes = [
        size for size in medians if MIN_MEDIAN_STEPS <= median(steps[size]).value < math.inf
    ]
    growth = Growth(selection, medians)
    if len(fitted_sizes) < 3:
        return growth

    def fit(rng: np.random.Generator | None) -> Line:
        resampled_medians = [median(resample(values[size], rng)).value for size in fitted_sizes]
        return fit_line(fitted_sizes, [math.log2(max(value, 1e-9)) for value in resampled_medians])

    logarithms = [math.log2(medians[size].value) for size in fitted_sizes]
    power = fit_line([math.log2(size) for size in fitted_sizes], logarithms)
    exponent = bootstrap(lambda rng: fit(rng).slope)
    return growth._replace(exponent=exponent, line=fit(None), power=power)


def compare_planted(record: Record, family: str, solver: str) -> tuple[int, Estimate] | None:
    """Return the ratio of the effort of planted boards to that of random boards with a code.

    Return the largest common size, and the ratio at this size. If there is no common size, return
    None.
    """
    planted = find_efforts(record, Selection(family, "consistent", solver))
    random = find_efforts(record, Selection(family, "any", solver, status="c"))
    common = sorted(planted.keys() & random.keys())
    if not common:
        return None
    size = common[-1]

    def ratio(rng: np.random.Generator | None) -> float:
        planted_median, random_median = (
            median(resample(efforts[size], rng)).value for efforts in (planted, random)
        )
        return (planted_median + 1) / (random_median + 1)

    return size, bootstrap(ratio)


class Reach(NamedTuple):
    """The sizes of a family that `auto` decides, and the refutations of its boards."""

    family: str
    answer: str
    pegs: int
    """Median number of pegs at the largest size at which `auto` decides most boards."""
    next_pegs: int | None
    """Median number of pegs at the next size, at which `auto` fails; None without a next size."""
    refuted: Counter[str]
    """Numbers of inconsistent boards by their refutation, at the largest size with enough boards.

    The refutation "" is by search. The following fields are about the same boards.
    """
    consistent: int
    """Number of consistent boards."""
    shown: int
    """Median number of pegs."""
    without_conflict: tuple[int, int]
    """Numbers of boards that CP-SAT decided without a conflict, and on which it was run."""

    @property
    def algebra(self) -> Estimate | None:
        """The share of the inconsistent boards that linear algebra refutes, or None."""
        num_inconsistent = sum(self.refuted.values())
        if not num_inconsistent:
            return None
        num_algebraic = num_inconsistent - self.refuted[""] - self.refuted["bounds"]
        return Estimate(num_algebraic / num_inconsistent, *wilson(num_algebraic, num_inconsistent))


def find_reaches(record: Record) -> list[Reach]:
    """Return the reach of each family and answer."""
    curves: dict[tuple[str, str], dict[int, list[BoardRecord]]] = defaultdict(dict)
    for point, boards in record.points():
        if point.part == "growth" and boards:
            curves[point.family, point.answer][point.size] = boards
    return [_find_reach(*key, boards_of) for key, boards_of in curves.items()]


def _find_reach(family: str, answer: str, boards_of: dict[int, list[BoardRecord]]) -> Reach:
    """Return the reach from the boards by size."""
    is_decided: dict[int, bool] = {}
    for size, boards in sorted(boards_of.items()):
        auto_seconds = [board["auto"] for board in boards if "auto" in board]
        num_decided = len(auto_seconds) - auto_seconds.count(None)
        is_decided[size] = 2 * num_decided > len(auto_seconds)
    pegs = {
        size: round(median([board["pegs"] for board in boards]).value)
        for size, boards in boards_of.items()
    }
    last_decided = max((size for size in is_decided if is_decided[size]), default=0)
    larger_sizes = [size for size in is_decided if size > last_decided]
    size_with_enough = max(
        (size for size, boards in boards_of.items() if len(boards) >= MIN_BOARDS),
        default=min(boards_of),
    )
    boards = boards_of[size_with_enough]
    refuted = Counter(board.get("refuted", "") for board in boards if board["status"] == "i")
    cp_steps = [board["cp steps"] for board in boards if board.get("cp seconds") is not None]
    return Reach(
        family,
        answer,
        pegs.get(last_decided, 0),
        pegs[min(larger_sizes)] if larger_sizes else None,
        refuted,
        sum(board["status"] == "c" for board in boards),
        pegs[size_with_enough],
        (cp_steps.count(0), len(cp_steps)),
    )


class Agreement(NamedTuple):
    """Numbers of boards by the number of solvers that decided them."""

    boards: int
    """Number of all boards."""
    twice: int
    """Number of boards that at least two solvers decided. The solvers agreed."""
    undecided: int


def find_agreement(record: Record, part: str) -> Agreement:
    """Count the boards of a part of the study. A disagreement would have ended the study."""
    boards = [
        board
        for point, point_boards in record.points()
        if point.part == part
        for board in point_boards
    ]
    keys = [f"{name} steps" for name in SOLVERS] + ["auto"]
    num_twice = sum(sum(board.get(key) is not None for key in keys) >= 2 for board in boards)
    return Agreement(len(boards), num_twice, sum(board["status"] == "?" for board in boards))


class Findings(NamedTuple):
    """All findings of a record."""

    transitions: list[Transition]
    growths: list[Growth]
    reaches: list[Reach]
    planted: dict[tuple[str, str], tuple[int, Estimate]]
    """The results of `compare_planted`, by family and solver."""
    limits: set[int]
    """The limits of CPU time, in seconds, of each process of `auto`."""


def find_all(record: Record) -> Findings:
    """Return all findings for which there are measurements."""
    pairs = [(name, solver) for name in ENSEMBLES for solver in ENSEMBLES[name].max_pegs]
    transitions = [
        find_transition(record, name, question)
        for question in ("any", "other")
        for name in ENSEMBLES
    ]
    growths = [
        find_growth(record, Selection(name, answer, solver, unit))
        for name, solver in pairs
        for answer in ("any", "consistent")
        for unit in ("steps", "seconds")
    ]
    planted = {pair: compare_planted(record, *pair) for pair in pairs}
    return Findings(
        [transition for transition in transitions if transition is not None],
        [growth for growth in growths if growth.medians],
        find_reaches(record),
        {pair: ratio for pair, ratio in planted.items() if ratio is not None},
        {chunk["limit"] for chunk in record.chunks.values() if chunk.get("limit")},
    )
