"""Engines that decide whether a board is consistent, by name or by spec.

A spec is a name, or a name with its settings: `sat:glucose4`, `sat:cadical195:sequential`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.solving.algebra import Algebra
from mmsat.solving.auto import Auto
from mmsat.solving.brute import Brute
from mmsat.solving.cp import Cp
from mmsat.solving.lattice import Lattice
from mmsat.solving.sat import Sat

if TYPE_CHECKING:
    from mmsat.solving.engine import Engine

ENGINES: dict[str, type[Engine]] = {each.name: each for each in (Auto, Brute, Sat, Cp)}
"""Those for any board."""
SPECIAL: dict[str, type[Engine]] = {each.name: each for each in (Algebra, Lattice)}
"""Those for some games or sizes only; they raise InputError or SizeError for the others."""


def find_engine(spec: str) -> Engine:
    """The engine of a spec; raises InputError that lists what exists."""
    name, *settings = spec.split(":")
    known = ENGINES | SPECIAL
    if name not in known:
        fault = Fault("an engine is known by name", spec, ", ".join(known))
        raise InputError([fault], "the engine")
    return known[name].of(*settings)


__all__ = ["ENGINES", "SPECIAL", "find_engine"]
