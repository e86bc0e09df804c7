"""How many codes are consistent with a board.

Always exact, or told to be a bound or an estimate. What is quick comes first: brute force for a
moment, then the diagram engine with little memory, then SAT in case few codes remain; then the
engine with all the memory there is, and at last the model counter ganak on the CNF, whose models
are the codes one to one. ApproxMC, which estimates, counts only when it is told to.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.constraints.system import System, simplify
from mmsat.enumeration.listing import CODES_AFTER, ON_SYSTEMS
from mmsat.enumeration.weighing import WeighedCount, weigh_codes
from mmsat.errors import RECOVERABLE_ERRORS, DiedError, SizeError
from mmsat.game.row import Code
from mmsat.registry import load, require_name
from mmsat.results.count import Count, CountBounds
from mmsat.solving.brute import SlicedSearch
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import is_large, run, stream
from mmsat.tolerance import Tolerance
from mmsat.weights import Weights

Progress = Callable[[CountBounds], None]

MEMORY = 4 << 30
"""Bytes that diagrams may take, unless told otherwise."""
STAGES = ("brute", "quick diagram", "few models", "sparse ganak", "diagram", "ganak")
"""What auto tries in turn, until one of them has the count."""
METHODS = ("auto", "brute", "diagram", "enumeration", "ganak", "approxmc")
NODES = 1 << 13
"""Nodes of brute force between two looks at the clock."""
SLICES = 8
"""What auto gives brute force, unless the codes are a list: a few milliseconds."""
QUICK_MEMORY = 64 << 20
"""What auto gives the diagram engine at first, in bytes ..."""
QUICK_WORK = 1 << 26
"""... and in entries of lists: about a second."""
MAX_LAYOUT_WORK = 100_000
"""Maximum product of rows and squared pegs of a board whose diagram is laid out in this process,
which does not look at the clock meanwhile: a tenth of a second."""
FEW_CODES = 2000
"""What auto enumerates by SAT before the engine has all the memory, ..."""
FEW_SECONDS = 2.0
"""... and for how long."""
COUNT_BY_DIAGRAM = "mmsat.enumeration.diagram_count:count_by_diagram"
GANAK = "mmsat.enumeration.models:ganak"
GANAK_IF_SPARSE = "mmsat.enumeration.models:ganak_if_sparse"
APPROXMC = "mmsat.enumeration.models:approxmc"
"""What is seldom needed, by name: it loads the solvers."""
SPARSE_SECONDS = 20.0
"""What ganak has on sparse systems before the diagram has all the memory."""
EPSILON = 0.8
"""The error that ApproxMC keeps to: the number is between count / 1.8 and count * 1.8 ..."""
DELTA = 0.05
"""... but for so small a chance."""


def says_nothing(board: Board) -> bool:
    """Whether no part of any score was read, and no code is known."""
    return not board.known and all(part is None for row in board.rows for part in row.score)


@check_arguments
def count(
    board: Board | str,
    *,
    method: str = "auto",
    timeout: float | None = None,
    memory: int = MEMORY,
    seed: int | None = None,
    lies: int = 0,
    by: str = "rows",
    on_progress: Progress | None = None,
    weights: Weights | None = None,
) -> Count:
    """Count the consistent codes, or those that miss the scores by a few lies at most.

    The count is exact, except when the time is up (then it is a lower bound) and when `approxmc`
    counts (then it tells its error).

    - `board`: the game and its scored rows.
    - `method`: what counts, by name; `auto` chooses by the board.
    - `timeout`: seconds, None for no limit.
    - `memory`: bytes that the decision diagram may take.
    - `seed`: for the random choices of `approxmc`.
    - `lies`: how many scores may be wrong, counted `by` "rows" or by "pegs" (key pegs that are
      off).
    - `on_progress`: called now and then with what is known so far.
    - `weights`: how likely the codes are, where not equally; then those that weigh something are
      counted, one by one, and the count has their `weight`, a fraction.

    Raises InputError for an unknown method, and SizeError for too many codes to be weighed.
    """
    board = Board.of(board)
    require_name("counting method", method, METHODS)
    if weights is not None:
        deadline = Deadline(timeout)
        weighed = run(deadline, weigh_codes, board, weights, Tolerance(lies, by))
        seconds, weight = deadline.elapsed, weighed.weight
        return WeighedCount(len(weighed.codes), True, "weighing", seconds, weight=weight)
    question = simplify(board, Tolerance(lies, by))
    counting = CountTask(*question, Deadline(timeout), memory, on_progress or (lambda _: None))
    return counting.count(method, seed)


class CountTask:
    """One count, with what is known so far."""

    def __init__(
        self,
        board: Board,
        tolerance: Tolerance,
        deadline: Deadline,
        memory: int,
        report: Progress,
        *,
        stages: Sequence[str] = STAGES,
    ) -> None:
        """Start the clock; `stages` are what auto tries."""
        self.board = board
        self.question = board, tolerance
        self.deadline = deadline
        self.memory = memory
        self.report = report
        self.stages = stages
        self.known = CountBounds(0, None, "")
        self.notes: list[str] = []
        """What was tried, in sentences."""

    def count(self, method: str, seed: int | None = None) -> Count:
        """Count by a method, or by each in turn."""
        if not self.question[1].lies and says_nothing(self.board):
            return self._done(self.board.game.size, "size of the game")
        if method == "approxmc":
            found = self._approxmc(1 if seed is None else seed)
        elif method == "auto":
            found = next(filter(None, map(self._try, self.stages)), None)
        else:
            found = self._try(method, in_full=True)
        if found is None and not self.deadline.passed:
            told = "; ".join(self.notes)
            raise SizeError(f"no method counts this board: {told}" if method == "auto" else told)
        return found or self._done(self.known.least, method, exact=False, most=self.known.most)

    def _try(self, stage: str, *, in_full: bool = False) -> Count | None:
        """The count by a stage of auto, unless it gives up, or by a whole method."""
        if stage == "brute":
            is_listed = self.board.game.space.table() is not None
            return self._brute(None if in_full or is_listed else SLICES)
        if stage == "quick diagram":
            return self._diagram(min(self.memory, QUICK_MEMORY), QUICK_WORK)
        if stage == "few models":
            return self._enumerate(self.deadline.within(FEW_SECONDS), FEW_CODES)
        if stage == "enumeration":
            return self._enumerate(self.deadline, None)
        if stage == "sparse ganak":
            return self._ganak(self.deadline.within(SPARSE_SECONDS), GANAK_IF_SPARSE)
        return (
            self._diagram(self.memory, None) if stage == "diagram" else self._ganak(self.deadline)
        )

    def _done(self, count: int, method: str, *, exact: bool = True, **more: Any) -> Count:
        notes = tuple(self.notes)
        return Count(count, exact, method, self.deadline.elapsed, notes=notes, **more)

    def _note(self, known: CountBounds) -> None:
        bounds = [most for most in (known.most, self.known.most) if most is not None]
        most = min(bounds, default=None)
        least = max(known.least, self.known.least)
        self.known = CountBounds(least, most, known.doing, known.share)
        self.report(self.known)

    def _brute(self, slices: int | None) -> Count | None:
        is_small = not is_large(self.board)
        steps = stream(self.deadline, count_by_search, *self.question, is_small=is_small)
        try:
            for number, (found, is_all) in enumerate(steps, 1):
                self._note(CountBounds(found, None, f"brute force: {found:,} codes so far"))
                if is_all:
                    return self._done(found, "brute")
                if self.deadline.passed or number == slices:
                    break
        except TimeUpError:
            pass
        self.notes.append("brute force did not come to an end")
        return None

    def _diagram(self, memory: int, work: int | None) -> Count | None:
        """Count by the diagram engine; in this process if layout and work are short."""
        if work is not None and is_large(self.board):
            return None
        layout_work = self.board.game.pegs**2 * len(self.board.rows)
        is_small = work is not None and layout_work <= MAX_LAYOUT_WORK
        size = f"{memory >> 20:,} MiB"
        asked = COUNT_BY_DIAGRAM, *self.question, self.board, memory, work
        try:
            for known, found in stream(self.deadline, on_system, *asked, is_small=is_small):
                self._note(known)
                if found is not None:
                    self.notes.append(known.doing)
                    return self._done(found, "diagram")
                if self.deadline.passed:
                    break
            state = self._diagram_state
            self.notes.append(f"the diagram was not done with little work: {state}")
        except TimeUpError:
            self.notes.append(f"time limit reached for the diagram: {self._diagram_state}")
        except (MemoryError, DiedError):
            self.notes.append(f"the diagram needs more than {size}; another method takes over")
        except (OverflowError, SizeError) as error:
            self.notes.append(f"there is no diagram: {error}")
        return None

    @property
    def _diagram_state(self) -> str:
        """How far the diagram is, in words."""
        return self.known.doing or "not begun"

    def _enumerate(self, deadline: Deadline, limit: int | None) -> Count | None:
        found = 0
        codes: Iterator[Code] = stream(deadline, ON_SYSTEMS, CODES_AFTER, *self.question, None)
        try:
            for found, _ in enumerate(codes, 1):
                self._note(CountBounds(found, None, f"SAT: {found:,} codes so far"))
                if limit is not None and found > limit:
                    self.notes.append(f"SAT found more than {limit:,} codes")
                    return None
        except TimeUpError:
            self.notes.append(f"SAT found {found:,} codes in its time")
            return None
        except RECOVERABLE_ERRORS as error:
            self.notes.append(f"SAT: {describe(error)}")
            return None
        return self._done(found, "enumeration")

    def _ganak(self, deadline: Deadline, counter: str = GANAK) -> Count | None:
        try:
            found: int | None = run(deadline, ON_SYSTEMS, counter, *self.question)
        except TimeUpError:
            self.notes.append("time limit reached for ganak")
            return None
        except RECOVERABLE_ERRORS as error:
            self.notes.append(f"ganak: {describe(error)}")
            return None
        return None if found is None else self._done(found, "ganak")

    def _approxmc(self, seed: int) -> Count | None:
        found: int
        delta: float | None
        try:
            found, delta = run(self.deadline, ON_SYSTEMS, APPROXMC, *self.question, seed)
        except TimeUpError:
            self.notes.append("time limit reached for ApproxMC")
            return None
        if delta is None:  # so few that it counted them
            return self._done(found, "approxmc")
        return self._done(found, "approxmc", exact=False, epsilon=EPSILON, delta=delta)


def describe(error: Exception) -> str:
    """What an error says; that there is no memory says nothing."""
    return str(error) or "the memory was not enough"


def on_system(function: str, board: Board, tolerance: Tolerance, *args: Any) -> Any:
    """A function of a board's system, for a process that is not to be sent that."""
    return load(function)(System.of(board, tolerance), *args)


def count_by_search(board: Board, tolerance: Tolerance) -> Iterator[tuple[int, bool]]:
    """Yield now and then how many codes there are so far, and whether these are all."""
    search = SlicedSearch(System.of(board, tolerance), nodes=NODES)
    for found in search.count():
        yield found, search.is_exhausted
