"""Counting the models of a board's CNF, which are its codes one to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.encoding.cnf import cnf
from mmsat.enumeration.count import DELTA, EPSILON
from mmsat.errors import MissingError
from mmsat.solving.sat import new_solver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.constraints.system import System


def enumerate_models(system: System) -> Iterator[int]:
    """Find code after code, each time yielding how many there are so far."""
    formula = cnf(system)
    found = 0
    with new_solver("glucose4", formula) as solver:
        while solver.solve():
            found += 1
            yield found
            code = [v for v in solver.get_model()[: formula.code_variables] if v > 0]
            solver.add_clause([-variable for variable in code])


def ganak(system: System) -> int:
    """The number of models, by the model counter ganak."""
    from pyganak import Counter  # noqa: PLC0415  (loaded when first needed)

    formula = cnf(system)
    if not all(formula.clauses):
        return 0
    counter = Counter()
    counter.new_vars(formula.variables)
    counter.add_clauses(formula.clauses)
    counter.set_sampling_set(range(1, formula.code_variables + 1))
    return int(counter.count())


def approxmc(system: System, seed: int) -> tuple[int, float | None]:
    """An estimate by ApproxMC with its delta; or the exact number, which is told by None."""
    try:
        from pyapproxmc import Counter, __version__  # noqa: PLC0415  (an optional part)
    except ImportError as error:
        message = "ApproxMC is not installed; write: pip install 'mmsat[approx]'"
        raise MissingError(message) from error
    if not __version__.startswith("4.1."):
        message = f"pyapproxmc {__version__} miscounts; write: pip install 'mmsat[approx]'"
        raise MissingError(message)
    formula = cnf(system)
    if not all(formula.clauses):
        return 0, None
    counter = Counter(seed=seed, epsilon=EPSILON, delta=DELTA)
    counter.add_clauses(formula.clauses)
    cells, hashes = counter.count(list(range(1, formula.code_variables + 1)))
    return cells * 2**hashes, DELTA if hashes else None
