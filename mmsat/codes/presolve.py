"""What a board's claims come down to for the engine that counts.

The presolve of mmsat.constraints finds the colors that each peg may have and what else is known;
here its claims are read without what those colors say already. The codes stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mmsat.constraints.presolve.known import bits
from mmsat.constraints.presolve.presolve import Presolved, presolve

if TYPE_CHECKING:
    from mmsat.constraints.system import System
    from mmsat.game.facts import Facts

STEPS = ("bounds",)
"""The step that keeps all codes and leaves claims as they were read, but shorter. Histograms would
take longer to list than most boards to count."""


class Plain(NamedTuple):
    """A claim without conjunctions: between `low` and `high` of these facts are true."""

    facts: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Open:
    """Claims about what is still open."""

    facts: Facts
    colors: tuple[frozenset[int], ...]
    """The colors that each peg may have."""
    claims: tuple[Plain, ...]


def has_conjunctions(system: System) -> bool:
    """Whether some claims speak of facts that are true together."""
    return any(isinstance(fact, tuple) for claim in system.claims for fact in claim.facts)


def open_claims(system: System) -> Open | None:
    """What is open in a system without conjunctions; None if no code satisfies it."""
    made = presolve(system, STEPS)
    if not isinstance(made, Presolved):
        return None
    known = made.problem.known
    colors = tuple(frozenset(bits(left)) for left in known.left)
    facts = system.facts
    claims = []
    for claim in made.system.claims:
        plain = tuple(fact for fact in claim.facts if isinstance(fact, int))
        if all(facts.is_at(fact) and known.value(fact) for fact in plain):
            continue  # the colors say it
        claims.append(Plain(plain, max(claim.low, 0), min(claim.high, len(plain))))
    return Open(facts, colors, tuple(claims))
