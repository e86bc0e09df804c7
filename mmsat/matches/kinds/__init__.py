"""The ways to count a match, by name: each module here defines one, and needs no further line."""

from mmsat.matches.rules import MatchRules
from mmsat.registry import Registry, module_names

MATCHES = Registry(__name__, module_names(__path__), MatchRules)  # type: ignore[type-abstract]
