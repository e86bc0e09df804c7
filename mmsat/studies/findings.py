"""What the record of a study says, in numbers with intervals: nothing here is measured."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from mmsat.studies.point import ENSEMBLES, NARROW, Point, expected_rows
from mmsat.studies.record import Record
from mmsat.studies.solvers import SOLVERS
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
LEAST = 20
"""Boards of a point, so that it counts."""
GENTLE = 8
"""Steps in the median below which a size is left out of the fits of effort: those are set-up."""


SIDES = 3
"""Numbers of rows of a size, at least, so that its threshold is looked for."""


class Law(NamedTuple):
    """The scaling law of some sizes."""

    sizes: list[int]
    fit: Collapse
    location: Estimate
    exponent: Estimate
    expected: float
    """The exponent that the spread of what scores tell gives by itself, over these sizes."""


class Transition(NamedTuple):
    """One ensemble and question, over all sizes."""

    family: str
    question: str
    points: list[tuple[Point, int, int]]
    """With the boards that have a code, or another one, and all that count."""
    degenerate: dict[int, tuple[int, int]]
    """By size, boards that two rows refute and all boards; the former do not count above."""
    halves: dict[int, Estimate]
    """By size, the rows at which half of the boards have a code."""
    laws: list[Law]
    """Of all sizes, and of those beyond exhaustive search where there are two."""

    @property
    def sizes(self) -> list[int]:
        """The sizes that were measured."""
        return sorted({point.size for point, _, _ in self.points})


def find_transition(record: Record, family: str, question: str) -> Transition | None:
    """The transition of an ensemble, where there are two sizes or more."""
    colors = ENSEMBLES[family].colors
    points = []
    degenerate: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    answer = "any" if question == "any" else "consistent"
    for point, boards in record.points():
        if point[:4] != ("transition", family, answer, question) or len(boards) < LEAST:
            continue
        counted = [board for board in boards if board["degenerate"] == "0"]
        bad, every = degenerate[point.size]
        degenerate[point.size] = bad + len(boards) - len(counted), every + len(boards)
        known = [board["status"] for board in counted if board["status"] != "?"]
        points.append((point, known.count("c"), len(known)))
    rows = Counter(point.size for point, _, _ in points)
    sizes = sorted(size for size in rows if rows[size] >= SIDES)
    if len(sizes) < 2:
        return None
    points = [each for each in points if each[0].size in sizes]
    scales = {size: expected_rows(colors, size).typical for size in sizes}
    data = Shares(
        np.array([float(point.size) for point, _, _ in points]),
        np.array([(point.rows or 0) / scales[point.size] for point, _, _ in points]),
        np.array([yes for _, yes, _ in points]),
        np.array([many for _, _, many in points]),
    )
    halves = {}
    for size, scale in scales.items():
        here = Shares(*(column[data.size == size] for column in data))
        found = bootstrap(partial(_half, here))
        halves[size] = Estimate(*(scale * each for each in found))
    laws = [_find_law(family, data)]
    is_large = data.size >= ENSEMBLES[family].large
    if not is_large.all() and len({*data.size[is_large]}) > 1:
        laws.append(_find_law(family, Shares(*(column[is_large] for column in data))))
    return Transition(family, question, points, dict(degenerate), halves, laws)


def _find_law(family: str, data: Shares) -> Law:
    sizes = sorted({int(size) for size in data.size})
    expected = [expected_rows(ENSEMBLES[family].colors, size) for size in sizes]
    widths = [math.log(each.width / each.typical) for each in expected]
    return Law(
        sizes,
        fit_collapse(data),
        bootstrap(lambda rng: fit_collapse(data.redraw(rng)).location),
        bootstrap(lambda rng: fit_collapse(data.redraw(rng)).exponent),
        -fit_line([math.log(size) for size in sizes], widths).slope,
    )


def _half(data: Shares, rng: np.random.Generator | None) -> float:
    """The position where half of the boards are consistent, perhaps of boards drawn anew."""
    drawn = data.redraw(rng)
    columns = np.column_stack([np.ones(len(data.position)), data.position])
    (start, slope), _ = fit_logistic(columns, drawn.yes, drawn.many)
    return float(-start / slope)


class Kind(NamedTuple):
    """What is looked at: random ("any") or planted ("consistent") boards, and a solver's effort."""

    family: str
    answer: str
    solver: str
    unit: str = "steps"
    """Or "branches", or "seconds"."""
    status: str = "ci"
    """The verdicts, by their first letters."""


class Growth(NamedTuple):
    """How the effort of one solver grows about the threshold."""

    kind: Kind
    medians: dict[int, Estimate]
    """By size."""
    exponent: Estimate | None = None
    """The power of two by which the median grows with each peg; None with fewer than 3 sizes."""
    line: Line | None = None
    """The logarithm of the median against the pegs, ..."""
    power: Line | None = None
    """... and against their logarithm: whichever leaves less is the better law."""


def find_efforts(record: Record, kind: Kind) -> dict[int, list[float]]:
    """The effort on each board about the threshold, by size."""
    family, answer, solver, unit, status = kind
    values: dict[int, list[float]] = defaultdict(list)
    for point, boards in record.points():
        if point[:4] == ("transition", family, answer, "any"):
            scale = expected_rows(ENSEMBLES[family].colors, point.size).typical
            if (point.rows or 0) in {round(ratio * scale) for ratio in NARROW}:
                values[point.size] += [
                    math.inf if board[f"{solver} steps"] is None else board[f"{solver} {unit}"]
                    for board in boards
                    if f"{solver} steps" in board
                    and board["degenerate"] == "0"
                    and board["status"] in status
                ]
    return {size: found for size, found in sorted(values.items()) if len(found) >= LEAST}


