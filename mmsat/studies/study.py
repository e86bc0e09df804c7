"""The two parts of the study, each a list of tasks that are done once and in order.

transition: random and planted boards at growing numbers of rows, all of them by two solvers.
growth: every family at growing sizes, until `auto` does not decide half of the boards in its time.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from typing import Any, NamedTuple

from mmsat.generators.family import Family
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer
from mmsat.studies.measure import measure
from mmsat.studies.point import ENSEMBLES, Point
from mmsat.studies.record import Record, list_boards
from mmsat.studies.statistics import wilson
from mmsat.tasks import in_order

BOARDS = 100
"""Boards of a point."""
CHUNK = 20
"""Boards of a task."""
BUDGET = 200.0
"""Seconds of work that a solver has for a board of the transition: all are to be decided."""
BRIEF = 0.05
"""The same where families grow, and the solvers are to be stopped."""
PROBE, PROBES = 4, 12
"""Boards that `auto` is asked about, in turn until the interval of its share excludes a half, and
at most."""
MAKING = 0.4
"""Seconds of the processor that a board may take to be made, so that larger ones are tried."""

Tell = Callable[[str], None]
Task = tuple[Point, int, int, dict[str, float], int]


class Request(NamedTuple):
    """What of the study is to be done."""

    families: tuple[str, ...] = ()
    """Only these, if any."""
    boards: int = BOARDS
    seed: int = 0
    """The number of the first board."""
    seconds: int = 1
    """Of the processor, for each process of `auto`."""
    most: int | None = None
    """The largest size."""

    def allows(self, family: str, size: int) -> bool:
        """Whether boards of a family and size are asked for."""
        return family in (self.families or FAMILIES) and size <= (self.most or size)


def study_transition(
    record: Record, request: Request, executor: Executor | None, on_progress: Tell
) -> None:
    """Measure what is missing of the transition, random boards first, and small ones."""
    found = [
        (point, ensemble.most)
        for ensemble in ENSEMBLES.values()
        for point in ensemble.points()
        if request.allows(point.family, point.size)
    ]
    tasks = [
        (point, request.seed + first, min(CHUNK, request.boards - first), solvers, 0)
        for point, most in sorted(found, key=_cost)
        for first in range(0, request.boards, CHUNK)
        if (solvers := {name: BUDGET for name, pegs in most.items() if point.size <= pegs})
    ]
    _run(record, tasks, executor, on_progress)


def _cost(each: tuple[Point, dict[str, int]]) -> tuple[bool, float]:
    """What comes first: random boards, and small ones."""
    point, most = each
    return point.answer != "any", point.size / max(most.values())


def study_growth(
    record: Record, request: Request, executor: Executor | None, on_progress: Tell
) -> None:
    """Measure what is missing of the growth, a size of all families after the other."""
    curves = [
        Curve(record, request, name, answer)
        for name in FAMILIES
        for answer in FAMILIES[name].answers
        if request.allows(name, 0)
    ]
    while tasks := [task for curve in curves if (task := curve.next_task()) is not None]:
        _run(record, tasks, executor, on_progress)


def _run(
    record: Record, tasks: Iterable[Task], executor: Executor | None, on_progress: Tell
) -> None:
    def missing() -> Iterator[Task]:
        for task in tasks:
            point, first, *_ = task
            if (point, first) not in record.chunks:
                rows = "" if point.rows is None else f", {point.rows} rows"
                on_progress(f"{point.family}, {point.answer}, size {point.size}{rows}")
                yield task

    for told in in_order(executor, measure, missing()):
        record.add(told)


def list_sizes(family: Family) -> Iterator[int]:
    """List sizes from half of the usual size upward, half more each time."""
    size = max(family.smallest, family.size // 2)
    while True:
        yield size
        size += max(1, size // 2)


class Curve:
    """The boards of a family and an answer at growing sizes.

    A few boards tell whether `auto` decides a size in time; where a plain solver decides all of
    these within its budget, it is asked about all boards. The curve ends with the first size of
    which most are not decided, and before one that would take long to make.
    """

    def __init__(self, record: Record, request: Request, family: str, answer: Answer) -> None:
        """Begin with the smallest size."""
        self.record, self.request = record, request
        self.family, self.answer = family, str(answer)
        self.sizes = list_sizes(FAMILIES[family])
        self.solvers = {"cp": BRIEF, "cadical": BRIEF}
        self._grow()

    def _grow(self) -> None:
        self.point = Point("growth", self.family, self.answer, "any", next(self.sizes))
        self.done: list[dict[str, Any]] = []

    def next_task(self) -> Task | None:
        """What is to be measured next, or None at the end."""
        while self.request.allows(self.family, self.point.size):
            first = self.request.seed + len(self.done)
            many, seconds = self._missing()
            if many > 0:
                chunk = self.record.chunks.get((self.point, first))
                if chunk is None:
                    return self.point, first, many, self.solvers, seconds
                if not chunk["boards"]:
                    return None
                self.done += list_boards(chunk)
            elif 2 * self._count("auto") <= sum("auto" in board for board in self.done) or sum(
                board["made"] for board in self.done
            ) > MAKING * len(self.done):
                return None
            else:
                self.solvers = {
                    name: budget
                    for name, budget in self.solvers.items()
                    if 2 * self._count(f"{name} steps") > len(self.done)
                }
                self._grow()
        return None

    def _count(self, name: str) -> int:
        """Boards that were decided by somebody."""
        return sum(board.get(name) is not None for board in self.done)

    def _missing(self) -> tuple[int, int]:
        """How many boards are to be measured next, and whether, and how long, by `auto` too."""
        done = len(self.done)
        asked = [board for board in self.done if "auto" in board]
        low, high = wilson(self._count("auto"), len(asked))
        if len(asked) == done < PROBES and low < 1 / 2 < high:
            return PROBE, self.request.seconds
        is_cheap = any(
            all(board.get(f"{name} steps") is not None for board in asked) for name in self.solvers
        )
        return (min(CHUNK, self.request.boards - done) if is_cheap else 0), 0
