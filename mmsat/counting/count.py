"""Count the codes that are consistent with a board.

A count is exact, or marked as a bound or an estimate. The method auto tries these stages in order
(`STAGES`) until one of them completes the count:

1. brute force, for some milliseconds;
2. the decision diagram of the kernel with little memory;
3. a formula for each row alone, which counts a board of one row, and bounds the count of others;
4. SAT, which lists the codes if they are few;
5. the model counter ganak, for a limited time, on systems that are sparse;
6. the decision diagram with all available memory;
7. ganak without this limit.

ganak counts the models of the CNF, which correspond one to one to the codes. ApproxMC, which
estimates, runs only on request. Counting by diagrams reports its progress (`count_by_diagram`).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from mmsat._util.arguments import check_arguments
from mmsat._util.registry import require_name
from mmsat._util.text import binary_size, quantity
from mmsat.constraints import System, simplify_tolerance
from mmsat.counting import EPSILON, Count, CountBounds
from mmsat.counting.listing import WeighedCount, weigh_codes
from mmsat.errors import RECOVERABLE_ERRORS, DiedError, SizeError
from mmsat.game import UNREAD, Code
from mmsat.game.board import Board
from mmsat.game.tolerance import Tolerance
from mmsat.game.weights import Weights
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, run, stream
from mmsat.solving.searches import SlicedSearch

T = TypeVar("T")
Progress = Callable[[CountBounds], None]

MEMORY = 4 << 30
"""The default memory limit of diagrams in bytes."""
STAGES = (
    "brute",
    "quick diagram",
    "single rows",
    "few models",
    "sparse ganak",
    "diagram",
    "ganak",
)
"""The stages of the method auto. They run in this order until one of them completes the count."""
METHODS = ("auto", "brute", "diagram", "enumeration", "ganak", "approxmc")
"""The methods that a caller can choose."""
NODES_PER_SLICE = 1 << 13
"""Nodes of brute force between checks of the clock."""
BRUTE_FORCE_SLICES = 8
"""Number of slices of brute force in auto: a few milliseconds. Word lists have no such limit."""
QUICK_MEMORY = 64 << 20
"""Memory limit in bytes of the quick diagram of auto."""
QUICK_WORK = 1 << 26
"""Maximum number of entries of the kernel's lists of states that the quick diagram of auto
processes: about a second."""
MAX_LAYOUT_WORK = 100_000
"""Maximum product of rows and squared pegs for which the diagram is laid out in this process. The
layout then takes up to a tenth of a second, during which the clock is not checked."""
MAX_ENUMERATED_CODES = 2000
"""Maximum number of codes that auto enumerates by SAT before it uses all memory."""
SECONDS_PER_CODE = 2.0
"""Time limit in seconds for each code of the enumeration by SAT in auto. It is generous, because
the later stages can need much longer than an enumeration on a busy machine."""
ENUMERATION_SECONDS = 20.0
"""Time limit in seconds of the whole enumeration by SAT in auto."""
MAX_ROW_WORK = 1_000_000
"""Maximum work of the formulas of single rows: about a second on a busy machine."""
SPARSE_GANAK_SECONDS = 20.0
"""Time limit in seconds of ganak on sparse systems, before the diagram with all memory."""


def has_no_information(board: Board) -> bool:
    """Return whether no part of any score was read, and no code is known."""
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
    """Count the codes that are consistent with a board, exactly or within a number of lies.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    method : {"auto", "brute", "diagram", "enumeration", "ganak", "approxmc"}, default "auto"
        The counting method. "auto" tries several exact ones in turn.
    timeout : float, optional
        Time limit in seconds. When it passes, the count is a lower bound. By default, there is no
        limit.
    memory : int, default 4 GiB
        Memory limit of the decision diagram in bytes.
    seed : int, optional
        Seed of the random choices of "approxmc".
    lies : int, default 0
        Maximum number of wrong scores.
    by : {"rows", "pegs"}, default "rows"
        Unit of `lies`: wrong rows, or key pegs that are wrong, summed over all rows.
    on_progress : callable, optional
        Called from time to time with the bounds so far.
    weights : Weights, optional
        Relative probabilities of the codes. The codes of positive weight are then counted one by
        one, and the result has their total `weight`, a fraction.

    Returns
    -------
    Count
        The number of codes. It is exact unless the time is up or the method is "approxmc", which
        estimates it with a known error.

    Raises
    ------
    InputError
        If the board or another argument is invalid.
    SizeError
        If no method can count the codes, or if there are too many to weigh them.

    Notes
    -----
    "auto" starts with brute force, a small decision diagram and SAT for a moment each. Then follow
    the diagram with all of `memory`, and the model counter ganak [1]_ on a CNF whose models
    correspond to the codes one to one.

    References
    ----------
    .. [1] S. Sharma, S. Roy, M. Soos and K. S. Meel, "GANAK: A scalable probabilistic exact model
       counter", IJCAI 2019.

    Examples
    --------
    >>> mmsat.count("4x6/1122=1.1/3345=0.2").count
    36
    >>> mmsat.count("4x6/1122=1.1/1122=0.2", lies=1).count
    304
    """
    board = Board.of(board)
    require_name("counting method", method, METHODS)
    if weights is not None:
        deadline = Deadline(timeout)
        weighed = run(deadline, weigh_codes, board, weights, Tolerance(lies, by))
        seconds, weight = deadline.elapsed, weighed.weight
        return WeighedCount(
            len(weighed.codes), exact=True, method="weighing", seconds=seconds, weight=weight
        )
    board, tolerance = simplify_tolerance(board, Tolerance(lies, by))
    report = on_progress or (lambda _: None)
    return CountTask(board, tolerance, Deadline(timeout), memory, report).count(method, seed)


class CountTask:
    """Counts the codes of one board by one or several methods, and reports the bounds so far."""

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
        """Start the clock; `stages` are the stages of the method auto."""
        self.board = board
        self.board_and_tolerance = board, tolerance
        """The first two arguments of the functions that other processes run."""
        self.deadline = deadline
        self.memory = memory
        self.report = report
        self.stages = stages
        self.bounds = CountBounds(0, board.game.size, "")
        self.notes: list[str] = []
        """The methods that were tried and their results, in sentences."""

    def count(self, method: str, seed: int | None = None) -> Count:
        """Count by one method; auto tries each stage in turn."""
        if not self.board_and_tolerance[1].lies and has_no_information(self.board):
            return self._done(self.board.game.size, "size of the game")
        if method == "approxmc":
            result = self._approxmc(1 if seed is None else seed)
        elif method == "auto":
            results = map(self._try, self.stages)
            result = next((result for result in results if result is not None), None)
        else:
            result = self._try(method, is_unlimited=True)
        if result is not None:
            return result
        if not self.deadline.passed:
            notes = "; ".join(self.notes)
            raise SizeError(
                f"no method could count this board: {notes}" if method == "auto" else notes
            )
        return self._done(
            self.bounds.lower_bound, method, exact=False, most=self.bounds.upper_bound
        )

    def _try(self, stage: str, *, is_unlimited: bool = False) -> Count | None:
        """Return the count of one stage of auto or one method, or None if it gives up.

        With `is_unlimited`, brute force may use any number of slices.
        """
        if stage == "brute":
            has_word_list = self.board.game.space.table() is not None
            return self._brute(None if is_unlimited or has_word_list else BRUTE_FORCE_SLICES)
        if stage == "quick diagram":
            return self._diagram(min(self.memory, QUICK_MEMORY), QUICK_WORK)
        if stage == "single rows":
            return self._single_rows()
        if stage == "few models":
            return self._enumerate(
                self.deadline.within(ENUMERATION_SECONDS), SECONDS_PER_CODE, MAX_ENUMERATED_CODES
            )
        if stage == "enumeration":
            return self._enumerate(self.deadline)
        if stage == "sparse ganak":
            return self._ganak(self.deadline.within(SPARSE_GANAK_SECONDS), sparse_only=True)
        if stage == "diagram":
            return self._diagram(self.memory, None)
        return self._ganak(self.deadline)

    def _done(self, count: int, method: str, *, exact: bool = True, **fields: Any) -> Count:
        """Return the result with its method, time and notes."""
        notes = tuple(self.notes)
        return Count(count, exact, method, self.deadline.elapsed, notes=notes, **fields)

    def _update_bounds(self, new_bounds: CountBounds) -> None:
        """Tighten the known bounds and report them."""
        both_bounds = new_bounds.upper_bound, self.bounds.upper_bound
        upper_bounds = [bound for bound in both_bounds if bound is not None]
        self.bounds = new_bounds._replace(
            lower_bound=max(new_bounds.lower_bound, self.bounds.lower_bound),
            upper_bound=min(upper_bounds, default=None),
        )
        self.report(self.bounds)

    def _brute(self, slices: int | None) -> Count | None:
        """Count by brute force, for at most `slices` slices (None: no limit)."""
        is_small = not is_large(self.board)
        steps = stream(self.deadline, count_by_search, *self.board_and_tolerance, is_small=is_small)
        try:
            for number, (code_count, is_all) in enumerate(steps, 1):
                self._update_bounds(
                    CountBounds(
                        code_count, None, f"brute force: {quantity(code_count, 'code')} so far"
                    )
                )
                if is_all:
                    return self._done(code_count, "brute")
                if self.deadline.passed or number == slices:
                    break
        except TimeUpError:
            pass
        self.notes.append("brute force did not finish")
        return None

    def _diagram(self, memory: int, work: int | None) -> Count | None:
        """Count by the decision diagram, in this process if the layout and the work are short.

        `work` limits the processed entries of the lists of states (None: no limit).
        """
        if work is not None and is_large(self.board):
            return None
        layout_work = self.board.game.pegs**2 * len(self.board.rows)
        is_small = work is not None and layout_work <= MAX_LAYOUT_WORK

        from mmsat.counting.diagrams import count_by_diagram

        # `on_system` replaces the first two arguments, board and tolerance, by their system.
        arguments = count_by_diagram, *self.board_and_tolerance, self.board, memory, work
        try:
            for bounds, code_count in stream(
                self.deadline, on_system, *arguments, is_small=is_small
            ):
                self._update_bounds(bounds)
                if code_count is not None:
                    self.notes.append(bounds.activity)
                    return self._done(code_count, "diagram")
                if self.deadline.passed:
                    break
            state = self._diagram_state
            self.notes.append(f"the diagram exceeded its first work limit: {state}")
        except TimeUpError:
            self.notes.append(f"time limit reached for the diagram: {self._diagram_state}")
        except (MemoryError, DiedError):
            self.notes.append(f"the diagram needs more than {binary_size(memory)}")
        except (OverflowError, SizeError) as error:
            self.notes.append(f"no diagram: {error}")
        return None

    def _single_rows(self) -> Count | None:
        """Count the codes of each row alone: the least number is an upper bound.

        For a board of one row without known codes, it is the count.
        """
        board, tolerance = self.board_and_tolerance
        game, work = board.game, 0
        if tolerance.lies or (game.scoring.name, game.space.name) != ("black-white", "repeats"):
            return None
        for row in board.rows:
            work += game.pegs**3 * len({*row.guess})
            if work > MAX_ROW_WORK or self.deadline.passed:
                break
            if UNREAD not in row.guess and None not in row.score:
                black, white = (part for part in row.score if part is not None)
                code_count = count_of_row(row.guess, game.colors, black, white)
                if len(board.rows) == 1 and not board.known:
                    return self._done(code_count, "formula")
                self._update_bounds(CountBounds(0, code_count, "the codes of a single row"))
        return None

    @property
    def _diagram_state(self) -> str:
        """The progress of the diagram, in words."""
        return self.bounds.activity or "not started"

    def _enumerate(
        self, deadline: Deadline, seconds_per_code: float = math.inf, limit: int | None = None
    ) -> Count | None:
        """Count by listing the codes with SAT.

        Give up at the deadline, if a code is not found within `seconds_per_code`, or after more
        than `limit` codes (None: no limit).
        """
        from mmsat.constraints.presolve_steps import apply_to_systems
        from mmsat.counting.listing import codes_after

        code_count = 0
        code_deadline = deadline.within(seconds_per_code)
        codes: Iterator[Code] = stream(
            code_deadline, apply_to_systems, codes_after, *self.board_and_tolerance, None
        )
        try:
            for code_count, _ in enumerate(codes, 1):
                code_deadline.end = deadline.within(seconds_per_code).end
                self._update_bounds(
                    CountBounds(code_count, None, f"SAT: {quantity(code_count, 'code')} so far")
                )
                if limit is not None and code_count > limit:
                    self.notes.append(f"SAT found more than {limit:,} codes")
                    return None
        except TimeUpError:
            self.notes.append(f"SAT found {quantity(code_count, 'code')} within its time limit")
            return None
        except RECOVERABLE_ERRORS as error:
            self.notes.append(f"SAT: {describe_error(error)}")
            return None
        return self._done(code_count, "enumeration")

    def _ganak(self, deadline: Deadline, *, sparse_only: bool = False) -> Count | None:
        """Count with ganak; with `sparse_only`, return None for systems that it does not suit."""
        from mmsat.constraints.presolve_steps import apply_to_systems
        from mmsat.counting.listing import ganak, ganak_if_sparse

        counter: Callable[[list[System]], int | None] = ganak_if_sparse if sparse_only else ganak
        try:
            model_count: int | None = run(
                deadline, apply_to_systems, counter, *self.board_and_tolerance
            )
        except TimeUpError:
            self.notes.append("time limit reached for ganak")
            return None
        except RECOVERABLE_ERRORS as error:
            self.notes.append(f"ganak: {describe_error(error)}")
            return None
        return None if model_count is None else self._done(model_count, "ganak")

    def _approxmc(self, seed: int) -> Count | None:
        """Estimate with ApproxMC, which may also find the exact count."""
        from mmsat.constraints.presolve_steps import apply_to_systems
        from mmsat.counting.listing import approxmc

        model_count: int
        delta: float | None
        try:
            model_count, delta = run(
                self.deadline, apply_to_systems, approxmc, *self.board_and_tolerance, seed
            )
        except TimeUpError:
            self.notes.append("time limit reached for ApproxMC")
            return None
        if delta is None:  # few models, which were counted exactly
            return self._done(model_count, "approxmc")
        return self._done(model_count, "approxmc", exact=False, epsilon=EPSILON, delta=delta)


def count_of_row(guess: Code, colors: int, black: int, white: int) -> int:
    """Return the number of codes that give a guess a score. Colors may repeat; no peg is unread.

    The loop adds the colors of the guess one by one. For the colors so far, `sums[filled, right]`
    counts the ways to select pegs of the guess that the code repeats, and to fill `filled` other
    pegs, such that black and white are `right` in total. Each sum has a number of ways for each
    number of selected pegs, and these numbers are the digits of one integer. By inclusion and
    exclusion over the number of selected pegs, exactly `black` pegs are repeated.
    """
    pegs, total = len(guess), black + white
    digit_bits = pegs * (colors.bit_length() + 1) + 1  # a digit is at most (2 * colors)**pegs
    sums = {(0, 0): 1}
    multiplicities = Counter(guess).values()
    remaining_pegs = pegs  # pegs of the guess with a color that is not yet included in `sums`
    for multiplicity in multiplicities:
        remaining_pegs -= multiplicity
        next_sums: dict[tuple[int, int], int] = {}
        for (filled, right), value in sums.items():
            for repeated in range(multiplicity + 1):
                selections = value * math.comb(multiplicity, repeated) << (digit_bits * repeated)
                for more in range(pegs - filled + 1):
                    key = filled + more, right + min(multiplicity, repeated + more)
                    if not total - remaining_pegs <= key[1] <= total:
                        continue  # the further colors cannot complete the total
                    ways = math.comb(filled + more, more)
                    next_sums[key] = next_sums.get(key, 0) + selections * ways
        sums = next_sums
    other_colors = colors - len(multiplicities)
    code_count = 0
    for (filled, right), value in sums.items():
        if right != total:
            continue
        for repeated in range(black, pegs - filled + 1):
            digit = value >> (digit_bits * repeated) & ((1 << digit_bits) - 1)
            others = pegs - repeated - filled
            ways = math.comb(pegs - repeated, filled) * other_colors**others
            sign = -1 if (repeated - black) % 2 else 1
            code_count += sign * math.comb(repeated, black) * digit * ways
    return code_count


def describe_error(error: Exception) -> str:
    """Return the message of an error; a MemoryError has none."""
    return str(error) or "not enough memory"


def on_system(function: Callable[..., T], board: Board, tolerance: Tolerance, *args: Any) -> T:
    """Return the result of a function for the system of a board.

    The system is built in the process that calls this, so that it need not be pickled.
    """
    return function(System.of(board, tolerance), *args)


def count_by_search(board: Board, tolerance: Tolerance) -> Iterator[tuple[int, bool]]:
    """Yield at intervals the number of codes found so far, and whether these are all codes."""
    search = SlicedSearch(System.of(board, tolerance), nodes=NODES_PER_SLICE)
    for code_count in search.count():
        yield code_count, search.is_exhausted
