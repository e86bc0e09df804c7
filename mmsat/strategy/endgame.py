"""The end of a game: of few codes, the guess that takes the fewest guesses in all."""

from collections.abc import Sequence
from dataclasses import dataclass

from mmsat._core import Optimal
from mmsat.arrays import Array, np
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.answers import compute_answers, pad_length
from mmsat.strategy.optimal.answer_table import run_search


@dataclass(frozen=True)
class EndgameLimits:
    """What a search of an endgame takes at most."""

    sets: int = 2000
    """Sets of codes that it looks at: some tenths of a second."""
    answers: int = 64
    """Scores of a guess that the kernel tells apart, the win among them."""


class TooLongError(Exception):
    """The search takes more work than it may."""


def solve_endgame(
    game: Game,
    codes: Array,
    others: Sequence[Code] = (),
    *,
    consistent_only: bool = False,
    limits: EndgameLimits = EndgameLimits(),
) -> tuple[int, Code]:
    """The guesses over all codes, and the one to make, where guesses are codes or some others.

    With `consistent_only` there are no others, and each guess can be the code when it is made. The
    least for these guesses, by the search of mmsat.strategy.optimal, or the least that was found
    within the limits; raises TooLongError where none was. Codes have shape
    (codes, pegs), colors from 0, and the others are none of them. Mostly some hundredths of a
    second for 200 codes and 1000 others.
    """
    guesses = [*map(tuple, codes.tolist()), *(() if consistent_only else others)]
    many = len(codes)
    if many <= 2:
        return 2 * many - 1, guesses[0]
    answers = _rank_answers(game, codes, guesses)
    is_kept = answers.max(axis=1) < limits.answers - 1
    if not is_kept[:many].all():
        raise TooLongError
    kept = np.flatnonzero(is_kept)
    answers = answers[kept]
    win = answers.max() + 1
    np.fill_diagonal(answers, win)
    by_guess = np.zeros((len(kept), pad_length(len(kept))), dtype=np.uint8)
    by_code = np.zeros_like(by_guess)
    by_guess[:, :many] = answers
    by_code[:many, : len(kept)] = answers.T
    search = Optimal(
        np.zeros((len(kept), 1), dtype=np.uint8),  # colors do not matter where nothing is alike
        1,
        by_code,
        by_guess,
        int(win) + 1,
        pegs_alike=False,
        colors_alike=False,
        same_answers=False,
        consistent_only=consistent_only,
        memo_bits=16,
        possible=range(many),
        most_sets=limits.sets,
    )
    total, tree = run_search(search)
    if not tree:
        raise TooLongError
    return total, guesses[kept[tree[0]]]


def _rank_answers(game: Game, codes: Array, guesses: Sequence[Code]) -> Array:
    """By guess and code, the number of the score among those of the guess, from 0."""
    answers = compute_answers(game, codes, guesses)
    order = answers.argsort(axis=1)
    is_new = np.diff(np.take_along_axis(answers, order, axis=1), axis=1, prepend=-1) != 0
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, is_new.cumsum(axis=1) - 1, axis=1)
    return ranks
