"""Exit codes: 10 and 20 as SAT solvers have them, 2 as click has it, no overlaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from mmsat.results.verdict import Status

SUCCESS = 0
FAILURE = 1
"""A failure, or undecided in time; also a job that is too large or an optional part missing."""
USAGE = 2
"""A wrong option or a board that cannot be read."""
CONSISTENT = 10
INCONSISTENT = 20
INTERRUPTED = 130
CURRENT_BOARD = "mmsat.board"
"""Where the context of a command keeps the board that it read, for the report of a bug."""


def leave(code: int) -> NoReturn:
    """End the command with an exit code."""
    raise click.exceptions.Exit(code)


def leave_with(status: Status) -> NoReturn:
    """End the command with the exit code of a verdict; undecided is a failure."""
    leave({"consistent": CONSISTENT, "inconsistent": INCONSISTENT}.get(status, FAILURE))
