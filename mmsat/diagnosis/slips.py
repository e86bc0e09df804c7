"""How a codemaker slips: what tells a likely mistake from a far-fetched one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mmsat.game.game import Game
    from mmsat.game.row import Score
    from mmsat.game.scoring import Mark


class Slip(NamedTuple):
    """A kind of mistake."""

    rank: int
    """0 is the most plausible; ranks add up over several mistakes."""
    words: str
    """What went wrong, in a few words; empty when there is no name for it."""


WEIGHTS = (8, 4, 2, 1)
"""How often slips are made, by rank: each half as often as those before; the last is for the rest.

The model behind all chances of mistakes: a score s is put down as t with a chance in proportion to
the weight of that slip, which is small, and independent of the other rows; and all codes are alike.
"""


def weight(rank: int) -> int:
    """How often slips of a rank are made, beside others."""
    return WEIGHTS[min(rank, len(WEIGHTS) - 1)]


@lru_cache(maxsize=1 << 14)
def slip(before: Score, after: Score, game: Game) -> Slip:
    """The mistake of saying `before` where `after` was meant.

    Most plausible is one peg put under the wrong name (a black for a white), then one peg too many
    or too few, then two numbers exchanged; beyond that, the more pegs are off, the less plausible.
    """
    pairs = zip(game.parts, before, after, strict=True)
    off = {
        part: (stated, meant)
        for part, stated, meant in pairs
        if stated is not None and meant is not None and stated != meant
    }
    return _by_marks(off, game.scoring.marks) if game.scoring.marks else _by_counts(off)


def _by_counts(off: dict[str, tuple[int, int]]) -> Slip:
    more = {part: stated - meant for part, (stated, meant) in off.items()}
    if sorted(more.values()) == [-1, 1]:
        missing, extra = sorted(more, key=lambda part: more[part])
        return Slip(0, f"a {missing} was taken for a {extra}")
    if len(off) == 1 and abs(sum(more.values())) == 1:
        ((part, many),) = more.items()
        return Slip(1, f"one {part} too {'many' if many > 0 else 'few'}")
    if len(off) == 2:
        (one, pair), (other, other_pair) = off.items()
        if pair == other_pair[::-1]:
            return Slip(2, f"{one} and {other} were exchanged")
    return Slip(1 + sum(map(abs, more.values())), "")


def _by_marks(off: dict[str, tuple[int, int]], marks: tuple[Mark, ...]) -> Slip:
    if len(off) == 1:
        ((place, (stated, meant)),) = off.items()
        return Slip(0, f"place {place} was {marks[meant].name}, not {marks[stated].name}")
    return Slip(2 * len(off), "")
