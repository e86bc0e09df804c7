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

Board = dict[str, Any]
Tell = Callable[[str, float | None], None]
"""What is measured, and the share that is done, where it is known how much there is."""
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
    """Measure what is missing of the transition, small boards first."""
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
    _run(record, tasks, executor, lambda told, done: on_progress(told, done / len(tasks)))


def _cost(each: tuple[Point, dict[str, int]]) -> tuple[float, bool]:
    """What comes first: small boards, and of these the random ones."""
    point, most = each
    return point.size / max(most.values()), point.answer != "any"


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
        _run(record, tasks, executor, lambda told, _: on_progress(told, None))


def _run(
    record: Record,
    tasks: Iterable[Task],
    executor: Executor | None,
    tell: Callable[[str, int], None],
) -> None:
    """Measure what is missing of some tasks, and tell each with how many came before it."""

    def missing() -> Iterator[Task]:
        for done, task in enumerate(tasks):
            point, first, *_ = task
            if (point, first) not in record.chunks:
                rows = "" if point.rows is None else f", {point.rows} rows"
                tell(f"{point.family}, {point.answer}, size {point.size}{rows}", done)
                yield task

    for told in in_order(executor, measure, missing()):
        record.add(told)


def list_sizes(family: Family) -> Iterator[int]:
    """List sizes from half of the usual size upward, each twice the one before."""
    size = max(family.smallest, family.size // 2)
    while True:
        yield size
        size *= 2


class Curve(NamedTuple):
    """The boards of a family and an answer at growing sizes.

    A few boards tell whether `auto` decides a size in time. The curve ends with the first size of
    which most are not decided, or cannot be made, and before one that would take long to make.
    Then all boards are made of the largest size of which a plain solver decided these few, or,
    where none did, of the smallest size, for `auto` alone.
    """

    record: Record
    request: Request
    family: str
    answer: Answer

    def next_task(self) -> Task | None:
        """What is to be measured next, or None at the end."""
        solvers = {"cp": BRIEF, "cadical": BRIEF}
        full: tuple[Point, list[Board], dict[str, float]] | None = None
        for size in list_sizes(FAMILIES[self.family]):
            point = Point("growth", self.family, str(self.answer), "any", size)
            if not self.request.allows(self.family, size):
                break
            done: list[Board] = []
            while _is_open(done):
                task = point, self.request.seed + len(done), PROBE, solvers, self.request.seconds
                chunk = self.record.chunks.get(task[:2])
                if chunk is None:
                    return task
                if not chunk["boards"]:
                    break
                done += list_boards(chunk)
            quick = {name: b for name, b in solvers.items() if _count(done, name) == len(done) > 0}
            if quick or (full is None and done):
                full = point, done, quick
            solvers = {n: b for n, b in solvers.items() if 2 * _count(done, n) > len(done)}
            making = sum(board["made"] for board in done)
            if 2 * _count(done, "auto") <= len(done) or making > MAKING * len(done):
                break
        return None if full is None else self._fill(*full)

    def _fill(self, point: Point, probes: list[Board], solvers: dict[str, float]) -> Task | None:
        done = len(probes)
        while done < self.request.boards:
            first, many = self.request.seed + done, min(CHUNK, self.request.boards - done)
            if (point, first) not in self.record.chunks:
                return point, first, many, solvers, 0 if solvers else self.request.seconds
            done += many
        return None


def _count(boards: list[Board], who: str) -> int:
    """Boards that `auto` or a solver decided."""
    name = who if who == "auto" else f"{who} steps"
    return sum(board.get(name) is not None for board in boards)


def _is_open(boards: list[Board]) -> bool:
    """Whether more boards are to tell if most are decided in time."""
    low, high = wilson(_count(boards, "auto"), len(boards))
    return len(boards) < PROBES and low < 1 / 2 < high
