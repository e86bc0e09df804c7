"""How many pegs of each color: which counts the constraints about colors allow together.

A constraint that asks about counts alone ("as many colors in common as 5") is, for each color, a
number that its count decides, and these numbers add up to a total; and all counts add up to the
pegs. A choice of all counts that does so is a histogram. Two ways to see which counts are in none:

- `HistogramSearch` walks through all histograms, color by color, and turns back where a total is
  out of reach. It ends early once both ends of all colors' counts have been seen.
- `surrogate_bounds` adds up all totals, each times a whole number. The sum of the least that each
  color can add is a bound; a count with which it lies above the total is in no histogram. Good
  numbers are found as the perceptron finds them: take for each color the count that adds least, and
  move by what these counts miss. On dense boards this settles nearly all counts, which no walk
  would.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import NamedTuple

from mmsat.arrays import np
from mmsat.constraints.presolve.domains import ReasonedConstraint
from mmsat.constraints.presolve.problem import Problem, asked_counts
from mmsat.game.literals import VariableMap
from mmsat.limits import LIMITS

SEARCH_WORK = 100_000
"""Totals that are looked at on the walk: about a fortieth of a second."""
READ = 400_000
"""Counts times totals from which nothing is tried."""
MOST_COLORS = 200
"""Open colors beyond which no walk is tried."""
PATIENCE = 600
"""Times that the weights are moved in vain, one after the other, ..."""
CELLS = 60_000_000
"""... adding up so many numbers in all: about as long as the walk ..."""
FEWEST = 300
"""... and not at all where that is not enough for so many times."""
LONG = 20
"""Choices of all counts, as a power of 2, from which weights come before the walk."""
MOST_PEGS = 2000
"""Pegs up to which all sums are below 2**53, where floating point has all whole numbers."""


class Total(NamedTuple):
    """What counts add up to: between low and high."""

    adds: tuple[tuple[int, ...], ...]
    """By color, then by the place of the count among those that it may have: what it adds."""
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts that each color may have, and the totals that they must make."""

    colors: list[int]
    """The colors that constraints ask about; of the others only the sum matters."""
    may: list[list[int]]
    """By color, in the same order: the counts, ascending."""
    totals: list[Total]
    rows: int
    """The rows that all of this follows from, as bits."""

    @classmethod
    def of(cls, problem: Problem) -> Counts | None:
        """What a problem says of counts; None where no constraint is about them alone."""
        variables, domains = problem.variables, problem.domains
        constraints = [
            each for each in problem.reasoned_constraints() if asks_only_counts(variables, each)
        ]
        if not constraints or len(constraints) * sum(domains.high) > READ:
            return None
        colors = sorted(
            {
                color
                for each in constraints
                for color, _ in asked_counts(variables, [each.constraint])
            }
        )
        place = {color: index for index, color in enumerate(colors)}
        may = [list(range(domains.low[color], domains.high[color] + 1)) for color in colors]
        free = [color for color in range(variables.colors) if color not in place]
        least = variables.pegs - sum(domains.high[color] for color in free)
        most = variables.pegs - sum(domains.low[color] for color in free)
        totals = [Total(tuple(map(tuple, may)), least, most)]
        rows = 0
        for each in constraints:
            asked: list[list[int]] = [[] for _ in colors]
            denied = 0
            for literal in each.constraint.literals:
                if isinstance(literal, int):
                    color, count = variables.color_count(literal)
                    asked[place[color]].append(count if literal > 0 else -count)
                    denied += literal < 0
            adds = tuple(
                contributions(counts, questions)
                for counts, questions in zip(may, asked, strict=True)
            )
            totals.append(Total(adds, each.constraint.low - denied, each.constraint.high - denied))
            rows |= each.rows
        for low, high in zip(domains.reason_low, domains.reason_high, strict=True):
            rows |= low | high
        return cls(colors, may, totals, rows)

    @property
    def pegs(self) -> int:
        """Pegs that these colors have at most."""
        return self.totals[0].high

    @property
    def is_long(self) -> bool:
        """Whether there are many choices of all counts."""
        return prod(map(len, self.may)) >> LONG > 0

    def restrict(self, is_kept: Sequence[Sequence[bool]]) -> Counts:
        """Only some of the counts of each color."""
        may = [
            [count for count, keep in zip(counts, kept, strict=True) if keep]
            for counts, kept in zip(self.may, is_kept, strict=True)
        ]
        totals = [
            Total(
                tuple(
                    tuple(number for number, keep in zip(adds, kept, strict=True) if keep)
                    for adds, kept in zip(total.adds, is_kept, strict=True)
                ),
                total.low,
                total.high,
            )
            for total in self.totals
        ]
        return Counts(self.colors, may, totals, self.rows)


def asks_only_counts(variables: VariableMap, each: ReasonedConstraint) -> bool:
    """Whether a constraint is about counts alone, and about some."""
    return bool(each.constraint.literals) and all(
        isinstance(literal, int) and not variables.is_at(literal)
        for literal in each.constraint.literals
    )


def contributions(counts: Sequence[int], asked: Iterable[int]) -> tuple[int, ...]:
    """By count: how many of the questions "at least so many" it meets, less the denied ones.

    The counts follow one another.
    """
    steps = [0] * len(counts)
    for question in asked:
        place = max(0, abs(question) - min(counts, default=0))
        if place < len(steps):
            steps[place] += 1 if question > 0 else -1
    return tuple(accumulate(steps))


