"""Properties of lies for all published games."""

from __future__ import annotations

import random
from itertools import islice

import pytest

import mmsat
from mmsat.game.board import Status
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.game.tolerance import MEASURES
from mmsat.reductions.boards import Lies
from tests.support import twins
from tests.support.published_games import each_game, played, slipped
from tests.support.random_boards import random_secret

MAX_LISTED_CODES = 5000
"""Maximum size of a game whose codes are all listed."""


@each_game
@pytest.mark.parametrize("by", MEASURES)
def test_a_board_with_a_slip_is_consistent_within_some_lies(name, by):
    board, _ = slipped(name)
    assert mmsat.check(board, reason=0).status is Status.INCONSISTENT
    lies = 1
    while not (verdict := mmsat.check(board, lies=lies, by=by, reason=0)).is_consistent:
        lies += 1
    assert twins.lies_of(board, verdict.witness, by) == lies
    assert verdict.misses[0].row >= 0
    if by == "rows":
        assert lies == 1


@each_game
@pytest.mark.parametrize("by", MEASURES)
def test_codes_within_one_lie(name, by):
    board, secret = played(name)
    codes = mmsat.codes(board, lies=1, by=by)
    assert secret in codes
    listed = list(islice(codes, 200))
    assert listed == sorted(set(listed))
    assert all(twins.lies_of(board, code, by) <= 1 for code in listed)
    rng = random.Random(3)
    for code in [random_secret(rng, board.game) for _ in range(100)]:
        assert (code in codes) == (twins.lies_of(board, code, by) <= 1)
    if PUBLISHED_GAMES[name].game.size <= MAX_LISTED_CODES:
        expected = twins.within(board, 1, by)
        assert codes.count == len(expected)
        assert list(codes) == expected


@each_game
def test_the_reduction_lies_keeps_the_codes(name):
    board, secret = played(name)
    repeated = Lies(board, lies=2).board
    assert secret in mmsat.codes(repeated, lies=2)
    assert list(islice(mmsat.codes(repeated, lies=2), 50)) == list(islice(mmsat.codes(board), 50))
    inconsistent = Lies(slipped(name)[0], lies=1).board
    assert mmsat.check(inconsistent, lies=1, reason=0).status is Status.INCONSISTENT
