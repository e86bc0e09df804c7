"""Select the SAT solver and the encoding for a system, based on measurements.

Sparse systems, such as those that reductions make, are formulas with few counters. Plain clause
learning on a counter with complete propagation decides them. If constraints are long, the clauses
of counters cost more than they gain, and a solver with native counting visits fewer of them. Beyond
a hundred pegs, its scans of whole rows cost more than a counter with quotients and remainders.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mmsat.constraints.system import System

MAX_SHORT_LITERALS = 6
"""Maximum number of literals of a short constraint."""
LONG_CONSTRAINT = 100
"""The length of constraints above which quotients and remainders give shorter counters, and the
number of pegs up to which native counting is faster."""


class Selection(NamedTuple):
    """A solver of python-sat and an encoding."""

    solver: str
    encoding: str
    is_sparse: bool

    def __str__(self) -> str:
        """As the spec of an engine."""
        return f"sat:{self.solver}:{self.encoding}"


def is_sparse(system: System) -> bool:
    """Return whether most literals are in short constraints; a single long one does not matter."""
    lengths = sorted(_lengths(system))
    half = sum(lengths) / 2
    seen = (
        length for length, sum_ in zip(lengths, accumulate(lengths), strict=True) if sum_ >= half
    )
    return next(seen, 0) <= MAX_SHORT_LITERALS


def select_encoding(system: System) -> Selection:
    """Return the default solver and encoding for a system."""
    if is_sparse(system):
        return Selection("glucose4", select_counter(system), True)
    if system.variables.pegs <= LONG_CONSTRAINT:
        return Selection("minicard", "native", False)
    return Selection("glucose4", "modulo-totalizer", False)


def select_counter(system: System) -> str:
    """Return the encoding for counting and listing models: clauses only, and few for long rows."""
    return "modulo-totalizer" if max(_lengths(system), default=0) > LONG_CONSTRAINT else "totalizer"


def _lengths(system: System) -> list[int]:
    return [len(constraint.literals) for row in system.rows for constraint in row]
