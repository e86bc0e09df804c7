"""Entropies are compared exactly, as products of whole numbers."""

from __future__ import annotations

from math import prod

import numpy as np

from mmsat import _core
from mmsat.game.game import Game
from mmsat.strategy.answers import all_codes


def test_the_guess_with_the_smallest_product_is_chosen():
    """The products of n**n over the parts of the first three guesses are 256, 64 and 729."""
    codes = all_codes(Game.parse("1x8"))
    table = np.zeros((8, 64), dtype=np.uint8)
    table[:, 0] = [9, 1, 1, 1, 1, 2, 3, 4]  # 1, 4, 1, 1, 1
    table[:, 1] = [1, 9, 1, 2, 2, 3, 3, 4]  # 1, 2, 2, 2, 1
    table[:, 2] = [1, 1, 9, 1, 2, 2, 2, 3]  # 1, 3, 3, 1
    table[:, 3:8] = 9
    sizes = {0: (1, 4, 1, 1, 1), 1: (1, 2, 2, 2, 1), 2: (1, 3, 3, 1)}
    assert {guess: prod(n**n for n in parts) for guess, parts in sizes.items()} == {
        0: 256,
        1: 64,
        2: 729,
    }
    chooser = _core.Chooser(codes, table, 10, 9)

    assert chooser.choose(codes, [], _core.Heuristic.ENTROPY, consistent_only=False) == (1,)


def test_guesses_with_equal_products_tie():
    """Guesses with different parts tie if their products are equal; the first guess is chosen."""
    num_codes = 16
    codes = all_codes(Game.parse("1x16"))
    fours = [9, *[1] * 4, *[2] * 1, *[3] * 1, *[4] * 1, *[5] * 1, *[6] * 2, *[7] * 2, *[8] * 3]
    twos = [9, *[1] * 2, *[2] * 2, *[3] * 2, *[4] * 2, *[5] * 2, *[6] * 2, *[7] * 3]
    first = sorted(fours.count(answer) for answer in {*fours})
    second = sorted(twos.count(answer) for answer in {*twos})
    assert first != second
    assert prod(n**n for n in first) == prod(n**n for n in second)
    for order in ((fours, twos), (twos, fours)):
        table = np.full((num_codes, 64), 9, dtype=np.uint8)
        for column, answers in enumerate(order):
            table[:, column] = np.roll(answers, column)
        chooser = _core.Chooser(codes, table, 10, 9)
        chosen = chooser.choose(codes, [], _core.Heuristic.ENTROPY, consistent_only=False)
        assert chosen == (0,)
