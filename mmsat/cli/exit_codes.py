"""Exit codes: 10 and 20 as in SAT solvers, 2 as in click. Each code has one meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from mmsat.game.board import Status

SUCCESS = 0
FAILURE = 1
"""The time limit is reached, the job is too large, a dependency is missing, or there is a bug."""
USAGE = 2
"""An option is wrong, or the input cannot be read."""
CONSISTENT = 10
INCONSISTENT = 20
INTERRUPTED = 130
CURRENT_BOARD = "mmsat.game.board"
"""Key of the board that a command read, in the `meta` of the click context, for bug reports."""


def leave(code: int) -> NoReturn:
    """End the command with an exit code."""
    raise click.exceptions.Exit(code)


def leave_with(status: Status) -> NoReturn:
    """End the command with the exit code of a verdict; an undecided board is a failure."""
    leave({"consistent": CONSISTENT, "inconsistent": INCONSISTENT}.get(status, FAILURE))
