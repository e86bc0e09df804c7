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
    large = [[0] * 12] * 2, [[1, 0], [0, 10**9]]
    assert mmsat.check_arrays("12x12", *map(np.array, large), np.array([0, 1, 2])).tolist() == [
        True,
        False,
    ]


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


@pytest.mark.parametrize("name", ["4x6", "5x8d", "12x12", "3x4p", "3x26o", "4x5x5"])
def test_values_out_of_range_are_reported_with_row_and_board(name):
    """The first ten wrong rows of each array are listed; every other row is valid."""
    game, rng = Game.of(name), random.Random(name)
    marks = len(game.scoring.marks)
    wrong_colors = (-2, game.colors, game.colors + 7, -(1 << 40))
    wrong_numbers = (-2, -(1 << 40)) + (marks, marks + 9) * bool(marks)
    for _ in range(20):
        num_rows = rng.randint(1, 60)
        starts = [0, *sorted(rng.choices(range(num_rows + 1), k=rng.randint(0, 20))), num_rows]
        arrays = {
            "guesses": np.full((num_rows, game.pegs), -1),
            "scores": np.zeros((num_rows, len(game.parts)), dtype=int),
        }
        expected = []
        for array_name, values in (("guesses", wrong_colors), ("scores", wrong_numbers)):
            array = arrays[array_name]
            rows = sorted(rng.sample(range(num_rows), rng.randint(0, num_rows)))
            for row in rows:
                array[row, rng.randrange(array.shape[1])] = rng.choice(values)
            expected += [
                (
                    f"{array_name}[{row}] of the board with index {board}",
                    str(tuple(array[row].tolist())),
                )
                for row in rows[:10]
                for board in range(len(starts) - 1)
                if starts[board] <= row < starts[board + 1]
            ]
        if not expected:
            continue
        with pytest.raises(InputError) as caught:
            mmsat.check_arrays(game, *arrays.values(), np.array(starts))
        assert [(fault.part, str(fault.found)) for fault in caught.value.faults] == expected


def test_reasons_follow_their_definition():
    """The reasons are a smallest conflict and a cheapest correction with its codes, as in check."""
    for board in inconsistent_boards(tiers.share(120, least=15), seed=6):
        conflict, correction = find_reasons(board)
        assert conflict.rows == min(twins.minimal_conflicts(board), key=lambda r: (len(r), r))
        repairs = twins.cheapest_repairs(board)
        repair = tuple((change.row, change.after) for change in correction.changes)
        assert repairs[repair] == correction.codes.count
        assert correction.sort_key() == mmsat.explain(board).correction.sort_key()
