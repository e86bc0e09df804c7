"""How many guesses a part of the codes will still take: what guesses are judged by."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNIT = 256
"""Of a guess: costs are whole numbers of its 256th parts."""
BITS = 4
"""What a guess tells, measured on games of 8 pegs and 12 colors."""


@cache
def costs(most: int, *, is_all: bool) -> NDArray[Any]:
    """By the size of a part, from 0 to the most, the guesses that its codes take in all.

    A code takes one guess, and one more for each four bits of doubt; n codes never take less than
    2n - 1. A part of a sample stands for so many codes that only the doubt counts, and its costs
    compare as entropies do.
    """
    import numpy as np  # noqa: PLC0415  (loads when needed)

    found = [0]
    for size in range(1, most + 1):
        doubt = size * ((size**UNIT).bit_length() - 1)
        guessed = size * UNIT + doubt // BITS
        found.append(max(guessed, (2 * size - 1) * UNIT) if is_all else doubt)
    return np.array(found, dtype=np.int64)
