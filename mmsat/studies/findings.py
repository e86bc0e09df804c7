"""Compute the findings of the study from its record, as estimates with intervals.

The findings about the effort of solvers are its growth with the size at the half point, the number
of rows at which it peaks, and a comparison of planted with random boards. The package docstring
(`mmsat.studies`) defines the terms.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mmsat.studies import ENSEMBLES, MIN_BOARDS, BoardRecord, Point, Record
from mmsat.studies.measure import SOLVERS
from mmsat.studies.statistics import (
    SIGNIFICANCE_LEVEL,
    Estimate,
    Line,
    adjust,
    bootstrap,
    curvature_tail,
    fit_line,
    mann_whitney,
    median,
    rank_correlation,
    resample,
    scipy,
    van_elteren,
    wilson,
)
from mmsat.studies.transition import (
    CountProfile,
    Selection,
    Transition,
    find_board_efforts,
    find_count_profile,
    find_efforts,
    find_transition,
    select,
)

MIN_FITTED_STEPS = {"cp": 10, "cadical": 10, "lattice": 100}
"""For each solver, the minimum median number of steps of a size that a fit of the effort uses.

Fewer steps are mostly set-up. The lattice needs more, because its number of steps is rounded up to
a multiple of at least `MIN_ADVANCE_POINTS`.
"""


class Split(NamedTuple):
    """The boards of one size and number of rows, by their verdict."""

    with_code: Estimate
    """The median number of steps on the boards with a code."""
    without_code: Estimate
    share: float
    """The fraction of the boards that have a code."""
    num_immediate: int
    """Number of boards without a code that need no step."""
    num_without_code: int
    p_value: float
    """The p-value of the hypothesis that boards with and without a code need equally many steps, by
    the test of Mann and Whitney."""


class Growth(NamedTuple):
    """The growth of the effort of one solver near the half point. The unit is a step."""

    selection: Selection
    rows: dict[int, int]
    """The number of rows by size: the measured one nearest to the predicted half point."""
    medians: dict[int, Estimate]
    """The median number of steps by size. Undecided boards count as infinite."""
    splits: dict[int, Split]
    """By size, the same boards by their verdict; empty for planted boards."""
    num_censored: int
    """Number of undecided boards, whose effort is only known to exceed the budget."""
    fitted_sizes: list[int]
    """The sizes of the fits: the upper half of the sizes whose median is `MIN_FITTED_STEPS` or
    more."""
    exponent: Estimate | None = None
    """Base-2 logarithm of the growth per peg; None for fewer than 3 sizes."""
    line: Line | None = None
    """Fit of the base-2 logarithm of the median against the pegs."""
    local_exponents: tuple[tuple[int, int, float], ...] = ()
    """For each pair of neighboring sizes: the sizes, and the exponent of the growth between
    them."""
    curvature: float = math.nan
    """The p-value of curvature of the logarithm over all sizes with enough steps. A small value
    means that no exponential law holds over these sizes."""
    held_out: tuple[float, float] | None = None
    """The median at the largest size, divided by its prediction from the smaller sizes: by an
    exponential function of the size, and by a power of it. None for fewer than 4 sizes."""

    def last_exponent(self, name: str) -> float:
        """Return the exponent of the growth between the last two sizes for boards of one verdict.

        `name` is "with_code" or "without_code". The result is NaN if a median is less than
        `MIN_FITTED_STEPS`, or infinite.
        """
        if len(self.splits) < 2:
            return math.nan
        (size, split), (next_size, next_split) = sorted(self.splits.items())[-2:]
        first, last = (getattr(entry, name).value for entry in (split, next_split))
        if not MIN_FITTED_STEPS[self.selection.solver] <= min(first, last) < math.inf:
            return math.nan
        return math.log2(last / first) / (next_size - size)


def select_half_points(
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
    near = select_half_points(find_efforts(record, selection), halves)
    values = {point.size: efforts for point, efforts in near.items()}
    rows = {point.size: point.rows or 0 for point in near}
    medians = {size: median(efforts) for size, efforts in values.items()}
    num_censored = sum(efforts.count(math.inf) for efforts in values.values())
    min_steps = MIN_FITTED_STEPS[selection.solver]
    sizes = [size for size in medians if min_steps <= medians[size].value < math.inf]
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
    # Small sizes are not fitted: an exponential law need not hold there (see `curvature`).
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
    # An exponential is a line in the size, and a power is a line in the logarithm of the size.
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

    selection: Selection
    size: int
    half: float
    """The number of rows at which half of the boards are predicted to have a code."""
    medians: dict[int, Estimate]
    """The median number of steps by the number of rows."""
    neighbor_p: float = math.nan
    """The p-value of the hypothesis that the efforts at the highest median and at a neighboring
    number of rows have the same distribution, by the test of Mann and Whitney. Of both neighbors,
    the larger p-value."""

    @property
    def highest(self) -> int:
        """The number of rows with the highest median."""
        return max(self.medians, key=lambda rows: self.medians[rows].value)


MIN_PEAK_SPAN = 0.4
"""A size has a curve of the effort only if the highest and the lowest measured number of rows
differ by at least this fraction of the half point."""


def find_peak(record: Record, family: str, solver: str, halves: dict[int, float]) -> Peak | None:
    """Return the effort by rows at the largest size with a wide range of rows.

    The range is wide if it spans `MIN_PEAK_SPAN`. If there is no such size, return None.
    """
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
    """The median ln N, for the estimated number N of codes, of the planted boards and of the random
    boards with a code."""
    correlations: tuple[float, float]
    """The rank correlations of the steps and ln N, in the same groups."""
    ratio: Estimate
    """The ratio of the median steps."""
    p_value: float
    """The p-value of the hypothesis that both groups need equally many steps, by the test of Mann
    and Whitney."""
    equal_count_p: float
    """The p-value of the same hypothesis at equal ln N, by the test of van Elteren."""
    adjusted: float = math.nan
    """`p_value`, adjusted for the number of comparisons."""


BOTH_KINDS = (("consistent", "ci"), ("any", "c"))
"""`answer` and `status` of the `Selection` of planted boards, and of random boards with a code. All
planted boards have a code, so that they are selected with any verdict."""


def compare_planted(
    record: Record, family: str, solver: str, halves: dict[int, float]
) -> Comparison | None:
    """Compare the efforts on planted and on random boards with a code, at the half point.

    The comparison is at the largest size at which both were measured. If no size has both, return
    None.
    """
    planted = select_half_points(
        find_efforts(record, Selection(family, "consistent", solver)), halves
    )
    random = find_efforts(record, Selection(family, "any", solver, status="c"))
    for point in sorted(planted, key=lambda point: point.size, reverse=True):
        random_point = point._replace(answer="any")
        others = random.get(random_point, [])
        if len(others) < MIN_BOARDS:
            continue

        def ratio(
            rng: np.random.Generator | None, point: Point = point, others: list[float] = others
        ) -> float:
            planted_median, random_median = (
                median(resample(values, rng)).value for values in (planted[point], others)
            )
            return (planted_median + 1) / (random_median + 1)  # medians can be 0

        kinds = [Selection(family, a, solver, status) for a, status in BOTH_KINDS]
        groups = [find_board_efforts(record, kind, point.size) for kind in kinds]
        groups = [select(group, group.rows == point.rows) for group in groups]
        random_boards = [
            board for board in dict(record.points())[random_point] if board["degenerate"] == "0"
        ]
        _, equal_count_p = van_elteren(
            np.concatenate([group.steps for group in groups]),
            np.repeat([True, False], [len(group.steps) for group in groups]),
            np.concatenate([group.strata for group in groups]),
        )
        medians = [float(np.median(group.log_count)) for group in groups]
        correlations = [rank_correlation(group.log_count, group.steps) for group in groups]
        return Comparison(
            family,
            solver,
            point.size,
            point.rows or 0,
            sum(board["status"] == "c" for board in random_boards) / len(random_boards),
            (medians[0], medians[1]),
            (correlations[0], correlations[1]),
            bootstrap(ratio),
            mann_whitney(planted[point], others),
            equal_count_p,
        )
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
    """Numbers of inconsistent boards by the name of their refutation (`name_refutation`).

    A board with the name "" is refuted by search only. This and the following fields are about the
    boards of the largest size that has `MIN_BOARDS`.
    """
    consistent: int
    """Number of consistent boards."""
    median_pegs: int
    """Median number of pegs."""
    without_conflict: tuple[int, int]
    """Numbers of boards that CP-SAT decided without a conflict, and on which it was run."""
    adjusted: float = math.nan
    """The p-value of the hypothesis that linear algebra refutes one half of the inconsistent
    boards, adjusted for the number of families and answers; NaN without inconsistent boards."""

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
    by_several: int
    """Number of boards that at least two solvers decided. The solvers agreed."""
    by_own_solver: int
    """Number of boards that only one solver decided, which is of this project: the lattice, or
    `auto`."""
    by_one_other: int
    """Number of boards that only CP-SAT or only CaDiCaL decided."""
    guaranteed: Counter[str]
    """Numbers of boards that no solver decided, by the verdict that the generator guarantees."""
    cross_checked: int
    """Number of the boards of `by_own_solver` that CP-SAT decided in the part "cross-check"."""
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
    by_own_solver = [
        (point, board["number"])
        for (point, board), names in zip(entries, deciders, strict=True)
        if names in (["lattice steps"], ["auto"])
    ]
    return Agreement(
        len(entries),
        sum(len(names) >= 2 for names in deciders),
        len(by_own_solver),
        sum(names in (["cp steps"], ["cadical steps"]) for names in deciders),
        Counter(
            board["status"]
            for (_, board), names in zip(entries, deciders, strict=True)
            if not names and board["status"] != "?"
        ),
        len(checked.intersection(by_own_solver)),
        sum(board["status"] == "?" for _, board in entries),
    )


class CrossCheck(NamedTuple):
    """The boards on which CP-SAT was run in the part "cross-check"."""

    num_boards: int
    num_decided: int
    num_of_points: tuple[int, int]
    """The lowest and the highest number of boards of a point."""
    undecided: dict[tuple[str, int], int]
    """The numbers of boards that CP-SAT did not decide, by family and size."""


def find_cross_check(record: Record) -> CrossCheck:
    """Count the boards of the part "cross-check"."""
    points = [(point, boards) for point, boards in record.points() if point.part == "cross-check"]
    counts = [len(boards) for _, boards in points]
    undecided = Counter(
        (point.family, point.size)
        for point, boards in points
        for board in boards
        if board["status"] == "?"
    )
    return CrossCheck(
        sum(counts),
        sum(counts) - undecided.total(),
        (min(counts, default=0), max(counts, default=0)),
        dict(undecided),
    )


NUM_PROFILED_SIZES = 3
"""For each solver, the effort is compared by ln N at this many of the largest sizes."""


class Findings(NamedTuple):
    """All findings of a record."""

    transitions: list[Transition]
    growths: list[Growth]
    peaks: list[Peak]
    reaches: list[Reach]
    planted: list[Comparison]
    profiles: list[CountProfile]
    """The effort by ln N at the `NUM_PROFILED_SIZES` largest sizes of each solver and ensemble."""
    limits: set[int]
    """The limits of CPU time, in seconds, of each process of `auto`."""


def find_all(record: Record) -> Findings:
    """Return all findings for which there are measurements."""
    candidates = (
        find_transition(record, name, question)
        for question in ("any", "other")
        for name in ENSEMBLES
    )
    transitions = [transition for transition in candidates if transition is not None]
    halves = {name: _predicted_halves(transitions, name) for name in ENSEMBLES}
    pairs = [(name, solver) for name in ENSEMBLES for solver in ENSEMBLES[name].max_pegs]
    growths = [
        find_growth(record, Selection(name, answer, solver), halves[name])
        for name, solver in pairs
        for answer in ("any", "consistent")
    ]
    all_peaks = (find_peak(record, *pair, halves[pair[0]]) for pair in pairs)
    peaks = [peak for peak in all_peaks if peak is not None]
    peak_p_values = adjust([peak.neighbor_p for peak in peaks])
    compared = [compare_planted(record, *pair, halves[pair[0]]) for pair in pairs]
    planted = [comparison for comparison in compared if comparison is not None]
    profiles = [
        find_count_profile(
            record, growth.selection, size, halves[growth.selection.family][size], growth.rows[size]
        )
        for growth in growths
        for size in sorted(growth.splits)[-NUM_PROFILED_SIZES:]
    ]
    equal_p_values = adjust([profile.equal_count[1] for profile in profiles])
    adjusted = adjust([comparison.p_value for comparison in planted])
    return Findings(
        transitions,
        [growth for growth in growths if growth.medians],
        [peak._replace(neighbor_p=p) for peak, p in zip(peaks, peak_p_values, strict=True)],
        find_reaches(record),
        [entry._replace(adjusted=p) for entry, p in zip(planted, adjusted, strict=True)],
        [
            profile._replace(equal_count=(profile.equal_count[0], p))
            for profile, p in zip(profiles, equal_p_values, strict=True)
        ],
        {chunk["limit"] for chunk in record.chunks.values() if chunk.get("limit")},
    )


def _predicted_halves(transitions: list[Transition], family: str) -> dict[int, float]:
    """Return the predicted half point of random boards by size."""
    return {
        size: half.predicted
        for transition in transitions
        if transition.family == family and transition.question == "any"
        for size, half in transition.halves.items()
    }
