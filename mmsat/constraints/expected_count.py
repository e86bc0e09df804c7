r"""Estimate the number of consistent codes without a search.

Divide the codes of a game into classes. With repeats and white, a class has the codes with the same
number of pegs of each color. Without repeats, or with black alone, all codes are one class. Within
a class, the sum of black and white is constant or a sum over pegs, so the scores of all rows are a
vector s = sum over pegs p of a(p, code[p]), for vectors a. Their mean mu and covariance C over the
class are exact. With repeats and black alone, the pegs are independent, and their covariances add
up. Otherwise, the codes are all rearrangements of one code c, which has further places for its
unused colors if there are no repeats. Let n be its length, and let d(p, q) be a(p, c[q]), centered
so that its means over p and over q are 0. Then C is the sum of d(p, q) d(p, q)' over all p and q,
divided by n - 1 (Hoeffding [1]). If the M codes of the class are spread over the scores like a
normal distribution, the number N of codes with the scores s satisfies

    ln N = ln M - 1/2 (s - mu)' C^-1 (s - mu) - 1/2 ln det(2 pi C) + ln v

The vectors of scores of a class are in a lattice, and v is the volume of its cell. For example, v
is 2 for one row of two colors, because the parity of black is fixed. If a guess is repeated, the
lattice has fewer dimensions than s, and C is singular. The lattice is spanned by the changes of s
when two pegs are exchanged, or when an independent peg changes its color. Its echelon form gives v,
independent scores, and a proof that N is 0 if s is not in the lattice.

The formula is the local central limit theorem, the first term of an expansion in rows^2 / pegs. The
same estimate gives the number of solutions of market split problems [2]. In two colors, the
game with random guesses is the pooled data problem, whose asymptotic threshold is known [3].

[1] W. Hoeffding, "A combinatorial central limit theorem", Annals of Mathematical Statistics 22
    (1951).
[2] K. Aardal, R. Bixby, C. Hurkens, A. Lenstra and J. Smeltink, "Market split and basis reduction",
    INFORMS Journal on Computing 12 (2000).
[3] J. Scarlett and V. Cevher, "Phase transitions in the pooled data problem", NeurIPS 2017.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from mmsat._util import Array, np
from mmsat._util.arguments import check_arguments
from mmsat._util.results import CountEstimateJson
from mmsat.constraints.linear_algebra import SparseVector, echelon_columns
from mmsat.errors import SizeError
from mmsat.game.board import Board

MAX_CLASS_WORK = 1_500_000
"""Maximum number of sums of rows that the search for classes of rearrangements computes, in about
half a second. So `mmsat count`, which estimates first, exceeds its time limit by less than a
second."""
MAX_CLASSES = 2000
"""Maximum number of classes of rearrangements, which take some tenths of a second."""
MAX_TABLE_CELLS = 4_000_000
"""Maximum number of scores times pegs times colors. Larger boards take more than about a second."""
MAX_LATTICE_WORK = 3_000_000
"""Maximum number of entries that are changed to compute the lattice of the scores."""
LOG_ERROR_FACTOR = 0.15
"""Standard deviation of ln N, divided by rows times the square root of (colors - 1) / pegs.

