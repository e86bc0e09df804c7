"""The command line: a thin face over the library, one module a command."""

from __future__ import annotations

import atexit
import gc
import sys


def main() -> None:
    """Run the command line and end the process with its exit code."""
    gc.set_threshold(100_000)  # starting up makes no garbage, yet was searched for it many times
    atexit.register(gc.freeze)  # nor is it worth a search when all of it goes
    try:
        from mmsat.cli.group import mmsat  # noqa: PLC0415  (so that Ctrl-C is quiet from the start)

        mmsat.main(prog_name="mmsat")
    except KeyboardInterrupt:
        sys.exit(130)
