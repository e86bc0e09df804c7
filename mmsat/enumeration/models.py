"""Counting the models of CNF: they are the codes of a board's systems, one to one."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.encoding.formula import Formula
from mmsat.enumeration.count import DELTA, EPSILON
from mmsat.errors import MissingError
from mmsat.solving.encoding_selection import is_sparse, select_counter


def formula_of(system: System) -> Formula:
    """The system as clauses; raises SizeError where they would take too much memory."""
    return cnf(system, select_counter(system))


def ganak(systems: Iterable[System]) -> int:
    """The number of models, by the model counter ganak."""
    return sum(map(_ganak, systems))


def _ganak(system: System) -> int:
    from pyganak import Counter  # noqa: PLC0415  (loaded when first needed)

    formula = formula_of(system)
    if not all(formula.clauses):
        return 0
    counter = Counter()
    counter.new_vars(formula.variables)
    counter.add_clauses(formula.clauses)
    counter.set_sampling_set(range(1, formula.code_variables + 1))
    with silence():
        return int(counter.count())


@contextmanager
def silence() -> Iterator[None]:
    """Let nothing that is written by native code reach standard output, which is for data."""
    sys.stdout.flush()
    ours, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(ours, 1)
        os.close(ours)
        os.close(nowhere)


def ganak_if_sparse(systems: list[System]) -> int | None:
    """The same where it suits, as on formulas with a few counts in them; else None."""
    return ganak(systems) if all(map(is_sparse, systems)) else None


def approxmc(systems: list[System], seed: int) -> tuple[int, float | None]:
    """An estimate by ApproxMC with its delta; or the exact number, which is told by None."""
    try:
        from pyapproxmc import Counter, __version__  # noqa: PLC0415  (an optional part)
    except ImportError as error:
        message = "ApproxMC is not installed; write: pip install 'mmsat[approx]'"
        raise MissingError(message) from error
    if not __version__.startswith("4.1."):
        message = f"pyapproxmc {__version__} miscounts; write: pip install 'mmsat[approx]'"
        raise MissingError(message)
    total, delta = 0, None
    for system in systems:
        formula = formula_of(system)
        if all(formula.clauses):
            counter = Counter(seed=seed, epsilon=EPSILON, delta=DELTA / len(systems))
            counter.add_clauses(formula.clauses)
            cells, hashes = counter.count(list(range(1, formula.code_variables + 1)))
            total += cells * 2**hashes
            delta = DELTA if hashes else delta
    return total, delta
