"""The phase transition of random boards: consistent at first, then not, and hard in between.

The model is the independent one of mmsat.generators.random_boards: every row is a random guess,
scored by a code of its own, and these codes are rearrangements of one. A board is made with all its
rows; then its first rows, for each number of rows asked for, are decided by the counted solver.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeAlias

from mmsat.board import Board
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer
from mmsat.results.verdict import Status
from mmsat.studies.effort import measure_steps
from mmsat.studies.growth import quartiles
from mmsat.studies.table import Record, Table
from mmsat.tasks import in_order

NAME = "transition.csv"
KEYS = ("family", "pegs", "rows", "seed", "limit")
COLUMNS = (*KEYS, "consistent", "conflicts", "propagations")
BOARDS = 40
"""Boards of each size; the same boards, shorter and longer, at all numbers of rows."""
SIZES = {"random-two-color": (12, 16, 20, 24), "six-colors": (6, 8, 10, 12, 14)}
"""The families of the study, and their sizes."""
LONGEST = {"random-two-color": (4, 5), "six-colors": (7, 5)}
"""Rows per peg at most, as fractions."""
PARTS = 12
"""Numbers of rows per size, about."""
BUDGET = 10**9
"""Conflicts: none of these boards is to stay undecided for want of them."""
Keys: TypeAlias = tuple[str, int, int, int, float]
"""What tells a measurement; see KEYS."""


def list_row_counts(family: str, pegs: int) -> list[int]:
    """The numbers of random rows for a size."""
    numerator, denominator = LONGEST[family]
    most = pegs * numerator // denominator
    return sorted({most * part // PARTS for part in range(PARTS + 1)})


def study(
    folder: Path,
    *,
    seconds: float,
    seed: int,
    on_progress: Callable[[str], None],
    boards: int = BOARDS,
    sizes: Mapping[str, tuple[int, ...]] = SIZES,
    executor: Executor | None = None,
) -> Table:
    """Measure all that is missing in the folder's table; an executor makes the boards itself."""
    table = Table(folder / NAME, COLUMNS, len(KEYS))

    def missing() -> Iterator[tuple[Keys]]:
        for family, many in sizes.items():
            for pegs, number in product(many, range(seed, seed + boards)):
                on_progress(f"{family}, {pegs} pegs, board {number - seed + 1} of {boards}")
                for rows in list_row_counts(family, pegs):
                    if table.find(family, pegs, rows, number, seconds) is None:
                        yield ((family, pegs, rows, number, seconds),)

    for line in in_order(executor, measure_one, missing()):
        table.add(line)
    return table


def measure_one(keys: Keys) -> dict[str, object]:
    """A line of the table: some of a board's rows; more never make it consistent again."""
    name, pegs, many, seed, seconds = keys
    longest = list_row_counts(name, pegs)[-1]
    full = FAMILIES[name].make(pegs, seed, Answer.ANY, longest).board
    first = len(full.rows) - longest
    effort = measure_steps(Board(full.game, full.rows[: first + many]), seconds, BUDGET)
    known = effort.status is not Status.UNKNOWN
    return dict(zip(KEYS, keys, strict=True)) | {
        "consistent": int(effort.status is Status.CONSISTENT) if known else None,
        "conflicts": effort.conflicts,
        "propagations": effort.propagations,
    }


class Share(NamedTuple):
    """The boards of one size and number of rows, summed up."""

    rows_per_peg: float
    consistent: float
    """The share of consistent boards among those that were decided ..."""
    low: float
    """... and the ends of its 95 % confidence interval (Wilson)."""
    high: float
    effort: tuple[float, float, float]
    """The quartiles of the conflicts."""
    undecided: int
    """Boards that were not decided in time."""


def curves(lines: Iterable[Record]) -> dict[str, dict[int, list[Share]]]:
    """For each family and size the shares by rows per peg."""
    groups: dict[str, dict[int, dict[int, list[Record]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for line in lines:
        groups[line["family"]][int(line["pegs"])][int(line["rows"])].append(line)
    return {
        family: {
            pegs: [share(pegs, rows, records) for rows, records in sorted(by_rows.items())]
            for pegs, by_rows in sorted(by_pegs.items())
        }
        for family, by_pegs in groups.items()
    }


def share(pegs: int, rows: int, lines: list[Record]) -> Share:
    """Sum up some boards."""
    known = [line for line in lines if line["consistent"]]
    true = sum(line["consistent"] == "1" for line in known)
    conflicts = sorted(float(line["conflicts"] or "inf") for line in lines)
    low, high = wilson(true, len(known))
    part = true / len(known) if known else math.nan
    return Share(rows / pegs, part, low, high, quartiles(conflicts), len(lines) - len(known))


def wilson(true: int, many: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson 1927)."""
    if not many:
        return 0.0, 1.0
    z = 1.959964
    share_, square = true / many, z * z / many
    middle = (share_ + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(share_ * (1 - share_) / many + square / many / 4)
    return min(share_, max(0.0, middle - half)), max(share_, min(1.0, middle + half))


def first_moment(family: str, pegs: int) -> float:
    """The rows per peg at which one code is left on average, by a simple count.

    There are M rearrangements of the hidden code, and a row keeps each of them with the chance p
    that two independent ones score the same black: ln M / -ln p rows. White tells nothing more
    among rearrangements. Other codes are left out, and black is taken to be as in a random guess.
    """
    colors = FAMILIES[family].make(pegs, 0, Answer.ANY, 0).board.game.colors
    often = [len(range(color, pegs, colors)) for color in range(colors)]
    many = math.factorial(pegs) // math.prod(map(math.factorial, often))
    if colors == 2:  # black counts the ones of a random half that a half hits, in steps of two
        chances = [
            sum(
                math.comb(pegs, size) / 2**pegs * _hits(pegs, often[1], size, hit) ** 2
                for size in range(pegs + 1)
            )
            for hit in range(pegs + 1)
        ]
        same = sum(chances)
    else:
        chance = 1 / colors
        same = sum(
            (math.comb(pegs, black) * chance**black * (1 - chance) ** (pegs - black)) ** 2
            for black in range(pegs + 1)
        )
    return math.log(many) / -math.log(same) / pegs


def _hits(pegs: int, ones: int, size: int, hit: int) -> float:
    """The chance that a random set of a size has so many of the ones (hypergeometric)."""
    if not 0 <= hit <= min(ones, size) or size - hit > pegs - ones:
        return 0.0
    return math.comb(ones, hit) * math.comb(pegs - ones, size - hit) / math.comb(pegs, size)
