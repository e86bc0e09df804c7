"""The ways to count a match, by name: each module here defines one, and needs no further line."""

from pkgutil import iter_modules

from mmsat.matches.rules import MatchRules
from mmsat.registry import Registry

MATCHES = Registry(__name__, (module.name for module in iter_modules(__path__)), MatchRules)  # type: ignore[type-abstract]
