"""Counts and verdicts of boards in arrays, in games of every kind."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mmsat
from mmsat.auditing.batch import find_batch, find_reasons
from mmsat.errors import InputError
from mmsat.game.game import Game
from tests.support import tiers, twins
from tests.support.board_arrays import as_arrays
from tests.support.random_boards import (
    inconsistent_boards,
    known_boards,
    random_secret,
    scorings_of,
)


def test_counts_in_games_of_every_kind():
    seen = []
    for board, codes in known_boards(tiers.share(300, least=40), seed=41, pegs=3, colors=4):
        result = mmsat.count_arrays(board.game, *as_arrays([board, board]))
        assert result.tolist() == [len(codes)] * 2
        assert mmsat.check_arrays(board.game, *as_arrays([board])).tolist() == [bool(codes)]
        seen.append(board)
    if tiers.TIER != "quick":
        assert len(scorings_of(seen)) == 7


@pytest.mark.parametrize(
    "name", ["4x6", "5x4", "4x5!", "5x8", "5x8b", "4x8w", "7x3", "6x8!", "4x4p", "3x5o", "2x2x3"]
)
def test_arrays_give_the_same_counts_as_single_boards(name):
    """In games that are judged by tables and by lists, for boards with and without wrong scores."""
    game = Game.parse(name)
    rng = random.Random(name)
    assert find_batch(game) is not None
    codes = [*twins.codes(game)] if game.size < 5000 else rng.sample([*twins.codes(game)], 3000)
    boards = []
    for _ in range(tiers.share(60, least=10)):
        secret, rows = rng.choice(codes), []
        for _ in range(rng.randint(1, 6)):
            guess = random_secret(rng, game)
            lie = rng.choice(codes) if rng.random() < 0.3 else secret
            rows.append((guess, game.score(lie, guess)))
        boards.append(mmsat.Board(game, tuple(rows)))
    result = mmsat.count_arrays(game, *as_arrays(boards)).tolist()
    assert result == [mmsat.count(board).count for board in boards]
    assert mmsat.check_arrays(game, *as_arrays(boards)).tolist() == [entry > 0 for entry in result]
    assert any(result)


def test_impossible_scores_leave_no_code():
    game = Game.parse("4x6")
    for score in ([9, 0], [4, 4], [0, 5], [3, 1], [10**9, 1]):
        guess, starts = np.array([[0, 1, 2, 3]]), np.array([0, 1])
        result = mmsat.count_arrays(game, guess, np.array([score]), starts)
        assert result.tolist() == [0]


def test_invalid_arrays_are_reported():
    game, row, score = Game.parse("4x6"), np.array([[0, 1, 2, 3]]), np.array([[1, 1]])
    for guesses, scores, starts in (
        (row[:, :3], score, [0, 1]),
        (row * 9, score, [0, 1]),
        (row / 2, score, [0, 1]),
        (row, score[:, :1], [0, 1]),
        (row, score, [0, 2]),
        (row, score, [1, 1]),
        (row, score, []),
    ):
        with pytest.raises(InputError, match="the arrays"):
            mmsat.count_arrays(game, guesses, scores, np.array(starts, dtype=np.int64))


def test_reasons_follow_their_definition():
    """The reasons are a smallest conflict and a cheapest correction with its codes, as in check."""
    for board in inconsistent_boards(tiers.share(120, least=15), seed=6):
        conflict, correction = find_reasons(board)
        assert conflict.rows == min(twins.minimal_conflicts(board), key=lambda r: (len(r), r))
        repairs = twins.cheapest_repairs(board)
        repair = tuple((change.row, change.after) for change in correction.changes)
        assert repairs[repair] == correction.codes.count
        explanation = mmsat.explain(board)
        assert correction.sort_key() == min(entry.sort_key() for entry in explanation.corrections)
