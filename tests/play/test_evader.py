"""The codemaker without a fixed code, whose scores are consistent."""

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
from mmsat.play import Evader, Machine, Round, evade, play_round
from mmsat.strategy.strategies import TreeStrategy
from tests.support import tiers, twins
from tests.support.strategies import small_games


@given(small_games())
def test_the_score_leaves_the_most_codes(game):
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
def test_the_revealed_code_is_consistent_with_all_scores(size, strategy):
    game = Game.parse(size)
    evader = Evader(game, seed=1)
    now = Round(Board(game), 20, evader.hide(game))
    now = play_round(now, [Machine(game, strategy, seed=2)], evader)
    assert now.board.is_consistent(evader.reveal(now))


def test_knuths_strategy_needs_five_guesses():
    """It needs at most five guesses against any codemaker (Knuth 1977)."""
    game = Game.parse("4x6")
    now = play_round(Round(Board(game), 20), [Machine(game, "knuth")], Evader(game))
    assert now.is_found
    assert len(now.board.rows) == 5


def word_games(count):
    """Yield games with short word lists, scored by marks and by numbers."""
    rng = random.Random(6)
    for number in range(count):
        words = rng.sample([*product(range(6), repeat=3)], rng.randint(3, 30))
        scoring = SCORINGS[("places", "black-white")[number % 2]]
        yield Game(3, 6, Words(words), scoring, name="words of a test")


@pytest.mark.parametrize("size", ["2x3", "3x3", "2x5b", "3x4!", "3x3p", "4x4"])
def test_the_worst_case_codemaker_forces_the_optimal_worst_case(size):
    check_worst_case(Game.parse(size))


def test_the_worst_case_codemaker_in_word_games():
    for game in word_games(tiers.share(60, least=6)):
        check_worst_case(game)


def check_worst_case(game):
    """Check that best play needs its worst case, and other strategies at least as many guesses."""
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


def test_the_worst_case_codemaker_forces_five_guesses_against_knuth():
    game = Game.parse("4x6")
    now = play_round(Round(Board(game), 20), [Machine(game, "knuth")], Evader(game, worst=True))
    assert len(now.board.rows) == 5


def test_the_worst_case_codemaker_requires_a_small_game():
    with pytest.raises(mmsat.SizeError, match="5,040"):
        Evader(Game.parse("5x6"), worst=True)
