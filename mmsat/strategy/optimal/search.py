"""Search for an optimal strategy of a game, from the first bound to the tree.

The kernel compares by hash in two places, and treats them differently:

- Guesses with the same partition are tried once. If two hashes are equal, the partitions themselves
  are compared.
- Known totals of sets are found by a key of 128 bits: 36 bits choose the place in the table of the
  kernel, and 92 bits are compared. The comparisons are counted, and `hash_error_bound` is their
  number times 2**-92. README.md has the assumption of this bound, and the costs of comparing
  hashes, partitions and sets.

The search with weights (`_solve_weighted`, strategy/game_value.py) compares the sets themselves in
both places, which needs 6% more CPU time for the value of 4x5.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from typing import Annotated, Any, NamedTuple, TypedDict

from mmsat._core import IMPOSSIBLE, Optimal
from mmsat._util.arguments import check_arguments
from mmsat._util.files import StrPath
from mmsat._util.processes import usable_cores
from mmsat._util.results import Displayable, GameText, NonNegative, Positive, Schema, Seconds
from mmsat.errors import InputError, InternalError
from mmsat.game.game import Game
from mmsat.solving.deadline import TimeUpError
from mmsat.strategy import SearchControl
from mmsat.strategy.analyze import (
    Analysis,
    AverageDecimal,
    CodeKindJson,
    Distribution,
    PositiveFraction,
)
from mmsat.strategy.optimal import AnswerTable, estimate_costs
from mmsat.strategy.strategy import has_hints
from mmsat.strategy.tree import Node, StrategyTree, replay


class OptimumJson(TypedDict):
    """The best strategy that was found, and the proven bound."""

    game: GameText
    strategy: str | None
    """Name of the strategy. If no strategy was found, all keys from this one to `kinds` are
    null."""
    codes: Positive | None
    """Number of codes of the game."""
    total: Positive | None
    """Total number of guesses for all codes, including the guesses that win."""
    average: PositiveFraction | None
    """Average number of guesses per code, as a fraction in lowest terms."""
    average_decimal: AverageDecimal | None
    """The same, rounded to six decimal places."""
    max: Positive | None
    """Maximum number of guesses."""
    distribution: Distribution | None
    """The numbers of codes that need one guess, two guesses, and so on up to `max`."""
    kinds: list[CodeKindJson] | None
    """The results by kind of code; kinds with the most pegs of one color come first."""
    objective: Annotated[str, Schema(enum=("average", "worst", "worst-then-average"))]
    """The number that is minimized: the total, the number of guesses in the worst case, or the
    total of strategies that are best in the worst case."""
    max_guesses: Positive | None
    """Maximum number of guesses that a strategy may need for any code; null for no limit."""
    consistent_only: bool
    """Whether every guess must be a possible code."""
    hard: bool
    """Whether every guess must use all hints."""
    guesses: Positive
    """Number of possible guesses: codes and other guesses."""
    bound: Positive
    """Proven lower bound on the total; with the objective `worst`, on the number of guesses in the
    worst case."""
    proven: bool
    """Whether the strategy is proven to be optimal; without a strategy, whether it is proven that
    none exists."""
    sets: NonNegative
    """Number of sets of codes that were searched."""
    hash_error_bound: Annotated[float, Schema(minimum=0)]
    """Upper bound on the probability that a hash collision made `bound` wrong; 0 if no sets were
    compared by hashes alone."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Optimum(Displayable):
    """The best strategy that was found, and the proven bound."""

    game: Game
    """The game."""
    objective: str
    """The number that is minimized: "average" means the total number of guesses, "worst" the number
    of guesses in the worst case, and "worst-then-average" the total of strategies that are best in
    the worst case."""
    max_guesses: int | None
    """Maximum number of guesses that a strategy may need for any code; None for no limit."""
    consistent_only: bool
    """Whether every guess must be a possible code."""
    hard: bool
    """Whether every guess must use all hints; see strategy/strategy.py."""
    guesses: int
    """Number of possible guesses: codes and other guesses."""
    analysis: Analysis | None
    """The strategy, with every code played by the plain scorer; None if no strategy was found."""
    bound: int
    """Proven lower bound on the total; with the objective "worst", on the number of guesses in the
    worst case."""
    is_proven: bool
    """Whether the strategy is proven to be optimal; without a strategy, whether it is proven that
    none exists."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    sets: int
    """Number of sets of codes that were searched."""
    hash_error_bound: float = field(default=0.0, compare=False)
    """Upper bound on the probability that a hash collision made `bound` wrong; see search.py."""

    @property
    def total(self) -> int | None:
        """Total number of guesses over all codes; None without a strategy."""
        return None if self.analysis is None else self.analysis.total

    @property
    def tree(self) -> StrategyTree | None:
        """The complete strategy tree; None without a strategy."""
        return None if self.analysis is None else self.analysis.tree

    def to_dict(self) -> OptimumJson:
        """Return a dict with the stable JSON keys; see schemas/optimal.json."""
        played = None if self.analysis is None else self.analysis.to_dict()
        return {
            "game": str(self.game),
            "strategy": None if played is None else played["strategy"],
            "codes": None if played is None else played["codes"],
            "total": None if played is None else played["total"],
            "average": None if played is None else played["average"],
            "average_decimal": None if played is None else played["average_decimal"],
            "max": None if played is None else played["max"],
            "distribution": None if played is None else played["distribution"],
            "kinds": None if played is None else played["kinds"],
            "objective": self.objective,
            "max_guesses": self.max_guesses,
            "consistent_only": self.consistent_only,
            "hard": self.hard,
            "guesses": self.guesses,
            "bound": self.bound,
            "proven": self.is_proven,
            "sets": self.sets,
            "hash_error_bound": self.hash_error_bound,
            "seconds": round(self.seconds, 3),
        }


MIN_PARALLEL_CODES = 1000
"""Minimum number of codes for which more than one core is used."""
MIN_BEAM_CODES = 2500
"""In games of at least this many codes, a heuristic and a beam search find a strategy before the
complete search."""
FIRST_STRATEGY = "entropy"
"""Name of the heuristic whose tree is the first strategy of a large game."""
BEAM = 2
"""Default number of guesses that the beam search tries for each set of codes."""
EXACT_CODES_PER_GUESS = 24
"""The beam search solves sets of up to EXACT_CODES_PER_GUESS codes, times the width of the beam,
exactly."""
MAX_COST_BITS = 22
"""The kernel accepts estimated costs of up to this many bits; larger costs are rounded."""
TOTAL_STEP_DIVISOR = 200
"""Each tentative total exceeds the proven bound by 1/TOTAL_STEP_DIVISOR of the bound."""


class SearchLimits(NamedTuple):
    """Intervals and limits of a search, in seconds."""

    report: float = 0.1
    """Interval between two progress reports and checks of the timeout."""
    save: float = 20.0
    """Interval between two checkpoints."""
    tree: float = 20.0
    """Time limit for building the tree of a strategy that is not proven to be optimal."""


LIMITS = SearchLimits()


class Standing(NamedTuple):
    """Progress of a search."""

    stage: str
    """The name of the present stage."""
    best_total: int | None
    """The smallest total so far; None if no strategy was found."""
    bound: int
    """Proven lower bound: no strategy has a smaller total."""
    finished_fraction: float
    """The fraction of first guesses that are finished; 0 in stages for which this is unknown."""
    sets: int
    """Number of sets of codes that were searched."""


@check_arguments
def optimal(
    game: Game | str,
    *,
    max_guesses: int | None = None,
    consistent_only: bool = False,
    hard: bool = False,
    guesses: Sequence[Sequence[int] | str] = (),
    objective: str = "average",
    beam: int = BEAM,
    jobs: int | None = None,
    checkpoint: StrPath | None = None,
    timeout: float | None = None,
    on_progress: Callable[[Standing], None] | None = None,
) -> Optimum:
    """Find the strategy with the fewest guesses on average, or in the worst case.

    The result is proven to be optimal, unless the time is up first. In this case, the result is the
    best strategy that was found, with a bound.

    Parameters
    ----------
    game : Game or str
        A game of up to 32,768 guesses and 254 scores, or its size or name.
    max_guesses : int, optional
        Maximum number of guesses for any code, unlimited by default.
    consistent_only : bool, default False
        Whether every guess must itself be a possible code.
    hard : bool, default False
        Whether every guess must use all hints so far.
    guesses : sequence of guesses, default ()
        Allowed guesses in addition to the codes, such as further words, as text or as colors from
        0.
    objective : {"average", "worst", "worst-then-average"}, default "average"
        "average" minimizes the total number of guesses over all codes, and "worst" the number of
        guesses for the worst code. "worst-then-average" minimizes the total among the strategies
        that are best in the worst case.
    beam : int, default 2
        Number of guesses that are tried for a set of codes before the complete search, in games of
        2,500 codes or more. Higher numbers take longer, and find better strategies for games that
        are too large for a complete search.
    jobs : int, optional
        Number of processor cores, by default all. Games of fewer than 1,000 codes use only one.
    checkpoint : str or os.PathLike, optional
        File for the progress of the search. If the file exists, the search resumes from it.
    timeout : float, optional
        Time limit in seconds, unlimited by default. If it passes, the best strategy so far is
        returned.
    on_progress : callable, optional
        Called repeatedly with the progress of the search.

    Returns
    -------
    Optimum
        The strategy, the proven bound, and whether the strategy is proven to be optimal.

    Raises
    ------
    InputError
        If the game does not support the request, if an argument is invalid, or if the checkpoint
        belongs to another request.
    SizeError
        If the game has too many guesses or scores.

    Notes
    -----
    The cost grows steeply with the number of codes: 4x6 takes a fraction of a second, 4x8 seconds,
    5x6 minutes. The same request gives the same total and the same tree.

    Sets of codes are compared by hashes, so the proof may be wrong, with a probability of at most
    `hash_error_bound` of the result.

    The optimal average of 4x6, 5625/1296, was first found by Koyama and Lai [1]_.

    References
    ----------
    .. [1] K. Koyama and T. W. Lai, "An optimal Mastermind strategy", Journal of Recreational
       Mathematics 25(4), 251-256, 1993.

    Examples
    --------
    >>> optimum = mmsat.optimal("3x4")
    >>> optimum.total, optimum.is_proven
    (206, True)
    """
    game = Game.of(game)
    search = Search(
        game,
        max_guesses=max_guesses,
        consistent_only=consistent_only,
        hard=hard,
        guesses=guesses,
        objective=objective,
        beam=beam,
        jobs=jobs,
        checkpoint=checkpoint,
    )
    search.run(timeout, on_progress)
    return search.result


class SearchOptions(NamedTuple):
    """The restrictions and the objective of an optimal strategy."""

    max_guesses: int | None
    consistent_only: bool
    hard: bool
    objective: str

    @property
    def strategy_name(self) -> str:
        """The name of a strategy that obeys the restrictions."""
        if self.hard:
            return "optimal, hard mode"
        return "optimal, consistent only" if self.consistent_only else "optimal"


class KernelSums:
    """The number of sets and the hash error bound, summed over several kernel searches."""

    def __init__(self, hash_error_bound: float) -> None:
        """Start with the hash error bound of the checkpoint."""
        self.sets = self._sets_before = 0
        self.hash_error_bound = self._hash_error_bound_before = hash_error_bound

    def begin_kernel(self) -> None:
        """Note that the next kernel counts from zero."""
        self._sets_before = self.sets
        self._hash_error_bound_before = self.hash_error_bound

    def update(self, kernel: Optimal) -> None:
        """Update the sums by the counts of the present kernel."""
        self.sets = self._sets_before + kernel.progress[3]
        self.hash_error_bound = self._hash_error_bound_before + kernel.hash_error_bound


class Search:
    """A search request, processed in stages; `result` is available at any time."""

    def __init__(
        self,
        game: Game,
        *,
        max_guesses: int | None = None,
        consistent_only: bool = False,
        hard: bool = False,
        guesses: Sequence[Sequence[int] | str] = (),
        objective: str = "average",
        beam: int = BEAM,
        jobs: int | None = None,
        checkpoint: StrPath | None = None,
        limits: SearchLimits = LIMITS,
    ) -> None:
        """Score all pairs of codes and guesses, and read the checkpoint."""
        self.game = game
        guesses = game.require_guesses(guesses, "the guesses")
        # Without hints and other guesses, hard mode allows possible codes only.
        codes_only = consistent_only or (hard and not has_hints(game) and not guesses)
        self.options = SearchOptions(max_guesses, codes_only, hard, objective)
        self.beam = beam
        self.limits = limits
        request = {
            "game": str(game),
            "objective": objective,
            "max_guesses": max_guesses,
            "consistent_only": codes_only,
            "hard": hard,
            "guesses": [[*guess] for guess in guesses],
        }
        self.control = SearchControl(request, checkpoint, limits.save)
        self.table = AnswerTable.of(game, guesses, is_hard=hard and not codes_only)
        given = (max_guesses, consistent_only, hard, guesses, objective != "average", checkpoint)
        if not self.table.has_unique_win and any(given):
            expected = "a game whose scores can identify every code"
            rule = "other games support only the average, without options"
            raise InputError.of("the game", expected, str(game), rule)
        num_codes = self.table.size
        self.jobs = (jobs or usable_cores()) if num_codes >= MIN_PARALLEL_CODES else 1
        self.max_guesses = max_guesses
        """The maximum number of guesses: as requested, or as minimized for the worst case."""
        # If wins are unique, one guess wins for one code, and all others need two guesses or more.
        self.bound = 2 * num_codes - 1 if self.table.has_unique_win else num_codes
        saved = self.control.checkpoint
        self.sums = KernelSums(0.0 if saved is None else saved.hash_error_bound)
        self.is_proven = False
        self.analysis: Analysis | None = None

    def run(
        self,
        timeout: float | None = None,
        on_progress: Callable[[Standing], None] | None = None,
    ) -> None:
        """Search until the result is proven, or until `timeout` seconds have passed."""
        self.control.begin(timeout, on_progress)
        try:
            if not self.table.has_unique_win:
                self._solve_weighted()
            elif self.options.objective == "average":
                self._minimize_total(self.options.max_guesses or 0)
            else:
                self._minimize_worst()
                if self.options.objective == "worst-then-average" and self.analysis is not None:
                    self.bound, self.is_proven = 2 * self.table.size - 1, False
                    self._minimize_total(self.max_guesses or 0)
        except TimeUpError:
            return

    @property
    def result(self) -> Optimum:
        """The result so far."""
        return Optimum(
            game=self.game,
            objective=self.options.objective,
            max_guesses=self.max_guesses,
            consistent_only=self.options.consistent_only,
            hard=self.options.hard,
            guesses=len(self.table.guesses),
            analysis=self.analysis,
            bound=self.bound,
            is_proven=self.is_proven,
            seconds=self.control.clock.elapsed,
            sets=self.sums.sets,
            hash_error_bound=self.sums.hash_error_bound,
        )

    def _solve_weighted(self) -> None:
        """Find the minimum total if scores do not identify every code.

        One code represents all codes that no guess distinguishes from it.
        """
        merged, weights = self.table.merge()
        kinds = sorted(set(weights))  # codes of one kind have the same weight
        kind_of_code = [kinds.index(weight) for weight in weights]
        kernel = merged.make_response(kind_of_code, kinds, self._report)
        self.bound = kernel.solve()
        self.sums.sets = kernel.sets
        self._store_tree(merged.build_tree(kernel.tree()), self.bound)
        self.is_proven = True

    def _report(self) -> None:
        """Report progress in the search with weights; raise TimeUpError if the time is up."""
        self.control.report(Standing("least", None, self.bound, 0.0, self.sums.sets))

    def _new_kernel(self, limit: int, *, stop_at_first: bool = False) -> Optimal:
        """Return a new kernel search with this maximum number of guesses, 0 for no limit.

        With `stop_at_first`, the search stops at the first strategy.
        """
        size = self.table.size
        self.sums.begin_kernel()
        # The memo table has 2**memo_bits entries of 16 bytes: from 4 MiB to 256 MiB.
        return self.table.make_search(
            max_guesses=min(limit, size),
            consistent_only=self.options.consistent_only,
            stop_at_first=stop_at_first,
            threads=self.jobs,
            memo_bits=18 if size < 1000 else 20 if size < 2000 else 22 if size < 6000 else 24,
        )

    def _minimize_worst(self) -> None:
        """Find the minimum number of guesses in the worst case, by increasing the limit."""
        for limit in count(1):
            if self.options.max_guesses is not None and limit > self.options.max_guesses:
                self.is_proven = True
                return
            self.bound = limit
            kernel = self._new_kernel(limit, stop_at_first=True)
            try:
                self._run_stage(kernel, f"within {limit} guesses", kernel.start, IMPOSSIBLE)
                if kernel.total < IMPOSSIBLE:
                    self._run_stage(kernel, "the tree", kernel.start_tree, kernel.total)
                    self.max_guesses = limit
                    self._store_tree(self.table.build_tree(kernel.tree))
                    self.is_proven = True
                    return
            finally:
                kernel.stop()

    def _minimize_total(self, limit: int) -> None:
        """Find the minimum total with this maximum number of guesses, 0 for no limit."""
        stage = f"least, {limit}"  # also the key of the findings in the checkpoint
        kernel = self._new_kernel(limit)
        kernel.recall(self.control.findings(stage))
        try:
            # If an exception, such as TimeUpError, ends this block, the best tree so far is built.
            with ExitStack() as cleanup:
                cleanup.callback(self._build_best_tree, kernel)
                if self.table.size >= MIN_BEAM_CODES:
                    self._grow_first_tree(limit)
                    costs = estimate_costs(self.table.size, is_all=True)
                    excess_bits = max(0, int(costs.max()).bit_length() - MAX_COST_BITS)
                    rounded_costs = (costs >> excess_bits).tolist()
                    beam = self.beam, EXACT_CODES_PER_GUESS * self.beam, rounded_costs
                    self._run_stage(kernel, "a good strategy", kernel.start_beam, *beam)
                    if kernel.total < self._best_total:
                        self._run_stage(kernel, stage, kernel.start_tree, kernel.total)
                        self._store_tree(self.table.build_tree(kernel.tree))
                best_total = self._best_total
                self._raise_bound(kernel, stage, best_total)
                cleanup.pop_all()
            # The kernel's total is that of a better strategy, or IMPOSSIBLE if there is none.
            total = kernel.total
            if min(total, best_total) < IMPOSSIBLE:
                self.bound = min(total, best_total)
            if total < best_total:
                self._run_stage(kernel, stage, kernel.start_tree, total)
                self._store_tree(self.table.build_tree(kernel.tree), total)
            self.is_proven = True
        finally:
            kernel.stop()
            self._save(kernel, stage)

    def _raise_bound(self, kernel: Optimal, stage: str, best_total: int) -> None:
        """Search for strategies below increasing totals, the last of which is `best_total`.

        Stop when a strategy is found, or when it is proven that none is better than `best_total`.
        Each search that finds no strategy raises the proven bound. Bounds of sets of codes are kept
        for the next search, so all searches together take about as long as the last one alone.
        """
        if self.table.size >= MIN_BEAM_CODES and best_total < IMPOSSIBLE:
            while (total := self.bound + self.bound // TOTAL_STEP_DIVISOR) < best_total:
                self._run_stage(kernel, stage, kernel.start, total, is_last=False)
                if kernel.total < total:  # the total of a strategy
                    return
                self.bound = kernel.total  # the proven bound
        self._run_stage(kernel, stage, kernel.start, best_total)

    @property
    def _best_total(self) -> int:
        """The total of the best strategy so far; IMPOSSIBLE if no strategy was found."""
        return IMPOSSIBLE if self.analysis is None else self.analysis.total

    def _grow_first_tree(self, limit: int) -> None:
        """Store the tree of a heuristic, so that there is a strategy if the time is up early."""
        if self.analysis is None:
            from mmsat.strategy.strategies import find_strategy

            strategy = find_strategy(
                FIRST_STRATEGY, consistent_only=self.options.consistent_only or self.options.hard
            )
            self._store_tree(strategy.grow(self.game, lambda _done, _total: None))
            if self.analysis is not None and limit and self.analysis.max > limit:
                self.analysis = None

    def _run_stage(
        self,
        kernel: Optimal,
        stage: str,
        start: Callable[..., None],
        *args: Any,
        is_last: bool = True,
    ) -> None:
        """Start the kernel by `start(*args)`, and wait until it has finished.

        `is_last` is false if the kernel may be started again in the same stage; then no fraction is
        reported. Raises TimeUpError if the time is up.
        """
        start(*args)
        while not kernel.wait(self.limits.report):
            self.sums.update(kernel)
            kernel_total, bound, fraction, _ = kernel.progress
            if stage.startswith("least"):  # in these stages, the bound is one of the total
                self.bound = max(self.bound, bound)
                if self.control.is_save_due:
                    self._save(kernel, stage)
            total = min(kernel_total, self._best_total)
            best_total = None if total == IMPOSSIBLE else total
            finished = fraction if is_last else 0.0
            self.control.report(Standing(stage, best_total, self.bound, finished, self.sums.sets))
        self.sums.update(kernel)

    def _build_best_tree(self, kernel: Optimal) -> None:
        """Stop the kernel, and build the tree of the best total so far within a time limit."""
        kernel.stop()
        total = kernel.progress[0]
        if total < self._best_total:
            kernel.start_tree(total)
            if kernel.wait(self.limits.tree):
                self._store_tree(self.table.build_tree(kernel.tree))

    def _save(self, kernel: Optimal, stage: str) -> None:
        """Save the findings of a stage if there is a checkpoint."""
        self.sums.update(kernel)
        self.control.save(stage, kernel.findings, self.sums.hash_error_bound)

    def _store_tree(self, root: Node, total: int | None = None) -> int:
        """Play every code with a tree, store the analysis, and return the total.

        Raises InternalError if `total` is given and differs.
        """
        name = self.options.strategy_name
        tree = StrategyTree(self.game, root, name)
        self.analysis = Analysis(self.game, name, [*replay(tree).items()], tree=tree)
        if total not in (None, self.analysis.total):
            raise InternalError(f"{self.game}: the tree does not have the total {total}")
        return self.analysis.total
