"""What an engine must provide. One engine is one module beside this one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from mmsat.errors import Fault, InputError, InternalError
from mmsat.results import Status

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.solving.deadline import Deadline


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

    @classmethod
    def of(cls, *settings: str) -> Engine:
        """The engine with the settings of a spec; raises InputError for settings it lacks."""
        if settings:
            fault = Fault(f"the engine {cls.name} has no settings", ":".join(settings), cls.name)
            raise InputError([fault], "the engine")
        return cls()

    @abstractmethod
    def decide(self, board: Board, deadline: Deadline, seed: int | None = None) -> Decision:
        """Decide a board, or tell that it is unknown once the deadline has passed.

        Native solvers are stopped at the deadline by running in a process of their own.
        """


def proven(board: Board, code: Code | None, engine: str, reason: str = "") -> Decision:
    """The decision that a code, or the lack of one, makes; the code is scored once more."""
    if code is None:
        return Decision(Status.INCONSISTENT, None, engine, reason)
    if not board.is_consistent(code):
        raise InternalError(f"{engine} answered {code}, which does not score like {board}")
    return Decision(Status.CONSISTENT, code, engine, reason)
