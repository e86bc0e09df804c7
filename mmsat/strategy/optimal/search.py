"""The search for the best strategy, from the first bound to the tree."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from mmsat import _core
from mmsat.errors import Fault, InputError, InternalError
from mmsat.game.game import Game
from mmsat.solving.deadline import Deadline
from mmsat.strategy.analysis import Analysis
from mmsat.strategy.optimal.checkpoint import Checkpoint
from mmsat.strategy.optimal.optimum import Optimum
from mmsat.strategy.optimal.table import AnswerTable
from mmsat.strategy.replay import replay
from mmsat.strategy.tree import Node, StrategyTree

SLICE = 0.1
"""Seconds between two looks at the search."""
SAVED = 20.0
"""Seconds between two checkpoints."""
FEW = 1000
"""Codes of games for which one core is quickest."""
LARGE = 2500
"""Codes of games for which a good strategy is looked for first."""
WIDTH = 2
"""Guesses that are then tried for a set of codes."""
MOST_EXACT = 48
"""Codes of a set that is then solved exactly."""
TREE_SECONDS = 20.0
"""For the tree of a strategy that is not proven to be best."""


class Standing(NamedTuple):
    """How far a search is."""

    doing: str
    best: int | None
    """The least total found."""
    bound: int
    """No strategy has less."""
    done: float
    """The share of first guesses that is done."""
    sets: int


class StoppedError(Exception):
    """The time was up."""


class Search:
    """One request, worked off in stages; `result` tells at any time what is known."""

    def __init__(
        self,
        game: Game,
        *,
        max_guesses: int | None = None,
        consistent_only: bool = False,
        objective: str = "average",
        cores: int | None = None,
        checkpoint: Path | None = None,
    ) -> None:
        """Score all pairs of codes, and read the checkpoint."""
        self.game = game
        self.max_guesses = max_guesses
        self.consistent_only = consistent_only
        self.objective = objective
        self.started = monotonic()
        request = {
            "game": str(game),
            "objective": objective,
            "max_guesses": max_guesses,
            "consistent_only": consistent_only,
        }
        self.checkpoint = Checkpoint(request, checkpoint)
        self.table = AnswerTable.of(game)
        if not self.table.tells_all and (
            max_guesses or consistent_only or objective != "average" or checkpoint
        ):
            rule = "codes that no score tells apart are searched for the least total alone"
            write = "no limit, no other objective, any guesses, and no checkpoint"
            raise InputError([Fault(rule, str(game), write)], "the request")
        codes = len(self.table.codes)
        self.cores = (cores or usable_cores()) if codes >= FEW else 1
        self.limit = max_guesses
        self.bound = 2 * codes - 1 if self.table.tells_all else codes
        self.sets = 0
        self.is_proven = False
        self.analysis: Analysis | None = None
        self.saved = monotonic()

    def run(self, deadline: Deadline, on_progress: Callable[[Standing], None]) -> None:
        """Go to the end, or to the deadline."""
        self.on_progress, self.deadline = on_progress, deadline
        try:
            if not self.table.tells_all:
                self._weigh()
            elif self.objective == "average":
                self._least(self.max_guesses or 0)
            else:
                self._fewest()
                if self.objective == "worst-then-average" and self.analysis is not None:
                    self.bound, self.is_proven = 2 * len(self.table.codes) - 1, False
                    self._least(self.limit or 0)
        except StoppedError:
            return

    @property
    def result(self) -> Optimum:
        """What is known."""
        return Optimum(
            self.game,
            self.objective,
            self.limit,
            self.consistent_only,
            self.analysis,
            self.bound,
            self.is_proven,
            monotonic() - self.started,
            self.sets,
        )

    def _weigh(self) -> None:
        """Find the least total where codes can't be told apart: one stands for several."""
        merged, weights = self.table.merged()
        kinds = sorted(set(weights))
        numbers = [kinds.index(weight) for weight in weights]
        kernel = merged.response(numbers, kinds, self._look)
        self.bound = kernel.solve()
        self.sets = kernel.sets
        self._take(merged.grown(kernel.tree()))
        if self.analysis is None or self.analysis.total != self.bound:
            raise InternalError(f"{self.game}: the tree does not have the total {self.bound}")
        self.is_proven = True

    def _look(self) -> None:
        """Tell that there is nothing to tell yet; raises StoppedError when the time is up."""
        self.on_progress(Standing("least", None, self.bound, 0.0, self.sets))
        if self.deadline.passed:
            raise StoppedError

    def _kernel(self, limit: int, *, any_will_do: bool = False) -> _core.Optimal:
        codes = len(self.table.codes)
        return self.table.kernel(
            most_guesses=min(limit, codes),
            consistent_only=self.consistent_only,
            any=any_will_do,
            threads=self.cores,
            memo_bits=18 if codes < 1000 else 20 if codes < 2000 else 22 if codes < 6000 else 24,
        )

    def _fewest(self) -> None:
        """Find the fewest guesses that do, one number after the other."""
        for limit in count(1):
            if self.max_guesses is not None and limit > self.max_guesses:
                self.is_proven = True
                return
            self.bound = limit
            kernel = self._kernel(limit, any_will_do=True)
            try:
                self._work(kernel, f"within {limit} guesses", kernel.start, _core.IMPOSSIBLE)
                if kernel.total < _core.IMPOSSIBLE:
                    self._work(kernel, "the tree", kernel.start_tree, kernel.total)
                    self.limit = limit
                    self._take(self.table.grown(kernel.tree))
                    self.is_proven = True
                    return
            finally:
                kernel.stop()

    def _least(self, limit: int) -> None:
        """Find the least total within so many guesses, 0 for any number."""
        stage = f"least, {limit}"
        kernel = self._kernel(limit)
        kernel.recall(self.checkpoint.findings(stage))
        found = _core.IMPOSSIBLE if self.analysis is None else self.analysis.total
        try:
            if len(self.table.codes) >= LARGE:
                self._work(kernel, stage, kernel.start_beam, WIDTH, MOST_EXACT)
                if kernel.total < found:
                    good = kernel.total
                    self._work(kernel, stage, kernel.start_tree, good)
                    self._take(self.table.grown(kernel.tree))
                    found = self.analysis.total if self.analysis else found
            try:
                self._work(kernel, stage, kernel.start, found)
            except (StoppedError, KeyboardInterrupt):
                kernel.stop()
                self._rescue(kernel, found)
                raise
            total = kernel.total
            if min(total, found) < _core.IMPOSSIBLE:
                self.bound = min(total, found)
            if total < found:
                self._work(kernel, stage, kernel.start_tree, total)
                self._take(self.table.grown(kernel.tree))
                if self.analysis is None or self.analysis.total != total:
                    raise InternalError(f"{self.game}: the tree does not have the total {total}")
            self.is_proven = True
        finally:
            kernel.stop()
            self._keep(kernel, stage)

    def _work(
        self, kernel: _core.Optimal, stage: str, start: Callable[..., None], *args: int
    ) -> None:
        """Start a job of the kernel and see it to its end."""
        start(*args)
        while not kernel.wait(SLICE):
            best, bound, done, sets = kernel.standing
            if stage.startswith("least"):
                self.bound = max(self.bound, bound)
                if monotonic() - self.saved > SAVED:
                    self._keep(kernel, stage)
            known = None if self.analysis is None else self.analysis.total
            if best < _core.IMPOSSIBLE:
                known = best if known is None else min(known, best)
            self.on_progress(Standing(stage, known, self.bound, done, self.sets + sets))
            if self.deadline.passed:
                kernel.stop()
                raise StoppedError
        if not stage.startswith("least"):
            self.sets += kernel.standing[3]
        else:
            self.sets = max(self.sets, kernel.standing[3])

    def _rescue(self, kernel: _core.Optimal, found: int) -> None:
        """Build the tree of the best total so far, if that takes no long time."""
        best = kernel.standing[0]
        if best >= found:
            return
        kernel.start_tree(best)
        if kernel.wait(TREE_SECONDS):
            self._take(self.table.grown(kernel.tree))

    def _keep(self, kernel: _core.Optimal, stage: str) -> None:
        self.checkpoint.add(stage, kernel.findings())
        self.checkpoint.save()
        self.saved = monotonic()

    def _take(self, root: Node) -> None:
        """Take a tree that was found, and play every code by it."""
        name = "optimal, consistent only" if self.consistent_only else "optimal"
        tree = StrategyTree(self.game, root, name)
        self.analysis = Analysis(self.game, name, [*replay(tree).items()], tree=tree)


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
