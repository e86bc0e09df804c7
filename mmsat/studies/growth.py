"""How time grows with size: every family at growing sizes, until most boards take too long."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from itertools import chain
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple, TypeAlias

from mmsat.generators.family import Family
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer
from mmsat.studies.effort import measure
from mmsat.studies.table import Record, Table
from mmsat.tasks import in_order

NAME = "growth.csv"
KEYS = ("family", "answer", "size", "seed", "limit")
COLUMNS = (
    *KEYS,
    "pegs",
    "colors",
    "rows",
    "status",
    "engine",
    "decided",
    "seconds",
    "conflicts",
    "propagations",
    "effort_decided",
)
BOARDS = 5
"""Boards of each size and answer."""
STEPS = 12
"""Sizes of each family at most."""
Keys: TypeAlias = tuple[str, Answer, int, int, float]
"""What tells a measurement; see KEYS."""


def list_sizes(family: Family) -> list[int]:
    """List sizes from the half of the usual size upward, a quarter more each time."""
    sizes = [max(family.smallest, family.size // 2)]
    while len(sizes) < STEPS:
        sizes.append(max(sizes[-1] + 1, sizes[-1] * 5 // 4))
    return sizes


def list_answers(family: Family) -> list[Answer]:
    """List what asks for a planted and an impossible board, or what comes nearest to it."""
    wanted = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.SLIPPED)
    return [answer for answer in wanted if answer in family.answers][:2]


def study(
    folder: Path,
    families: Sequence[str],
    *,
    seconds: float,
    seed: int,
    on_progress: Callable[[str], None],
    boards: int = BOARDS,
    steps: int = STEPS,
    executor: Executor | None = None,
) -> Table:
    """Measure all that is missing in the folder's table, a size of every family after the other.

    A family goes on to the next size while more than half of the boards are decided in time. An
    executor gets the names and numbers of boards, and makes them itself.
    """
    table = Table(folder / NAME, COLUMNS, len(KEYS))

    def is_decided(keys: Keys) -> bool:
        line = table.find(*keys)
        return line is not None and line["decided"] == "1"

    def missing(rounds: Iterable[Keys]) -> Iterator[tuple[Keys]]:
        for keys in rounds:
            if table.find(*keys) is None:
                name, answer, size, number, _ = keys
                on_progress(f"{name}, {answer}, size {size}, seed {number}")
                yield (keys,)

    going = [(name, answer) for name in families for answer in list_answers(FAMILIES[name])]
    for step in range(min(steps, STEPS)):
        asked = {
            (name, answer): [
                (name, answer, list_sizes(FAMILIES[name])[step], number, seconds)
                for number in range(seed, seed + boards)
            ]
            for name, answer in going
        }
        for line in in_order(executor, measure_one, missing(chain.from_iterable(asked.values()))):
            table.add(line)
        going = [each for each in going if 2 * sum(map(is_decided, asked[each])) > boards]
    return table


def measure_one(keys: Keys) -> dict[str, object]:
    """A line of the table."""
    name, answer, size, seed, seconds = keys
    made = FAMILIES[name].make(size, seed, answer)
    status, engine, taken, effort = measure(made.board, made.status, seconds, seed)
    game = made.board.game
    return dict(zip(KEYS, keys, strict=True)) | {
        "pegs": game.pegs,
        "colors": game.colors,
        "rows": len(made.board.rows),
        "status": status,
        "engine": engine,
        "decided": int(engine != "auto"),
        "seconds": f"{taken:.4f}",
        "conflicts": effort.conflicts,
        "propagations": effort.propagations,
        "effort_decided": int(effort.is_decided),
    }


class Point(NamedTuple):
    """The boards of one size, summed up; a measurement that was cut off counts as its limit."""

    pegs: float
    low: float
    """The lower quartile."""
    middle: float
    """The median."""
    high: float
    """The upper quartile."""
    is_cut: bool
    """Whether the median itself was cut off: then it is a lower bound."""


def curves(lines: Iterable[Record], value: str) -> dict[tuple[str, str], list[Point]]:
    """For each family and answer the points by size; `value` is "seconds" or "conflicts"."""
    groups: dict[tuple[str, str], dict[int, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        groups[line["family"], line["answer"]][int(line["size"])].append(line)
    return {
        key: [point for _, lines in sorted(by_size.items()) if (point := _point(lines, value))]
        for key, by_size in groups.items()
    }


def _point(lines: Sequence[Record], value: str) -> Point | None:
    pegs = median(int(line["pegs"]) for line in lines)
    ended = "decided" if value == "seconds" else "effort_decided"
    found = sorted((float(line[value]), line[ended] != "1") for line in lines if line[value])
    if 2 * len(found) <= len(lines):  # the time was up before there was anything to count
        return None
    low, middle, high = quartiles([number for number, _ in found])
    return Point(pegs, low, middle, high, found[len(found) // 2][1])


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Give the quarter points of some ascending numbers, between neighbors where need be."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = quantiles(values, method="inclusive")
    return low, middle, high
