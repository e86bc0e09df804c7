"""List the consistent codes in lexicographic order, and count them as models of CNF.

`list_codes` yields the first code at once. It uses brute force as long as this finds codes quickly.
If brute force searches too long for the next code, an incremental SAT solver resumes after the last
code (`codes_after`). The models of the CNF correspond one to one to the codes. The solver walks
depth-first over prefixes of codes. A literal that a prefix implies by unit propagation needs no
solver call, and each code that the solver finds is reused for the prefixes on its path. So a code
costs a few solver calls for each peg that is not implied.

`ganak` and `approxmc` count the models without listing them: exactly, and approximately.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import merge
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from mmsat._util.arrays import np
from mmsat.constraints import System, simplify_tolerance
from mmsat.counting import DELTA, EPSILON
from mmsat.errors import InternalError, MissingError, requiring_extra
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.game.unread import agrees_all
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, stream
from mmsat.solving.searches import MAX_SLICE_NODES, SlicedSearch

if TYPE_CHECKING:
    from mmsat.encoding.encodings import Formula


def formula_of(system: System) -> Formula:
    """Return the system as clauses; raises SizeError if they would need too much memory."""
    from mmsat.encoding.cnf import cnf
    from mmsat.solving.sat import select_counter

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
    from mmsat.solving.sat import is_sparse

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
    from mmsat.solving.sat import code_of, new_solver

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


MAX_BATCH_CODES = 1 << 8
"""The maximum number of codes that are collected before they are scored together."""
EXHAUSTED: Code = ()
"""Sentinel that means "there are no further codes"."""


class SearchBudget(NamedTuple):
    """Limits of brute force without a result before SAT takes over."""

    slices: int = 128
    """The number of slices at the start, which is also the maximum. Each slice without a code uses
    one, and each code that is found adds one."""
    nodes: int = MAX_SLICE_NODES
    """The maximum number of nodes per slice; it is lower if there are many rows."""


DEFAULT_BUDGET = SearchBudget()


def list_codes(
    board: Board,
    deadline: Deadline,
    budget: SearchBudget = DEFAULT_BUDGET,
    tolerance: Tolerance = STRICT,
) -> Iterator[Code]:
    """Yield every code within the tolerance in order; raises TimeUpError at the deadline."""
    yield from stream(
        deadline, find_codes, board, deadline, budget, tolerance, is_small=not is_large(board)
    )


def find_codes(
    board: Board, deadline: Deadline, budget: SearchBudget, tolerance: Tolerance
) -> Iterator[Code]:
    """Yield the codes of `list_codes` in this process.

    If SAT takes over, it runs in a separate process.
    """
    board, tolerance = simplify_tolerance(board, tolerance)
    system = System.of(board, tolerance)
    last = yield from codes_by_search(board, system, deadline, budget, tolerance)
    if last is not EXHAUSTED:
        from mmsat.constraints.presolve_steps import on_systems

        codes: Iterator[Code] = stream(deadline, on_systems, codes_after, board, tolerance, last)
        yield from verify_in_batches(board, codes, tolerance)


def codes_by_search(
    board: Board,
    system: System,
    deadline: Deadline,
    budget: SearchBudget,
    tolerance: Tolerance = STRICT,
) -> Generator[Code, None, Code | None]:
    """Yield codes by brute force, and return the last one (None: none was found), or EXHAUSTED."""
    slices, nodes = budget
    search = SlicedSearch(system, slices=slices, deadline=deadline, nodes=nodes)
    last: Code | None = None
    for last in search:
        search.slices = min(slices, search.slices + 1)
        yield verify_code(board, last, tolerance)
    return EXHAUSTED if search.is_exhausted else last


def verify_in_batches(board: Board, codes: Iterator[Code], tolerance: Tolerance) -> Iterator[Code]:
    """Yield codes after scoring them again: the first ones at once, later ones in batches.

    A batch is about a quarter of the codes so far, so that the first codes appear without delay.
    """
    done, batch = 0, list[Code]()
    try:
        for code in codes:
            batch.append(code)
            if len(batch) > min(done // 4, MAX_BATCH_CODES):
                yield from verify_codes(board, batch, tolerance)
                done, batch = done + len(batch), []
    except TimeUpError:
        yield from verify_codes(board, batch, tolerance)
        raise
    yield from verify_codes(board, batch, tolerance)


def verify_codes(board: Board, codes: Sequence[Code], tolerance: Tolerance) -> Sequence[Code]:
    """Return the codes after scoring them again, all at once if every row must hold."""
    array = np.array(codes, dtype=np.uint16).reshape(len(codes), board.game.pegs)
    agrees = np.ones(len(codes), dtype=bool)
    for row in () if tolerance.lies else board.rows:
        agrees &= agrees_all(board.game, array, row)
    for known in board.known:
        agrees &= (array != known).any(axis=1)
    for code in codes if tolerance.lies else compress(codes, ~agrees):
        verify_code(board, code, tolerance)
    return codes


def verify_code(board: Board, code: Code, tolerance: Tolerance = STRICT) -> Code:
    """Return the code after scoring it again; raises InternalError if it is not consistent."""
    if not tolerance.allows(board, code):
        raise InternalError(f"{code} was listed, but does not score like {board}")
    return code
