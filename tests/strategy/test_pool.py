"""Pools of consistent codes, and codes of games too large to list."""

from __future__ import annotations

import random

import pytest

import mmsat
from mmsat.errors import InconsistentError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.strategy.answers import partition_sizes, uncertainty
from mmsat.strategy.candidates import PoolLimits, balanced_codes, draw_pool, find_code
from mmsat.strategy.strategies.consistent import IncrementalSat
from mmsat.strategy.strategy import State
from tests.support import tiers, twins
from tests.support.random_boards import known_boards


def played(game, rows, seed=1):
    """A board of random guesses at a random code."""
    source = random.Random(seed)
    *guesses, secret = (
        tuple(source.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows + 1)
    )
    return Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))


def as_codes(found):
    return [*map(tuple, found.codes.tolist())]


def test_pools_of_small_boards_are_all_their_codes_or_some():
    for board, codes in known_boards(tiers.share(60), seed=8):
        if not codes:
            with pytest.raises(InconsistentError, match="mmsat explain"):
                draw_pool(State(board), 10)
            continue
        few = draw_pool(State(board), 3, seed=2)
        assert as_codes(draw_pool(State(board), 10_000)) == [*codes]
        assert few.count == len(codes)
        assert few.is_all == (len(codes) <= 3)
        assert len(set(as_codes(few))) == min(3, len(codes))
        assert set(as_codes(few)) <= set(codes)


@pytest.mark.parametrize("rows", [0, 1, 3, 6, 9])
def test_pools_beyond_listing_are_drawn_by_diagrams(rows):
    board = played(Game(8, 12), rows)
    result = draw_pool(State(board), 300, seed=1)
    assert not State(board).is_listed
    assert result.count == mmsat.count(board).count
    assert len(set(as_codes(result))) == min(300, result.count)
    assert all(map(board.is_consistent, as_codes(result)))
    assert as_codes(result) == as_codes(draw_pool(State(board), 300, seed=1))


def test_pools_where_diagrams_end_are_met_on_a_walk():
    board = played(Game(8, 12), 3)
    limits = PoolLimits(memory=1, work=0)
    result = draw_pool(State(board), 200, 1, limits)
    assert result.count is None
    assert not result.is_all
    assert len(set(as_codes(result))) == 200
    assert all(map(board.is_consistent, as_codes(result)))
    assert as_codes(result) == as_codes(draw_pool(State(board), 200, 1, limits))


def test_some_code_is_consistent_or_there_is_none():
    for board, codes in known_boards(tiers.share(24), seed=9):
        code = find_code(board, 1)
        assert (code is not None) == bool(codes)
        assert code is None or board.is_consistent(code)


def test_a_growing_solver_has_the_codes_of_each_board_on_the_way():
    for board, _ in known_boards(tiers.share(60), seed=10):
        solver = IncrementalSat(board.game)
        for number, row in enumerate(board.rows, 1):
            solver.add(row)
            sofar = board.only(range(number))
            code = solver.code()
            assert (code is not None) == bool(twins.consistent(sofar))
            assert code is None or sofar.is_consistent(code)
        solver.close()


@pytest.mark.parametrize("size", ["3x4", "4x5!", "3x4b", "3x4w", "2x2x3", "2x2x2k", "3x4p", "3x4o"])
def test_parts_are_those_of_the_definition(size):
    game = Game.parse(size)
    codes = [*twins.codes(game)]
    state = State(Board(game))
    for guess, sizes in zip(
        codes[::5], partition_sizes(game, state.codes, codes[::5]), strict=True
    ):
        seen = {}
        for code in codes:
            score = twins.score(game.scoring, code, guess)
            seen[score] = seen.get(score, 0) + 1
        assert sizes == sorted(seen.values(), reverse=True)
    assert uncertainty([3, 2, 1]) == 27 * 4


def test_balanced_codes_share_the_pegs_evenly():
    for size, wanted in (("6x4", 4), ("4x6", 4), ("4x6!", 1), ("5x5!", 1)):
        game = Game.parse(size)
        results = [*balanced_codes(game)]
        assert len(results) == wanted
        for code in results:
            counts = [code.count(color) for color in set(code)]
            assert game.contains(code)
            assert max(counts) - min(counts) <= 1
            assert code == tuple(sorted(code))