It was measured on random boards, and tests/constraints/test_expected_count.py verifies it.
"""
MAX_EXP_ARGUMENT = 700.0
"""Maximum logarithm of a count that is converted to a float."""


Lattice = list[tuple[int, SparseVector | None]]
"""The pivot columns of a lattice of scores, as yielded by `echelon_columns`."""


@dataclass(frozen=True)
class CountEstimate:
    """An estimate of the number of consistent codes."""

    log_count: float
    """Natural logarithm of the estimated number of codes. It is -inf if linear algebra proves that
    there is no code."""
    error: float
    """Standard deviation of `log_count`, measured on boards with random guesses. It does not
    include the fluctuation of small counts, whose standard deviation is the root of the count."""

    @property
    def probability(self) -> float:
        """Probability that a random board with this estimate has a code.

        It is that of a Poisson distribution: 1 - exp(-count).
        """
        return -math.expm1(-math.exp(min(self.log_count, MAX_EXP_ARGUMENT)))

    def interval(self) -> tuple[float, float]:
        """Return bounds of `log_count` that contain the true value on 95% of random boards.

        This was measured on boards of up to 32 pegs.

        Returns
        -------
        tuple of float
            The lower and the upper bound. Below e^2 codes, the fluctuation of a small count makes
            the lower bound -inf.
        """
        # 95% of a normal distribution is within 1.96 standard deviations of the mean.
        spread = 1.96 * math.hypot(self.error, math.exp(-max(self.log_count, 0.0) / 2))
        low = -math.inf if self.log_count < 2 else self.log_count - spread
        return low, self.log_count + spread

    def __str__(self) -> str:
        if self.log_count == -math.inf:
            return "no code"
        low, high = self.interval()
        return f"about {_power(self.log_count)} codes ({_power(low)} to {_power(high)})"

    def to_dict(self) -> CountEstimateJson:
        """Return a dict for JSON."""
        return {
            "log_count": None if self.log_count == -math.inf else round(self.log_count, 3),
            "error": round(self.error, 3),
            "consistent_share": round(self.probability, 6),
        }


def _power(log_count: float) -> str:
    """Return e to the power of a number as text with two significant digits."""
    if log_count < 6 * math.log(10):  # below one million, no exponent is needed
        return f"{float(f'{math.exp(log_count):.2g}'):,.12g}"
    exponent, fraction = divmod(log_count / math.log(10), 1)
    mantissa = f"{10**fraction:.1f}"
    return f"1.0e{exponent + 1:.0f}" if mantissa == "10.0" else f"{mantissa}e{exponent:.0f}"


@check_arguments
def estimate(board: Board | str) -> CountEstimate:
    """Estimate the number of consistent codes from the covariance of the scores, without a search.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads. The game has black and white
        or only black, with or without repeats.

    Returns
    -------
    CountEstimate
        The logarithm of the estimate, its error, and the probability of at least one code.

    Raises
    ------
    InputError
        If the board is invalid.
    SizeError
        If there is no estimate for the game, or if the board is too large.

    Notes
    -----
    The scores of all rearrangements of a code are assumed to be normally distributed, with their
    exact means and covariances. The error grows with the number of rows and shrinks with the number
    of pegs. It was measured on random guesses; for other guesses, the true error can be larger. An
    estimate of 0 codes is a proof. If the board has known codes, this is the estimated number of
    further codes: that one code is known does not make others less likely.

    Examples
    --------
    >>> estimate = mmsat.estimate("8x6/11223344=2.3/55661122=1.3/13523466=3.2")
    >>> print(estimate)
    about 930 codes (460 to 1,900)
    >>> mmsat.count("8x6/11223344=2.3/55661122=1.3/13523466=3.2").count
    890
    """
    board = Board.of(board)
    game = board.game
    error = LOG_ERROR_FACTOR * len(board.rows) * math.sqrt(max(game.colors - 1, 0) / game.pegs)
    return CountEstimate(estimate_log_count(board), error)


def estimate_log_count(board: Board, *, use_covariances: bool = True) -> float:
    """Return the natural logarithm of the estimated number of codes of a board.

    Without `use_covariances`, the covariances of different scores are replaced by 0, as if the rows
    were independent. The study uses this to show what the covariances contribute.
    """
    if not board.rows:
        return math.log(board.game.size)
    lattices: dict[tuple[int, ...], Lattice] = {}
    logarithms = [
        _log_count(code_class, lattices, use_covariances=use_covariances)
        for code_class in code_classes(board)
    ]
    # The logarithm of a sum of exponentials, without overflow.
    max_logarithm = max(logarithms, default=-math.inf)
    if max_logarithm == -math.inf:
        return max_logarithm
    scaled_sum = sum(math.exp(logarithm - max_logarithm) for logarithm in logarithms)
    return max_logarithm + math.log(scaled_sum)


class CodeClass(NamedTuple):
    """A class of codes: those with the same number of pegs of each color, or all codes of a game.

    A place is a peg or, if colors do not repeat, a further place for an unused color.
    """

    log_size: float
    """Natural logarithm of the number of codes."""
    table: Array
    """The contribution of each color at each place to each score. The axes are scores, places and
    colors."""
    multiplicities: tuple[int, ...] | None
    """How often each color occurs; None if the places are independent."""
    scores: tuple[int, ...]
    """The required scores."""


def code_classes(board: Board) -> Iterator[CodeClass]:
    """Yield the classes that have codes with the required sums of black and white.

    Raises SizeError if there is no estimate for the board.
    """
    game, rows = board.game, board.rows
    kind, space = game.scoring.name, game.space.name
    if kind not in {"black-white", "black"} or space not in {"repeats", "distinct"}:
        raise SizeError("only games with black and white, or with black alone, have an estimate")
    if board.has_unread_pegs:
        raise SizeError("boards with unread pegs have no estimate")
    num_places = game.colors if space == "distinct" else game.pegs
    if 2 * max(1, len(rows)) * num_places * game.colors > MAX_TABLE_CELLS:
        raise SizeError("the board is too large for an estimate")
    guesses = np.array([row.guess for row in rows], dtype=np.int64).reshape(len(rows), game.pegs)
    black = np.zeros((len(rows), num_places, game.colors), dtype=np.int64)
    for color in range(game.colors):
        black[:, : game.pegs, color] = guesses == color
    if space == "repeats" and kind == "black-white":
        yield from _rearrangements(board, black)
        return
    tables = [black]
    if kind == "black-white":
        common = np.zeros_like(black)
        common[:, : game.pegs] = black.max(axis=1, keepdims=True)
        tables.append(common - black)
    parts = [
        (table[index], score[part])
        for part, table in enumerate(tables)
        for index, (_, score) in enumerate(rows)
        if score[part] is not None
    ]
    table = np.array([cells for cells, _ in parts]).reshape(len(parts), num_places, game.colors)
    # without repeats, a code is extended by places for its unused colors, which no score counts
    multiplicities = (1,) * game.colors if space == "distinct" else None
    scores = tuple(score or 0 for _, score in parts)
    yield CodeClass(math.log(game.size), table, multiplicities, scores)


def _rearrangements(board: Board, black: Array) -> Iterator[CodeClass]:
    """Yield a class for each histogram that has the required sums of black and white.

    If only white was read, it determines black in each class.
    """
    game = board.game
    counts = [[guess.count(color) for color in range(game.colors)] for guess, _ in board.rows]
    sums = {
        index: black_score + white_score
        for index, (_, (black_score, white_score)) in enumerate(board.rows)
        if black_score is not None and white_score is not None
    }
    factorial = math.lgamma(game.pegs + 1)
    required = [(counts[index], total) for index, total in sums.items()]
    # List all classes first: the SizeError then comes before the slow evaluation of classes.
    classes = list(islice(_color_counts(game.colors, game.pegs, required), MAX_CLASSES + 1))
    if len(classes) > MAX_CLASSES:
        raise SizeError("the codes have too many kinds of color counts for an estimate")
    for multiplicities in classes:
        log_size = factorial - sum(math.lgamma(count + 1) for count in multiplicities)
        indices, scores = [], []
        for index, (_, (black_score, white_score)) in enumerate(board.rows):
            if black_score is not None:
                indices.append(index)
                scores.append(black_score)
            elif white_score is not None:
                indices.append(index)
                scores.append(sum(map(min, counts[index], multiplicities)) - white_score)
        yield CodeClass(log_size, black[indices], multiplicities, tuple(scores))


def _color_counts(
    num_colors: int, num_pegs: int, required: Sequence[tuple[list[int], int]]
) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of pegs of each color that have the required sums of black and white.

    `required` has the numbers of pegs of each color of a guess, and the sum. Raises SizeError after
    `MAX_CLASS_WORK` sums.
    """
    # for each sum, the most that the colors from each color on can contribute
    suffixes = [[sum(counts[color:]) for color in range(num_colors + 1)] for counts, _ in required]
    work = 0

    def extend(
        chosen: tuple[int, ...], num_remaining: int, sums: list[int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the results that begin with `chosen`, given the pegs and the sums that remain."""
        nonlocal work
        color = len(chosen)
        if color == num_colors:
            if not num_remaining and not any(sums):
                yield chosen
            return
        is_last = color == num_colors - 1  # the last color has all remaining pegs
        for count in range(num_remaining if is_last else 0, num_remaining + 1):
            work += 1 + len(required)
            if work > MAX_CLASS_WORK:
                raise SizeError("the codes have too many kinds of color counts for an estimate")
            next_remaining = num_remaining - count
            new_sums = [
                total - min(count, counts[color])
                for total, (counts, _) in zip(sums, required, strict=True)
            ]
            if all(
                0 <= total <= min(next_remaining, suffix[color + 1])
                for total, suffix in zip(new_sums, suffixes, strict=True)
            ):
                yield from extend((*chosen, count), next_remaining, new_sums)

    yield from extend((), num_pegs, [total for _, total in required])


def moments(code_class: CodeClass) -> tuple[Array, Array]:
    """Return the exact mean and covariance of the scores over a class; see the module docstring."""
    _, table, multiplicities, _ = code_class
    num_scores, num_places, num_colors = table.shape
    weights = np.ones(num_colors) if multiplicities is None else np.array(multiplicities, float)
    num_items = weights.sum()
    place_means = table @ weights / num_items
    centered = table - place_means[:, :, None]
    divisor = num_items
    if multiplicities is not None:  # colors are drawn without replacement
        centered = centered - centered.mean(axis=1, keepdims=True)
        divisor = max(num_items - 1, 1)
    flat = (centered * np.sqrt(weights)).reshape(num_scores, num_places * num_colors)
    return place_means.sum(axis=1), flat @ flat.T / divisor


def _log_count(
    code_class: CodeClass, lattices: dict[tuple[int, ...], Lattice], *, use_covariances: bool
) -> float:
    """Return the estimated logarithm of the number of codes of a class with the scores."""
    multiplicities = code_class.multiplicities
    counts = multiplicities or (1,) * code_class.table.shape[2]
    colors = tuple(color for color, count in enumerate(counts) if count)
    if colors not in lattices:
        lattices[colors] = score_lattice(code_class, colors)
    # `origin` has the scores of one code of the class. The scores of all other codes differ from
    # them by lattice vectors.
    code = [0] * code_class.table.shape[1]
    if multiplicities is not None:
        code = [color for color, count in enumerate(multiplicities) for _ in range(count)]
    origin = code_class.table[:, range(len(code)), code].sum(axis=1)
    difference = [
        int(score - start) for score, start in zip(code_class.scores, origin, strict=True)
    ]
    # Subtract lattice vectors from the difference. If it is not in the lattice, no code has the
    # scores. The volume of a cell is the product of the pivots.
    log_volume, pivots = 0.0, []
    for index, column in lattices[colors]:
        pivot = 0 if column is None else column[index]
        if difference[index] % pivot if pivot else difference[index]:
            return -math.inf
        if column is not None:
            factor = difference[index] // pivot
            for row, entry in column.items():
                difference[row] -= factor * entry
            log_volume += math.log(abs(pivot))
            pivots.append(index)
    mean, covariance = moments(code_class)
    deviation = (np.array(code_class.scores) - mean)[pivots]
    covariance = covariance[np.ix_(pivots, pivots)]
    if not use_covariances:
        covariance = np.diag(np.diag(covariance))
    _, log_determinant = np.linalg.slogdet(2 * math.pi * covariance)
    square = deviation @ np.linalg.solve(covariance, deviation) if pivots else 0.0
    return float(code_class.log_size - square / 2 - log_determinant / 2 + log_volume)


def score_lattice(code_class: CodeClass, colors: Sequence[int]) -> Lattice:
    """Return the lattice of the differences of scores of codes with these colors.

    It is spanned by the changes of the scores if two places exchange their colors, or if the color
    of an independent place changes. It suffices to consider changes of the first color, and
    exchanges with the first place.
    """
    table = code_class.table[:, :, colors]
    changes = table - table[:, :, :1]
    if code_class.multiplicities is not None:
        changes = changes - changes[:, :1]
    vectors = np.unique(changes.reshape(len(table), math.prod(changes.shape[1:])), axis=1)
    rows = [{int(j): int(row[j]) for j in np.flatnonzero(row)} for row in vectors]
    lattice = list(echelon_columns(rows, MAX_LATTICE_WORK))
    if len(lattice) < len(rows):
        raise SizeError("the lattice of the scores is too large for an estimate")
    return lattice


BOARDS_PER_ROW_NUMBER = 20
"""Number of random boards whose probabilities are averaged, for each number of rows."""


def find_row_number(make_board: Callable[[int, int], Board], probability: float) -> int:
    """Return the number of rows at which random boards are consistent with about `probability`.

    The probabilities are the means of the values that `estimate` returns for some random boards.

    - `make_board`: returns a random board, given its number of rows and a seed.
    """
    game = make_board(0, 0).game
    # Up to this number of rows, a combination of scores has e^5 or more codes on average, so that
    # nearly every board has a code.
    num_certain = int((math.log(game.size) - 5) / math.log((game.pegs + 1) * (game.pegs + 2) / 2))

    @lru_cache
    def mean_probability(num_rows: int) -> float:
        if num_rows <= num_certain:
            return 1.0
        boards = (make_board(num_rows, seed) for seed in range(BOARDS_PER_ROW_NUMBER))
        return sum(estimate(board).probability for board in boards) / BOARDS_PER_ROW_NUMBER

    high = max(1, num_certain)
    while mean_probability(high) > probability:
        high += max(1, high // 4)
    # The probability falls with the number of rows. Negated, it is ascending, as bisect requires.
    numbers = range(high + 1)
    index = bisect_left(numbers, -probability, key=lambda number: -mean_probability(number))
    return min((max(index - 1, 0), index), key=lambda n: abs(mean_probability(n) - probability))
