"""The findings of a study, computed from its record: estimates with intervals."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from mmsat.studies import ENSEMBLES, Point, Record, entropy_rows
from mmsat.studies.measure import LOG_COUNT, SOLVERS, log_count
from mmsat.studies.statistics import (
    Calibration,
    CountLaw,
    Estimate,
    Line,
    adjust,
    bootstrap,
    calibrate,
    curvature_tail,
    fit_count_law,
    fit_line,
    fit_logistic,
    half_point,
    log_loss,
    median,
    resample,
    scipy,
    wilson,
)

BoardRecord = dict[str, Any]
"""The measurements of one board."""
MIN_BOARDS = 20
"""Minimum number of boards of a point that is evaluated."""
MIN_FITTED_STEPS = {"cp": 10, "cadical": 10, "lattice": 100}
"""Minimum median number of steps of a size in the fits of effort, by solver.

Fewer steps are mostly set-up. The points of the lattice are rounded up to a multiple of at least 8.
"""
MIN_ROW_NUMBERS = 3
"""Minimum number of different numbers of rows at a size to find its half point."""
NUM_HELD_OUT_SIZES = 2
"""Number of the largest sizes that are predicted from the smaller ones."""
SIGNIFICANCE_LEVEL = 0.05
"""Probability below which a hypothesis is rejected."""


class Verdicts(NamedTuple):
    """The verdicts of boards of one ensemble and question, as arrays with one entry per board."""

    size: np.ndarray
    rows: np.ndarray
    log_count: np.ndarray
    """Logarithm of the estimated number of codes, or of codes other than the planted one."""
    is_consistent: np.ndarray

    def of(self, mask: np.ndarray) -> Verdicts:
        """Return the selected boards."""
        return Verdicts(*(column[mask] for column in self))


class Half(NamedTuple):
    """The number of rows at which half of the boards of a size have a code."""

    num_boards: int
    observed: Estimate
    """By interpolation, without a parametric law; infinite if the shares do not cross one half."""
    predicted: float
    """The same for the mean of the estimated probabilities. Nothing is fitted."""
    calibration: Calibration
    """The estimated probabilities and the verdicts at this size."""


class Transition(NamedTuple):
    """The transition of one ensemble and question, over all sizes."""

    family: str
    question: str
    verdicts: Verdicts
    degenerate: dict[int, tuple[int, int]]
    """By size, the number of boards that two rows refute, which are not counted, and of all."""
    halves: dict[int, Half]
    excluded: list[int]
    """Sizes with fewer than `MIN_ROW_NUMBERS` numbers of rows; only they have no half point."""
    calibration: Calibration
    """The estimated probabilities and the verdicts, without a fitted parameter."""
    law: CountLaw
    """The law that is fitted to all boards. The estimates are right if it is 0 and 1."""
    losses: tuple[float, float, float]
    """Negative log-likelihood of a logistic law in rows over r* (2 parameters), of the observed
    share of each size and number of rows (one parameter each), and of the estimate (none)."""
    held_out: Calibration | None
    """The largest sizes, predicted by the law that is fitted to the smaller ones."""

    @property
    def sizes(self) -> list[int]:
        """The sizes."""
        return sorted({int(size) for size in self.verdicts.size})

    def shares(self, size: int) -> list[tuple[int, int, int]]:
        """Return the numbers of rows of a size, with their consistent and all boards."""
        data = self.verdicts.of(self.verdicts.size == size)
        return [
            (
                int(rows),
                int(data.is_consistent[data.rows == rows].sum()),
                int((data.rows == rows).sum()),
            )
            for rows in np.unique(data.rows)
        ]


def find_transition(record: Record, family: str, question: str) -> Transition | None:
    """Return the transition of an ensemble; if no size has a half point, return None."""
    degenerate: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    answer = "any" if question == "any" else "consistent"
    entries: list[tuple[int, int, float, bool]] = []
    for point, boards in record.points():
        if point[:4] != ("transition", family, answer, question) or len(boards) < MIN_BOARDS:
            continue
        counted = [board["degenerate"] == "0" for board in boards]
        num_degenerate, num_boards = degenerate[point.size]
        degenerate[point.size] = (
            num_degenerate + counted.count(False),
            num_boards + len(boards),
        )
        entries += [
            (point.size, point.rows or 0, _log_count(point, board), board["status"] == "c")
            for board, is_counted in zip(boards, counted, strict=True)
            if is_counted and board["status"] != "?"
        ]
    if not entries:
        return None
    columns = zip(*entries, strict=True)
    verdicts = Verdicts(*(np.array(column) for column in columns))
    chances = chance_of(verdicts.log_count)
    halves: dict[int, Half] = {}
    excluded = []
    for size in sorted(degenerate):
        mask = verdicts.size == size
        if len(np.unique(verdicts.rows[mask])) < MIN_ROW_NUMBERS:
            excluded.append(size)
        else:
            halves[size] = _find_half(verdicts.of(mask), chances[mask])
    if not halves:
        return None
    return Transition(
        family,
        question,
        verdicts,
        dict(degenerate),
        halves,
        excluded,
        calibrate(chances, verdicts.is_consistent),
        fit_count_law(verdicts.log_count, verdicts.is_consistent),
        _find_losses(family, verdicts, chances),
        _hold_out(verdicts),
    )


def _log_count(point: Point, board: BoardRecord) -> float:
    """Return the recorded estimate of a board, or compute it."""
    if LOG_COUNT not in board:
        board[LOG_COUNT] = log_count(point.make(board["number"]).board)
    value = board[LOG_COUNT]
    return -math.inf if value is None else float(value)


def chance_of(log_counts: np.ndarray) -> np.ndarray:
    """Return the probabilities of at least one code, 1 - exp(-N)."""
    return CountLaw(0.0, 1.0, 0.0, 0.0).chance(log_counts)


def _find_half(data: Verdicts, chances: np.ndarray) -> Half:
    rows = np.unique(data.rows)
    groups = [data.rows == number for number in rows]
    num_boards = np.array([group.sum() for group in groups])
    num_consistent = np.array([data.is_consistent[group].sum() for group in groups])

    def observe(rng: np.random.Generator | None) -> float:
        drawn = (
            num_consistent if rng is None else rng.binomial(num_boards, num_consistent / num_boards)
        )
        return half_point(rows.astype(float), drawn, num_boards)

    expected = np.array([chances[group].sum() for group in groups])
    predicted = half_point(rows.astype(float), expected, num_boards)
    calibration = calibrate(chances, data.is_consistent)
    return Half(len(data.rows), bootstrap(observe), predicted, calibration)


def _find_losses(family: str, data: Verdicts, chances: np.ndarray) -> tuple[float, float, float]:
    unit = np.array([entropy_rows(ENSEMBLES[family].colors, int(size)) for size in data.size])
    columns = np.column_stack([np.ones(len(unit)), data.rows / unit])
    weights, _ = fit_logistic(columns, data.is_consistent, np.ones(len(unit)))
    _, point_of = np.unique(np.column_stack([data.size, data.rows]), axis=0, return_inverse=True)
    point_of = point_of.reshape(-1)
    shares = np.bincount(point_of, data.is_consistent) / np.bincount(point_of)
    laws = 1 / (1 + np.exp(-columns @ weights)), shares[point_of], chances
    pooled, by_point, estimate = (log_loss(law, data.is_consistent) for law in laws)
    return pooled, by_point, estimate


def _hold_out(data: Verdicts) -> Calibration | None:
    """Predict the largest sizes by the law of the smaller ones; None if there are too few."""
    sizes = np.unique(data.size)
    if len(sizes) < 2 * NUM_HELD_OUT_SIZES:
        return None
    is_large = np.isin(data.size, sizes[-NUM_HELD_OUT_SIZES:])
    known = data.of(~is_large)
    law = fit_count_law(known.log_count, known.is_consistent)
    return calibrate(law.chance(data.log_count[is_large]), data.is_consistent[is_large])


class Selection(NamedTuple):
    """Selection of boards, and of the solver whose effort is measured."""

    family: str
    answer: str
    """"any" for random boards, "consistent" for planted boards."""
    solver: str
    status: str = "ci"
    """The verdicts of the selected boards, by their first letters."""


class Growth(NamedTuple):
    """The growth of the effort of one solver at the half point. The unit is a step."""

    kind: Selection
    rows: dict[int, int]
    """The number of rows by size: the measured one that is nearest to the half point."""
    medians: dict[int, Estimate]
    """The median number of steps by size. Undecided boards count as infinite."""
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
    values = {
        point.size: efforts
        for point, efforts in at_half(find_efforts(record, selection), halves).items()
    }
    rows = {
        point.size: point.rows or 0 for point in at_half(find_efforts(record, selection), halves)
    }
    medians = {size: median(efforts) for size, efforts in values.items()}
    num_censored = sum(efforts.count(math.inf) for efforts in values.values())
    sizes = [
        s for s in medians if MIN_FITTED_STEPS[selection.solver] <= medians[s].value < math.inf
    ]
    growth = Growth(selection, rows, medians, num_censored, [])
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


class Peak(NamedTuple):
    """The effort of a solver by the number of rows, at one size."""

    kind: Selection
    size: int
    half: float
    """The number of rows at which half of the boards are predicted to have a code."""
    medians: dict[int, Estimate]
    """The median number of steps by the number of rows."""

    @property
    def highest(self) -> int:
        """The number of rows with the highest median."""
        return max(self.medians, key=lambda rows: self.medians[rows].value)


MIN_PEAK_SPAN = 0.4
"""Minimum range of the numbers of rows, as a share of the half point, for a curve of the effort."""


def find_peaks(record: Record, family: str, solver: str, halves: dict[int, float]) -> Peak | None:
    """Return the effort by rows at the largest size with a wide range of rows, or None."""
    selection = Selection(family, "any", solver)
    by_size: dict[int, dict[int, Estimate]] = defaultdict(dict)
    for point, values in find_efforts(record, selection).items():
        if len(values) >= MIN_BOARDS and point.size in halves:
            by_size[point.size][point.rows or 0] = median(values)
    wide = [
        size
        for size, medians in by_size.items()
        if max(medians) - min(medians) >= MIN_PEAK_SPAN * halves[size]
    ]
    if not wide:
        return None
    size = max(wide)
    return Peak(selection, size, halves[size], dict(sorted(by_size[size].items())))


class Comparison(NamedTuple):
    """Planted boards compared with random boards that have a code."""

    family: str
    solver: str
    size: int
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

        p_value = float(scipy().stats.mannwhitneyu(planted[point], others).pvalue)
        return Comparison(family, solver, point.size, bootstrap(ratio), p_value)
    return None


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
    adjusted: float = math.nan
    """The p-value that linear algebra refutes one half of the inconsistent boards, adjusted for the
    number of families; NaN without inconsistent boards."""

    @property
    def num_algebraic(self) -> int:
        """The number of inconsistent boards that linear algebra refutes."""
        return sum(self.refuted.values()) - self.refuted[""] - self.refuted["bounds"]

    @property
    def kind(self) -> str:
        """Whether linear algebra refutes "most" or "few" of the inconsistent boards.

        "undecided" if the share does not differ significantly from one half, and "none" without
        inconsistent boards.
        """
        if self.algebra is None:
            return "none"
        if not self.adjusted < SIGNIFICANCE_LEVEL:
            return "undecided"
        return "most" if self.algebra.value > 1 / 2 else "few"

    @property
    def algebra(self) -> Estimate | None:
        """The share of the inconsistent boards that linear algebra refutes, or None."""
        num_inconsistent = sum(self.refuted.values())
        if not num_inconsistent:
            return None
        share = self.num_algebraic / num_inconsistent
        return Estimate(share, *wilson(self.num_algebraic, num_inconsistent))


def find_reaches(record: Record) -> list[Reach]:
    """Return the reach of each family and answer."""
    curves: dict[tuple[str, str], dict[int, list[BoardRecord]]] = defaultdict(dict)
    for point, boards in record.points():
        if point.part == "growth" and boards:
            curves[point.family, point.answer][point.size] = boards
    reaches = [_find_reach(*key, boards_of) for key, boards_of in curves.items()]
    tested = [reach for reach in reaches if reach.algebra]
    p_values = adjust(
        [
            float(scipy().stats.binomtest(reach.num_algebraic, sum(reach.refuted.values())).pvalue)
            for reach in tested
        ]
    )
    adjusted = {id(reach): value for reach, value in zip(tested, p_values, strict=True)}
    return [reach._replace(adjusted=adjusted.get(id(reach), math.nan)) for reach in reaches]


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
    """Numbers of boards by the solvers that decided them."""

    boards: int
    """Number of all boards."""
    twice: int
    """Number of boards that at least two solvers decided. The solvers agreed."""
    own: int
    """Number of boards that only solvers of this project decided: the lattice, or `auto`."""
    cross_checked: int
    """Number of these that CP-SAT decided in the part "cross-check"."""
    undecided: int


def find_agreement(record: Record, part: str) -> Agreement:
    """Count the boards of a part of the study. A disagreement would have ended the study."""
    checked = {
        (point._replace(part="transition"), board["number"])
        for point, boards in record.points()
        if point.part == "cross-check"
        for board in boards
        if board["status"] != "?"
    }
    entries = [
        (point, board)
        for point, boards in record.points()
        if point.part == part
        for board in boards
    ]
    keys = [f"{name} steps" for name in SOLVERS] + ["auto"]
    deciders = [[key for key in keys if board.get(key) is not None] for _, board in entries]
    own = [
        (point, board["number"])
        for (point, board), names in zip(entries, deciders, strict=True)
        if names in (["lattice steps"], ["auto"])
    ]
    return Agreement(
        len(entries),
        sum(len(names) >= 2 for names in deciders),
        len(own),
        len(checked.intersection(own)),
        sum(board["status"] == "?" for _, board in entries),
    )


class Findings(NamedTuple):
    """All findings of a record."""

    transitions: list[Transition]
    growths: list[Growth]
    peaks: list[Peak]
    reaches: list[Reach]
    planted: list[Comparison]
    limits: set[int]
    """The limits of CPU time, in seconds, of each process of `auto`."""


def find_all(record: Record) -> Findings:
    """Return all findings for which there are measurements."""
    found = (
        find_transition(record, name, question)
        for question in ("any", "other")
        for name in ENSEMBLES
    )
    transitions = [transition for transition in found if transition is not None]
    halves = {name: _effort_halves(transitions, name) for name in ENSEMBLES}
    pairs = [(name, solver) for name in ENSEMBLES for solver in ENSEMBLES[name].max_pegs]
    growths = [
        find_growth(record, Selection(name, answer, solver), halves[name])
        for name, solver in pairs
        for answer in ("any", "consistent")
    ]
    peaks = (find_peaks(record, *pair, halves[pair[0]]) for pair in pairs)
    compared = [compare_planted(record, *pair, halves[pair[0]]) for pair in pairs]
    planted = [comparison for comparison in compared if comparison is not None]
    adjusted = adjust([comparison.p_value for comparison in planted])
    return Findings(
        transitions,
        [growth for growth in growths if growth.medians],
        [peak for peak in peaks if peak is not None],
        find_reaches(record),
        [entry._replace(adjusted=p) for entry, p in zip(planted, adjusted, strict=True)],
        {chunk["limit"] for chunk in record.chunks.values() if chunk.get("limit")},
    )


def _effort_halves(transitions: list[Transition], family: str) -> dict[int, float]:
    """Return the predicted half point of random boards by size."""
    return {
        size: half.predicted
        for transition in transitions
        if transition.family == family and transition.question == "any"
        for size, half in transition.halves.items()
    }
