"""The codes of a board's systems as the models of clauses, one to one: counted, or listed in order.

The list is a walk over the beginnings of codes: what a beginning implies by propagation alone is
not asked about, and each code that the solver finds is remembered for the beginnings on its way. So
a code costs a few questions for each of the pegs that are truly free, and none for those that
follow.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from heapq import merge

from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.encoding.formula import Formula
from mmsat.enumeration.count import DELTA, EPSILON
from mmsat.errors import MissingError
from mmsat.game.row import Code
from mmsat.solving.encoding_selection import is_sparse, select_counter
from mmsat.solving.sat import code_of, new_solver


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


def codes_after(systems: Iterable[System], last: Code | None) -> Iterator[Code]:
    """Yield the codes above `last` (None: all) of all systems in order, by SAT."""
    return merge(*(_codes_after(system, last) for system in systems))


def _codes_after(system: System, last: Code | None) -> Iterator[Code]:
    variables = system.variables
    pegs, colors = range(variables.pegs), range(variables.colors)
    with new_solver("glucose4", formula_of(system)) as solver:

        def find(chosen: tuple[int, ...]) -> Code | None:
            satisfiable = solver.solve(assumptions=chosen)
            return code_of(solver.get_model(), variables) if satisfiable else None

        code = find(())
        literals = [] if code is None else [variables.at(*place) for place in enumerate(code)]
        known = {literal for literal in literals if solver.propagate([literal]) == (True, [])}
        beginnings: list[tuple[tuple[int, ...], Code | None]] = [((), code)]
        # The next one last; each with a code that begins so, if one is known.
        while beginnings:
            chosen, code = beginnings.pop()
            code = code or find(chosen)
            if code is None:
                continue
            implied = known.union(chosen, solver.propagate(chosen)[1])
            free = (peg for peg in pegs if variables.at(peg, code[peg]) not in implied)
            peg = next(free, variables.pegs)
            if last is not None and code[:peg] < last[:peg]:
                continue
            if peg == variables.pegs:
                if code != last:
                    yield code
                continue
            least = last[peg] if last is not None and code[:peg] == last[:peg] else 0
            for color in reversed(colors[least:]):
                literal = variables.at(peg, color)
                if -literal not in implied:
                    shared = code if code[peg] == color else None
                    beginnings.append(((*chosen, literal), shared))
