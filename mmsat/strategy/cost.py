"""How many guesses a part of the codes will still take: what guesses are judged by."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNIT = 256
"""Of a guess: costs are whole numbers of its 256th parts."""
START = 333
"""What a code takes where there are others, in such parts: 1.3 guesses ..."""
BITS = 4
"""... and one more for so many bits of doubt. Both as measured on games of 8 pegs and 12 colors."""


def costs(most: int, *, is_all: bool) -> NDArray[Any]:
    """By the size of a part, from 0 to the most, the guesses that its codes take in all.

    A code takes 1.3 guesses, and one more for each four bits of doubt; n codes never take less than
    2n - 1, and one or two take just that. A part of a sample stands for so many codes that only the
    doubt counts, and its costs compare as entropies do.
    """
    return _costs(1 << most.bit_length(), is_all)[: most + 1]


@cache
def _costs(end: int, is_all: bool) -> NDArray[Any]:
    import numpy as np  # noqa: PLC0415  (loads when needed)

    found = [0]
    for size in range(1, end):
        doubt = size * ((size**UNIT).bit_length() - 1)
        if not is_all:
            found.append(doubt)
            continue
        least = (2 * size - 1) * UNIT
        found.append(least if size <= 2 else max(least, size * START + doubt // BITS))
    return np.array(found, dtype=np.int64)
