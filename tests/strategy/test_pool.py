"""Pools of consistent codes, and single codes, also of games too large to list."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mmsat
from mmsat.errors import InconsistentError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.strategy.answers import partition_sizes, uncertainty
from mmsat.strategy.candidates import PoolLimits, balanced_codes, draw_pool, find_code
from mmsat.strategy.strategies.consistent import IncrementalSat
from mmsat.strategy.strategy import State
from tests.support import tiers, twins
from tests.support.random_boards import known_boards


def random_board(game, rows, seed=1):
    """Return a board of random guesses, scored for a random code."""
    rng = random.Random(seed)
    *guesses, secret = (
        tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows + 1)
    )
    return Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))


def as_codes(pool):
    return [*map(tuple, pool.codes.tolist())]


def test_pools_of_small_boards_have_all_codes_or_a_sample():
    for board, codes in known_boards(tiers.share(60), seed=8):
        if not codes:
            with pytest.raises(InconsistentError, match="mmsat explain"):
                draw_pool(State(board), 10)
            continue
        sample = draw_pool(State(board), 3, seed=2)
        assert as_codes(draw_pool(State(board), 10_000)) == [*codes]
        assert sample.count == len(codes)
        assert sample.is_all == (len(codes) <= 3)
        assert len(set(as_codes(sample))) == min(3, len(codes))
        assert set(as_codes(sample)) <= set(codes)


@pytest.mark.parametrize("rows", [0, 1, 3, 6, 9])
def test_pools_of_games_too_large_to_list_are_drawn_by_diagrams(rows):
    board = random_board(Game(8, 12), rows)
    pool = draw_pool(State(board), 300, seed=1)
    assert not State(board).is_listed
    assert pool.count == mmsat.count(board).count
    assert len(set(as_codes(pool))) == min(300, pool.count)
    assert all(map(board.is_consistent, as_codes(pool)))
    assert as_codes(pool) == as_codes(draw_pool(State(board), 300, seed=1))


def test_pools_without_a_diagram_are_drawn_by_random_walks():
    board = random_board(Game(8, 12), 3)
    limits = PoolLimits(memory=1, work=0)
    pool = draw_pool(State(board), 200, 1, limits)
    assert pool.count is None
    assert not pool.is_all
    assert len(set(as_codes(pool))) == 200
    assert all(map(board.is_consistent, as_codes(pool)))
    assert as_codes(pool) == as_codes(draw_pool(State(board), 200, 1, limits))


def test_find_code_returns_a_consistent_code_if_there_is_one():
    for board, codes in known_boards(tiers.share(24), seed=9):
        code = find_code(board, 1)
        assert (code is not None) == bool(codes)
        assert code is None or board.is_consistent(code)


def test_incremental_sat_finds_a_code_after_each_row():
    for board, _ in known_boards(tiers.share(60), seed=10):
        solver = IncrementalSat(board.game)
        for number, row in enumerate(board.rows, 1):
            solver.add(row)
            so_far = board.only(range(number))
            code = solver.code()
            assert (code is not None) == bool(twins.consistent(so_far))
            assert code is None or so_far.is_consistent(code)
        solver.close()


@pytest.mark.parametrize("size", ["3x4", "4x5!", "3x4b", "3x4w", "2x2x3", "2x2x2k", "3x4p", "3x4o"])
def test_partition_sizes_follow_the_definition(size):
    game = Game.parse(size)
    codes = [*twins.codes(game)]
    state = State(Board(game))
    for guess, sizes in zip(
        codes[::5], partition_sizes(game, state.codes, codes[::5]), strict=True
    ):
        num_codes_by_score = {}
        for code in codes:
            score = twins.score(game.scoring, code, guess)
            num_codes_by_score[score] = num_codes_by_score.get(score, 0) + 1
        assert sizes == sorted(num_codes_by_score.values(), reverse=True)
    assert uncertainty([3, 2, 1]) == 27 * 4


@pytest.mark.parametrize("pegs", [256, 257, 300, 1000])
def test_scores_of_many_pegs_are_distinguished(pegs):
    game = Game(pegs, 3)
    guess = (0,) * (pegs - 1) + (1,)
    codes = [(1,) + (2,) * (pegs - 1)]  # 0 black, 1 white
    codes += [(0,) * black + (2,) * (pegs - black) for black in range(pegs)]  # without white
    (sizes,) = partition_sizes(game, np.array(codes), [guess])
    assert sizes == [1] * len(codes)


def test_balanced_codes_have_equally_many_pegs_per_color():
    for size, num_codes in (("6x4", 4), ("4x6", 4), ("4x6!", 1), ("5x5!", 1)):
        game = Game.parse(size)
        results = [*balanced_codes(game)]
        assert len(results) == num_codes
        for code in results:
            counts = [code.count(color) for color in set(code)]
            assert game.contains(code)
            assert max(counts) - min(counts) <= 1
            assert code == tuple(sorted(code))
