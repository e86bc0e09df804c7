"""What an engine must provide. One engine is one module beside this one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from mmsat.board import Board
from mmsat.constraints.system import simplify
from mmsat.errors import InputError, InternalError
from mmsat.game.row import Code
from mmsat.results.verdict import Status
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import run
from mmsat.tolerance import STRICT, Tolerance


class Decision(NamedTuple):
    """What an engine found out."""

    status: Status
    code: Code | None
    """A consistent code, colors from 0, when there is one."""
    engine: str
    """What decided, in a few words."""
    reason: str = ""
    """Why it was asked, in a line, where there was a choice."""


class Engine(ABC):
    """A way to decide boards."""

    name: ClassVar[str]
    """The name on the command line."""
    summary: ClassVar[str]
    """One line for help."""
    knows_lies: ClassVar[bool] = False
    """Whether it decides systems with a budget."""

    @classmethod
    def of(cls, *settings: str) -> Engine:
        """The engine with the settings of a spec; raises InputError for settings it lacks."""
        if settings:
            raise InputError.of(
                "the engine", cls.name, ":".join(settings), f"the engine {cls.name} has no settings"
            )
        return cls()

    @property
    def spec(self) -> str:
        """The name with the settings."""
        return self.name

    def decide(
        self,
        board: Board,
        deadline: Deadline,
        seed: int | None = None,
        tolerance: Tolerance = STRICT,
    ) -> Decision:
        """Decide a board; the status is unknown once the deadline has passed.

        With a tolerance, whether a code is within it; raises InputError where it makes a difference
        and this engine knows no lies.
        """
        board, tolerance = simplify(board, tolerance, is_one_enough=True)
        if tolerance.lies and not self.knows_lies:
            rule = f"the engine {self.name} knows no lies"
            raise InputError.of("the engine", "auto, brute, cp or sat", self.name, rule)
        try:
            return self.search(board, deadline, seed, tolerance)
        except TimeUpError:
            return Decision(Status.UNKNOWN, None, self.spec)

    @abstractmethod
    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        """The same of a simplified question; raises TimeUpError at the deadline."""


class SolverEngine(Engine):
    """An engine that works in a process of its own, as it does not look at the clock."""

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        code = run(deadline, self.solve, board, seed, tolerance)
        return verify_witness(board, code, self.spec, tolerance=tolerance)

    @abstractmethod
    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        """A code within the tolerance or None, in this process and without a deadline."""


def verify_witness(
    board: Board,
    code: Code | None,
    engine: str,
    reason: str = "",
    tolerance: Tolerance = STRICT,
) -> Decision:
    """The decision that a code, or the lack of one, makes; the code is scored once more.

    Raises InternalError where it does not score like the board.
    """
    if code is None:
        return Decision(Status.INCONSISTENT, None, engine, reason)
    if not tolerance.allows(board, code):
        within = f" within {tolerance}" if tolerance.lies else ""
        raise InternalError(f"{engine} answered {code}, which does not score like {board}{within}")
    return Decision(Status.CONSISTENT, code, engine, reason)