def find_growth(record: Record, kind: Kind) -> Growth:
    """The effort of a solver at the threshold, as medians by size, and how they grow."""
    values = find_efforts(record, kind)
    medians = {size: median(found) for size, found in values.items()}
    steps = find_efforts(record, kind._replace(unit="steps"))
    fitted = [size for size in medians if GENTLE <= median(steps[size]).value < math.inf]
    found = Growth(kind, medians)
    if len(fitted) < 3:
        return found

    def fit(rng: np.random.Generator | None) -> Line:
        middles = [median(redraw(values[size], rng)).value for size in fitted]
        return fit_line(fitted, [math.log2(max(middle, 1e-9)) for middle in middles])

    heights = [math.log2(medians[size].value) for size in fitted]
    power = fit_line([math.log2(size) for size in fitted], heights)
    exponent = bootstrap(lambda rng: fit(rng).slope)
    return found._replace(exponent=exponent, line=fit(None), power=power)


def compare_planted(record: Record, family: str, solver: str) -> tuple[int, Estimate] | None:
    """By what planted boards take more than random ones with a code, at the largest common size."""
    planted = find_efforts(record, Kind(family, "consistent", solver))
    random = find_efforts(record, Kind(family, "any", solver, status="c"))
    common = sorted(planted.keys() & random.keys())
    if not common:
        return None
    size = common[-1]

    def ratio(rng: np.random.Generator | None) -> float:
        above, below = (median(redraw(each[size], rng)).value for each in (planted, random))
        return (above + 1) / (below + 1)

    return size, bootstrap(ratio)


class Reach(NamedTuple):
    """How far a family goes, and what refutes its boards."""

    family: str
    answer: str
    pegs: int
    """Of the largest size that `auto` decides in its time, mostly, in the median ..."""
    next_pegs: int | None
    """... and of the next size, which it does not; None where no larger boards were tried."""
    refuted: Counter[str]
    """By the way, the inconsistent boards of the largest size with enough boards; "" for search."""
    consistent: int
    """The others of these boards."""
    shown: int
    """Their pegs, in the median."""
    without_conflict: tuple[int, int]
    """Boards of these that CP-SAT decided without a conflict, and those that it was asked about."""

    @property
    def algebra(self) -> Estimate | None:
        """The share of the inconsistent boards that linear algebra refutes."""
        many = sum(self.refuted.values())
        if not many:
            return None
        found = many - self.refuted[""] - self.refuted["bounds"]
        return Estimate(found / many, *wilson(found, many))


def find_reaches(record: Record) -> list[Reach]:
    """All curves of the growth."""
    curves: dict[tuple[str, str], dict[int, list[Board]]] = defaultdict(dict)
    for point, boards in record.points():
        if point.part == "growth" and boards:
            curves[point.family, point.answer][point.size] = boards
    return [_reach(*key, sizes) for key, sizes in curves.items()]


def _reach(family: str, answer: str, sizes: dict[int, list[Board]]) -> Reach:
    decided: dict[int, bool] = {}
    for size, boards in sorted(sizes.items()):
        asked = [board["auto"] for board in boards if "auto" in board]
        decided[size] = 2 * (len(asked) - asked.count(None)) > len(asked)
    pegs = {
        size: round(median([b["pegs"] for b in boards]).value) for size, boards in sizes.items()
    }
    reached = max((size for size, is_decided in decided.items() if is_decided), default=0)
    beyond = [size for size in decided if size > reached]
    enough = [size for size, boards in sizes.items() if len(boards) >= LEAST] or [min(sizes)]
    boards = sizes[max(enough)]
    refuted = Counter(b.get("refuted", "") for b in boards if b["status"] == "i")
    asked = [b["cp steps"] for b in boards if b.get("cp seconds") is not None]
    return Reach(
        family,
        answer,
        pegs.get(reached, 0),
        pegs[min(beyond)] if beyond else None,
        refuted,
        sum(b["status"] == "c" for b in boards),
        pegs[max(enough)],
        (asked.count(0), len(asked)),
    )


class Agreement(NamedTuple):
    """How many boards were decided, and how many by two solvers or more that agreed."""

    boards: int
    twice: int
    undecided: int


def find_agreement(record: Record, part: str) -> Agreement:
    """Count the boards of a part; a disagreement would have ended the study."""
    boards = [board for point, found in record.points() if point.part == part for board in found]
    names = [f"{name} steps" for name in SOLVERS] + ["auto"]
    twice = sum(sum(board.get(name) is not None for name in names) >= 2 for board in boards)
    return Agreement(len(boards), twice, sum(board["status"] == "?" for board in boards))


class Findings(NamedTuple):
    """All that the record says."""

    transitions: list[Transition]
    growths: list[Growth]
    reaches: list[Reach]
    planted: dict[tuple[str, str], tuple[int, Estimate]]
    """By family and solver; see compare_planted."""
    limits: set[int]
    """The seconds that `auto` had in each of its processes."""


def find_all(record: Record) -> Findings:
    """All findings; what was not measured is left out."""
    pairs = [(name, solver) for name in ENSEMBLES for solver in ENSEMBLES[name].most]
    transitions = [
        find_transition(record, name, question)
        for question in ("any", "other")
        for name in ENSEMBLES
    ]
    growths = [
        find_growth(record, Kind(name, answer, solver, unit))
        for name, solver in pairs
        for answer in ("any", "consistent")
        for unit in ("steps", "seconds")
    ]
    planted = {pair: compare_planted(record, *pair) for pair in pairs}
    return Findings(
        [each for each in transitions if each is not None],
        [each for each in growths if each.medians],
        find_reaches(record),
        {pair: each for pair, each in planted.items() if each is not None},
        {chunk["limit"] for chunk in record.chunks.values() if chunk.get("limit")},
    )
