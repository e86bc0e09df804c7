"""How a guess parts codes by the scores that they give it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mmsat.answers import Code, Score
    from mmsat.game.game import Game


def parts(game: Game, codes: NDArray[Any], guess: Code) -> dict[Score, int]:
    """For each score, how many of the codes give it; scores ascending. Costs a score a code."""
    import numpy as np  # noqa: PLC0415  (loads when needed)

    if game.scoring.name == "black-white":
        from mmsat._core import partition  # noqa: PLC0415

        table = np.zeros((game.pegs + 1, game.pegs + 1), dtype=np.uint64)
        wide = np.ascontiguousarray(codes, dtype=np.uint16)
        partition(wide, np.array(guess, dtype=np.uint16), game.colors, table)
        return {
            (int(black), int(white)): int(table[black, white])
            for black, white in zip(*table.nonzero(), strict=True)
        }
    scores = game.scoring.score_all(codes, guess)
    found, sizes = np.unique(scores, axis=0, return_counts=True)
    return {tuple(score): size for score, size in zip(found.tolist(), sizes.tolist(), strict=True)}


def uncertainty(sizes: Iterable[int]) -> int:
    """The product of n**n over parts of n codes: what is least where most is learnt.

    Its logarithm is the codes times the entropy that is left, so that comparing products compares
    entropies exactly, in whole numbers.
    """
    return prod(size**size for size in sizes)
