"""SAT: the engine, queries about rows, and the selection of a solver and an encoding.

The engine sat runs any solver of python-sat with any encoding. `IncrementalSat` answers queries
about rows by one formula.

The selection is based on measurements (`select_encoding`). Sparse systems, such as those of
reductions, give formulas with few counters. Clause learning on an encoding with complete
propagation decides them. If constraints are long, the clauses of counters cost more than they gain,
and a solver that counts natively is faster. Beyond a hundred pegs, its scans of whole rows cost
more than a counter with quotients and remainders.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from time import monotonic
from typing import Any, NamedTuple

from mmsat._util.registry import UnknownName, describe_plugin, split_spec
from mmsat.constraints import System
from mmsat.encoding import ENCODINGS, Formula, clause_encodings, require_encoding
from mmsat.encoding.cnf import DEFAULT, Builder, cnf, require_memory
from mmsat.errors import Fault, InputError, MissingError, convert_library_error
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.space import VariableMap
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving import SolverEngine, Work
from mmsat.solving.queries import Answer, Query, RowSolver

MAX_SHORT_LITERALS = 6
"""Maximum number of literals in a short constraint."""
MAX_COUNTED_LITERALS = 100
"""Maximum number of literals in a constraint, and maximum number of pegs, for which a counter with
quotients and remainders (modulo-totalizer) is not better than other encodings."""


class Selection(NamedTuple):
    """A solver of python-sat and an encoding."""

    solver: str
    encoding: str
    is_sparse: bool
    """Whether the system is sparse; see `is_sparse`."""

    def __str__(self) -> str:
        """Return the selection as the spec of an engine."""
        return f"sat:{self.solver}:{self.encoding}"


def is_sparse(system: System) -> bool:
    """Return whether at least half of the literals of the rows are in short constraints."""
    lengths = sorted(_lengths(system))
    total = sum(lengths)
    # The length of the constraint that contains the median literal; 0 if there are no rows.
    median_length = next(
        (
            length
            for length, num_literals in zip(lengths, accumulate(lengths), strict=True)
            if 2 * num_literals >= total
        ),
        0,
    )
    return median_length <= MAX_SHORT_LITERALS


def is_dense(system: System) -> bool:
    """Return whether solvers with native cardinality constraints suit a system.

    They do if most of its literals are in long constraints, unless it has a word list or too many
    pegs. Such systems get the portfolio of oracle.py: the weighted search, lattices and CP-SAT.
    """
    return system.table is None and select_encoding(system).solver in NATIVE_SOLVERS


def select_encoding(system: System) -> Selection:
    """Return the solver and the encoding that suit a system."""
    if is_sparse(system):
        return Selection("glucose4", select_counter(system), is_sparse=True)
    if system.variables.pegs <= MAX_COUNTED_LITERALS:
        return Selection("minicard", "native", is_sparse=False)
    return Selection("glucose4", "modulo-totalizer", is_sparse=False)


def select_counter(system: System) -> str:
    """Return an encoding by clauses, which is small even if the rows are long.

    It suits sparse systems, and the counting and listing of models.
    """
    return (
        "modulo-totalizer"
        if max(_lengths(system), default=0) > MAX_COUNTED_LITERALS
        else "totalizer"
    )


def _lengths(system: System) -> list[int]:
    """Return the number of literals in each constraint of a row."""
    return [len(constraint.literals) for row in system.row_constraints for constraint in row]


NATIVE_SOLVERS = ("gluecard3", "gluecard4", "minicard")
"""Solvers that support cardinality constraints natively."""
PROPAGATIONS_PER_BUDGET = 50_000
"""Number of propagations of a budget of 1. They take less time than loading CP-SAT."""
SPARSE_PROPAGATIONS_PER_VARIABLE = 400
"""Additional propagations of a budget of 1, per variable, on sparse systems, which suit SAT."""


def solver_names() -> list[str]:
    """Return one name of each usable solver of the installed python-sat.

    Solvers that need another package are excluded.
    """
    attributes = vars(pysat().SolverNames)
    aliases = {
        name: attributes[name] for name in attributes if name[0] != "_" and name != "cryptosat"
    }
    # The attribute minisatgh is not a valid name: the solver is called minisat-gh.
    return sorted(
        name if name in valid_names else valid_names[-1] for name, valid_names in aliases.items()
    )


def near_solvers(name: str) -> list[str]:
    """Return up to three solvers whose names begin with a text, the default solver first."""
    names = [solver for solver in solver_names() if len(name) > 2 and solver.startswith(name)]
    return sorted(names, key=lambda solver: (solver != Sat.solver, solver))[:3]


def pysat() -> Any:
    """Import and return the solvers of python-sat.

    Raises MissingError with a remedy if another package named pysat is installed, and MemoryError
    if there is not enough memory to load it.
    """
    try:
        from pysat import solvers
    except ImportError as error:
        if isinstance(converted := convert_library_error(error), MemoryError):
            raise converted from error
        message = f"python-sat cannot be loaded ({error}); install python-sat, not pysat"
        raise MissingError(message) from error
    return solvers


@contextmanager
def keeping_timer() -> Iterator[None]:
    """Restore the timer of the process, and the handler of its signal, after the body.

    The solvers maplechrono and maplecm start a timer of 2500 s, after which they search in another
    way, and do not stop it at their end. Its signal could end the process long afterwards, and it
    replaces the timer of a time limit.
    """
    if not hasattr(signal, "setitimer"):  # on Windows
        yield
        return
    remaining, interval = signal.getitimer(signal.ITIMER_REAL)
    end_time = monotonic() + remaining
    try:
        yield
    finally:
        # 0 stops the timer. If the time has passed, the signal comes after a millisecond.
        remaining_now = max(end_time - monotonic(), 0.001) if remaining else 0
        signal.setitimer(signal.ITIMER_REAL, remaining_now, interval)
        # The solver set its handler in C. Python still knows its own handler, and sets it again.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, signal.getsignal(signal.SIGALRM) or signal.SIG_DFL)


def new_solver(name: str, formula: Formula) -> Any:
    """Return a python-sat solver loaded with the formula. It is a context manager."""
    solver = pysat().Solver(name=name, bootstrap_with=formula.clauses)
    for literals, bound in formula.at_most:
        solver.add_atmost(literals, bound)
    return solver


class GrowingSolver:
    """A python-sat solver that follows a growing formula."""

    def __init__(self, name: str, formula: Formula) -> None:
        """Load the formula as it is now."""
        self.formula = formula
        self.solver: Any = new_solver(name, formula)
        self._num_loaded = len(formula.clauses), len(formula.at_most)

    def catch_up(self) -> None:
        """Add the clauses and constraints that the formula gained since the last call."""
        num_clauses, num_at_most = self._num_loaded
        self.solver.append_formula(self.formula.clauses[num_clauses:])
        for literals, bound in self.formula.at_most[num_at_most:]:
            self.solver.add_atmost(literals, bound)
        self._num_loaded = len(self.formula.clauses), len(self.formula.at_most)


def code_of(model: Iterable[int], variables: VariableMap) -> Code:
    """Return the code (colors from 0) of a model, whose first literals are those of the pegs."""
    code_literals = islice(model, variables.pegs * variables.colors)
    peg_colors = [variables.peg_color(literal) for literal in code_literals if literal > 0]
    return tuple(color for _, color in sorted(peg_colors))


@dataclass(frozen=True)
class Sat(SolverEngine):
    """A SAT solver of python-sat with an encoding."""

    solver: str = "cadical195"
    encoding: str = "totalizer"

    name = "sat"
    summary = "a SAT solver: sat:SOLVER:ENCODING, any of python-sat's and of `mmsat encodings`"
    supports_lies = True

    @classmethod
    def of(cls, *settings: str) -> Sat:
        """Return the engine for `SOLVER:ENCODING`; each part that is missing has a default.

        Raises InputError with every fault of the settings.
        """
        faults: list[Fault] = []
        solver = (settings[0] if settings else "") or cls.solver
        is_native = solver in NATIVE_SOLVERS
        default = "native" if is_native else cls.encoding
        named, surplus = split_spec(":".join(settings[1:]), ENCODINGS)
        encoding = named or default
        if solver not in solver_names():
            near = near_solvers(solver)
            faults.append(UnknownName.of("SAT solver", solver, solver_names(), suggestions=near))
        if encoding in ENCODINGS:
            try:
                needs_native = ENCODINGS[encoding].is_native
            except InputError as error:  # a plug-in that cannot be used
                needs_native = False
                faults.extend(error.faults)
            if needs_native and not is_native and not faults:
                rule = f"{solver} does not support native cardinality constraints"
                advice = f"one of {', '.join(NATIVE_SOLVERS)} for this encoding"
                faults.append(Fault(rule, encoding, advice))
        else:
            # A solver that is unknown, and so has a fault, may support all of them.
            names = sorted(ENCODINGS) if is_native or faults else clause_encodings()
            try:
                require_encoding(encoding, names)
            except InputError as error:
                faults.extend(error.faults)
        if surplus:
            faults.append(Fault("", f"{cls.name}:{':'.join(settings)}", "sat:SOLVER:ENCODING"))
        InputError.refuse(faults, "the engine")
        return cls(solver, encoding)

    @property
    def plugin(self) -> str:
        return describe_plugin("encoding", ENCODINGS[self.encoding])

    @property
    def spec(self) -> str:
        return f"{self.name}:{self.solver}:{self.encoding}"

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        system = System.of(board, tolerance)
        formula = cnf(system, self.encoding)
        with keeping_timer(), new_solver(self.solver, formula) as solver:
            return code_of(solver.get_model(), system.variables) if solver.solve() else None


class SatWork(Work):
    """A SAT solver with the encoding that suits the system."""

    def __init__(self, system: System) -> None:
        """Encode the system; raises SizeError if the clauses would need too much memory."""
        self.system = system
        selection = select_encoding(system)
        self.name = str(selection)
        formula = cnf(system, selection.encoding)
        self._propagations_per_unit = (
            PROPAGATIONS_PER_BUDGET
            + SPARSE_PROPAGATIONS_PER_VARIABLE * formula.variables * selection.is_sparse
        )
        self._solver: Any = new_solver(selection.solver, formula)

    def step(self, budget: int) -> bool:
        """Resume the search, with its learned clauses, for `budget` units of propagations."""
        self._solver.prop_budget(self._propagations_per_unit * budget)
        is_satisfiable = self._solver.solve_limited()
        if is_satisfiable:
            self.code = code_of(self._solver.get_model(), self.system.variables)
        return is_satisfiable is not None

    def close(self) -> None:
        """Release the solver."""
        self._solver.delete()


class IncrementalSat(RowSolver):
    """A SAT solver whose formula has a selector literal for each row.

    A query assumes that the selectors of its rows are true, which enforces these rows. Equal rows
    have different selectors. If the system has a budget, the formula counts the violations of the
    selected rows.
    """

    name = "sat"

    def __init__(self, system: System, solver: str = "minisat22") -> None:
        """Set the name of the python-sat solver, which the first query creates."""
        self._system = system
        self._solver_name = solver

    @cached_property
    def builder(self) -> Builder:
        """The builder of the formula; raises SizeError if lies make the formula too large."""
        if self._system.budget:
            require_memory(self._system, DEFAULT, with_selectors=True)
        return Builder(self._system, with_selectors=True)

    @cached_property
    def growing_solver(self) -> GrowingSolver:
        """The solver, loaded with the formula."""
        return GrowingSolver(self._solver_name, self.builder.formula)

    @property
    def propagations(self) -> int:
        """The number of propagations in all queries."""
        if "growing_solver" not in self.__dict__:  # not created yet
            return 0
        return int(self.growing_solver.solver.accum_stats()["propagations"])

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Solve within `budget` propagations."""
        selectors = self.builder.formula.selectors
        row_of_selector = {selectors[row]: row for row in query.rows}
        solver = self.growing_solver.solver
        if budget is None:
            is_satisfiable = solver.solve(assumptions=sorted(row_of_selector))
        else:
            solver.prop_budget(budget)
            is_satisfiable = solver.solve_limited(assumptions=sorted(row_of_selector))
        if is_satisfiable is None:
            return None
        if is_satisfiable:
            return Answer(code_of(solver.get_model(), self._system.variables))
        return Answer(
            None, frozenset(row_of_selector[literal] for literal in solver.get_core() or [])
        )

    def find(self, query: Query) -> Code | None:
        """Return a code that satisfies the query, or None; there is no time limit."""
        answer = self.solve(query)
        return None if answer is None else answer.code

    @contextmanager
    def extending(self) -> Iterator[Builder]:
        """Yield the builder, so that the caller extends the formula; then update the solver."""
        # The solver is created first, so that `catch_up` adds only new clauses.
        growing_solver = self.growing_solver
        yield self.builder
        growing_solver.catch_up()
