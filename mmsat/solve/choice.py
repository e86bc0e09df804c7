"""Which SAT solver on which encoding suits a system, from measurements, and whether it fits.

Sparse systems, such as reductions make them, are formulas with a few counts in them: plain clause
learning on a counter with complete propagation decides them. Where claims are long, clauses that
count outgrow what they are good for, and a solver that counts natively looks through fewer of them;
beyond a hundred pegs its look through whole rows costs more than a counter in quotients and
remainders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmsat.encode.cnf import cnf
from mmsat.encode.sizes import formula_size
from mmsat.errors import SizeError

if TYPE_CHECKING:
    from mmsat.constraints.system import System
    from mmsat.encode.formula import Formula

SPARSE = 12
"""Facts of a claim, on average, up to which a system is sparse."""
LONG = 100
"""Facts in a claim from which quotient and remainder are the shorter way to count, and pegs up to
which native counting is the quicker way."""
CLAUSE = 250
"""Bytes that a clause takes, all told: as a Python list and in the solver. Measured."""
MEMORY = 3 << 30
"""Bytes that a formula may take."""


class Choice(NamedTuple):
    """A solver of python-sat, and one of our encodings."""

    solver: str
    encoding: str
    is_sparse: bool

    def __str__(self) -> str:
        """As the spec of an engine."""
        return f"sat:{self.solver}:{self.encoding}"


def is_sparse(system: System) -> bool:
    """Whether the claims of rows have few facts on average."""
    lengths = _lengths(system)
    return sum(lengths) <= SPARSE * len(lengths)


def choice(system: System) -> Choice:
    """The solver and encoding to use without a reason for others."""
    longest = max(_lengths(system), default=0)
    if is_sparse(system):
        return Choice("glucose4", "modulo-totalizer" if longest > LONG else "totalizer", True)
    if system.facts.pegs <= LONG:
        return Choice("minicard", "native", False)
    return Choice("glucose4", "modulo-totalizer", False)


def _lengths(system: System) -> list[int]:
    return [len(claim.facts) for row in system.rows for claim in row]


def affordable(system: System, encoding: str) -> Formula:
    """The formula; raises SizeError, before anything is built, where it would take too much."""
    clauses = formula_size(system, encoding).clauses
    if clauses * CLAUSE > MEMORY:
        raise SizeError(
            f"the encoding {encoding} of this board has {clauses:,} clauses, about "
            f"{clauses * CLAUSE / (1 << 30):.0f} GiB, above the limit of {MEMORY >> 30} GiB; "
            "use the engine auto or cp instead"
        )
    return cnf(system, encoding)
