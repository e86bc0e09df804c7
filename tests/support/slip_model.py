"""The model of slips, by its definition: every code looked at, every slip weighed by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from tests.support import twins

if TYPE_CHECKING:
    from mmsat.game import Code, Score
    from mmsat.game.board import Board
    from mmsat.game.game import Game

WEIGHTS = {0: 8, 1: 4, 2: 2}
"""By rank; all others weigh 1."""


def rank_of(game: Game, said: Score, true: Score) -> int:
    """How far-fetched it is that a person writes down a score for another one."""
    pairs = [(s, t) for s, t in zip(said, true, strict=True) if None not in (s, t)]
    wrong = [(s or 0, t or 0) for s, t in pairs if s != t]
    if game.scoring.marks:
        return 0 if len(wrong) == 1 else 2 * len(wrong)
    off = sorted(s - t for s, t in wrong)
    if off == [-1, 1]:
        return 0
    if off in ([1], [-1]):
        return 1
    if len(wrong) == 2 and wrong[0] == wrong[1][::-1]:
        return 2
    return 1 + sum(map(abs, off))


def is_counted_twice(game: Game, code: Code, guess: Code, said: Score) -> bool:
    """Whether a wrong score is that of a program that counts repeated colors twice."""
    if -1 in guess:
        return False
    score = twins.count_twice(game.scoring, code, guess)
    return all(s in (None, number) for s, number in zip(said, score, strict=True))


def slip_of(game: Game, code: Code, guess: Code, said: Score, true: Score) -> tuple[int, int]:
    """Return the rank and the weight of the most probable slip."""
    if is_counted_twice(game, code, guess, said):
        marks = len(game.scoring.marks)
        return 0, 8 * game.pegs * (marks - 1) if marks else 16
    rank = rank_of(game, said, true)
    return rank, WEIGHTS.get(rank, 1)


def true_scores(game: Game, code: Code, guess: Code, said: Score) -> list[Score]:
    """The scores that a guess can have, without the parts that were not read."""
    scores = {
        tuple(
            None if s is None else number
            for s, number in zip(said, twins.score(game.scoring, code, entry), strict=True)
        )
        for entry in twins.possible_guesses(game, guess)
    }
    return sorted(scores, key=str)


def cheapest_corrections(board: Board) -> dict[tuple[tuple[int, Score], ...], tuple[int, ...]]:
    """Return the sort key of each cheapest correction, by (row, true score).

    The key is the negated weight of its ranks, the sum of its ranks, and the negated weight of all
    its codes.
    """
    game = board.game
    ways: dict[tuple[tuple[int, Score], ...], list[tuple[int, int, int]]] = {}
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
            slips = [slip_of(game, code, *board.rows[row], true) for row, true in repair]
            ranks = [rank for rank, _ in slips]
            key = -prod(WEIGHTS.get(rank, 1) for rank in ranks), sum(ranks)
            ways.setdefault(repair, []).append((*key, prod(weight for _, weight in slips)))
    return {
        repair: (*min(entry[:2] for entry in codes), -sum(entry[2] for entry in codes))
        for repair, codes in ways.items()
    }


def chances(board: Board) -> tuple[Fraction, ...]:
    """For each row the chance that it is wrong, of a board without unread pegs."""
    result = cheapest_corrections(board)
    total = -sum(key[2] for key in result.values())
    likely = [
        -sum(key[2] for repair, key in result.items() if row in dict(repair))
        for row in range(len(board.rows))
    ]
    return tuple(Fraction(entry, total) for entry in likely)
