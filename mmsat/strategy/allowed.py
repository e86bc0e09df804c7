"""What may be guessed in hard mode; the rule is in game/hard_mode.py."""

from mmsat.arrays import Array
from mmsat.game.hard_mode import has_hints, list_allowed
from mmsat.strategy.code_list import all_codes, is_listed
from mmsat.strategy.state import State

MOST_PAIRS = 100_000_000
"""Guesses times codes that are scored to find the best in hard mode: some seconds."""


def allowed_guesses(state: State, codes: Array) -> Array:
    """The codes of the game that hard mode allows as guesses; one of so many where they are many.

    `codes` are those that guesses are judged by, shape (codes, pegs); beyond 20 million codes of
    the game only they are guessed.
    """
    is_any = has_hints(state.game) and is_listed(state.game)
    allowed = list_allowed(state.game, state.rows, all_codes(state.game) if is_any else codes)
    return allowed[:: max(1, -(-len(allowed) * len(codes) // MOST_PAIRS))]
