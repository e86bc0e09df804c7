"""What the codes that are left are expected to take, by how many they are."""

from functools import cache

from mmsat.arrays import Array, np

UNIT = 256
"""Of a guess: costs are whole numbers of its 256th parts."""
START = 333
"""What a code takes where there are others, in such parts: 1.3 guesses ..."""
BITS = 4
"""... and one more for so many bits of doubt. Both as measured on games of 8 pegs and 12 colors."""


def estimate_costs(most: int, *, is_all: bool) -> Array:
    """By the size of a part, from 0 to the most, the guesses that its codes take in all.

    A code takes 1.3 guesses, and one more for each four bits of doubt; n codes never take less than
    2n - 1, and one or two take just that. A part of a sample stands for so many codes that only the
    doubt counts, and its costs compare as entropies do.
    """
    return _estimate(1 << most.bit_length(), is_all)[: most + 1]


@cache
def _estimate(end: int, is_all: bool) -> Array:
    costs = [0]
    for size in range(1, end):
        doubt = size * ((size**UNIT).bit_length() - 1)
        if not is_all:
            costs.append(doubt)
            continue
        least = (2 * size - 1) * UNIT
        costs.append(least if size <= 2 else max(least, size * START + doubt // BITS))
    return np.array(costs, dtype=np.int64)
