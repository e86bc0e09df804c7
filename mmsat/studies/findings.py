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
    redraw,
    wilson,
)

Board = dict[str, Any]
MIN_BOARDS = 20
"""Minimum number of boards of a point that is evaluated."""
GENTLE = 8
"""Minimum median of steps of a size in the fits of effort; below, the steps are set-up."""

MIN_ROW_NUMBERS = 3
"""Minimum number of different numbers of rows of a size whose threshold is estimated."""


class Law(NamedTuple):
    """The scaling law that is fitted to some sizes."""

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
    """Each point with the number of boards that have a code (or another one), and of all boards."""
    degenerate: dict[int, tuple[int, int]]
    """By size, the numbers of boards that two rows refute (not in `points`), and of all boards."""
    halves: dict[int, Estimate]
    """By size, the number of rows at which half of the boards have a code."""
    laws: list[Law]
    """The law of all sizes; also that of the sizes beyond exhaustive search, if two or more are."""

    @property
    def sizes(self) -> list[int]:
        """Return the sizes of the points."""
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
        # Boards that two rows refute are counted separately; undecided boards are not counted.
        counted = [board for board in boards if board["degenerate"] == "0"]
        num_degenerate, num_boards = degenerate[point.size]
        degenerate[point.size] = (
            num_degenerate + len(boards) - len(counted),
            num_boards + len(boards),
        )
        decided = [board["status"] for board in counted if board["status"] != "?"]
        points.append((point, decided.count("c"), len(decided)))
    rows = Counter(point.size for point, _, _ in points)
    sizes = sorted(size for size in rows if rows[size] >= MIN_ROW_NUMBERS)
    if len(sizes) < 2:
        return None
    points = [entry for entry in points if entry[0].size in sizes]
    scales = {size: expected_rows(colors, size).typical for size in sizes}
    data = Shares(
        np.array([float(point.size) for point, _, _ in points]),
        np.array([(point.rows or 0) / scales[point.size] for point, _, _ in points]),
        np.array([yes for _, yes, _ in points]),
        np.array([total for _, _, total in points]),
    )
    halves = {}
    for size, scale in scales.items():
        size_data = Shares(*(column[data.size == size] for column in data))
        position = bootstrap(partial(_half, size_data))
        halves[size] = Estimate(*(scale * bound for bound in position))
    laws = [_find_law(family, data)]
    is_large = data.size >= ENSEMBLES[family].large
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
        bootstrap(lambda rng: fit_collapse(data.redraw(rng)).location),
        bootstrap(lambda rng: fit_collapse(data.redraw(rng)).exponent),
        -fit_line([math.log(size) for size in sizes], widths).slope,
    )


def _half(data: Shares, rng: np.random.Generator | None) -> float:
    """Return the position at which half of the boards are consistent; `rng` resamples boards."""
    drawn = data.redraw(rng)
    columns = np.column_stack([np.ones(len(data.position)), data.position])
    (start, slope), _ = fit_logistic(columns, drawn.yes, drawn.total)
    return float(-start / slope)


class Selection(NamedTuple):
    """Selection of boards, random ("any") or planted ("consistent"), and of a solver's effort."""

    family: str
    answer: str
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
    """Base-2 logarithm of the growth of the median per peg; None with fewer than 3 sizes."""
    line: Line | None = None
    """Fit of the base-2 logarithm of the median against the pegs."""
    power: Line | None = None
    """Fit against the logarithm of the pegs. The fit with the smaller residual is better."""


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
    fitted = [size for size in medians if GENTLE <= median(steps[size]).value < math.inf]
    growth = Growth(selection, medians)
    if len(fitted) < 3:
        return growth

    def fit(rng: np.random.Generator | None) -> Line:
        middles = [median(redraw(values[size], rng)).value for size in fitted]
        return fit_line(fitted, [math.log2(max(middle, 1e-9)) for middle in middles])

    heights = [math.log2(medians[size].value) for size in fitted]
    power = fit_line([math.log2(size) for size in fitted], heights)
    exponent = bootstrap(lambda rng: fit(rng).slope)
    return growth._replace(exponent=exponent, line=fit(None), power=power)


