"""Loading CP-SAT.

Its Python face imports pandas, for conveniences that mmsat has no use for, and that is two thirds
of the time it takes to load. A process that exists only to solve one board (solving/worker.py) goes
without: while CP-SAT loads, a stand-in with the names that it needs for its annotations takes the
place of pandas. No other process is touched.
"""

import multiprocessing
import sys
from types import ModuleType
from typing import Any

WORKER = "mmsat-worker"
"""The name of the processes that do without pandas."""


def cp_model() -> Any:
    """The module ortools.sat.python.cp_model."""
    is_worker = multiprocessing.current_process().name == WORKER
    stands_in = is_worker and "pandas" not in sys.modules
    if stands_in:
        pandas: Any = ModuleType("pandas")
        pandas.Index = type("Index", (), {})
        pandas.Series = type("Series", (), {})
        sys.modules["pandas"] = pandas
    try:
        from ortools.sat.python import cp_model as module  # noqa: PLC0415  (slow to load)
    finally:
        if stands_in:
            del sys.modules["pandas"]
    return module


def cp_solver(seed: int | None = None) -> Any:
    """A CpSolver of one worker with a seed, 0 for None: the same work gives the same answer.

    Ctrl-C is left to the caller; a solver that catches it would end the process at the next one.
    """
    solver = cp_model().CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0 if seed is None else seed
    solver.parameters.catch_sigint_signal = False
    return solver
