"""Laws of lies over the published games at their real size."""

from __future__ import annotations

import random
from itertools import islice

import pytest

import mmsat
from mmsat.game.board import Status
from mmsat.game.published import PUBLISHED_GAMES
from mmsat.game.tolerance import MEASURES
from mmsat.reductions.lies import Lies
from tests.support import twins
from tests.support.published_games import each_game, played, slipped
from tests.support.random_boards import random_secret

LISTED = 5000
"""Codes that are written down one by one."""


@each_game
@pytest.mark.parametrize("by", MEASURES)
def test_a_game_with_a_slip_is_consistent_within_its_lies(name, by):
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
def test_codes_of_a_game_within_a_lie(name, by):
    board, secret = played(name)
    codes = mmsat.codes(board, lies=1, by=by)
    assert secret in codes
    listed = list(islice(codes, 200))
    assert listed == sorted(set(listed))
    assert all(twins.lies_of(board, code, by) <= 1 for code in listed)
    rng = random.Random(3)
    for code in [random_secret(rng, board.game) for _ in range(100)]:
        assert (code in codes) == (twins.lies_of(board, code, by) <= 1)
    if PUBLISHED_GAMES[name].game.size <= LISTED:
        expected = twins.within(board, 1, by)
        assert codes.count == len(expected)
        assert list(codes) == expected


@each_game
def test_a_game_repeated_is_the_game(name):
    board, secret = played(name)
    repeated = Lies(board, lies=2).board
    assert secret in mmsat.codes(repeated, lies=2)
    assert list(islice(mmsat.codes(repeated, lies=2), 50)) == list(islice(mmsat.codes(board), 50))
    wrong = Lies(slipped(name)[0], lies=1).board
    assert mmsat.check(wrong, lies=1, reason=0).status is Status.INCONSISTENT
