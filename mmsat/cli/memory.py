"""The memory that a command may use, held by the system: what is beyond is refused."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

OWN = 128 << 20
"""Bytes for the program itself and its libraries, beside what it is given for a question."""


def hold_memory(ctx: click.Context, _: click.Parameter, value: int) -> int:
    """Let this process, and each that it starts, have so many bytes of data until the end."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415  (not everywhere)

        before, most = resource.getrlimit(resource.RLIMIT_DATA)
        bytes_ = value + OWN if most == resource.RLIM_INFINITY else min(value + OWN, most)
        resource.setrlimit(resource.RLIMIT_DATA, (bytes_, most))
        ctx.call_on_close(lambda: resource.setrlimit(resource.RLIMIT_DATA, (before, most)))
    return value
