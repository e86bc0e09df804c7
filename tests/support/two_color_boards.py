"""Small random boards of two colors whose scores are linear equations.

Equal seeds give equal boards.
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import product

from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from tests.support import twins

SUFFIXES = ("", "", "b", "b", "w")


def random_board(rng):
    """Return a board of up to 7 pegs, possibly with wrong scores and unread parts.

    A wrong part is off by one, which changes the parity of the score, or by two, which does not.
    """
    pegs = rng.randint(1, 7)
    space = "!" if pegs <= 2 and rng.random() < 0.5 else ""
    game = Game.parse(f"{pegs}x2{space}{rng.choice(SUFFIXES)}")
    secret = tuple(rng.randrange(2) for _ in range(pegs))
    slips, unread = rng.choice([0, 0, 0.1, 0.4]), rng.choice([0, 0.1, 0.4])
    rows = []
    for _ in range(rng.randint(0, 9)):
        guess = tuple(rng.randrange(2) for _ in range(pegs))
        if rng.random() < 0.1:
            guess = (rng.randrange(2),) * pegs
        score = list(game.score(secret, guess))
        for part in range(len(score)):
            if rng.random() < slips:
                score[part] = max(0, score[part] + rng.choice([-2, -1, 1, 2]))
            if rng.random() < unread:
                score[part] = None
        rows.append(Row(guess, tuple(score)))
    return Board(game, tuple(rows))


@lru_cache(maxsize=4)
def known_boards(number, seed):
    """Return `number` boards, each with its consistent codes, found by the twin."""
    rng = random.Random(seed)
    boards = [random_board(rng) for _ in range(number)]
    return tuple((board, twins.consistent(board)) for board in boards)


def solutions(equations):
    """Return the codes that satisfy equations with one coefficient per peg (`signs`)."""
    codes = product((0, 1), repeat=equations.pegs)
    return [
        code
        for code in codes
        if all(
            sum(int(sign) * value for sign, value in zip(signs, code, strict=True)) == total
            for signs, total in zip(equations.signs, equations.totals, strict=True)
        )
    ]


def short_solutions(rows, pegs):
    """Return the codes that satisfy short equations, which name only some pegs."""
    codes = product((0, 1), repeat=pegs)
    return [
        code
        for code in codes
        if all(
            sum(sign * code[peg] for peg, sign in row.coefficients().items()) == row.total
            for row in rows
        )
    ]
