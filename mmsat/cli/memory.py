"""The memory that a command may use, held by the system: what is beyond is refused."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

OWN = 128 << 20
"""Bytes for the program itself and its libraries at least, beside what a question is given."""


def hold_memory(ctx: click.Context, _: click.Parameter, value: int) -> int:
    """Let this process, and each that it starts, have so many bytes of data until the end."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415  (not everywhere)

        before, most = resource.getrlimit(resource.RLIMIT_DATA)
        bytes_ = value + max(OWN, 2 * count_data())
        bytes_ = bytes_ if most == resource.RLIM_INFINITY else min(bytes_, most)
        resource.setrlimit(resource.RLIMIT_DATA, (bytes_, most))
        limits = (before, most)  # given back by the root: a faulty command's own context never ends
        ctx.find_root().call_on_close(lambda: resource.setrlimit(resource.RLIMIT_DATA, limits))
    return value


def count_data() -> int:
    """The bytes of data that this process has, which may be a large one that calls the command."""
    with open("/proc/self/status", encoding="ascii") as status:
        (size,) = (line.split()[1] for line in status if line.startswith("VmData:"))
    return int(size) << 10
