"""The codemaker who cheats fairly."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from mmsat import Board, Game
from mmsat.matches.evader import Evader, evade
from mmsat.matches.players import Machine, play_round
from mmsat.matches.round import Round
from tests import twins
from tests.strategies import small_games


@given(small_games())
def test_the_answer_leaves_most_codes(game):
    board = Board(game)
    codes = list(twins.codes(game))
    guess = codes[len(codes) // 3]
    parts = Counter(game.score(code, guess) for code in codes)
    del parts[game.score(guess, guess)]
    found = evade(board, guess)
    if parts:
        assert parts[found] == max(parts.values())
    else:
        assert found == game.score(guess, guess)


@pytest.mark.parametrize("strategy", ["knuth", "first-consistent", "random-consistent"])
@pytest.mark.parametrize("size", ["4x6", "3x10!", "4x4b", "3x5w"])
def test_every_answer_is_true_of_the_code_that_is_revealed(size, strategy):
    game = Game.parse(size)
    evader = Evader(game, seed=1)
    now = Round(Board(game), 20, evader.hide(game))
    now = play_round(now, [Machine(game, strategy, seed=2)], evader)
    assert now.board.is_consistent(evader.reveal(now))


def test_a_worst_case_strategy_is_not_beaten():
    """Knuth's takes five guesses at most, whatever the codemaker does (1977)."""
    game = Game.parse("4x6")
    now = play_round(Round(Board(game), 20), [Machine(game, "knuth")], Evader(game))
    assert now.is_found
    assert len(now.board.rows) == 5
