"""Exit codes: 10 and 20 as in SAT solvers, 2 as in click. Each code has one meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from mmsat.game.board import Status

SUCCESS = 0
FAILURE = 1
"""Failure: a reached time limit, a job that is too large, a missing dependency, or a bug."""
USAGE = 2
"""A wrong option, or an input that cannot be read."""
CONSISTENT = 10
INCONSISTENT = 20
INTERRUPTED = 130
CURRENT_BOARD = "mmsat.game.board"
"""The board that a command read, in the `meta` of its context; reports of bugs contain it."""


def leave(code: int) -> NoReturn:
    """End the command with an exit code."""
    raise click.exceptions.Exit(code)


def leave_with(status: Status) -> NoReturn:
    """End the command with the exit code of a verdict; an undecided board is a failure."""
    leave({"consistent": CONSISTENT, "inconsistent": INCONSISTENT}.get(status, FAILURE))
