"""A plain implementation of the model of slips, which visits every code.

A slip is a mistake in a recorded score. Its weight is its relative probability. In this module,
`said` is the recorded score, and `true` the score that the code would give.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from tests.support import twins

if TYPE_CHECKING:
    from mmsat.game import Code, Score
    from mmsat.game.board import Board
    from mmsat.game.game import Game

NAME, NUMBER, EXCHANGED = 65536, 32768, 16384
"""Weights of slips: black and white mixed up, one peg too many or too few, two numbers swapped."""
OTHERS = {1: 32768, 2: 1024, 3: 32}
"""Weights of other slips, by the number of wrong key pegs. If it is above 3, the weight is 1."""


def weight_of(game: Game, said: Score, true: Score) -> int:
    """Return the weight of the slip that records the score `said` instead of `true`."""
    pairs = [(s, t) for s, t in zip(said, true, strict=True) if None not in (s, t)]
    wrong = [(s or 0, t or 0) for s, t in pairs if s != t]
    if game.scoring.marks:
        return NAME if len(wrong) == 1 else OTHERS.get(len(wrong), 1)
    off = sorted(s - t for s, t in wrong)
    if off == [-1, 1]:
        return NAME
    if off in ([1], [-1]):
        return NUMBER
    if len(wrong) == 2 and wrong[0] == wrong[1][::-1]:
        return EXCHANGED
    too_many = sum(number for number in off if number > 0)
    too_few = -sum(number for number in off if number < 0)
    return OTHERS.get(max(too_many, too_few), 1)


def is_counted_twice(game: Game, code: Code, guess: Code, said: Score) -> bool:
    """Return whether a wrong score is that of a program that counts repeated colors twice."""
    if -1 in guess:
        return False
    score = twins.count_twice(game.scoring, code, guess)
    return all(s in (None, number) for s, number in zip(said, score, strict=True))


def slip_weight(game: Game, code: Code, guess: Code, said: Score, true: Score) -> int:
    """Return the weight of the most probable slip."""
    if is_counted_twice(game, code, guess, said):
        marks = len(game.scoring.marks)
        return NAME * game.pegs * (marks - 1) if marks else 2 * NAME
    return weight_of(game, said, true)


def true_scores(game: Game, code: Code, guess: Code, said: Score) -> list[Score]:
    """Return the scores that a guess can get, with the unread parts of `said` omitted."""
    scores = {
        tuple(
            None if s is None else number
            for s, number in zip(said, twins.score(game.scoring, code, entry), strict=True)
        )
        for entry in twins.possible_guesses(game, guess)
    }
    return sorted(scores, key=str)


Repair: TypeAlias = "tuple[tuple[int, Score], ...]"
"""Rows, each with its true score."""


def cheapest_corrections(board: Board) -> dict[Repair, int]:
    """Return the total weight of the codes of each cheapest correction."""
    game = board.game
    weights: Counter[Repair] = Counter()
    missed = {}
    for code in twins.codes(game):
        scores = [true_scores(game, code, guess, score) for guess, score in board.rows]
        missed[code] = [
            [(row, score) for score in scores[row]]
            for row, (_, said) in enumerate(board.rows)
            if said not in scores[row]
        ]
    fewest = min(map(len, missed.values()))
    for code, rows in missed.items():
        for repair in product(*rows) if len(rows) == fewest else ():
            weights[repair] += prod(
                slip_weight(game, code, *board.rows[row], true) for row, true in repair
            )
    return dict(weights)


def row_weights(board: Board) -> list[int]:
    """Return for each row the weight of all corrections that change it."""
    result = cheapest_corrections(board)
    return [
        sum(weight for repair, weight in result.items() if row in dict(repair))
        for row in range(len(board.rows))
    ]


def chances(board: Board) -> tuple[Fraction, ...]:
    """Return the probability that each row is wrong; the board has no unread pegs."""
    total = sum(cheapest_corrections(board).values())
    return tuple(Fraction(weight, total) for weight in row_weights(board))


def sorted_corrections(board: Board) -> list[Repair]:
    """Return the cheapest corrections, the most probable first, then by rows and scores."""
    result = cheapest_corrections(board)

    def sort_key(repair: Repair) -> tuple[object, ...]:
        rows = [row for row, _ in repair]
        scores = [[-1 if part is None else part for part in score] for _, score in repair]
        return -result[repair], rows, scores

    return sorted(result, key=sort_key)


def selected_correction(board: Board) -> Repair:
    """Return the most probable correction of a row that is most likely wrong."""
    weights = row_weights(board)
    likely = {row for row, weight in enumerate(weights) if weight == max(weights)}
    return next(repair for repair in sorted_corrections(board) if likely & dict(repair).keys())