def compare_planted(record: Record, family: str, solver: str) -> tuple[int, Estimate] | None:
    """Return the ratio of effort of planted boards to that of random ones with a code.

    The ratio is for the largest common size, which is returned first. Without a common size,
    return None.
    """
    planted = find_efforts(record, Selection(family, "consistent", solver))
    random = find_efforts(record, Selection(family, "any", solver, status="c"))
    common = sorted(planted.keys() & random.keys())
    if not common:
        return None
    size = common[-1]

    def ratio(rng: np.random.Generator | None) -> float:
        above, below = (median(redraw(efforts[size], rng)).value for efforts in (planted, random))
        return (above + 1) / (below + 1)

    return size, bootstrap(ratio)


class Reach(NamedTuple):
    """The sizes of a family that `auto` decides, and the refutations of its boards."""

    family: str
    answer: str
    pegs: int
    """Median of the pegs of the largest size of which `auto` decides most boards in its time."""
    next_pegs: int | None
    """Median of the pegs of the next size, which it does not decide; None if none was tried."""
    refuted: Counter[str]
    """Number of inconsistent boards of the largest size with enough boards, by way of refutation.

    The way "" is search.
    """
    consistent: int
    """Number of consistent boards of that size."""
    shown: int
    """Median of the pegs of that size."""
    without_conflict: tuple[int, int]
    """Numbers of boards of that size that CP-SAT decided without a conflict, and that it tried."""

    @property
    def algebra(self) -> Estimate | None:
        """Return the share of the inconsistent boards that linear algebra refutes."""
        num_inconsistent = sum(self.refuted.values())
        if not num_inconsistent:
            return None
        by_algebra = num_inconsistent - self.refuted[""] - self.refuted["bounds"]
        return Estimate(by_algebra / num_inconsistent, *wilson(by_algebra, num_inconsistent))


def find_reaches(record: Record) -> list[Reach]:
    """Return the reach of each family and answer."""
    curves: dict[tuple[str, str], dict[int, list[Board]]] = defaultdict(dict)
    for point, boards in record.points():
        if point.part == "growth" and boards:
            curves[point.family, point.answer][point.size] = boards
    return [_reach(*key, sizes) for key, sizes in curves.items()]


def _reach(family: str, answer: str, sizes: dict[int, list[Board]]) -> Reach:
    decided: dict[int, bool] = {}
    for size, boards in sorted(sizes.items()):
        outcomes = [board["auto"] for board in boards if "auto" in board]
        decided[size] = 2 * (len(outcomes) - outcomes.count(None)) > len(outcomes)
    pegs = {
        size: round(median([b["pegs"] for b in boards]).value) for size, boards in sizes.items()
    }
    reached = max((size for size, is_decided in decided.items() if is_decided), default=0)
    beyond = [size for size in decided if size > reached]
    large_enough = [size for size, boards in sizes.items() if len(boards) >= MIN_BOARDS] or [
        min(sizes)
    ]
    boards = sizes[max(large_enough)]
    refuted = Counter(b.get("refuted", "") for b in boards if b["status"] == "i")
    outcomes = [b["cp steps"] for b in boards if b.get("cp seconds") is not None]
    return Reach(
        family,
        answer,
        pegs.get(reached, 0),
        pegs[min(beyond)] if beyond else None,
        refuted,
        sum(b["status"] == "c" for b in boards),
        pegs[max(large_enough)],
        (outcomes.count(0), len(outcomes)),
    )


class Agreement(NamedTuple):
    """Numbers of boards: all, decided by at least two solvers, which agreed, and undecided."""

    boards: int
    twice: int
    undecided: int


def find_agreement(record: Record, part: str) -> Agreement:
    """Count the boards of a part. There is no disagreement: it would have ended the study."""
    boards = [
        board
        for point, point_boards in record.points()
        if point.part == part
        for board in point_boards
    ]
    names = [f"{name} steps" for name in SOLVERS] + ["auto"]
    twice = sum(sum(board.get(name) is not None for name in names) >= 2 for board in boards)
    return Agreement(len(boards), twice, sum(board["status"] == "?" for board in boards))


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
    """Return all findings; those without measurements are omitted."""
    pairs = [(name, solver) for name in ENSEMBLES for solver in ENSEMBLES[name].most]
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
