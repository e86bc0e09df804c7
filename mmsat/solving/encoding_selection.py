"""Which SAT solver on which encoding suits a system, from measurements.

Sparse systems, such as reductions make them, are formulas with a few counts in them: plain clause
learning on a counter with complete propagation decides them. Where constraints are long, clauses
that count outgrow what they are good for, and a solver that counts natively looks through fewer of
them; beyond a hundred pegs its look through whole rows costs more than a counter in quotients and
remainders.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mmsat.constraints.system import System

SPARSE = 6
"""Literals of a constraint up to which it is short."""
LONG = 100
"""Literals in a constraint from which quotient and remainder count shorter, and pegs up to
which native counting is the quicker way."""


class Selection(NamedTuple):
    """A solver of python-sat, and one of our encodings."""

    solver: str
    encoding: str
    is_sparse: bool

    def __str__(self) -> str:
        """As the spec of an engine."""
        return f"sat:{self.solver}:{self.encoding}"


def is_sparse(system: System) -> bool:
    """Whether most literals stand in short constraints; one long one does not matter."""
    lengths = sorted(_lengths(system))
    half = sum(lengths) / 2
    seen = (
        length for length, sum_ in zip(lengths, accumulate(lengths), strict=True) if sum_ >= half
    )
    return next(seen, 0) <= SPARSE


def select_encoding(system: System) -> Selection:
    """The solver and encoding to use without a reason for others."""
    if is_sparse(system):
        return Selection("glucose4", select_counter(system), True)
    if system.variables.pegs <= LONG:
        return Selection("minicard", "native", False)
    return Selection("glucose4", "modulo-totalizer", False)


def select_counter(system: System) -> str:
    """The encoding for counts and lists of models: made of clauses, and of few for long rows."""
    return "modulo-totalizer" if max(_lengths(system), default=0) > LONG else "totalizer"


def _lengths(system: System) -> list[int]:
    return [len(constraint.literals) for row in system.rows for constraint in row]
