"""SAT: any solver of python-sat, on any encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.encoding.encodings import ENCODINGS
from mmsat.errors import Fault, InputError, MissingError
from mmsat.results import Status
from mmsat.solving.engine import Decision, Engine, proven
from mmsat.solving.worker import TimeUpError, run
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmsat.board import Board
    from mmsat.encoding.formula import Formula
    from mmsat.game.literals import VariableMap
    from mmsat.game.row import Code
    from mmsat.solving.deadline import Deadline
    from mmsat.tolerance import Tolerance

NATIVE_SOLVERS = ("gluecard3", "gluecard4", "minicard")
"""The solvers that take cardinality constraints as they are."""


def solver_names() -> list[str]:
    """The solvers of the installed python-sat that need nothing more, one name each."""
    known = vars(pysat().SolverNames)
    aliases = {name: known[name] for name in known if name[0] != "_" and name != "cryptosat"}
    # One solver's attribute is not among the names that it is called by.
    return sorted(name if name in called else called[-1] for name, called in aliases.items())


def pysat() -> Any:
    """python-sat's solvers; raises MissingError with the remedy where another pysat stands."""
    try:
        from pysat import solvers  # noqa: PLC0415  (loaded when first needed)
    except ImportError as error:
        message = f"python-sat cannot be loaded ({error}); install python-sat, not pysat"
        raise MissingError(message) from error
    return solvers


def new_solver(name: str, formula: Formula) -> Any:
    """A python-sat solver that holds the formula; a context manager."""
    solver = pysat().Solver(name=name, bootstrap_with=formula.clauses)
    for literals, bound in formula.at_most:
        solver.add_atmost(literals, bound)
    return solver


def code_of(model: Iterable[int], variables: VariableMap) -> Code:
    """The code that a model's true code variables spell, colors from 0."""
    last = variables.pegs * variables.colors
    true = [variables.peg_color(literal) for literal in model if 0 < literal <= last]
    return tuple(color for _, color in sorted(true))


@dataclass(frozen=True)
class Sat(Engine):
    """One SAT solver on one encoding."""

    solver: str = "cadical195"
    encoding: str = "totalizer"

    name = "sat"
    summary = "a SAT solver: sat:SOLVER:ENCODING, any of python-sat's and of `mmsat encodings`"
    knows_lies = True

    @classmethod
    def of(cls, *settings: str) -> Sat:
        """Read `SOLVER` and `ENCODING`, both optional."""
        faults = []
        solver = (settings[0] if settings else "") or cls.solver
        native = solver in NATIVE_SOLVERS
        default = "native" if native else cls.encoding
        encoding = (settings[1] if len(settings) > 1 else "") or default
        if solver not in solver_names():
            faults.append(Fault("a SAT solver is known by name", solver, ", ".join(solver_names())))
        if encoding not in ENCODINGS:
            faults.append(Fault("an encoding is known by name", encoding, ", ".join(ENCODINGS)))
        elif ENCODINGS[encoding].is_native and not native and not faults:
            rule = f"{solver} takes no native cardinality constraints"
            faults.append(Fault(rule, encoding, f"one of {', '.join(NATIVE_SOLVERS)} with it"))
        if len(settings) > 2:
            faults.append(Fault("a spec ends here", ":".join(settings[2:]), "sat:SOLVER:ENCODING"))
        if faults:
            raise InputError(faults, "the engine")
        return cls(solver, encoding)

    def decide(
        self,
        board: Board,
        deadline: Deadline,
        seed: int | None = None,  # noqa: ARG002
        tolerance: Tolerance = STRICT,
    ) -> Decision:
        """Encode and solve, in a process that ends with the deadline."""
        board, tolerance = self.simplify(board, tolerance)
        spec = f"{self.name}:{self.solver}:{self.encoding}"
        try:
            code = run(deadline, self.solve, board, tolerance)
            return proven(board, code, spec, tolerance=tolerance)
        except TimeUpError:
            return Decision(Status.UNKNOWN, None, spec)

    def solve(self, board: Board, tolerance: Tolerance = STRICT) -> Code | None:
        """A code within the tolerance or None, in this process and without a deadline."""
        system = System.of(board, tolerance)
        with new_solver(self.solver, cnf(system, self.encoding)) as solver:
            return code_of(solver.get_model(), system.variables) if solver.solve() else None
