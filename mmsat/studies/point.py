"""A point of the study: boards of one kind and size, each with its own seed, and a question."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from mmsat.generators.family import Generated
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer
from mmsat.results.verdict import Status

MOST_BOARDS = 10_000
"""Boards of a point at most: seeds of different points differ."""


class Point(NamedTuple):
    """What is asked, and of which boards."""

    part: str
    """"transition" or "growth"."""
    family: str
    answer: str
    """What the boards are made to be: "any", "consistent" (planted) and others."""
    question: str
    """"any": is there a code? "other": is there another than the planted one?"""
    size: int
    rows: int | None = None
    """How many random rows, where that is chosen."""

    def make(self, number: int) -> Generated:
        """A board, by its number from 0; nothing random is shared with any other board."""
        asked = [*Answer].index(Answer(self.answer)) * 2 + (self.question == "other")
        seed = ((self.rows or 0) * 2 * len(Answer) + asked) * MOST_BOARDS + number
        made = FAMILIES[self.family].make(self.size, seed, Answer(self.answer), self.rows)
        if self.question == "any" or made.witness is None:
            return made
        board = replace(made.board, known=(made.witness,))
        return replace(made, board=board, status=Status.UNKNOWN, witness=None)


class Ensemble(NamedTuple):
    """Random boards whose rows are varied, size by size."""

    family: str
    colors: int
    sizes: tuple[int, ...]
    """Pegs with a full range of rows, ..."""
    further: tuple[int, ...]
    """... and those with the rows about the threshold only."""
    planted: tuple[int, ...]
    """The sizes of the planted boards."""
    most: dict[str, int]
    """For each solver the most pegs that it is asked about."""
    large: int
    """The least pegs of which there are more than 10^10 codes, beyond exhaustive search."""

    def points(self) -> Iterator[Point]:
        """All points, small ones first."""
        for size in sorted({*self.sizes, *self.further}):
            full = RATIOS if size in self.sizes else NARROW
            yield from self._points(size, full, "any", "any")
            if size in self.planted:
                yield from self._points(size, full, "consistent", "other")
                yield from self._points(size, NARROW, "consistent", "any")

    def _points(
        self, size: int, ratios: tuple[float, ...], answer: str, question: str
    ) -> Iterator[Point]:
        expected = expected_rows(self.colors, size).typical
        for rows in sorted({round(ratio * expected) for ratio in ratios}):
            yield Point("transition", self.family, answer, question, size, rows)


RATIOS = (0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.3)
"""Rows, by the expected threshold; the curve is steep in the middle."""
NARROW = (0.95, 1.0, 1.05)
"""The same, about the middle only."""
ENSEMBLES = {
    each.family: each
    for each in (
        Ensemble(
            "random-two-color",
            2,
            (16, 24, 32, 40, 48, 56, 64),
            (72, 80, 88, 96),
            (24, 40, 56),
            {"cp": 64, "cadical": 28, "lattice": 96},
            40,
        ),
        Ensemble(
            "six-colors",
            6,
            (8, 10, 12, 14, 16, 18, 20),
            (22, 24),
            (8, 12, 16),
            {"cp": 18, "cadical": 16, "lattice": 24},
            14,
        ),
    )
}
"""The random families of the study."""


class ExpectedRows(NamedTuple):
    """Numbers of rows at which one rearrangement of the hidden code is expected to be left."""

    typical: float
    """ln M / H: on a typical board, each row leaves of M rearrangements the part exp(-H), where H
    is the entropy of its black score."""
    average: float
    """ln M / H2, by the average number over all boards, where H2 is the entropy of collisions. It
    is never less: few boards with many codes make up the average."""
    width: float
    """By how many rows boards differ, as scores do that are more or less likely: the deviation of
    what the typical number of rows tells, by H."""


@lru_cache
def expected_rows(colors: int, pegs: int) -> ExpectedRows:
    """The expected thresholds of a random ensemble of the balanced kind.

    Black of two colors is hypergeometric, given how many pegs of the guess have the second; of more
    colors it is taken to be binomial, as it is over all guesses. White says nothing more among
    rearrangements.
    """
    often = [len(range(color, pegs, colors)) for color in range(colors)]
    ways = math.lgamma(pegs + 1) - sum(math.lgamma(each + 1) for each in often)
    if colors == 2:
        mixed = [
            (math.comb(pegs, ones) / 2**pegs, _hits(pegs, often[1], ones, hit))
            for ones in range(pegs + 1)
            for hit in range(ones + 1)
        ]
    else:
        mixed = [
            (1.0, math.comb(pegs, black) * (colors - 1) ** (pegs - black) / colors**pegs)
            for black in range(pegs + 1)
        ]
    told = [(part * chance, -math.log(chance)) for part, chance in mixed if chance]
    entropy = sum(chance * information for chance, information in told)
    variance = sum(chance * information**2 for chance, information in told) - entropy**2
    collision = -math.log(sum(part * chance**2 for part, chance in mixed))
    rows = ways / entropy
    return ExpectedRows(rows, ways / collision, math.sqrt(rows * variance) / entropy)


def _hits(pegs: int, ones: int, size: int, hit: int) -> float:
    """The chance that a random set of a size has so many of the ones (hypergeometric)."""
    if not 0 <= hit <= min(ones, size) or size - hit > pegs - ones:
        return 0.0
    return math.comb(ones, hit) * math.comb(pegs - ones, size - hit) / math.comb(pegs, size)
