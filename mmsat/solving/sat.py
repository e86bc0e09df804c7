"""The engine sat: any solver of python-sat with any encoding, and their selection for a system.

The selection is based on measurements (`select_encoding`). Sparse systems, such as those of
reductions, give formulas with few counters. Clause learning on an encoding with complete
propagation decides them. If constraints are long, the clauses of counters cost more than they gain,
and a solver that counts natively is faster. Beyond a hundred pegs, its scans of whole rows cost
more than a counter with quotients and remainders.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any, NamedTuple

from mmsat._util.registry import UnknownName, describe_plugin, split_spec
from mmsat.constraints import System
from mmsat.encoding import ENCODINGS, Formula, clause_encodings, require_encoding
from mmsat.encoding.cnf import cnf
from mmsat.errors import Fault, InputError, MissingError, convert_library_error
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.space import VariableMap
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving import SolverEngine, Work

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

    def __str__(self) -> str:
        """Return the selection as the spec of an engine."""
        return f"sat:{self.solver}:{self.encoding}"


def is_sparse(system: System) -> bool:
    """Return whether at least half of the literals of the rows are in short constraints."""
    lengths = sorted(_lengths(system))
    half = sum(lengths) / 2
    upper_half = (
        length for length, sum_ in zip(lengths, accumulate(lengths), strict=True) if sum_ >= half
    )
    return next(upper_half, 0) <= MAX_SHORT_LITERALS


def select_encoding(system: System) -> Selection:
    """Return the solver and the encoding that suit a system."""
    if is_sparse(system):
        return Selection("glucose4", select_counter(system), True)
    if system.variables.pegs <= MAX_COUNTED_LITERALS:
        return Selection("minicard", "native", False)
    return Selection("glucose4", "modulo-totalizer", False)


def select_counter(system: System) -> str:
    """Return a non-native encoding, with few clauses for long rows.

    It suits sparse systems, and the counting and listing of models.
    """
    return (
        "modulo-totalizer"
        if max(_lengths(system), default=0) > MAX_COUNTED_LITERALS
        else "totalizer"
    )


def _lengths(system: System) -> list[int]:
    """Return the number of literals in each constraint of a row."""
    return [len(constraint.literals) for row in system.rows for constraint in row]


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


def pysat() -> Any:
    """Import and return the solvers of python-sat.

    Raises MissingError with a remedy if another package named pysat is installed, and MemoryError
    if there is not enough memory to load it.
    """
    try:
        from pysat import solvers
    except ImportError as error:
        if isinstance(named := convert_library_error(error), MemoryError):
            raise named from error
        message = f"python-sat cannot be loaded ({error}); install python-sat, not pysat"
        raise MissingError(message) from error
    return solvers


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
        clauses, at_most = self._num_loaded
        self.solver.append_formula(self.formula.clauses[clauses:])
        for literals, bound in self.formula.at_most[at_most:]:
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
        faults: list[Fault] = []
        solver = (settings[0] if settings else "") or cls.solver
        is_native = solver in NATIVE_SOLVERS
        default = "native" if is_native else cls.encoding
        named, surplus = split_spec(":".join(settings[1:]), ENCODINGS)
        encoding = named or default
        if solver not in solver_names():
            faults.append(UnknownName.of("SAT solver", solver, solver_names()))
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
        with new_solver(self.solver, cnf(system, self.encoding)) as solver:
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
