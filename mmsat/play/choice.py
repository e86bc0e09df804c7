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
TINY = 1300
"""Codes of a game up to which the best play is searched at each turn, where it has few pegs."""
FEW = 6
"""Pegs, beyond which scores tell little and searches are long."""
SMALL = 40_000
"""Codes of a game up to which every guess is tried: a moment for each turn."""
BEST, THOROUGH, LARGE = "optimal", "most-parts", "sampled"
"""What auto takes for tiny games, for small ones, and for all others."""


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
        spec = BEST if is_tiny(game) else THOROUGH if game.size <= SMALL else LARGE
    made = find_strategy(spec, opening=opening, consistent_only=consistent_only, seed=seed)
    made.check(game)
    return made


def is_tiny(game: Game) -> bool:
    """Whether the best play is found in a moment: some tenths of a second for the first guess."""
    is_plain = game.scoring.name == "black-white" and game.space.table() is None
    return is_plain and game.size <= TINY and game.pegs <= FEW
