"""The last guesses of a game: estimated costs of sets of codes, and search for a few codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from mmsat._core import Optimal
from mmsat._util.arrays import Array, np
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.strategy.answers import compute_answers, pad_length
from mmsat.strategy.optimal.answer_table import run_search

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


@dataclass(frozen=True)
class EndgameLimits:
    """Limits of an endgame search."""

    sets: int = 2000
    """Maximum number of sets of codes that are searched: some tenths of a second."""
    answers: int = 64
    """Maximum number of distinct scores per guess that the kernel supports, including the winning
    one."""


class TooLongError(Exception):
    """The search exceeded its limits, or a guess has too many distinct scores."""


def solve_endgame(
    game: Game,
    codes: Array,
    others: Sequence[Code] = (),
    *,
    consistent_only: bool = False,
    limits: EndgameLimits = EndgameLimits(),
) -> tuple[int, Code]:
    """Return the minimum total number of guesses over all codes, and the guess that achieves it.

    `codes` is an array of shape (codes, pegs), with colors from 0. Guesses are the codes and,
    unless `consistent_only`, the `others`, which must not be among the codes. With
    `consistent_only`, each guess must be a possible code at the time it is made. The search is that
    of mmsat.strategy.optimal. If it reaches `limits.sets`, the smallest total found so far is
    returned. Raises TooLongError if no total was found, or if one of `codes` has too many distinct
    scores as a guess. Usually takes some hundredths of a second for 200 codes and 1000 others.
    """
    guesses = [*map(tuple, codes.tolist()), *(() if consistent_only else others)]
    num_codes = len(codes)
    if num_codes <= 2:
        return 2 * num_codes - 1, guesses[0]
    answers = _rank_answers(game, codes, guesses)
    is_supported = answers.max(axis=1) < limits.answers - 1
    if not is_supported[:num_codes].all():
        raise TooLongError
    supported = np.flatnonzero(is_supported)
    answers = answers[supported]
    # Codes come first in `guesses`, so the diagonal is the scores of codes as their own guesses.
    win = answers.max() + 1
    np.fill_diagonal(answers, win)
    by_guess = np.zeros((len(supported), pad_length(len(supported))), dtype=np.uint8)
    by_code = np.zeros_like(by_guess)
    by_guess[:, :num_codes] = answers
    by_code[:num_codes, : len(supported)] = answers.T
    search = Optimal(
        np.zeros((len(supported), 1), dtype=np.uint8),  # unused, as no symmetry is declared
        1,
        by_code,
        by_guess,
        int(win) + 1,
        pegs_alike=False,
        colors_alike=False,
        same_answers=False,
        consistent_only=consistent_only,
        memo_bits=16,
        possible=range(num_codes),
        max_sets=limits.sets,
    )
    total, tree = run_search(search)
    if not tree:
        raise TooLongError
    return total, guesses[supported[tree[0]]]


def _rank_answers(game: Game, codes: Array, guesses: Sequence[Code]) -> Array:
    """Return the index of each score among the distinct scores of its guess; (guesses, codes)."""
    answers = compute_answers(game, codes, guesses)
    order = answers.argsort(axis=1)
    is_new = np.diff(np.take_along_axis(answers, order, axis=1), axis=1, prepend=-1) != 0
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, is_new.cumsum(axis=1) - 1, axis=1)
    return ranks
