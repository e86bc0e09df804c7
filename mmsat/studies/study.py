"""Run the study of the hardness of boards, which has three parts.

Each part is a list of tasks, which are done in order. Tasks that are in the record are not done
again.

transition: random and planted boards with increasing numbers of rows, decided by several solvers.
cross-check: CP-SAT on some boards of the transition that only one solver decided.
growth: every family at increasing sizes, until `auto` decides at most half of the boards in time.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from operator import itemgetter
from typing import NamedTuple

from mmsat._util.processes import in_order
from mmsat._util.text import join_words
from mmsat.errors import InputError, InternalError, MessageFault
from mmsat.reductions.families import FAMILIES, Family
from mmsat.reductions.samples import Answer
from mmsat.studies import (
    ENSEMBLES,
    BoardRecord,
    Ensemble,
    PlannedPoint,
    Point,
    Record,
    list_boards,
)
from mmsat.studies.measure import environment, measure
from mmsat.studies.statistics import wilson

BOARDS = 400
"""Default number of random boards of a point near the half point, which is the number of rows at
which half of the boards have a code."""
MAX_GROWTH_BOARDS = 100
"""Maximum number of boards of a point of the growth."""
CROSS_CHECK_BUDGET_SECONDS = 60.0
"""Budget of CP-SAT for a board that only one solver decided, in seconds."""
BOARDS_PER_TASK = 20
"""Maximum number of boards of a task."""
TRANSITION_BUDGET_SECONDS = 200.0
"""Budget of a solver for a board of the transition, in seconds. It suffices for all boards."""
GROWTH_BUDGET_SECONDS = 0.05
"""Budget of a solver for a board of the growth, in seconds. A short budget is enough, because a
family is measured at a size at which a solver decides every probe (see `Curve`)."""
PROBES_PER_BATCH, MAX_PROBES = 4, 12
"""Number of probes per batch, and number of probes after which no further batch is run.