def histogram_bounds(counts: Counts, work: int = SEARCH_WORK) -> list[tuple[int, int]] | None:
    """The least and the most of each color in all histograms; none if there is no histogram.

    None where the work did not suffice.
    """
    search = HistogramSearch(counts, work)
    return search.bounds if search.run() else None


class HistogramSearch:
    """A walk through all histograms."""

    def __init__(self, counts: Counts, work: int) -> None:
        """Put the colors with few counts first, and know what the others can still add."""
        self.work = work
        self.bounds: list[tuple[int, int]] = []
        may = counts.may
        self.wanted = [(each[0], each[-1]) for each in may if each]
        self.order = sorted(range(len(may)), key=lambda color: (len(may[color]), color))
        self.may = [may[color] for color in self.order]
        columns = [[total.adds[color] for total in counts.totals] for color in self.order]
        self.steps = [list(zip(*column, strict=True)) for column in columns]
        """By color in order, by count: what it adds to each total."""
        self.low = [[total.low for total in counts.totals]]
        self.high = [[total.high for total in counts.totals]]
        """How much is wanted by each total once the first few colors are known, last first."""
        if len(self.wanted) == len(may):
            for column in reversed(columns):
                most, least = [max(adds) for adds in column], [min(adds) for adds in column]
                self.low.append([a - b for a, b in zip(self.low[-1], most, strict=True)])
                self.high.append([a - b for a, b in zip(self.high[-1], least, strict=True)])
        self.low.reverse()
        self.high.reverse()

    def run(self) -> bool:
        """Whether the work sufficed."""
        if len(self.wanted) < len(self.may):
            return True
        if sum(len(counts) > 1 for counts in self.may) > MOST_COLORS:
            return False
        for histogram in self.histograms():
            if histogram is None:
                return False
            counts = dict(zip(self.order, histogram, strict=True))
            every = [counts[color] for color in range(len(counts))]
            old = self.bounds or [(count, count) for count in every]
            self.bounds = [
                (min(low, count), max(high, count))
                for (low, high), count in zip(old, every, strict=True)
            ]
            if self.bounds == self.wanted:
                break
        return True

    def histograms(self) -> Iterator[list[int] | None]:
        """The counts by color in order; None once the work is done."""
        size = len(self.may)
        sums = [[0] * len(self.low[0])]
        path: list[int] = []
        turn = [0]
        while turn:
            depth = len(turn) - 1
            if depth == size:
                yield [self.may[level][place] for level, place in enumerate(path)]
            elif turn[-1] < len(self.may[depth]):
                place = turn[-1]
                turn[-1] += 1
                if self.work < 0:
                    yield None
                self.work -= len(sums[0])
                now = list(map(int.__add__, sums[-1], self.steps[depth][place]))
                if all(map(int.__le__, self.low[depth + 1], now)) and all(
                    map(int.__le__, now, self.high[depth + 1])
                ):
                    sums.append(now)
                    path.append(place)
                    turn.append(0)
                continue
            turn.pop()
            if path:
                path.pop()
                sums.pop()


def surrogate_bounds(counts: Counts) -> Counts | None:
    """The counts that no weights rule out; None where there is no histogram.

    All numbers are whole; they are in floating point, which multiplies sooner.
    """
    colors, places = len(counts.may), max(map(len, counts.may))
    cells = len(counts.totals) * colors * places
    if not cells or counts.pegs > MOST_PEGS or cells * FEWEST > CELLS:
        return counts
    adds = np.zeros((len(counts.totals), colors, places), dtype=np.float64)
    is_there = np.zeros((colors, places), dtype=bool)
    for index, each in enumerate(counts.totals):
        for color, numbers in enumerate(each.adds):
            adds[index, color, : len(numbers)] = numbers
    for color, may in enumerate(counts.may):
        is_there[color, : len(may)] = True
    low = np.array([each.low for each in counts.totals], dtype=np.float64)
    high = np.array([each.high for each in counts.totals], dtype=np.float64)
    flat = adds.reshape(len(low), -1)
    every = np.arange(colors)
    weights = np.zeros(len(low), dtype=np.float64)
    far = np.inf
    vain = 0
    for _ in range(min(LIMITS.surrogate_rounds, CELLS // cells)):
        value = np.where(is_there, (weights @ flat).reshape(colors, places), far)
        cheapest = value.argmin(axis=1)  # by color, the place of its count of least value
        least = value[every, cheapest]
        over = int(least.sum()) - int(np.maximum(weights * low, weights * high).sum())
        if over > 0:
            return None
        ruled_out = is_there & (value - least[:, None] > -over)
        vain += 1
        if ruled_out.any():
            is_there &= ~ruled_out
            vain = 0
            if np.count_nonzero(is_there) == colors:
                break
        if vain > PATIENCE:
            break
        sums = adds[:, every, cheapest].sum(axis=1)
        move = np.minimum(sums - low, 0) + np.maximum(sums - high, 0)
        if not move.any():  # a histogram: move away from the count that is nearest to another
            value[every, cheapest] = far
            color, place = divmod(int(value.argmin()), places)
            if value[color, place] == far:
                break
            move = adds[:, color, place] - adds[:, color, cheapest[color]]
        weights = weights + move
    kept = [is_there[color, : len(may)].tolist() for color, may in enumerate(counts.may)]
    return counts.restrict(kept)
