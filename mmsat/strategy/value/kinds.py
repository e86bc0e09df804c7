"""Codes that differ only in the order of pegs and the names of colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.strategy.analysis import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code
    from mmsat.strategy.optimal.table import Alike


def kind_of(code: Code, alike: Alike) -> tuple[int, ...]:
    """What all codes of a kind share, and no others: by what may be exchanged in the game.

    With pegs and colors, how many pegs have the same color; with pegs alone, the colors in order;
    with colors alone, where each color comes first; else the code itself.
    """
    if alike.pegs and alike.colors:
        return pattern(code)
    if alike.pegs:
        return tuple(sorted(code))
    return tuple(map(code.index, code)) if alike.colors else code


def kinds_of(codes: Sequence[Code], alike: Alike) -> dict[tuple[int, ...], list[Code]]:
    """The codes of each kind, the kinds with the most pegs of one color first."""
    kinds: dict[tuple[int, ...], list[Code]] = {}
    for code in codes:
        kinds.setdefault(kind_of(code, alike), []).append(code)
    order = sorted(kinds, key=lambda kind: (pattern(kinds[kind][0]), kind), reverse=True)
    return {kind: kinds[kind] for kind in order}
