"""The kinds of scoring, by name."""

from collections.abc import Mapping

from mmsat._util.registry import Extensible
from mmsat.game.scoring.kinds import Black, BlackWhite, Color, Order, Pairs, PairsOneKey, Places
from mmsat.game.scoring.scoring import MAX_SCORE_NUMBER, Mark, Scoring

BUILT_IN: Mapping[str, Scoring] = {
    scoring.name: scoring
    for scoring in (
        BlackWhite(),
        Black(),
        Color(),
        Order(),
        Pairs(),
        PairsOneKey(),
        Places(),
    )
}
SCORINGS: Extensible[Scoring] = Extensible("scoring", "scorings", BUILT_IN, Scoring)
"""The kinds of scoring by name. The first is `black-white`, the standard kind."""

__all__ = ["MAX_SCORE_NUMBER", "SCORINGS", "Mark", "Pairs", "Scoring"]
