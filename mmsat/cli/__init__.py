"""The command line: a thin face over the library, one module a command."""

import atexit
import gc
import os
import sys
import threading
from time import monotonic


def main() -> None:
    """Run the command line and end the process with its exit code."""
    started = monotonic()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for want of memory it sends a Ctrl-C
    gc.set_threshold(100_000)  # starting up makes no garbage, yet was searched for it many times
    try:
        from mmsat.cli.group import mmsat  # noqa: PLC0415  (so that Ctrl-C is quiet from the start)

        mmsat.main(prog_name="mmsat", obj=started)
    except KeyboardInterrupt:
        silence_interrupts()
        sys.exit(130)
    except (MemoryError, SystemError):  # the latter where Python itself lost the former
        sys.stderr.write("Error: there is not enough memory\n")
        sys.exit(1)
    except SystemExit as end:
        if threading.active_count() > 1 or not isinstance(end.code, int):
            silence_interrupts()
            raise
        end_process(end.code)


def silence_interrupts() -> None:
    """Let Ctrl-C end the process without a word, now that only its threads are waited for."""
    import signal  # noqa: PLC0415  (loads for this)

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_process(code: int) -> None:
    """End the process at once; Python would first take apart all modules, one object at a time."""
    try:
        atexit._run_exitfuncs()  # noqa: SLF001  (as Python does itself)
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # closed streams were told of before
        pass
    os._exit(code)
