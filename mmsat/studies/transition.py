"""The phase transition of random boards: consistent at first, then not, and hard in between.

The model is the independent one of mmsat.generators.random_boards: every row is a random guess,
scored by a code of its own, and these codes are rearrangements of one. A board is made with all its
rows; then its first rows, for each number of rows asked for, are decided by the counted solver.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

from mmsat.board import Board
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer
from mmsat.results.verdict import Status
from mmsat.studies.effort import measure_steps
from mmsat.studies.growth import quartiles
from mmsat.studies.table import Record, Table

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
) -> Table:
    """Measure all that is missing in the folder's table."""
    table = Table(folder / NAME, COLUMNS, len(KEYS))
    for family, many in sizes.items():
        for pegs, number in product(many, range(seed, seed + boards)):
            on_progress(f"{family}, {pegs} pegs, board {number - seed + 1} of {boards}")
            grow(table, family, pegs, number, seconds)
    return table


def grow(table: Table, name: str, pegs: int, seed: int, seconds: float) -> None:
    """One board at all numbers of rows; further rows never make a board consistent again."""
    family = FAMILIES[name]
    numbers = list_row_counts(name, pegs)
    if all(table.find(name, pegs, many, seed, seconds) for many in numbers):
        return
    full = family.make(pegs, seed, Answer.ANY, numbers[-1]).board
    first = len(full.rows) - numbers[-1]
    for many in numbers:
        if table.find(name, pegs, many, seed, seconds):
            continue
        effort = measure_steps(Board(full.game, full.rows[: first + many]), seconds, BUDGET)
        known = effort.status is not Status.UNKNOWN
        consistent = int(effort.status is Status.CONSISTENT) if known else None
        values = dict(zip(KEYS, (name, pegs, many, seed, seconds), strict=True))
        values |= {"consistent": consistent}
        table.add(values | {"conflicts": effort.conflicts, "propagations": effort.propagations})


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
