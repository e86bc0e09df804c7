"""The best of some consistent codes, judged by a sample of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.play.openings import balanced
from mmsat.play.parts import parts, uncertainty
from mmsat.play.pool import pool
from mmsat.play.strategies.base import Seeded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.answers import Code
    from mmsat.play.state import State

SIZE = 5000
"""Codes that guesses are judged by."""
GUESSES = 1000
"""Guesses that are judged."""
WORK = 60_000_000
"""Pegs scored at most for a guess; large games are judged by fewer codes."""


class Sampled(Seeded):
    """Entropy on a sample: for games of any size.

    From a pool of consistent codes (see play/pool.py) some are drawn as guesses; taken is the one
    whose scores part the pool with the least uncertainty left, the lowest of several. The first
    guess is one of the balanced codes, AABBCC..., judged alike. Work, and so time, is bounded but
    for the search of a first consistent code.
    """

    name = "sampled"
    summary = "the best of some consistent codes, judged by a sample: for games of any size"
    source = "after Neuwirth 1982, on samples as Temporel and Kovacs 2003, Berghman et al. 2009"
    is_consistent = True

    def __init__(
        self,
        opening: Sequence[Code] = (),
        *,
        consistent_only: bool = False,
        seed: int | None = None,
        size: int = SIZE,
        guesses: int = GUESSES,
    ) -> None:
        """Judge so many guesses by so many codes at most."""
        super().__init__(opening, consistent_only=consistent_only, seed=seed)
        self.size = size
        self.guesses = guesses

    def choose(self, state: State) -> Code:
        """The guess that leaves the least uncertainty about the pool."""
        game, source = state.game, self.random(state)
        fewer = min(1.0, (WORK / (game.pegs * self.size * self.guesses)) ** 0.5)
        size, guesses = max(1, int(self.size * fewer)), max(1, int(self.guesses * fewer))
        known = pool(state, size, source.getrandbits(31))
        if len(known.codes) == 1:
            return tuple(known.codes[0].tolist())
        tried = [] if state.rows else list(balanced(game))
        if not tried:
            many = range(len(known.codes))
            drawn = source.sample(many, min(guesses, len(many)))
            tried = [tuple(code) for code in known.codes[drawn].tolist()]
        sizes = parts(game, known.codes, tried)
        _, guess = min((uncertainty(each), guess) for each, guess in zip(sizes, tried, strict=True))
        return guess
