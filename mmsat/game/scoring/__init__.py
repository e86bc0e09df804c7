"""The kinds of scoring, by name: each module here defines one, and needs no further line."""

from mmsat.game.scoring.base import HIGHEST, Mark, Scoring
from mmsat.game.scoring.pairs import Pairs
from mmsat.registry import classes

_classes = classes(__name__, __path__, Scoring)  # type: ignore[type-abstract]
_found = {name: kind() for name, kind in _classes.items()}
SCORINGS: dict[str, Scoring] = {"black-white": _found["black-white"], **_found}
"""The usual one comes first."""

__all__ = ["HIGHEST", "SCORINGS", "Mark", "Pairs", "Scoring"]
