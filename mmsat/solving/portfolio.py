"""Portfolios: several solvers run interleaved on one problem, with growing budgets.

Which solver suits a system is not known in advance. With doubling budgets, a portfolio needs at
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

    from mmsat.game import Code


class Work(ABC):
    """A search for a code that runs step by step."""

    name: str
    """The solver, as `--engine` names it; after a decision, the solver that decided."""
    code: Code | None = None
    """After a decision: a code, or None if there is no code."""

    @abstractmethod
    def step(self, budget: int) -> bool:
        """Work for `budget` times the minimum budget of this work; return whether it is decided."""

    def close(self) -> None:  # noqa: B027  (most hold no native resources)
        """Release native resources."""


def growing_budgets() -> Iterator[int]:
    """Yield the budgets 1, 2, 4, 8 ... without end."""
    return (1 << step for step in count())


def finish(work: Work) -> Work:
    """Run steps until the work is decided; close and return it."""
    try:
        any(map(work.step, growing_budgets()))
    finally:
        work.close()
    return work


def find_code(works: Iterable[Work]) -> Code | None:
    """Return the first code that one of the searches finds, or None if all are refuted."""
    return finish(AnyOf(works)).code


class AnyOf(Work):
    """Interleaved search for a code of any of the works; it is refuted once all works are."""

    def __init__(self, works: Iterable[Work], name: str = "") -> None:
        """Set the works, and the name to report if there are no works."""
        self.works = self._open_works = list(works)
        self.name = name

    def step(self, budget: int) -> bool:
        """Run a step of each work that is not refuted."""
        for work in list(self._open_works):
            if work.step(budget):
                self.code, self.name = work.code, work.name
                if self.code is not None:
                    return True
                self._open_works = [other for other in self._open_works if other is not work]
        return not self._open_works

    def close(self) -> None:
        """Close all works."""
        for work in self.works:
            work.close()


class Scaled(Work):
    """A member of a portfolio with smaller or larger budgets than the other members."""

    def __init__(self, work: Work, scale: Callable[[int], int]) -> None:
        """Set the work, and the function from a budget of the portfolio to that of the work."""
        self.work = work
        self.scale = scale
        self.name = work.name

    def step(self, budget: int) -> bool:
        """Run a step of the work within the scaled budget."""
        is_decided = self.work.step(self.scale(budget))
        self.code, self.name = self.work.code, self.work.name
        return is_decided

    def close(self) -> None:
        """Close the work."""
        self.work.close()


class Portfolio(Work):
    """Several solvers, interleaved on the same problem; the first decision counts.

    A member is created only when its first step is due. A member that raises SizeError, then
    or later, is dropped; if no other member remains, the error is raised.
    """

    def __init__(self, *members: Callable[[], Work]) -> None:
        """Set the functions that create the members."""
        self._members: list[Callable[[], Work] | Work] = list(members)
        self.name = ""

    def step(self, budget: int) -> bool:
        """Run a step of each member."""
        for member in list(self._members):
            index = self._members.index(member)
            try:
                work = self._members[index] = member() if callable(member) else member
                if work.step(budget):
                    self.code, self.name = work.code, work.name
                    return True
            except SizeError as error:
                import logging

                logging.getLogger(__name__).info("a solver is omitted: %s", error)
                del self._members[index]
                if not self._members:
                    raise
        return False

    def close(self) -> None:
        """Close all members that were created."""
        for work in self._members:
            if not callable(work):
                work.close()
