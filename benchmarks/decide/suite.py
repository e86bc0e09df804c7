"""The suite: a table of instances, and the board of each, checked against its digest.

The table is made by plan.py and kept, so that the suite stays as it is, and that the least vertex
covers in it need not be found again.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.decide.instance import Instance, digest
from mmsat.errors import InternalError
from mmsat.reductions.families import FAMILIES
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.samples import Answer, draw_cubic_edges, draw_edges, make_graph
from tests.support.perturbed_boards import parity_kept, slipped
from tests.support.planted_boards import planted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmsat.game.board import Board
    from mmsat.reductions.sources import Graph

FILE = Path(__file__).with_name("suite.csv")

RANDOM = {"classic": "{0}x{0}", "six-colors": "{0}x6", "two-colors": "{0}x2"}
"""The random games, and the game of a size."""
COVERS = ("vertex-cover", "vertex-cover-regular", "vertex-cover-three-colors")
ANSWERS = {
    "planted": Answer.CONSISTENT,
    "impossible": Answer.INCONSISTENT,
    "parity-kept": Answer.SLIPPED,  # the least slip of a random family keeps the sum
    "random": Answer.ANY,
}
"""Name of each kind in mmsat.generate."""


def suite() -> tuple[Instance, ...]:
    """All instances, series by series, each by size."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(_instance(line) for line in csv.DictReader(file))


def _instance(line: dict[str, str]) -> Instance:
    numbers = {key: int(line[key]) if line[key] else None for key in ("rows", "k")}
    whole = {key: int(line[key]) for key in ("size", "seed")}
    return Instance(**{**line, **numbers, **whole})  # type: ignore[arg-type]


def write(instances: Iterable[Instance]) -> None:
    """Replace the stored suite."""
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Instance._fields)
        writer.writerows(instances)


def board_of(instance: Instance) -> Board:
    """Return the board. Raise InternalError if its digest differs from the stored one."""
    board = make(instance)
    result = digest(board)
    if result != instance.digest:
        text = f"the digest is {result} and was {instance.digest}"
        raise InternalError(f"the board {instance.name} is made differently now: {text}")
    return board


def make(instance: Instance) -> Board:
    """The board, unchecked."""
    family, kind, size = instance.family, instance.kind, instance.size
    if family in COVERS:
        source = cover_graph(family, size, instance.seed)
        return REDUCTIONS[family](source, k=instance.k or 0).board
    if family not in RANDOM:
        return FAMILIES[family].make(size, instance.seed, ANSWERS[kind]).board
    board = planted(RANDOM[family].format(size), instance.rows or 0, instance.seed)
    change = {"slipped": slipped, "parity-kept": parity_kept}.get(kind)
    return change(board, instance.name) if change else board


def cover_graph(family: str, size: int, seed: int) -> Graph:
    """The graph that mmsat.generate would take, which then looks for its least cover."""
    rng = random.Random(f"{family} {size} {seed}")
    if family == "vertex-cover-regular":
        return make_graph(2 * size, draw_cubic_edges(2 * size, rng))
    return make_graph(size, draw_edges(size, 3 * size, rng))
