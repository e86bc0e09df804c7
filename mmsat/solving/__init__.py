"""Engines that decide whether a board is consistent, selected by a spec.

A spec is a name, or a name with settings: `sat:glucose4`, `sat:cadical195:sequential`. An engine is
a class in the module with its name. The module is imported on first use.
"""

from mmsat._util.registry import Registry, UnknownName
from mmsat.errors import InputError
from mmsat.solving.engine import Engine

ENGINES = Registry("mmsat.solving", ("auto", "brute", "sat", "cp"), Engine)  # type: ignore[type-abstract]
"""Engines for all boards."""
SPECIAL = Registry("mmsat.solving", ("weighted", "lattice"), Engine)  # type: ignore[type-abstract]
"""Engines for some games or sizes only. They raise SizeError for other boards,
and InputError if scores may be lies."""


def find_engine(spec: str) -> Engine:
    """Return the engine with this spec.

    Raises InputError if the name or a setting is unknown.
    """
    name, *settings = spec.split(":")
    for engines in (ENGINES, SPECIAL):
        if name in engines:
            return engines[name].of(*settings)
    raise InputError([UnknownName.of("engine", spec, [*ENGINES, *SPECIAL])], "")


__all__ = ["ENGINES", "SPECIAL", "find_engine"]
