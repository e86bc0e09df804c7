"""The strategy to take without a reason for another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.strategy.find import find_strategy
from mmsat.strategy.kernel import MOST_IN_TABLE, form_of
from mmsat.strategy.optimal.table import MOST_COLORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.game import Game
    from mmsat.game.row import Code
    from mmsat.strategy.strategies import Strategy

AUTO = "auto"
TINY, FEW = 1300, 5
"""Codes and pegs of a game up to which the best play is searched at each turn."""
BEST, THOROUGH, LARGE = "optimal", "entropy", "sampled"
"""What auto takes for tiny games, where all guesses are best tried, and for all others."""


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
        spec = spec_for(game)
    made = find_strategy(spec, opening=opening, consistent_only=consistent_only, seed=seed)
    made.check(game)
    return made


def spec_for(game: Game) -> str:
    """The strategy that suits a game: a moment for each turn.

    What is left of a tiny game is searched whole. In lists of words no small change makes a guess
    better, and some scorings have tables that tell of all guesses at once; else a sample of guesses
    is bettered step by step, which takes fewer guesses than the best heuristic over all of them.
    """
    is_list = game.space.table() is not None
    is_tiny = game.size <= TINY and game.pegs <= FEW and game.colors <= MOST_COLORS
    if is_tiny and game.scoring.name == "black-white" and not is_list:
        return BEST
    has_table = game.colors <= 256 and (is_list or form_of(game) is None)
    return THOROUGH if has_table and game.size <= MOST_IN_TABLE else LARGE
