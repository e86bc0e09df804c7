"""Points of the study: boards of one kind and size, with a seed per board, and a question."""

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
"""Maximum number of boards of a point; it keeps the seeds of different points apart."""


class Point(NamedTuple):
    """A kind of boards, and the question about them."""

    part: str
    """"transition" or "growth"."""
    family: str
    answer: str
    """The answer with which the boards are made: "any", "consistent" (planted) and others."""
    question: str
    """Whether there is a code ("any"), or another one than the planted code ("other")."""
    size: int
    rows: int | None = None
    """The number of random rows; None for the default of the family."""

    def make(self, number: int) -> Generated:
        """Make the board with this number, from 0, with a random seed that no other board has."""
        question_index = [*Answer].index(Answer(self.answer)) * 2 + (self.question == "other")
        seed = ((self.rows or 0) * 2 * len(Answer) + question_index) * MOST_BOARDS + number
        generated = FAMILIES[self.family].make(self.size, seed, Answer(self.answer), self.rows)
        if self.question == "any" or generated.witness is None:
            return generated
        board = replace(generated.board, known=(generated.witness,))
        return replace(generated, board=board, status=Status.UNKNOWN, witness=None)


class Ensemble(NamedTuple):
    """A family of random boards, with the numbers of rows to measure at each size."""

    family: str
    colors: int
    sizes: tuple[int, ...]
    """Sizes, in pegs, with the full range of rows."""
    further: tuple[int, ...]
    """Sizes with rows near the threshold only."""
    planted: tuple[int, ...]
    """The sizes of the planted boards."""
    most: dict[str, int]
    """Maximum number of pegs for each solver."""
    large: int
    """Minimum number of pegs with more than 10^10 codes, which is beyond exhaustive search."""

    def points(self) -> Iterator[Point]:
        """Yield all points, the smallest sizes first."""
        for size in sorted({*self.sizes, *self.further}):
            full = ROW_RATIOS if size in self.sizes else NARROW_ROW_RATIOS
            yield from self._points(size, full, "any", "any")
            if size in self.planted:
                yield from self._points(size, full, "consistent", "other")
                yield from self._points(size, NARROW_ROW_RATIOS, "consistent", "any")

    def _points(
        self, size: int, ratios: tuple[float, ...], answer: str, question: str
    ) -> Iterator[Point]:
        expected = expected_rows(self.colors, size).typical
        for rows in sorted({round(ratio * expected) for ratio in ratios}):
            yield Point("transition", self.family, answer, question, size, rows)


ROW_RATIOS = (0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.3)
"""Numbers of rows as multiples of the expected threshold; the curve is steep near 1."""
NARROW_ROW_RATIOS = (0.95, 1.0, 1.05)
"""The multiples near the threshold."""
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
"""The ensembles of the study, by family."""


class ExpectedRows(NamedTuple):
    """Numbers of rows at which one rearrangement of the hidden code is expected to remain."""

    typical: float
    """ln M / H: on a typical board, each row leaves the fraction exp(-H) of M rearrangements,
    where H is the entropy of its black score."""
    average: float
    """ln M / H2, from the mean number of codes over all boards, where H2 is the collision entropy.
    It is at least `typical`, because few boards with many codes dominate the mean."""
    width: float
    """The standard deviation of the threshold between boards, in rows: that of the information in
    the typical number of scores, divided by H."""


@lru_cache
def expected_rows(colors: int, pegs: int) -> ExpectedRows:
    """Return the expected thresholds of a random ensemble with balanced codes.

    With two colors, black is hypergeometric, given the number of pegs of the guess with the second
    color. With more colors it is assumed to be binomial, which it is over all guesses. White adds
    no information among rearrangements.
    """
    counts = [len(range(color, pegs, colors)) for color in range(colors)]
    log_codes = math.lgamma(pegs + 1) - sum(math.lgamma(count + 1) for count in counts)
    if colors == 2:
        outcomes = [
            (math.comb(pegs, ones) / 2**pegs, _hits(pegs, counts[1], ones, hit))
            for ones in range(pegs + 1)
            for hit in range(ones + 1)
        ]
    else:
        outcomes = [
            (1.0, math.comb(pegs, black) * (colors - 1) ** (pegs - black) / colors**pegs)
            for black in range(pegs + 1)
        ]
    information_of = [(weight * chance, -math.log(chance)) for weight, chance in outcomes if chance]
    entropy = sum(chance * information for chance, information in information_of)
    variance = sum(chance * information**2 for chance, information in information_of) - entropy**2
    collision_entropy = -math.log(sum(weight * chance**2 for weight, chance in outcomes))
    rows = log_codes / entropy
    return ExpectedRows(rows, log_codes / collision_entropy, math.sqrt(rows * variance) / entropy)


def _hits(pegs: int, ones: int, size: int, hit: int) -> float:
    """Return the hypergeometric probability that `size` random pegs include `hit` of the ones."""
    if not 0 <= hit <= min(ones, size) or size - hit > pegs - ones:
        return 0.0
    return math.comb(ones, hit) * math.comb(pegs - ones, size - hit) / math.comb(pegs, size)
