"""The ways to count a match, by name: each module here defines one, and needs no further line."""

from mmsat.matches.kinds.base import Match, Played
from mmsat.registry import classes

MATCHES: dict[str, type[Match]] = classes(__name__, __path__, Match)  # type: ignore[type-abstract]

__all__ = ["MATCHES", "Match", "Played"]
