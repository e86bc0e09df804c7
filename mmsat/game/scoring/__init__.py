"""The registry of the kinds of scoring: one for each module of this package that defines one."""

from collections.abc import Mapping

from mmsat.game.scoring.pairs import Pairs
from mmsat.game.scoring.scoring import MAX_SCORE_NUMBER, Mark, Scoring
from mmsat.registry import Instances, Registry, module_names

USUAL = "black_white"
_modules = (USUAL, *module_names(__path__, helpers=(USUAL,)))
_kinds = Registry(__name__, _modules, Scoring)  # type: ignore[type-abstract]
SCORINGS: Mapping[str, Scoring] = Instances(_kinds)
"""The kinds of scoring by name; black-white, the standard one, is first."""

__all__ = ["MAX_SCORE_NUMBER", "SCORINGS", "Mark", "Pairs", "Scoring"]
