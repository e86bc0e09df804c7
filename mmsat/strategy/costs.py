"""Estimates of the total number of guesses that codes still need, by the number of these codes."""

from functools import cache

from mmsat._util.arrays import Array, np

COST_PER_GUESS = 256
"""Cost of one guess."""


BASE_COST = 333
"""Cost per code without the term for uncertainty: 1.3 guesses, in units of 1/256 guess."""


BITS_PER_GUESS = 4
"""Number of bits of uncertainty that cost one more guess. BASE_COST and BITS_PER_GUESS were
measured on games of 8 pegs and 12 colors."""


def estimate_costs(max_size: int, *, is_all: bool) -> Array:
    """Return an array of the estimated costs of parts, indexed by their size from 0 to `max_size`.

    A part is the set of codes that get the same score from a guess. Its cost is the total number of
    guesses that its codes still need, in units of 1/256 guess. A code needs 1.3 guesses, and one
    more for each four bits of uncertainty. But n codes never need fewer than 2n - 1 guesses, and
    one or two codes need exactly that many.

    If `is_all` is false, the codes are a sample, and each of them represents many codes. Then only
    the uncertainty counts: the cost is the size of the part times its entropy, in 1/256 bit, so
    that comparing costs compares entropies.
    """
    return _estimate(1 << max_size.bit_length(), is_all)[: max_size + 1]


@cache
def _estimate(end: int, is_all: bool) -> Array:
    costs = [0]
    for size in range(1, end):
        # The logarithm of `size` in units of 1/256 bit, rounded down, for each of the codes.
        uncertainty = size * ((size**COST_PER_GUESS).bit_length() - 1)
        if not is_all:
            costs.append(uncertainty)
            continue
        lower_bound = (2 * size - 1) * COST_PER_GUESS
        costs.append(
            lower_bound
            if size <= 2
            else max(lower_bound, size * BASE_COST + uncertainty // BITS_PER_GUESS)
        )
    return np.array(costs, dtype=np.int64)
