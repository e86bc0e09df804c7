"""Reviews in hard mode follow the same laws, with allowed guesses only."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import mmsat
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.strategy.strategy import find_breach, list_allowed
from tests.support import tiers, twins
from tests.support.hard_mode import uses
from tests.support.random_boards import known_boards, random_guess, scorings_of

CASES = 150


def boards():
    source = random.Random(8)
    for board, codes in known_boards(tiers.share(CASES, least=12), seed=22, pegs=3, colors=3):
        if codes:
            yield board, codes, random_guess(source, board.game)


def last_move(board, guess, score, **options):
    board = Board(board.game, (*board.rows, Row(guess, score)))
    return mmsat.review(board, **options).moves[-1]


def test_allowed_guesses_and_breaches_follow_the_definition():
    num_breaches = 0
    for board, codes, guess in boards():
        every = [*twins.codes(board.game)]
        allowed = [c for c in every if all(uses(board.game, row, c) for row in board.rows)]
        result = list_allowed(board.game, board.rows, np.array(every))
        assert [*map(tuple, result.tolist())] == allowed
        assert {*codes} <= {*allowed}  # no consistent code is forbidden
        broken = [n for n, row in enumerate(board.rows) if not uses(board.game, row, guess)]
        assert find_breach(board.game, board.rows, guess) == (broken[0] if broken else None)
        num_breaches += bool(broken)
    assert num_breaches


def test_the_laws_hold_in_hard_mode():
    """Luck is zero on average; the best allowed guess has no loss, and no guess is better."""
    seen = []
    for board, codes, guess in boards():
        game = board.game
        every = [*twins.codes(game)]
        allowed = [c for c in every if all(uses(game, row, c) for row in board.rows)]
        scores = [twins.score(game.scoring, code, guess) for code in codes]
        moves = {score: last_move(board, guess, score, hard=True) for score in {*scores}}
        moves_by_code = [moves[score] for score in scores]
        assert sum(move.luck for move in moves_by_code) == 0
        assert sum(move.luckier for move in moves_by_code) == Fraction(len(codes), 2)
        least = min(expected(game, codes, other) for other in allowed)
        cost = expected(game, codes, guess)
        move = moves_by_code[0]
        assert move.cost == cost
        assert move.best_cost == min(cost, least)
        assert move.best == guess or (move.best in allowed and least < cost)
        assert (move.breach is None) == all(uses(game, row, guess) for row in board.rows)
        best_move = last_move(board, move.best, game.score(codes[0], move.best), hard=True)
        assert (best_move.loss, best_move.skill) == (0, 1)
        seen.append(board)
    if tiers.TIER != "quick":
        assert len(scorings_of(seen)) == 7


def expected(game, codes, guess):
    """Return the expected number of remaining codes by definition."""
    scores = [twins.score(game.scoring, code, guess) for code in codes]
    return Fraction(sum(map(scores.count, scores)), len(codes))


@pytest.mark.parametrize(
    ("line", "breaches"),
    [
        ("daily-word/CRANE=-Y---/TRAIL=YY-Y-", [None, None]),
        ("daily-word/CRANE=-Y---/MOUTH=-----", [None, 1]),  # no R
        ("daily-word/CRANE=--G--/TRAIL=--G--/SPEED=-----", [None, None, 1]),  # A stays
        ("daily-word/CRANE=--G--/SLATE=--G--/PLANE=--G--", [None, None, None]),  # gray N, gray E
        ("daily-word/GEESE=-Y-Y-/SPEED=-GY--", [None, None]),
        ("daily-word/GEESE=-Y--Y/STONE=-----", [None, 1]),  # one E where two are known
        ("4x6/1122=1.1/1345=0.2", [None, 1]),
        ("4x6/1122=1.1/1314=1.1", [None, None]),
    ],
)
def test_known_breaches(line, breaches):
    review = mmsat.review(line, hard=True)
    numbers = [None if move.breach is None else move.breach + 1 for move in review.moves]
    assert numbers == breaches[: len(numbers)]
    assert review.to_dict()["hard"] is True
    for move in review.moves:
        assert ("hard mode forbids it" in move.sentence) == (move.breach is not None)
    assert [move.breach for move in mmsat.review(line).moves] == [None] * len(numbers)


def test_hard_mode_uses_the_weights_of_the_codes():
    board = Board.parse("3x4/112=1.0/113=1.1")
    weights = mmsat.Weights.of_colors(board.game, [3, 1, 1, 0])
    first = Board(board.game, board.rows[:1])
    codes = twins.consistent(first)
    units, _ = weights.weigh(codes)
    total = sum(units)

    def cost(guess):
        parts = {}
        for code, unit in zip(codes, units, strict=True):
            score = board.game.score(code, guess)
            parts[score] = parts.get(score, 0) + unit
        return Fraction(sum(part * part for part in parts.values()), total)

    allowed = [c for c in twins.codes(board.game) if uses(board.game, board.rows[0], c)]
    move = mmsat.review(board, weights=weights, hard=True).moves[1]
    best = min(map(cost, [*allowed, board.rows[1].guess]))
    assert move.best_cost / move.cost == best / cost(board.rows[1].guess)
