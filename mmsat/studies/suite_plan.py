"""The instances of each suite: families, sizes and answers.

The sizes are chosen from benchmarks/results/decide, in which clause-learning solvers had 5 seconds
per board, and from benchmarks/README.md. `python -m benchmarks suite DIR` measures a suite.

- sat: boards that no clause-learning solver decided in 5 seconds, or somewhat larger ones. In
  benchmarks/results/suite, MiniSat decided none of 12 structured ones in a minute of processor
  time; `auto` decided all 20 in seconds, by algebra, by lattice enumeration or by weighted search.
- pb: the same families at larger sizes, because cutting planes are strong on sums.
- maxsat: boards with wrong scores. The optimum is the smallest number of rows to remove.
- counting: boards with few rows and many codes.
- minizinc: boards at sizes that constraint solvers nearly decide.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mmsat.reductions.families import FAMILIES
from mmsat.reductions.samples import Answer

CONSISTENT, INCONSISTENT, SLIPPED, ANY = (
    Answer.CONSISTENT,
    Answer.INCONSISTENT,
    Answer.SLIPPED,
    Answer.ANY,
)
SEEDS_PER_SUITE = 100
"""Suite number s uses the seeds from 100 s, so that suites share no boards."""

Request = tuple[str, int, Answer, int | None]
"""Family, size, answer, and number of rows, or None for the default."""

PLANS: dict[str, tuple[Request, ...]] = {
    "sat": (
        ("six-colors", 26, CONSISTENT, None),
        ("six-colors", 24, CONSISTENT, None),
        ("six-colors", 24, SLIPPED, None),
        ("random-classic", 32, CONSISTENT, None),
        ("random-classic", 36, SLIPPED, None),
        ("random-two-color", 60, SLIPPED, None),
        ("random-two-color", 80, CONSISTENT, None),
        ("permutation-game", 48, SLIPPED, None),
        ("one-in-three-3sat", 60, CONSISTENT, None),
        ("one-in-three-3sat", 30, INCONSISTENT, None),
        ("regular-one-in-k", 24, INCONSISTENT, None),
        ("vertex-cover", 14, CONSISTENT, None),
        ("vertex-cover", 12, INCONSISTENT, None),
        ("vertex-cover-regular", 15, INCONSISTENT, None),
        ("exact-cover", 36, CONSISTENT, None),
        ("exact-cover", 28, INCONSISTENT, None),
        ("three-dimensional-matching", 28, INCONSISTENT, None),
        ("linear-system", 36, INCONSISTENT, None),
        ("permanent", 40, CONSISTENT, None),
        ("sat", 6, INCONSISTENT, None),
    ),
    "pb": (
        ("six-colors", 24, SLIPPED, None),
        ("six-colors", 26, CONSISTENT, None),
        ("random-classic", 36, CONSISTENT, None),
        ("random-classic", 40, SLIPPED, None),
        ("random-two-color", 80, SLIPPED, None),
        ("random-two-color", 90, CONSISTENT, None),
        ("permutation-game", 60, SLIPPED, None),
        ("one-in-three-3sat", 200, CONSISTENT, None),
        ("one-in-three-3sat", 150, INCONSISTENT, None),
        ("regular-one-in-k", 36, INCONSISTENT, None),
        ("vertex-cover", 36, CONSISTENT, None),
        ("vertex-cover", 36, INCONSISTENT, None),
        ("vertex-cover-regular", 30, INCONSISTENT, None),
        ("exact-cover", 80, CONSISTENT, None),
        ("exact-cover", 60, INCONSISTENT, None),
        ("three-dimensional-matching", 60, INCONSISTENT, None),
        ("linear-system", 60, INCONSISTENT, None),
        ("permanent", 60, CONSISTENT, None),
        ("sat", 20, INCONSISTENT, None),
        ("sat", 40, CONSISTENT, None),
    ),
    "maxsat": (
        *(("six-colors", size, ANY, None) for size in (8, 10, 12, 14, 16)),
        *(("six-colors", size, SLIPPED, None) for size in (16, 20)),
        *(("six-colors-black", size, ANY, None) for size in (8, 10, 12, 14)),
        ("six-colors-black", 18, SLIPPED, None),
        *(("random-classic", size, ANY, None) for size in (8, 10, 12, 16)),
        *(("random-two-color", size, ANY, None) for size in (20, 24, 30)),
        ("lies", 16, ANY, None),
    ),
    "counting": (
        *(("six-colors", size, CONSISTENT, 3) for size in (12, 14, 16, 18, 20)),
        *(("six-colors", size, CONSISTENT, 4) for size in (14, 16)),
        *(("six-colors-black", size, CONSISTENT, 4) for size in (14, 18, 22)),
        *(("random-classic", size, CONSISTENT, 3) for size in (8, 10)),
        *(("random-two-color", size, CONSISTENT, 4) for size in (40, 60)),
        *(("permanent", size, CONSISTENT, None) for size in (20, 25, 30)),
        *(("exact-cover", size, CONSISTENT, None) for size in (12, 16)),
        ("k-permanent", 20, CONSISTENT, None),
    ),
    "minizinc": (
        *(("six-colors", size, CONSISTENT, None) for size in (10, 12, 14, 16, 18)),
        *(("six-colors", size, SLIPPED, None) for size in (10, 12, 14)),
        *(("six-colors-black", size, CONSISTENT, None) for size in (8, 10, 12)),
        *(("random-classic", size, CONSISTENT, None) for size in (10, 12, 16)),
        ("random-classic", 10, SLIPPED, None),
        *(("random-two-color", size, CONSISTENT, None) for size in (20, 30)),
        ("exact-cover", 16, CONSISTENT, None),
        ("vertex-cover-regular", 8, INCONSISTENT, None),
        ("graph-coloring", 20, CONSISTENT, None),
    ),
}
"""The boards of each suite, by the name of the competition; 20 each."""


class Planned(NamedTuple):
    """An instance to be made, which `mmsat generate` makes as well."""

    family: str
    size: int
    answer: Answer
    rows: int | None
    seed: int

    @property
    def command(self) -> str:
        """The command that makes the board."""
        rows = "" if self.rows is None else f" --rows {self.rows}"
        return (
            f"mmsat generate {self.family} --size {self.size}{rows} --answer {self.answer} "
            f"--seed {self.seed}"
        )


def mix(requests: Iterable[Request]) -> Iterator[Request]:
    """Yield requests in an order in which the first ones have many answers and families.

    The order within a family is kept, and so are the seeds of its boards.
    """
    queues: dict[str, list[Request]] = {}
    for request in requests:
        queues.setdefault(request[0], []).append(request)
    used: Counter[str] = Counter()
    while queues:
        family, _, answer, _ = request = min(
            (queue[0] for queue in queues.values()),
            key=lambda request: (used[request[2]], request[2] is SLIPPED, used[request[0]]),
        )
        used[family] += 1
        used[answer] += 1
        yield request
        queues[family] = queues[family][1:]
        if not queues[family]:
            del queues[family]


def plan(competition: str, seed: int, scale: int) -> Iterator[Planned]:
    """Yield the instances of a suite, with sizes in percent of the planned ones."""
    counts: Counter[str] = Counter()
    for family, size, answer, rows in mix(PLANS[competition]):
        scaled_size = max(FAMILIES[family].min_size, size * scale // 100)
        family_seed = SEEDS_PER_SUITE * seed + counts[family]
        yield Planned(family, scaled_size, answer, rows, family_seed)
        counts[family] += 1
