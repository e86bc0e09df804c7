"""Run all bulk operations on a Dask scheduler whose workers fail.

`python -m tests.support.scheduled FOLDER` starts a scheduler with two workers. During each of the
four operations, one worker is killed and another one is added. The script prints the name of each
operation whose output equals that of a single process. It prints "command" if a command with
--dask also gives the same output.
"""

import os
import signal
import subprocess
import sys
from concurrent.futures import Executor
from pathlib import Path

from distributed import Client, LocalCluster

from tests.support.bulk import BULK

KILLED, ADDED = 3, 5
"""The tasks at which a worker is killed, and at which another one is added."""


class FailingExecutor(Executor):
    """Submits tasks to a cluster, and kills one worker and adds another one on the way."""

    def __init__(self, cluster, client):
        self.cluster, self.client = cluster, client
        self.executor = client.get_executor(pure=False)
        self.tasks = 0

    def submit(self, function, *arguments):
        self.tasks += 1
        if self.tasks == KILLED:
            first = min(self.client.run(os.getpid).values())
            os.kill(first, signal.SIGKILL)
        if self.tasks == ADDED:
            self.cluster.scale(len(self.cluster.workers) + 1)
        return self.executor.submit(function, *arguments)


def main(folder):
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(processes=True, **settings) as cluster, Client(cluster) as client:
        for name, work in BULK.items():
            executor = FailingExecutor(cluster, client)
            output = work(folder / f"{name}-cluster", executor)
            assert executor.tasks > ADDED, name
            if output == work(folder / f"{name}-local", None):
                print(name)  # noqa: T201  (a script)
        command = [sys.executable, "-m", "mmsat", "generate", "--games", "500", "--seed", "3"]
        address = cluster.scheduler_address
        on_cluster = subprocess.run([*command, "--dask", address], check=True, capture_output=True)
        local = subprocess.run(command, check=True, capture_output=True)
        if on_cluster.stdout == local.stdout:
            print("command")  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
