"""The two parts of the study, each a list of tasks that are done once and in order.

transition: random and planted boards with increasing numbers of rows, decided by several solvers.
growth: every family at increasing sizes, until `auto` decides at most half of the boards in time.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from typing import Any, NamedTuple

from mmsat._util.processes import in_order
from mmsat.reductions.families import FAMILIES, Family
from mmsat.reductions.samples import Answer
from mmsat.studies.measure import measure
from mmsat.studies.point import ENSEMBLES, Point, Record, list_boards
from mmsat.studies.statistics import wilson

BOARDS = 100
"""Number of boards of a point."""
BOARDS_PER_TASK = 20
"""Maximum number of boards of a task."""
TRANSITION_BUDGET_SECONDS = 200.0
"""Budget in seconds of a solver for a board of the transition, enough to decide all boards."""
GROWTH_BUDGET_SECONDS = 0.05
"""Budget in seconds of a solver for a board of the growth, which stops it early."""
PROBES_PER_BATCH, MAX_PROBES = 4, 12
"""Number of boards in a batch for `auto`, and number of boards from which no batch follows.

Batches follow until the interval of the share of decided boards excludes one half.
"""
MAX_GENERATION_SECONDS = 0.4
"""Maximum CPU time, in seconds, to make a board such that larger ones are tried."""

Board = dict[str, Any]
ProgressCallback = Callable[[str, float | None], None]
"""Callback for progress: the current measurement, and the fraction done, or None if unknown."""
Task = tuple[Point, int, int, dict[str, float], int]


class Request(NamedTuple):
    """Selection of the measurements to make."""

    families: tuple[str, ...] = ()
    """The selected families; empty for all."""
    boards: int = BOARDS
    seed: int = 0
    """The number of the first board."""
    seconds: int = 1
    """CPU time limit for each process of `auto`."""
    most: int | None = None
    """The maximum size, or None."""

    def allows(self, family: str, size: int) -> bool:
        """Return whether boards of this family and size are selected."""
        return family in (self.families or FAMILIES) and size <= (self.most or size)


def study_transition(
    record: Record, request: Request, executor: Executor | None, on_progress: ProgressCallback
) -> None:
    """Make the missing measurements of the transition, small boards first."""
    selected = [
        (point, ensemble.most)
        for ensemble in ENSEMBLES.values()
        for point in ensemble.points()
        if request.allows(point.family, point.size)
    ]
    tasks = [
        (point, request.seed + first, min(BOARDS_PER_TASK, request.boards - first), solvers, 0)
        for point, pegs_limits in sorted(selected, key=_sort_key)
        for first in range(0, request.boards, BOARDS_PER_TASK)
        if (
            solvers := {
                name: TRANSITION_BUDGET_SECONDS
                for name, pegs in pegs_limits.items()
                if point.size <= pegs
            }
        )
    ]
    _run(record, tasks, executor, lambda label, done: on_progress(label, done / len(tasks)))


def _sort_key(entry: tuple[Point, dict[str, int]]) -> tuple[float, bool]:
    """Return a sort key: small boards first, and of these the random ones."""
    point, limits = entry
    return point.size / max(limits.values()), point.answer != "any"


def study_growth(
    record: Record, request: Request, executor: Executor | None, on_progress: ProgressCallback
) -> None:
    """Make the missing measurements of the growth, one size of all families after the other."""
    curves = [
        Curve(record, request, name, answer)
        for name in FAMILIES
        for answer in FAMILIES[name].answers
        if request.allows(name, 0)
    ]
    while tasks := [task for curve in curves if (task := curve.next_task()) is not None]:
        _run(record, tasks, executor, lambda label, _: on_progress(label, None))


def _run(
    record: Record,
    tasks: Iterable[Task],
    executor: Executor | None,
    report: Callable[[str, int], None],
) -> None:
    """Run the tasks that the record lacks; report each one with the number of tasks before it."""

    def missing() -> Iterator[Task]:
        for done, task in enumerate(tasks):
            point, first, *_ = task
            if (point, first) not in record.chunks:
                rows = "" if point.rows is None else f", {point.rows} rows"
                report(f"{point.family}, {point.answer}, size {point.size}{rows}", done)
                yield task

    for chunk in in_order(executor, measure, missing()):
        record.add(chunk)


def list_sizes(family: Family) -> Iterator[int]:
    """Yield sizes from half of the default size upward, each twice the previous one."""
    size = max(family.min_size, family.size // 2)
    while True:
        yield size
        size *= 2


class Curve(NamedTuple):
    """The boards of a family and an answer at increasing sizes.

    At each size, `auto` and the plain solvers run on a few boards (probes). The curve ends with the
    first size at which `auto` decides at most half of them, or at which boards cannot be made or
    take too long to make. Then all boards are measured at the largest size at which a plain solver
    decided every probe. Without such a size, `auto` alone measures them at the smallest size.
    """

    record: Record
    request: Request
    family: str
    answer: Answer

    def next_task(self) -> Task | None:
        """Return the next task, or None at the end."""
        solvers = {"cp": GROWTH_BUDGET_SECONDS, "cadical": GROWTH_BUDGET_SECONDS}
        full: tuple[Point, list[Board], dict[str, float]] | None = None
        for size in list_sizes(FAMILIES[self.family]):
            point = Point("growth", self.family, str(self.answer), "any", size)
            if not self.request.allows(self.family, size):
                break
            # Run batches of probes until it is clear whether `auto` decides most boards.
            done: list[Board] = []
            while _needs_probes(done):
                task = (
                    point,
                    self.request.seed + len(done),
                    PROBES_PER_BATCH,
                    solvers,
                    self.request.seconds,
                )
                chunk = self.record.chunks.get(task[:2])
                if chunk is None:
                    return task
                if not chunk["boards"]:
                    break
                done += list_boards(chunk)
            quick = {
                name: b
                for name, b in solvers.items()
                if _count_decided(done, name) == len(done) > 0
            }
            if quick or (full is None and done):
                full = point, done, quick
            # Larger sizes omit a solver that failed on at least half of the probes.
            solvers = {n: b for n, b in solvers.items() if 2 * _count_decided(done, n) > len(done)}
            making = sum(board["made"] for board in done)
            is_undecided = 2 * _count_decided(done, "auto") <= len(done)
            if is_undecided or making > MAX_GENERATION_SECONDS * len(done):
                break
        return None if full is None else self._fill(*full)

    def _fill(self, point: Point, probes: list[Board], solvers: dict[str, float]) -> Task | None:
        done = len(probes)
        while done < self.request.boards:
            first, num_boards = (
                self.request.seed + done,
                min(BOARDS_PER_TASK, self.request.boards - done),
            )
            if (point, first) not in self.record.chunks:
                return point, first, num_boards, solvers, 0 if solvers else self.request.seconds
            done += num_boards
        return None


def _count_decided(boards: list[Board], who: str) -> int:
    """Return the number of boards that `auto` or a solver decided."""
    name = who if who == "auto" else f"{who} steps"
    return sum(board.get(name) is not None for board in boards)


def _needs_probes(boards: list[Board]) -> bool:
    """Return whether more boards are needed to tell if most are decided in time."""
    low, high = wilson(_count_decided(boards, "auto"), len(boards))
    return len(boards) < MAX_PROBES and low < 1 / 2 < high
