"""Loading CP-SAT without pandas in processes that only solve one board.

The Python layer of CP-SAT imports pandas, for conveniences that mmsat does not use. That is two
thirds of its loading time. A process that exists only to solve one board (solving/worker.py) avoids
this: while CP-SAT loads, a stub module with the names that its annotations need takes the place of
pandas. Other processes are not affected.
"""

import multiprocessing
import sys
from types import ModuleType
from typing import Any

WORKER = "mmsat-worker"
"""The name of the processes that load CP-SAT without pandas."""


def cp_model() -> Any:
    """Import and return the module ortools.sat.python.cp_model."""
    is_worker = multiprocessing.current_process().name == WORKER
    uses_stub = is_worker and "pandas" not in sys.modules
    if uses_stub:
        pandas: Any = ModuleType("pandas")
        pandas.Index = type("Index", (), {})
        pandas.Series = type("Series", (), {})
        sys.modules["pandas"] = pandas
    try:
        from ortools.sat.python import cp_model as module
    finally:
        if uses_stub:
            del sys.modules["pandas"]
    return module


def cp_solver(seed: int | None = None) -> Any:
    """Return a CpSolver with one worker, which makes its results deterministic.

    A seed of None means 0. Ctrl-C is handled by the caller: a solver that catches it would end the
    process at the second one.
    """
    solver = cp_model().CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0 if seed is None else seed
    solver.parameters.catch_sigint_signal = False
    return solver
