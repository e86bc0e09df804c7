"""Contents of the suite; `python -m benchmarks.decide.plan` writes its table.

The number of rows of a random board is a multiple of the uniqueness threshold, which is the number
of rows that leave one code according to an entropy estimate. For two colors the unit is N / log2 N,
half the threshold.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.decide.instance import Instance, digest
from benchmarks.decide.suite import COVERS, RANDOM, cover_graph, make, write
from mmsat.game.game import Game
from mmsat.reductions.samples import find_minimum_cover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.reductions.sources import Graph

SEED = 1
RANDOM_KINDS = ("planted", "slipped", "parity-kept")
THRESHOLDS: dict[str, dict[float, tuple[int, ...]]] = {
    "classic": {0.6: (30, 60), 1.0: (20, 40, 60), 2.0: (60,)},
    "six-colors": {0.6: (40,), 1.0: (20, 30, 40), 2.0: (40,)},
    "two-colors": {0.5: (120,), 1.0: (60, 120), 2.0: (40, 80, 120), 4.0: (120,)},
}
"""For each random game, the numbers of pegs by the multiple of the threshold."""


class Series(NamedTuple):
    """Instances of one reduction: the kinds of boards, each at all sizes."""

    kinds: tuple[str, ...]
    sizes: tuple[int, ...]


YES_NO = ("planted", "impossible")
CARRIED = ("planted", "parity-kept")
REDUCTIONS = (
    ("one-in-three-3sat", Series(YES_NO, (20, 100, 400, 1600))),
    ("one-in-three-3sat", Series(("random",), (20, 50, 200))),
    ("regular-one-in-k", Series((*YES_NO, "random"), (6, 12, 36))),
    ("consistent-mastermind", Series(YES_NO, (7, 12))),
    ("consistent-exact-cover", Series(YES_NO, (3, 5))),
    ("vertex-cover", Series(YES_NO, (12, 36))),
    ("vertex-cover-regular", Series(YES_NO, (10, 20, 30, 40))),
    ("vertex-cover-three-colors", Series(YES_NO, (20, 40))),
    ("exact-cover", Series(YES_NO, (20, 60))),
    ("three-dimensional-matching", Series(YES_NO, (20, 60))),
    ("three-dimensional-matching-colors", Series(YES_NO, (6, 12))),
    ("sat", Series(YES_NO, (6, 20, 80, 214))),
    ("sat", Series(("random",), (10, 40))),
    ("permanent", Series(YES_NO, (20, 60))),
    ("k-permanent", Series(("planted",), (20, 60))),
    ("graph-coloring", Series((*YES_NO, "random"), (30, 60))),
    ("permutation-game", Series(CARRIED, (20, 40))),
    ("lies", Series(CARRIED, (8, 16))),
    ("black-white-lift", Series(CARRIED, (8, 16))),
    ("linear-system", Series(YES_NO, (20, 40))),
)
"""The series of each reduction; the largest boards have 3200 and 5000 pegs.

Reductions to boards with known codes are omitted, because rivals do not support them.
"""


def plan() -> Iterator[Instance]:
    """Yield all instances with their properties."""
    for instance in (*random_boards(), *reductions()):
        name = f"{instance.series}-{instance.size}"
        known_values = {"planted": "consistent", "impossible": "inconsistent"}.get(instance.kind)
        text = instance._replace(name=name, known=known_values or "unknown")
        yield text._replace(digest=digest(make(text)))


def random_boards() -> Iterator[Instance]:
    """Yield the random games, without names and digests."""
    for family, multiples in THRESHOLDS.items():
        for multiple, sizes in multiples.items():
            for kind in RANDOM_KINDS:
                series = f"{family}-{multiple:g}-{kind}"
                for size in sizes:
                    rows = math.ceil(multiple * threshold(Game.parse(RANDOM[family].format(size))))
                    yield Instance("", family, kind, series, size, rows, SEED, None, "", "")


def reductions() -> Iterator[Instance]:
    """Yield the reductions, without names and digests."""
    for family, (kinds, sizes) in REDUCTIONS:
        for kind in kinds:
            for size in sizes:
                k = None
                if family in COVERS:
                    k = least_cover(cover_graph(family, size, SEED)) - (kind == "impossible")
                series = f"{family}-{kind}"
                yield Instance("", family, kind, series, size, None, SEED, k, "", "")


def threshold(game: Game) -> float:
    """Return the approximate number of random rows that leave one code.

    After a few rows, the color counts are known. From then on white gives no information, and black
    alone determines the order of the pegs. The result is the entropy of that order divided by the
    entropy of black.
    """
    size, colors = game.pegs, game.colors
    if colors == 2:
        return size / math.log2(size)
    chances = [
        math.comb(size, index) * (colors - 1) ** (size - index) / colors**size
        for index in range(size + 1)
    ]
    alike = sum(chance * math.log2(math.factorial(count)) for count, chance in enumerate(chances))
    black: float = -sum(chance * math.log2(chance) for chance in chances if chance)
    order: float = math.log2(math.factorial(size)) - colors * alike
    return order / black


def least_cover(source: Graph) -> int:
    """Return the size of a minimum vertex cover, proven by CP-SAT on the graph."""
    return len(find_minimum_cover(len(source.nodes), source.edges))


if __name__ == "__main__":
    write(plan())
