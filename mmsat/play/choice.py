"""The strategy of a name, and the one to take without a reason for another."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.play.strategies import STRATEGIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.answers import Code
    from mmsat.game.game import Game
    from mmsat.play.strategies import Strategy

AUTO = "auto"
SMALL = 2000
"""Codes of a game up to which every guess is tried: a moment for each turn."""
THOROUGH, LARGE = "most-parts", "sampled"
"""What auto takes for small games, and for all others."""


def strategy_for(
    game: Game,
    name: str = AUTO,
    *,
    opening: Sequence[Code] = (),
    consistent_only: bool = False,
    seed: int | None = None,
) -> Strategy:
    """The strategy of a name, ready for a game; the seed is for those that draw at random.

    Raises InputError for an unknown name, or a game or an opening that it is not for.
    """
    if name == AUTO:
        name = THOROUGH if THOROUGH in STRATEGIES and game.size <= SMALL else LARGE
    if name not in STRATEGIES:
        fault = Fault("a strategy is known by name", name, ", ".join([AUTO, *STRATEGIES]))
        raise InputError([fault], "the strategy")
    kind = STRATEGIES[name]
    seeded = {"seed": seed} if "seed" in signature(kind).parameters else {}
    made = kind(opening, consistent_only=consistent_only, **seeded)
    made.check(game)
    return made
