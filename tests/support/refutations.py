"""Checks of refutations that add up rows of two colors.

The weight of a code is its number of pegs of the second color. A combination is a sum of rows,
each multiplied by a number. It may assume a weight of the code.
"""

from __future__ import annotations

from itertools import combinations, product

import mmsat
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.sources import Formula
from tests.support import twins

TWO = {"pegs": 6, "colors": 2, "rows": 6}
"""Arguments of `inconsistent_boards` for boards of at most two colors."""


def pigeonhole(holes):
    """Return the board of the formula that `holes` + 1 pigeons have different holes."""
    number = {pair: n for n, pair in enumerate(product(range(holes + 1), range(holes)), 1)}
    clauses = [tuple(number[pigeon, hole] for hole in range(holes)) for pigeon in range(holes + 1)]
    for hole in range(holes):
        for one, other in combinations(range(holes + 1), 2):
            clauses.append((-number[one, hole], -number[other, hole]))
    return REDUCTIONS["sat"](Formula(len(number), tuple(clauses))).board


def pigeonhole_sums(holes):
    """Return the board of the equations that `holes` + 1 pigeons have different holes."""
    pigeons = holes + 1
    lines = [
        " + ".join(f"x{pigeon * holes + hole + 1}" for hole in range(holes))
        for pigeon in range(pigeons)
    ]
    for hole in range(holes):
        names = [f"x{pigeon * holes + hole + 1}" for pigeon in range(pigeons)]
        lines.append(" + ".join([*names, f"x{pigeons * holes + hole + 1}"]))
    return mmsat.reduce("linear-system", "".join(f"{line} = 1\n" for line in lines)).board


def scores_like(board, row, code):
    """Return whether a code has the known parts of a row's score."""
    true = twins.score(board.game.scoring, code, board.rows[row].guess)
    pairs = zip(board.rows[row].score, true, strict=True)
    return all(read is None or read == part for read, part in pairs)


def weigh(board):
    """Return the codes of a game, grouped by their number of pegs of the second color."""
    codes = {}
    for code in twins.codes(board.game):
        codes.setdefault(sum(code), []).append(code)
    return codes


def is_right(board, found):
    """Return whether a refutation holds, by lists of the codes of each weight.

    Every weight must be refuted by a combination, or by one of the rows `found.weighing`, whose
    score no code of this weight gets.
    """
    by_weight = weigh(board)
    weights = [combination.weight for combination in found.combinations]
    if weights != [None]:
        for weight, codes in by_weight.items():
            if weight not in weights:
                alone = [
                    not any(scores_like(board, row, code) for code in codes)
                    for row in found.weighing
                ]
                if not any(alone):
                    return False
    return all(adds_up(board, combination, by_weight) for combination in found.combinations)


def adds_up(board, combination, by_weight):
    """Return whether no code satisfies the sum of the equations of the rows.

    Each row is an equation: the number of pegs of the second color where the guess has it, minus
    the number where the guess has the first color. Raises AssertionError if the scores do not
    determine this difference.
    """
    pegs = board.game.pegs
    coefficients, total = [combination.times_weight] * pegs, 0
    if combination.weight is None:
        codes = [code for some in by_weight.values() for code in some]
    else:
        codes = by_weight.get(combination.weight, [])
        total = combination.times_weight * combination.weight
    for row, times in combination.rows:
        guess, score = board.rows[row]
        signs = [1 if color == 1 else -1 for color in guess]
        sums = {
            sum(sign for sign, color in zip(signs, code, strict=True) if color == 1)
            for code in codes
            if scores_like(board, row, code)
        }
        created = score[0] - guess.count(0) if score[0] is not None else sum(sums)
        assert sums <= {created}
        coefficients = [
            number + times * sign for number, sign in zip(coefficients, signs, strict=True)
        ]
        total += times * created
    if combination.modulus is not None:
        divides = all(number % combination.modulus == 0 for number in coefficients)
        return divides and total % combination.modulus != 0
    reached = {0}
    for number in coefficients:
        reached |= {one + number for one in reached}
    return not min(reached) <= total <= max(reached)
