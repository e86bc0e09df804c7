"""Count or list the codes of a board's systems as models of CNF, which correspond one to one.

The list is a depth-first walk over prefixes of codes. A literal that a prefix implies by unit
propagation needs no solver call, and each code that the solver finds is reused for the prefixes on
its path. So a code costs a few solver calls for each peg that is really free, and none for implied
pegs.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from heapq import merge

from mmsat.constraints.system import System
from mmsat.counting.result import DELTA, EPSILON
from mmsat.encoding.cnf import cnf
from mmsat.encoding.encodings import Formula
from mmsat.errors import MissingError, requiring_extra
from mmsat.game.row import Code
from mmsat.solving.sat import code_of, is_sparse, new_solver, select_counter


def formula_of(system: System) -> Formula:
    """Return the system as clauses; raises SizeError if they would need too much memory."""
    return cnf(system, select_counter(system))


def ganak(systems: Iterable[System]) -> int:
    """Return the number of models, counted by ganak."""
    return sum(map(_ganak, systems))


def _ganak(system: System) -> int:
    from pyganak import Counter

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
    """Discard everything that native code writes to standard output, which is for data."""
    sys.stdout.flush()
    original_output, null_device = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null_device, 1)
        yield
    finally:
        os.dup2(original_output, 1)
        os.close(original_output)
        os.close(null_device)


def ganak_if_sparse(systems: list[System]) -> int | None:
    """Return the number of models, or None if ganak does not suit the systems.

    It suits formulas with few counts in them.
    """
    return ganak(systems) if all(map(is_sparse, systems)) else None


def approxmc(systems: list[System], seed: int) -> tuple[int, float | None]:
    """Return an estimate by ApproxMC and its delta, or an exact number and None."""
    with requiring_extra("ApproxMC is not installed; write: pip install 'mmsat[approx]'"):
        from pyapproxmc import Counter, __version__
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
    """Yield the codes after `last` (None: all) of all systems in order, by SAT."""
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
        fixed_literals = {
            literal for literal in literals if solver.propagate([literal]) == (True, [])
        }
        prefixes: list[tuple[tuple[int, ...], Code | None]] = [((), code)]
        # A stack of prefixes, each with a code that has this prefix, if one is known.
        while prefixes:
            chosen, code = prefixes.pop()
            code = code or find(chosen)
            if code is None:
                continue
            implied = fixed_literals.union(chosen, solver.propagate(chosen)[1])
            free = (peg for peg in pegs if variables.at(peg, code[peg]) not in implied)
            peg = next(free, variables.pegs)
            if last is not None and code[:peg] < last[:peg]:
                continue
            if peg == variables.pegs:
                if code != last:
                    yield code
                continue
            lowest_color = last[peg] if last is not None and code[:peg] == last[:peg] else 0
            for color in reversed(colors[lowest_color:]):
                literal = variables.at(peg, color)
                if -literal not in implied:
                    shared = code if code[peg] == color else None
                    prefixes.append(((*chosen, literal), shared))
