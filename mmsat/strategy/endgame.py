"""Search for the guess that minimizes the total number of guesses for a few remaining codes."""

from collections.abc import Sequence
from dataclasses import dataclass

from mmsat._core import Optimal
from mmsat._util.arrays import Array, np
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.answers import compute_answers, pad_length
from mmsat.strategy.optimal.answer_table import run_search


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
