"""How guesses part codes by the scores that they give."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from mmsat.strategy.kernel import form_of, packed_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mmsat.game.game import Game
    from mmsat.game.row import Code

CELLS = 1 << 22
"""Numbers in a table of histograms."""


def parts(game: Game, codes: NDArray[Any], guesses: Sequence[Code]) -> Iterator[list[int]]:
    """For each guess, how many of the codes give each score that some give, descending."""
    for table in tables(game, codes, guesses):
        for row in table:
            yield sorted(row[row > 0].tolist(), reverse=True)


def tables(game: Game, codes: NDArray[Any], guesses: Sequence[Code]) -> Iterator[NDArray[Any]]:
    """How many of the codes give each score, some guesses at a time; shape (guesses, scores).

    Costs a score for each pair: compiled where the kernel knows the scoring, else by arrays.
    """
    import numpy as np  # noqa: PLC0415  (loads when needed)

    form = form_of(game)
    if form is None:
        columns = np.asfortranarray(codes)
        for guess in guesses:
            _, packed = packed_scores(game, columns, guess)
            _, counted = np.unique(packed, return_counts=True)
            yield counted[np.newaxis]
        return
    from mmsat._core import Scored  # noqa: PLC0415

    width = len(form.answers)
    step = max(1, CELLS // width)
    for start in range(0, len(guesses), step):
        asked = np.array(guesses[start : start + step], dtype=np.uint8)
        table = np.zeros((len(asked), width), dtype=np.uint32)
        Scored(form, asked).count(codes, table)
        yield table


def uncertainty(sizes: Iterable[int]) -> int:
    """The product of n**n over parts of n codes: what is least where most is learnt.

    Its logarithm is the codes times the entropy that is left, so that comparing products compares
    entropies exactly, in whole numbers.
    """
    powers = [size**size for size in sizes]
    while len(powers) > 1:  # numbers of like lengths, which are multiplied quickly
        powers = [prod(powers[index : index + 2]) for index in range(0, len(powers), 2)]
    return prod(powers)
