"""The command line, a thin layer over the library with one module per command."""

import atexit
import gc
import os
import sys
import threading
from time import monotonic


def main() -> None:
    """Run the command line and end the process with its exit code."""
    started = monotonic()
    # OpenBLAS raises SIGINT, as Ctrl-C does, if it cannot allocate the memory for its threads
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)  # start-up creates no garbage, but would trigger many collections
    try:
        # imported inside the `try`, so that Ctrl-C during the imports prints no traceback
        from mmsat.cli.group import mmsat

        mmsat.main(prog_name="mmsat", obj=started)
    except KeyboardInterrupt:
        silence_interrupts()
        sys.exit(130)
    except (MemoryError, SystemError, ImportError) as error:
        # CPython raises SystemError if it loses a MemoryError, and the dynamic loader ImportError
        if isinstance(error, ImportError) and "failed to map segment" not in str(error):
            raise
        sys.stderr.write("Error: there is not enough memory\n")
        sys.exit(1)
    except SystemExit as system_exit:
        # `end_process` would kill other threads. If the exit code is not an int, it is a message,
        # which the interpreter prints.
        if threading.active_count() > 1 or not isinstance(system_exit.code, int):
            silence_interrupts()
            raise
        end_process(system_exit.code)


def silence_interrupts() -> None:
    """Let another Ctrl-C end the process without a traceback while it waits for its threads."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_process(code: int) -> None:
    """End the process without the interpreter's slow finalization of all modules."""
    try:
        atexit._run_exitfuncs()  # noqa: SLF001  (the interpreter calls it, too)
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # closed streams, which have been reported
        pass
    os._exit(code)
