"""The transition from boards with a code to boards without one, and the effort of solvers at it.

The verdicts in a record are compared with the predicted probabilities. Efforts are grouped by size,
number of rows and estimated number N of codes. The package docstring (`mmsat.studies`) defines the
terms.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from mmsat.constraints.expected_count import LOG_ERROR_FACTOR
from mmsat.studies import ENSEMBLES, MIN_BOARDS, BoardRecord, Point, Record, entropy_rows
from mmsat.studies.measure import INDEPENDENT_LOG_COUNT, LOG_COUNT, log_counts
from mmsat.studies.statistics import (
    Calibration,
    CountLaw,
    ErrorLaw,
    Estimate,
    SizeTests,
    bootstrap,
    calibrate,
    chance_of,
    compare_sizes,
    fit_count_law,
    fit_error_law,
    fit_logistic,
    half_point,
    log_loss,
    rank_correlation,
    van_elteren,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_ROW_COUNTS = 3
"""A half point is computed for a size only if boards of at least this many different numbers of
rows were measured."""
NUM_HELD_OUT_SIZES = 2
"""Number of the largest sizes that are predicted from the smaller ones."""
STRATUM_BOUNDS = (-3, -2, -1, 0, 1, 2, 3)
"""Bounds of ln N of groups of boards (`Stratum`). For each group, the predicted and the observed
share of consistent boards are compared."""
MEDIAN_1, MEAN_1 = ErrorLaw(factor=1.0, shift=0.0), ErrorLaw(factor=1.0, shift=-1 / 2)
"""Two readings of the documented normal error of ln N (see `LOG_ERROR_FACTOR`): the factor e^error
of N has the median 1 (no shift), or the mean 1 (shifted by minus half the variance)."""
NUM_LAW_PARAMETERS = 2
"""Number of fitted parameters of an ErrorLaw, and of a CountLaw."""
NUM_NEAR_ROWS = 5
"""Number of consecutive numbers of rows, around the half point, that are measured at each size."""


class Verdicts(NamedTuple):
    """The verdicts of boards of one ensemble and question, as arrays with one entry per board."""

    size: np.ndarray
    rows: np.ndarray
    log_count: np.ndarray
    """Logarithm of the estimated number of codes, or of codes other than the planted one."""
    independent_log_count: np.ndarray
    """The same if the covariances of different scores are replaced by 0."""
    is_consistent: np.ndarray

    def errors(self, family: str) -> np.ndarray:
        """Return the standard deviations of the estimated logarithms; see expected_count.py."""
        colors = ENSEMBLES[family].colors
        return LOG_ERROR_FACTOR * self.rows * np.sqrt((colors - 1) / self.size)


class Half(NamedTuple):
    """The number of rows at which half of the boards of a size have a code."""

    num_boards: int
    rows: tuple[int, int]
    """The lowest and the highest measured number of rows."""
    observed: Estimate
    """By interpolation, without a parametric law; infinite if the shares do not cross one half."""
    predicted: float
    """The same for the mean of the estimated probabilities. Nothing is fitted."""
    first_probability: float
    """The mean estimated probability of a code at the first of the numbers of rows near the half
    point: the lowest of the `NUM_NEAR_ROWS` measured numbers that are nearest to it. The paper
    reports it as the first share of a size."""
    calibration: Calibration
    """The comparison of the estimated probabilities with the verdicts at this size."""

    @property
    def is_compared(self) -> bool:
        """Whether the observed and the predicted half point are both finite."""
        return math.isfinite(self.observed.value) and math.isfinite(self.predicted)


class Stratum(NamedTuple):
    """Boards with similar estimated numbers of codes."""

    low: int
    """The lower bound of ln N."""
    high: int
    num_boards: int
    predicted: float
    """The mean estimated probability."""
    observed: float
    """The share of the boards with a code."""


class Losses(NamedTuple):
    """Negative log-likelihoods of the verdicts, in nats, given several laws of their probabilities.

    A law with a smaller loss predicts the verdicts better.
    """

    relative_rows: float
    """The loss of a logistic law in rows / r* (see `entropy_rows`), which has two parameters."""
    shares: float
    """The loss if the probability is the observed share for the size and number of rows. This law
    has one parameter for each pair of a size and a number of rows."""
    independent: tuple[float, float]
    """The losses of the estimate without covariances: without a fitted parameter, and with two."""
    estimate: tuple[float, float]
    """The same losses of the estimate with covariances."""


class Transition(NamedTuple):
    """The transition of one ensemble and question, over all sizes."""

    family: str
    question: str
    verdicts: Verdicts
    degenerate: dict[int, tuple[int, int]]
    """By size: the number of boards that are omitted because they are degenerate, and the number of
    all boards."""
    halves: dict[int, Half]
    excluded: list[int]
    """Sizes with fewer than `MIN_ROW_COUNTS` numbers of rows; only they are not in `halves`."""
    calibration: Calibration
    """The comparison of the estimated probabilities, 1 - exp(-N), with the verdicts. Nothing is
    fitted."""
    with_error: tuple[Calibration, Calibration]
    """The same by `MEDIAN_1`, and by `MEAN_1`: ln N has its documented error."""
    error_law: ErrorLaw
    """The multiple of the documented error, and the shift, that fit the verdicts best."""
    fitted_error: Calibration
    """The comparison of the probabilities by `error_law` with the verdicts."""
    law: CountLaw
    """The law that is fitted to all boards. The estimates are right if its intercept
    is 0 and its slope 1."""
    fitted: Calibration
    """The comparison of the probabilities by `law` with the verdicts."""
    size_tests: SizeTests
    """Tests that the fitted law is the same at all sizes."""
    strata: list[Stratum]
    losses: Losses
    held_out: Calibration | None
    """The comparison of the verdicts at the largest sizes with the law that is fitted to the
    smaller sizes; None if there are too few sizes."""

    @property
    def sizes(self) -> list[int]:
        """The sizes."""
        return sorted({int(size) for size in self.verdicts.size})

    @property
    def dispersion(self) -> float:
        """The dispersion of the verdicts around the fitted law, at least 1."""
        return max(self.fitted.dispersion, 1.0)

    @property
    def num_unlikely(self) -> int:
        """The number of boards that have no code, although their ln N is above all `strata`."""
        is_unlikely = (self.verdicts.log_count > STRATUM_BOUNDS[-1]) & ~self.verdicts.is_consistent
        return int(is_unlikely.sum())

    @property
    def worst_miss(self) -> tuple[int, int, float] | None:
        """The size, rows and ln N of the board without a code that has the highest N."""
        missed = select(self.verdicts, ~self.verdicts.is_consistent)
        if not len(missed.size):
            return None
        index = int(missed.log_count.argmax())
        return int(missed.size[index]), int(missed.rows[index]), float(missed.log_count[index])

    def shares(self, size: int) -> list[tuple[int, int, int]]:
        """Return numbers of rows, of consistent boards, and of all boards for a size.

        There is one entry for each number of rows, in ascending order.
        """
        data = select(self.verdicts, self.verdicts.size == size)
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
    # The answer states how boards were made: at random ("any") or planted ("consistent"). The
    # question "other", whether there is another code, is about planted boards.
    answer = "any" if question == "any" else "consistent"
    entries: list[tuple[int, int, float, float, bool]] = []
    for point, boards in record.points():
        # The first four fields are part, family, answer and question.
        if point[:4] != ("transition", family, answer, question) or len(boards) < MIN_BOARDS:
            continue
        counted = [board["degenerate"] == "0" for board in boards]
        num_degenerate, num_boards = degenerate[point.size]
        degenerate[point.size] = (
            num_degenerate + counted.count(False),
            num_boards + len(boards),
        )
        entries += [
            (point.size, point.rows or 0, *_log_counts(point, board), board["status"] == "c")
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
        if len(np.unique(verdicts.rows[mask])) < MIN_ROW_COUNTS:
            excluded.append(size)
        else:
            halves[size] = _find_half(select(verdicts, mask), chances[mask])
    if not halves:
        return None
    errors = verdicts.errors(family)
    law = fit_count_law(verdicts.log_count, verdicts.is_consistent)
    error_law = fit_error_law(verdicts.log_count, errors, verdicts.is_consistent)
    return Transition(
        family=family,
        question=question,
        verdicts=verdicts,
        degenerate=dict(degenerate),
        halves=halves,
        excluded=excluded,
        calibration=calibrate(chances, verdicts.is_consistent),
        with_error=(
            calibrate(MEDIAN_1.chance(verdicts.log_count, errors), verdicts.is_consistent),
            calibrate(MEAN_1.chance(verdicts.log_count, errors), verdicts.is_consistent),
        ),
        error_law=error_law,
        fitted_error=calibrate(
            error_law.chance(verdicts.log_count, errors),
            verdicts.is_consistent,
            NUM_LAW_PARAMETERS,
        ),
        law=law,
        fitted=calibrate(
            law.chance(verdicts.log_count), verdicts.is_consistent, NUM_LAW_PARAMETERS
        ),
        size_tests=compare_sizes(verdicts.log_count, verdicts.size, verdicts.is_consistent),
        strata=_find_strata(verdicts, chances),
        losses=_find_losses(family, verdicts),
        held_out=_hold_out(verdicts),
    )


def _log_counts(point: Point, board: BoardRecord) -> tuple[float, float]:
    """Return the recorded estimates of a board, or compute and record them."""
    if LOG_COUNT not in board or INDEPENDENT_LOG_COUNT not in board:
        board |= log_counts(point.make(board["number"]).board)
    full, independent = (
        -math.inf if board[key] is None else float(board[key])
        for key in (LOG_COUNT, INDEPENDENT_LOG_COUNT)
    )
    return full, independent


def _find_strata(data: Verdicts, chances: np.ndarray) -> list[Stratum]:
    """Return the predicted and the observed shares by ln N."""
    return [
        Stratum(
            low,
            high,
            num_boards=int(mask.sum()),
            predicted=float(chances[mask].mean()),
            observed=float(data.is_consistent[mask].mean()),
        )
        for low, high in pairwise(STRATUM_BOUNDS)
        for mask in [(low <= data.log_count) & (data.log_count < high)]
        if mask.any()
    ]


def _find_half(data: Verdicts, chances: np.ndarray) -> Half:
    """Return the half point of one size: as observed, and as predicted by `chances`."""
    rows = np.unique(data.rows)
    groups = [data.rows == number for number in rows]
    num_boards = np.array([group.sum() for group in groups])
    num_consistent = np.array([data.is_consistent[group].sum() for group in groups])

    def observe(rng: np.random.Generator | None) -> float:
        """Return the half point of the data, or of data that are resampled from binomials."""
        drawn = (
            num_consistent if rng is None else rng.binomial(num_boards, num_consistent / num_boards)
        )
        return half_point(rows.astype(float), drawn, num_boards)

    expected = np.array([chances[group].sum() for group in groups])
    predicted = half_point(rows.astype(float), expected, num_boards)
    middle = predicted if math.isfinite(predicted) else float(rows[0])
    near_indices = np.argsort(np.abs(rows - middle), kind="stable")[:NUM_NEAR_ROWS]
    first = int(near_indices.min())
    return Half(
        num_boards=len(data.rows),
        rows=(int(rows[0]), int(rows[-1])),
        observed=bootstrap(observe),
        predicted=predicted,
        first_probability=float(expected[first] / num_boards[first]),
        calibration=calibrate(chances, data.is_consistent),
    )


def _find_losses(family: str, data: Verdicts) -> Losses:
    """Return how well each law predicts the verdicts of an ensemble."""
    verdicts = data.is_consistent
    unit_rows = np.array([entropy_rows(ENSEMBLES[family].colors, int(size)) for size in data.size])
    columns = np.column_stack([np.ones(len(unit_rows)), data.rows / unit_rows])
    weights, _ = fit_logistic(columns, verdicts, np.ones(len(unit_rows)))
    # For each board, the index of its pair of a size and a number of rows.
    _, point_of = np.unique(np.column_stack([data.size, data.rows]), axis=0, return_inverse=True)
    point_of = point_of.reshape(-1)
    shares = np.bincount(point_of, verdicts) / np.bincount(point_of)
    independent, estimate = (
        (
            log_loss(chance_of(values), verdicts),
            log_loss(fit_count_law(values, verdicts).chance(values), verdicts),
        )
        for values in (data.independent_log_count, data.log_count)
    )
    return Losses(
        relative_rows=log_loss(1 / (1 + np.exp(-columns @ weights)), verdicts),
        shares=log_loss(shares[point_of], verdicts),
        independent=independent,
        estimate=estimate,
    )


def _hold_out(data: Verdicts) -> Calibration | None:
    """Compare the largest sizes with the law of the smaller ones; None if there are too few."""
    sizes = np.unique(data.size)
    if len(sizes) < 2 * NUM_HELD_OUT_SIZES:
        return None
    is_large = np.isin(data.size, sizes[-NUM_HELD_OUT_SIZES:])
    smaller_sizes = select(data, ~is_large)
    law = fit_count_law(smaller_sizes.log_count, smaller_sizes.is_consistent)
    return calibrate(law.chance(data.log_count[is_large]), data.is_consistent[is_large])


class Selection(NamedTuple):
    """Selection of boards, and of the solver whose effort is measured."""

    family: str
    answer: str
    """"any" for random boards, "consistent" for planted boards."""
    solver: str
    status: str = "ci"
    """The verdicts of the selected boards, by their first letters. Undecided boards are always
    selected."""


def find_efforts(record: Record, selection: Selection) -> dict[Point, list[float]]:
    """Return the steps on each board that is not degenerate; infinity if undecided."""
    return {
        point: [steps for _, steps in boards] for point, boards in _find_steps(record, selection)
    }


def _find_steps(
    record: Record, selection: Selection
) -> Iterator[tuple[Point, list[tuple[BoardRecord, float]]]]:
    """Yield the points of a selection, with their boards and the steps on each of them."""
    family, answer, solver, status = selection
    key = f"{solver} steps"
    for point, boards in record.points():
        if point[:4] == ("transition", family, answer, "any"):  # part, family, answer, question
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

    @property
    def strata(self) -> np.ndarray:
        """The group of each board, given by its lower bound of ln N.

        A group has boards with about the same estimate. It is narrower than a `Stratum`.
        """
        return STRATUM_WIDTH * np.floor(self.log_count / STRATUM_WIDTH)


STRATUM_WIDTH = 0.5
"""Width of the groups of ln N in which efforts are compared at equal ln N."""

Boards = TypeVar("Boards", Verdicts, BoardEfforts)


def select(boards: Boards, mask: np.ndarray) -> Boards:
    """Return the boards for which `mask` is true."""
    return type(boards)(*(column[mask] for column in boards))


def find_board_efforts(record: Record, selection: Selection, size: int) -> BoardEfforts:
    """Return the efforts on the boards of one size that are not degenerate."""

    def read_log_count(board: BoardRecord) -> float:
        value = board.get(LOG_COUNT, math.nan)
        return -math.inf if value is None else float(value)

    entries = [
        (
            point.rows or 0,
            read_log_count(board),
            steps,
            board["status"] == "c",
        )
        for point, boards in _find_steps(record, selection)
        if point.size == size
        for board, steps in boards
    ]
    return BoardEfforts(*(np.array(column) for column in zip(*entries, strict=True)))


COUNT_BOUNDS = (-math.inf, -10, -5, -2, 0, 2, 5, math.inf)
"""Bounds of ln N of the groups of boards whose median effort is reported."""


class CountProfile(NamedTuple):
    """The effort of one solver on random boards of one size, by the estimated number of codes."""

    selection: Selection
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
    record: Record, selection: Selection, size: int, half: float, near_rows: int
) -> CountProfile:
    """Return the effort by ln N over all rows, and its comparison by verdict at `near_rows`."""
    boards = find_board_efforts(record, selection, size)
    near = select(boards, boards.rows == near_rows)

    def median_of(values: np.ndarray) -> float:
        if not len(values):
            return math.nan
        # interpolation between infinite values is not defined
        return float(np.quantile(values, 0.5, method="averaged_inverted_cdf"))

    return CountProfile(
        selection=selection,
        size=size,
        medians=[
            median_of(boards.steps[(low <= boards.log_count) & (boards.log_count < high)])
            for low, high in pairwise(COUNT_BOUNDS)
        ],
        count_correlation=rank_correlation(boards.steps, -np.abs(boards.log_count)),
        rows_correlation=rank_correlation(boards.steps, -np.abs(boards.rows - half)),
        log_counts=(
            median_of(near.log_count[near.is_consistent]),
            median_of(near.log_count[~near.is_consistent]),
        ),
        with_code={
            int(rows): median_of(boards.steps[(boards.rows == rows) & boards.is_consistent])
            for rows in np.unique(boards.rows)
        },
        equal_count=van_elteren(near.steps, near.is_consistent, near.strata),
    )
