"""How guesses partition codes by the scores that they give."""

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from mmsat._core import Scored
from mmsat.arrays import Array
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.strategy.answers import kernel_form, pack_scores

CELLS = 1 << 22
"""Numbers in a table of histograms."""


def partition_sizes(game: Game, codes: Array, guesses: Sequence[Code]) -> Iterator[list[int]]:
    """For each guess, how many of the codes give each score that some give, descending."""
    for table in count_scores(game, codes, guesses):
        for row in table:
            yield sorted(row[row > 0].tolist(), reverse=True)


def count_scores(game: Game, codes: Array, guesses: Sequence[Code]) -> Iterator[Array]:
    """Histograms of scores, some guesses at a time; shape (guesses, scores).

    Costs a score for each pair: compiled where the kernel knows the scoring, else by arrays.
    """
    import numpy as np  # noqa: PLC0415  (loads when needed)

    form = kernel_form(game)
    if form is None:
        columns = np.asfortranarray(codes)
        for guess in guesses:
            _, packed = pack_scores(game, columns, guess)
            _, counts = np.unique(packed, return_counts=True)
            yield counts[np.newaxis]
        return
    width = len(form.answers)
    step = max(1, CELLS // width)
    for start in range(0, len(guesses), step):
        asked = np.array(guesses[start : start + step], dtype=np.uint8)
        table = np.zeros((len(asked), width), dtype=np.uint32)
        Scored(form, asked).count(codes, table)
        yield table


def split_codes(game: Game, codes: Array, guess: Code) -> dict[Score, Array]:
    """The codes by the score that each gets from a guess, each part in order."""
    import numpy as np  # noqa: PLC0415

    if len(codes) == 1:  # most of a tree
        return {game.score(tuple(codes[0].tolist()), guess): codes}
    scores = game.scoring.score_all(codes, guess)
    order = np.lexsort(scores.T[::-1])
    ranked = scores[order]
    starts = np.flatnonzero((ranked[1:] != ranked[:-1]).any(axis=1)) + 1
    parts = np.split(codes[order], starts)
    first = ranked[np.concatenate(([0], starts))].tolist()
    return {tuple(score): part for score, part in zip(first, parts, strict=True)}


def uncertainty(sizes: Iterable[int]) -> int:
    """The entropy that is left, to compare: the product of n**n over parts of n codes.

    Its logarithm is the codes times the entropy, so that comparing products compares entropies
    exactly, in whole numbers.
    """
    powers = [size**size for size in sizes]
    while len(powers) > 1:  # numbers of like lengths, which are multiplied quickly
        powers = [prod(powers[index : index + 2]) for index in range(0, len(powers), 2)]
    return prod(powers)
