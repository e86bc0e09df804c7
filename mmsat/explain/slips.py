"""How a codemaker slips: what tells a likely mistake from a far-fetched one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mmsat.answers import Score


class Slip(NamedTuple):
    """A kind of mistake."""

    rank: int
    """0 is the most plausible; ranks add up over several mistakes."""
    words: str
    """What went wrong, in a few words; empty when there is no name for it."""


def slip(before: Score, after: Score, parts: tuple[str, ...]) -> Slip:
    """The mistake of saying `before` where `after` was meant.

    Most plausible is one peg put under the wrong name (a black for a white), then one peg too many
    or too few, then all numbers exchanged; beyond that, the more pegs are off, the less plausible.
    """
    off = {
        part: said - meant
        for part, said, meant in zip(parts, before, after, strict=True)
        if said is not None and meant is not None and said != meant
    }
    if sorted(off.values()) == [-1, 1]:
        missing, extra = sorted(off, key=lambda part: off[part])
        return Slip(0, f"a {missing} was taken for a {extra}")
    if len(off) == 1 and abs(sum(off.values())) == 1:
        ((part, more),) = off.items()
        return Slip(1, f"one {part} too {'many' if more > 0 else 'few'}")
    if len(off) == len(parts) == 2 and before == after[::-1]:
        return Slip(2, f"{parts[0]} and {parts[1]} were exchanged")
    pegs = sum(map(abs, off.values()))
    return Slip(1 + pegs, "")
