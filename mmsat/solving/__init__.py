"""Engines that decide whether a board is consistent, selected by a spec.

A spec is a name, or a name with settings: `sat:glucose4`, `sat:cadical195:sequential`. An engine is
a class in the module with its name. The module is imported on first use.
"""

from mmsat._util.arguments import RULES
from mmsat._util.registry import Extensible, Registry, UnknownName, split_spec
from mmsat.errors import InputError
from mmsat.solving.engine import Engine

ENGINES: Extensible[type[Engine]] = Extensible(
    "engine",
    "engines",
    Registry("mmsat.solving", ("auto", "brute", "sat", "cp"), Engine),  # type: ignore[type-abstract]
    Engine,
    has_classes=True,
)
"""Engines for all boards."""
SPECIAL = Registry("mmsat.solving", ("weighted", "lattice"), Engine)  # type: ignore[type-abstract]
"""Engines for some games or sizes only. They raise SizeError for other boards,
and InputError if scores may be lies."""


RULES["engine"] = ENGINES.rule()


def find_engine(spec: str | Engine | type[Engine]) -> Engine:
    """Return the engine with this spec, which may also be an engine or its class.

    Raises InputError if the name or a setting is unknown.
    """
    if isinstance(spec, Engine):
        return spec
    if isinstance(spec, type):
        engine_class: type[Engine] = ENGINES.adapt(spec)
        return engine_class.of()
    name, settings = split_spec(spec, (*ENGINES, *SPECIAL))
    for engines in (SPECIAL, ENGINES):
        if name in engines:
            return engines[name].of(*settings)
    raise InputError([UnknownName.of("engine", spec, [*ENGINES, *SPECIAL])], "")


__all__ = ["ENGINES", "SPECIAL", "find_engine"]