A probe is one of the first boards of a size. Batches are run until the confidence interval of the
share of decided probes excludes one half.
"""
MAX_GENERATION_SECONDS = 0.4
"""A curve continues with larger boards only if making a board takes at most this CPU time on
average, in seconds."""

ProgressCallback = Callable[[str, float | None], None]
"""Function that reports progress. Its arguments are a description of the current measurement, and
the fraction of the tasks that were submitted, or None if unknown."""


class Task(NamedTuple):
    """The arguments of one call of `measure`."""

    point: Point
    first: int
    """The number of the first board."""
    num_boards: int
    """The number of boards."""
    solvers: dict[str, float]
    """The budget of each solver in seconds."""
    auto_seconds: int
    """CPU time limit for each process of `auto`; 0 if `auto` is not run."""


class Request(NamedTuple):
    """The selection of measurements."""

    families: tuple[str, ...] = ()
    """The selected families; empty for all."""
    boards: int = BOARDS
    """The number of random boards of a point near the half point (see `BOARDS`)."""
    seed: int = 0
    """The number of the first board of each point. The seed of a board is derived from its number
    and its point."""
    auto_seconds: int = 1
    """CPU time limit for each process of `auto`."""
    max_size: int | None = None
    """The maximum size of the boards; None for no limit."""

    def allows(self, family: str, size: int) -> bool:
        """Return whether boards of this family and size are selected."""
        return family in (self.families or FAMILIES) and size <= (self.max_size or size)


def require_boards(request: Request, parts: Iterable[str]) -> None:
    """Raise InputError if the request selects no board of these parts of the study."""
    families = request.families or tuple(FAMILIES)
    sizes = [
        (family, size)
        for part in parts
        for family in families
        if (size := _smallest_size(part, family)) is not None
    ]
    if any(request.allows(*pair) for pair in sizes):
        return
    if not sizes:
        message = f"These parts of the study have no boards of {join_words(families)}."
        found: object = ", ".join(families)
    else:
        smallest = min(size for _, size in sizes)
        found = request.max_size
        message = (
            f"--max-size {found} selects no board: the smallest of these families and parts have "
            f"size {smallest}."
        )
    raise InputError([MessageFault(message, found, "")], "")


def _smallest_size(part: str, family: str) -> int | None:
    """Return the size of the smallest boards of a family in a part; None if there are none."""
    if part == "growth":
        answers = FAMILIES[family].answers
        is_measured = not all(map(FAMILIES[family].is_drawn_by_search, answers))
        return next(doubled_sizes(FAMILIES[family])) if is_measured else None
    if family not in ENSEMBLES:
        return None
    ensemble = ENSEMBLES[family]
    min_size = ensemble.max_pegs["cp"] + 1 if part == "cross-check" else 1
    return min((size for size in ensemble.sizes if size >= min_size), default=None)


def study_transition(
    record: Record, request: Request, executor: Executor | None, on_progress: ProgressCallback
) -> None:
    """Make the missing measurements of the transition, small boards first."""
    # The first solver of an ensemble gets all boards of a point, and the other solvers the first
    # 1/`other_solvers_divisor` of them. `auto` is not run.
    tasks = [
        Task(
            planned.point,
            request.seed + first,
            min(BOARDS_PER_TASK, count - first),
            {
                name: TRANSITION_BUDGET_SECONDS
                for solver_index, (name, max_pegs) in enumerate(ensemble.max_pegs.items())
                if planned.point.size <= max_pegs
                and (solver_index == 0 or first * planned.other_solvers_divisor < count)
            },
            auto_seconds=0,
        )
        for ensemble, planned in _planned_points(request)
        for count in [max(1, request.boards // planned.divisor)]
        for first in range(0, count, BOARDS_PER_TASK)
    ]
    _run(
        record,
        tasks,
        executor,
        lambda label, num_submitted: on_progress(label, num_submitted / len(tasks)),
    )


def _planned_points(request: Request) -> Iterator[tuple[Ensemble, PlannedPoint]]:
    """Yield the selected points of all ensembles, small boards and random boards first.

    "Small" is relative to the largest size of the ensemble.
    """
    selected = [
        (size / max(ensemble.sizes), ensemble, size)
        for ensemble in ENSEMBLES.values()
        for size in ensemble.sizes
        if request.allows(ensemble.family, size)
    ]
    for _, ensemble, size in sorted(selected, key=itemgetter(0)):
        for planned in ensemble.planned_points(size):
            yield ensemble, planned


def study_cross_check(
    record: Record, request: Request, executor: Executor | None, on_progress: ProgressCallback
) -> None:
    """Run CP-SAT on the first boards of each point on which only the lattice was run."""
    tasks = [
        Task(
            planned.point._replace(part="cross-check"),
            request.seed,
            min(BOARDS_PER_TASK, request.boards),
            {"cp": CROSS_CHECK_BUDGET_SECONDS},
            auto_seconds=0,
        )
        for ensemble, planned in _planned_points(request)
        if planned.point.size > ensemble.max_pegs["cp"]
    ]
    _run(record, tasks, executor, lambda label, count: on_progress(label, count / len(tasks)))
    for point, boards in record.points():
        if point.part == "cross-check":
            earlier = dict(record.points()).get(point._replace(part="transition"), [])
            # Only the first boards of the point were checked again.
            for board, other in zip(earlier, boards, strict=False):
                if {board["status"], other["status"]} == {"c", "i"}:
                    raise InternalError(f"CP-SAT disagrees with the lattice on a board of {point}")


def study_growth(
    record: Record, request: Request, executor: Executor | None, on_progress: ProgressCallback
) -> None:
    """Make the missing measurements of the growth, size by size, for all families together."""
    curves = [
        Curve(record, request, name, answer)
        for name in FAMILIES
        for answer in FAMILIES[name].answers
        if request.allows(name, 0) and not FAMILIES[name].is_drawn_by_search(answer)
    ]
    while tasks := [task for curve in curves if (task := curve.next_task()) is not None]:
        _run(record, tasks, executor, lambda label, _: on_progress(label, None))


def _run(
    record: Record,
    tasks: Iterable[Task],
    executor: Executor | None,
    report: Callable[[str, int], None],
) -> None:
    """Run the tasks that are not in the record.

    `report` is called for each of them with its description and the number of tasks before it.
    """

    def missing_tasks() -> Iterator[Task]:
        for num_submitted, task in enumerate(tasks):
            point = task.point
            if (point, task.first) not in record.chunks:
                record.require_version(point.part, environment())
                rows = "" if point.rows is None else f", {point.rows} rows"
                report(f"{point.family}, {point.answer}, size {point.size}{rows}", num_submitted)
                yield task

    for chunk in in_order(executor, measure, missing_tasks()):
        record.add(chunk)


def doubled_sizes(family: Family) -> Iterator[int]:
    """Yield half of the default size, and then, without end, twice the previous size."""
    size = max(family.min_size, family.size // 2)
    while True:
        yield size
        size *= 2


class Curve(NamedTuple):
    """The boards of a family with one requested answer, at increasing sizes.

    At each size, `auto` and the solvers cp and cadical run on a few boards (probes). A solver that
    decides at most half of the probes of a size is not run at larger sizes. The curve ends with the
    first size at which `auto` decides at most half of the probes, or at which boards cannot be made
    or take too long to make. Then all boards are measured at the largest size at which cp or
    cadical decided every probe. If there is no such size, they are measured at the smallest size,
    with `auto` alone.
    """

    record: Record
    request: Request
    family: str
    answer: Answer

    def next_task(self) -> Task | None:
        """Return the next task, or None at the end."""
        solvers = {"cp": GROWTH_BUDGET_SECONDS, "cadical": GROWTH_BUDGET_SECONDS}
        # The point at which all boards are to be measured, its probes, and the solvers that decided
        # all of these probes. This changes as larger sizes are probed.
        measurable: tuple[Point, list[BoardRecord], dict[str, float]] | None = None
        for size in doubled_sizes(FAMILIES[self.family]):
            point = Point("growth", self.family, str(self.answer), "any", size)
            if not self.request.allows(self.family, size):
                break
            # Run batches of probes until it is clear whether `auto` decides most boards.
            probes: list[BoardRecord] = []
            while _needs_probes(probes):
                task = Task(
                    point,
                    self.request.seed + len(probes),
                    PROBES_PER_BATCH,
                    solvers,
                    self.request.auto_seconds,
                )
                chunk = self.record.chunks.get((point, task.first))
                if chunk is None:
                    return task
                if not chunk["boards"]:  # no board of this size can be made
                    break
                probes += list_boards(chunk)
            # A solver is reliable if it decided all probes, and there are any.
            reliable_solvers = {
                name: budget
                for name, budget in solvers.items()
                if _count_decided(probes, name) == len(probes) > 0
            }
            if reliable_solvers or (measurable is None and probes):
                measurable = point, probes, reliable_solvers
            # Larger sizes omit a solver that failed on at least half of the probes.
            solvers = {
                name: budget
                for name, budget in solvers.items()
                if 2 * _count_decided(probes, name) > len(probes)
            }
            generation_seconds = sum(board["made"] for board in probes)
            is_undecided = 2 * _count_decided(probes, "auto") <= len(probes)
            if is_undecided or generation_seconds > MAX_GENERATION_SECONDS * len(probes):
                break
        return None if measurable is None else self._next_task_after_probes(*measurable)

    def _next_task_after_probes(
        self, point: Point, probes: list[BoardRecord], solvers: dict[str, float]
    ) -> Task | None:
        """Return the next task for the boards of a point after the probes, or None at the end."""
        num_measured = len(probes)
        total = min(self.request.boards, MAX_GROWTH_BOARDS)
        while num_measured < total:
            first = self.request.seed + num_measured
            num_boards = min(BOARDS_PER_TASK, total - num_measured)
            if (point, first) not in self.record.chunks:
                auto_seconds = 0 if solvers else self.request.auto_seconds
                return Task(point, first, num_boards, solvers, auto_seconds)
            num_measured += num_boards
        return None


def _count_decided(boards: list[BoardRecord], solver: str) -> int:
    """Return the number of boards that `auto` or a solver decided."""
    key = solver if solver == "auto" else f"{solver} steps"
    return sum(board.get(key) is not None for board in boards)


def _needs_probes(probes: list[BoardRecord]) -> bool:
    """Return whether more probes are needed to know if `auto` decides most boards."""
    low, high = wilson(_count_decided(probes, "auto"), len(probes))
    return len(probes) < MAX_PROBES and low < 1 / 2 < high
