"""Start a server as a user does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

from tests.support.cli_runner import environment


@contextmanager
def serving(*arguments, prefix=()):
    """Start `mmsat serve`, yield its process and its address, and end it by Ctrl-C.

    `prefix` is a program with arguments that runs the command.
    """
    command = [
        *prefix,
        sys.executable,
        "-m",
        "mmsat",
        "serve",
        "--no-browser",
        *(() if "--port" in arguments else ("--port", "0")),
        *arguments,
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=20)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
