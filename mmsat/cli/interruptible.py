"""Ctrl-C: it ends the work of a command, not the command, which tells what is known so far."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from mmsat.cli.exits import INTERRUPTED, SUCCESS
from mmsat.cli.output import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator


class Work(Progress):
    """What a command waits for: its progress, and how it ended."""

    code = SUCCESS
    """The exit code: 130 once Ctrl-C ended the work."""

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C ended the work."""
        return self.code == INTERRUPTED


@contextmanager
def interruptible() -> Iterator[Work]:
    """Work that Ctrl-C may end; what comes after the block hands out what is known by then.

    So the block does nothing but to work, and to note what it learns; the library kills its
    processes and stops its threads while KeyboardInterrupt passes through. Progress is cleared.
    """
    work = Work()
    try:
        yield work
    except KeyboardInterrupt:
        work.code = INTERRUPTED
    finally:
        work.clear()
