"""The codemaker who cheats fairly."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given

import mmsat
from mmsat import Board, Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.play.players import Evader, Machine, evade, play_round
from mmsat.play.round import Round
from mmsat.strategy.selection import TreeStrategy
from tests.support import tiers, twins
from tests.support.strategies import small_games


@given(small_games())
def test_the_answer_leaves_most_codes(game):
    board = Board(game)
    codes = list(twins.codes(game))
    guess = codes[len(codes) // 3]
    parts = Counter(game.score(code, guess) for code in codes)
    del parts[game.score(guess, guess)]
    result = evade(board, guess)
    if parts:
        assert parts[result] == max(parts.values())
    else:
        assert result == game.score(guess, guess)


@pytest.mark.parametrize("strategy", ["knuth", "first-consistent", "random-consistent"])
@pytest.mark.parametrize("size", ["4x6", "3x10!", "4x4b", "3x5w"])
def test_every_answer_is_true_of_the_code_that_is_revealed(size, strategy):
    game = Game.parse(size)
    evader = Evader(game, seed=1)
    now = Round(Board(game), 20, evader.hide(game))
    now = play_round(now, [Machine(game, strategy, seed=2)], evader)
    assert now.board.is_consistent(evader.reveal(now))


def test_a_worst_case_strategy_is_not_beaten():
    """Knuth's strategy takes at most five guesses against any codemaker (1977)."""
    game = Game.parse("4x6")
    now = play_round(Round(Board(game), 20), [Machine(game, "knuth")], Evader(game))
    assert now.is_found
    assert len(now.board.rows) == 5


def word_games(many):
    """Small lists of words, scored by place and otherwise."""
    source = random.Random(6)
    for number in range(many):
        words = source.sample([*product(range(6), repeat=3)], source.randint(3, 30))
        scoring = SCORINGS[("places", "black-white")[number % 2]]
        yield Game(3, 6, Words(words), scoring, name="words of a test")


@pytest.mark.parametrize("size", ["2x3", "3x3", "2x5b", "3x4!", "3x3p", "4x4"])
def test_the_worst_codemaker_holds_out_as_long_as_can_be(size):
    holds_out(Game.parse(size))


def test_the_worst_codemaker_of_word_games():
    for game in word_games(tiers.share(60, least=6)):
        holds_out(game)


def holds_out(game):
    """By the least worst case against best play, and at least so long against any."""
    best = mmsat.optimal(game, objective="worst")
    evader = Evader(game, worst=True)
    for strategy in ("first-consistent", "entropy"):
        now = play_round(Round(Board(game), 50), [Machine(game, strategy)], evader)
        assert len(now.board.rows) >= best.bound
        assert now.board.is_consistent(evader.reveal(now))
    machine = Machine(game, "first-consistent")
    machine.strategy = TreeStrategy(best.tree)
    now = play_round(Round(Board(game), 50), [machine], evader)
    assert len(now.board.rows) == best.bound


def test_nobody_holds_out_longer_than_five_guesses_against_knuth():
    game = Game.parse("4x6")
    now = play_round(Round(Board(game), 20), [Machine(game, "knuth")], Evader(game, worst=True))
    assert len(now.board.rows) == 5


def test_the_worst_codemaker_plays_small_games():
    with pytest.raises(mmsat.SizeError, match="5,040"):
        Evader(Game.parse("5x6"), worst=True)
