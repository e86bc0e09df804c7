"""The strategy to take without a reason for another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.play.find import find_strategy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.answers import Code
    from mmsat.game.game import Game
    from mmsat.play.strategies import Strategy

AUTO = "auto"
SMALL = 40_000
"""Codes of a game up to which every guess is tried: a moment for each turn."""
THOROUGH, LARGE = "most-parts", "sampled"
"""What auto takes for small games, and for all others."""


def strategy_for(
    game: Game,
    spec: str = AUTO,
    *,
    opening: Sequence[Code] = (),
    consistent_only: bool = False,
    seed: int | None = None,
) -> Strategy:
    """The strategy of a spec, or the one that suits the game, which it is checked for.

    Raises InputError for an unknown strategy, or a game or an opening that it is not for.
    """
    if spec == AUTO:
        spec = THOROUGH if game.size <= SMALL else LARGE
    made = find_strategy(spec, opening=opening, consistent_only=consistent_only, seed=seed)
    made.check(game)
    return made
