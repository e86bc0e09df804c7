"""What a board's constraints come down to for the engine that counts.

The presolve of mmsat.constraints finds the colors that each peg may have and what else is known;
here its constraints are read without what those colors say already. The codes stay the same.
"""

from dataclasses import dataclass
from typing import NamedTuple

from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.constraints.system import System
from mmsat.game.literals import VariableMap

STEPS = ("bounds",)
"""The step that keeps all codes and shortens constraints as they were read. Histograms would
take longer to list than most boards to count."""


class Plain(NamedTuple):
    """A constraint without conjunctions: between `low` and `high` of these literals are true."""

    literals: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class ResidualSystem:
    """Constraints about what is still open."""

    variables: VariableMap
    colors: tuple[frozenset[int], ...]
    """The colors that each peg may have."""
    constraints: tuple[Plain, ...]


def has_conjunctions(system: System) -> bool:
    """Whether some constraints speak of literals that are true together."""
    return any(
        isinstance(literal, tuple)
        for constraint in system.constraints
        for literal in constraint.literals
    )


def find_residual(system: System) -> ResidualSystem | None:
    """What is open in a system without conjunctions; None if no code satisfies it."""
    made = presolve(system, STEPS)
    if not isinstance(made, Presolved):
        return None
    known = made.problem.domains
    colors = tuple(frozenset(bits(left)) for left in known.domain)
    variables = system.variables
    constraints = []
    for constraint in made.system.constraints:
        plain = tuple(literal for literal in constraint.literals if isinstance(literal, int))
        if all(variables.is_at(literal) and known.value(literal) for literal in plain):
            continue  # the colors say it
        constraints.append(Plain(plain, max(constraint.low, 0), min(constraint.high, len(plain))))
    return ResidualSystem(variables, colors, tuple(constraints))
