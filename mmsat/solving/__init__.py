"""Engines that decide whether a board is consistent, by name or by spec.

A spec is a name, or a name with its settings: `sat:glucose4`, `sat:cadical195:sequential`. An
engine is the class of its name in the module of its name, loaded when it is first asked for.
"""

from mmsat.errors import InputError
from mmsat.registry import Registry, UnknownName
from mmsat.solving.engine import Engine

ENGINES = Registry("mmsat.solving", ("auto", "brute", "sat", "cp"), Engine)  # type: ignore[type-abstract]
"""Those for any board."""
SPECIAL = Registry("mmsat.solving", ("weighted", "algebra", "lattice"), Engine)  # type: ignore[type-abstract]
"""Those for some games or sizes only; they raise InputError or SizeError for the others."""


def find_engine(spec: str) -> Engine:
    """The engine of a spec; raises InputError that lists what exists."""
    name, *settings = spec.split(":")
    for engines in (ENGINES, SPECIAL):
        if name in engines:
            return engines[name].of(*settings)
    raise InputError([UnknownName.of("engine", spec, [*ENGINES, *SPECIAL])], "")


__all__ = ["ENGINES", "SPECIAL", "find_engine"]
