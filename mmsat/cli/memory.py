"""The memory limit of a command, which the operating system enforces."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

MIN_PROGRAM_BYTES = 128 << 20
"""Minimum number of bytes for the program and its libraries, in addition to the requested limit."""


def limit_memory(ctx: click.Context, _: click.Parameter, value: int) -> int:
    """Limit the data of this process, and of each that it starts, until the command ends.

    This is the callback of --memory; `value` is the limit in bytes. The limit is set on Linux only.
    """
    if sys.platform == "linux":
        import resource

        soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_DATA)
        bytes_ = value + max(MIN_PROGRAM_BYTES, 2 * data_bytes())
        bytes_ = bytes_ if hard_limit == resource.RLIM_INFINITY else min(bytes_, hard_limit)
        resource.setrlimit(resource.RLIMIT_DATA, (bytes_, hard_limit))
        # restored by the root context, because the context of a wrong command line is not closed
        limits = (soft_limit, hard_limit)
        ctx.find_root().call_on_close(lambda: resource.setrlimit(resource.RLIMIT_DATA, limits))
    return value


def data_bytes() -> int:
    """Return the number of bytes of data of this process, as reported by Linux.

    It is large if the command is called inside a large process.
    """
    with open("/proc/self/status", encoding="ascii") as status:
        (size,) = (line.split()[1] for line in status if line.startswith("VmData:"))
    return int(size) << 10
