"""The kinds of scoring, by name and by suffix. A new kind is one module and one line here."""

from mmsat.game.scoring.base import Scoring
from mmsat.game.scoring.black import Black
from mmsat.game.scoring.black_white import BlackWhite
from mmsat.game.scoring.color import Color

SCORINGS: dict[str, Scoring] = {kind.name: kind for kind in (BlackWhite(), Black(), Color())}

__all__ = ["SCORINGS", "Scoring"]
