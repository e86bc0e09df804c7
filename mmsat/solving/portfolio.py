"""Portfolios: several solvers run interleaved on one problem, with growing budgets.

It is not known in advance which solver suits a system. With doubling budgets, a portfolio needs at
most a small constant factor more than its best solver. Budgets are counted in units of work, not in
seconds, so that the answer is the same on every machine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import count
from typing import TYPE_CHECKING

from mmsat.errors import SizeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mmsat.game.row import Code


class Work(ABC):
    """Work on one question that can be done step by step."""

    name: str
    """Who works, and after a decision who decided, as the spec of an engine."""
    code: Code | None = None
    """After a decision: a code, or None if there is none."""

    @abstractmethod
    def step(self, budget: int) -> bool:
        """Work within a budget, in multiples of the work's own least one; whether it is decided."""

    def close(self) -> None:  # noqa: B027  (most hold nothing)
        """Let go of what holds memory outside Python."""


def growing_budgets() -> Iterator[int]:
    """Yield budgets without end, each twice the last: 1, 2, 4, 8 ..."""
    return (1 << step for step in count())


def finish(work: Work) -> Work:
    """Step until the work is decided, and close it."""
    try:
        any(map(work.step, growing_budgets()))
    finally:
        work.close()
    return work


def find_code(works: Iterable[Work]) -> Code | None:
    """The first code that is found in any of the works, or None once all are refuted."""
    return finish(AnyOf(works)).code


class AnyOf(Work):
    """A code of any of the works, interleaved; there is none once all are refuted."""

    def __init__(self, works: Iterable[Work], name: str = "") -> None:
        """The name is the decider's where there are no works."""
        self.works = self._open = list(works)
        self.name = name

    def step(self, budget: int) -> bool:
        """Step each that is not refuted."""
        for work in list(self._open):
            if work.step(budget):
                self.code, self.name = work.code, work.name
                if self.code is not None:
                    return True
                self._open = [other for other in self._open if other is not work]
        return not self._open

    def close(self) -> None:
        """Close all."""
        for work in self.works:
            work.close()


class Scaled(Work):
    """A work with other budgets than those beside it, smaller or larger ones."""

    def __init__(self, work: Work, scale: Callable[[int], int]) -> None:
        """`scale` makes the work's budgets."""
        self.work = work
        self.scale = scale
        self.name = work.name

    def step(self, budget: int) -> bool:
        """Step within its own budget."""
        is_done = self.work.step(self.scale(budget))
        self.code = self.work.code
        return is_done

    def close(self) -> None:
        """Close the work."""
        self.work.close()


class Portfolio(Work):
    """Several ways to the same answer, interleaved; who is first decides.

    A way is made when its first step comes. One that raises SizeError, when it is made or later, is
    left out; the error is raised once none is left.
    """

    def __init__(self, *ways: Callable[[], Work]) -> None:
        """Make nothing yet."""
        self._ways: list[Callable[[], Work] | Work] = list(ways)
        self.name = ""

    def step(self, budget: int) -> bool:
        """Step each."""
        for way in list(self._ways):
            place = self._ways.index(way)
            try:
                work = self._ways[place] = way() if callable(way) else way
                if work.step(budget):
                    self.code, self.name = work.code, work.name
                    return True
            except SizeError as error:
                import logging

                logging.getLogger(__name__).info("a solver is omitted: %s", error)
                del self._ways[place]
                if not self._ways:
                    raise
        return False

    def close(self) -> None:
        """Close all that were made."""
        for work in self._ways:
            if not callable(work):
                work.close()
