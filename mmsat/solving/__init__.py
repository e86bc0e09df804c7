"""Engines that decide whether a board is consistent, selected by a spec.

A spec is a name, or a name with settings: `sat:glucose4`, `sat:cadical195:sequential`. An engine is
the class in the module of its name. The module is imported on first use.
"""

from mmsat._util.registry import Registry, UnknownName
from mmsat.errors import InputError
from mmsat.solving.engine import Engine

ENGINES = Registry("mmsat.solving", ("auto", "brute", "sat", "cp"), Engine)  # type: ignore[type-abstract]
"""Engines for all boards."""
SPECIAL = Registry("mmsat.solving", ("weighted", "lattice"), Engine)  # type: ignore[type-abstract]
"""Engines for some games or sizes only. They raise InputError or SizeError for other boards."""


def find_engine(spec: str) -> Engine:
    """Return the engine of a spec; raises InputError, which lists all engines, if there is none."""
    name, *settings = spec.split(":")
    for engines in (ENGINES, SPECIAL):
        if name in engines:
            return engines[name].of(*settings)
    raise InputError([UnknownName.of("engine", spec, [*ENGINES, *SPECIAL])], "")


__all__ = ["ENGINES", "SPECIAL", "find_engine"]
