"""Strategies in games too large to list."""

from __future__ import annotations

import random
import time

import pytest

from mmsat.errors import InconsistentError, InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.play import Machine, Round, play_round
from mmsat.strategy.candidates import MAX_NEW_COLORS, explore_colors
from mmsat.strategy.strategies import find_strategy
from mmsat.strategy.strategies.consistent import SatConsistent
from mmsat.strategy.strategies.heuristics import GuessEvaluator
from mmsat.strategy.strategy import State

STRATEGIES = ["sampled", "any-consistent", "sat-consistent"]


def play(size, strategy, seed, **options):
    """Play a round against a random code, and return the board."""
    game = Game.parse(size)
    machine = Machine(game, strategy, seed)
    for name, value in options.items():
        setattr(machine.strategy, name, value)
    final_round = play_round(Round(Board(game), secret=machine.hide(game)), [machine], machine)
    assert final_round.is_found
    assert final_round.board.rows[-1].guess == final_round.secret
    return final_round.board


CASES = [
    pytest.param(size, strategy, marks=pytest.mark.slow if is_long else ())
    for size in ("8x12", "10x10", "10x12!", "12x6b", "16x6")
    for strategy in STRATEGIES
    for is_long in [strategy == "sampled" and size in {"10x10", "10x12!", "16x6"}]
]


@pytest.mark.parametrize(("size", "strategy"), CASES)
def test_large_games_are_won_by_consistent_guesses(size, strategy):
    board = play(size, strategy, 3, consistent_only=True)
    assert board.inconsistent_guesses() == ()
    assert len(board.rows) <= 40


def test_the_same_seed_plays_the_same_game():
    for strategy in STRATEGIES:
        one, again, other = (play("9x7", strategy, seed) for seed in (1, 1, 2))
        assert one == again
        assert one != other


def test_a_short_time_limit_is_kept_and_a_long_one_changes_nothing():
    board = Board(Game.parse("8x10"), (Row((0, 0, 1, 1, 2, 2, 3, 3), (1, 2)),))
    state = State(board)
    short, long, unlimited = (
        find_strategy(f"sampled{limit}", seed=3) for limit in (":1e-9", ":1000", "")
    )
    calls, evaluate = [], GuessEvaluator.evaluate
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            GuessEvaluator, "evaluate", lambda *args: calls.append(args) or evaluate(*args)
        )
        guess = short.guess(state)
    assert len(calls) == 1
    assert board.is_consistent(guess)
    assert long.guess(state) == unlimited.guess(state)


@pytest.mark.parametrize("spec", ["knuth:1", "sampled:", "sampled:0", "sampled:x", "sampled:nan"])
def test_invalid_time_limits_are_refused(spec):
    with pytest.raises(InputError, match=r"expected sampled:SECONDS|has no time limit"):
        find_strategy(spec)


@pytest.mark.parametrize("size", ["20x20", "16x6", "9x12b"])
def test_explored_codes_are_consistent_and_have_few_unexplored_colors(size):
    game, rng = Game.parse(size), random.Random(3)
    secret = tuple(rng.randrange(game.colors) for _ in range(game.pegs))
    board, explored, num_found = Board(game), set(), 0
    for seed in range(20):
        guess = explore_colors(board, seed)
        assert explore_colors(board, seed) == guess
        if guess is None:
            continue
        assert board.is_consistent(guess)
        assert len(set(guess) - explored) <= MAX_NEW_COLORS
        explored |= set(guess)
        board = Board(game, (*board.rows, Row(guess, game.score(secret, guess))))
        num_found += 1
    assert num_found >= 2


def test_colors_are_not_explored_if_they_cannot_repeat_or_all_have_been_guessed():
    assert explore_colors(Board(Game.parse("10x12!"))) is None
    assert explore_colors(Board(Game(6, 3), (Row((0, 0, 1, 1, 2, 2), (1, 2)),))) is None


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_guess_depends_on_the_board_only(strategy):
    """Earlier calls of the strategy have no influence."""
    game, rng = Game(10, 8), random.Random(2)
    *guesses, secret = (tuple(rng.randrange(8) for _ in range(10)) for _ in range(5))
    rows = [Row(guess, game.score(secret, guess)) for guess in guesses]
    used = find_strategy(strategy, seed=1)
    results = [used.guess(State(Board(game, tuple(rows[:size])))) for size in (1, 2, 4)]
    used.guess(State(Board(Game(6, 5))))
    for count, guess in zip((1, 2, 4), results, strict=True):
        fresh = find_strategy(strategy, seed=1)
        assert fresh.guess(State(Board(game, tuple(rows[:count])))) == guess


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_contradictions_are_reported(strategy):
    guess = (0,) * 12
    board = Board(Game(12, 8), (Row(guess, (3, 0)), Row(guess, (4, 0))))
    with pytest.raises(InconsistentError, match="Rows 1 and 2"):
        find_strategy(strategy, seed=1).guess(State(board))


def test_sat_consistent_uses_other_solvers_beyond_its_budget():
    game, secret = Game.parse("12x6"), (0, 3, 1, 5, 2, 2, 4, 0, 1, 3, 5, 0)
    state, strategy = State.start(game), SatConsistent(propagations=1)
    while not state.rows or state.rows[-1].guess != secret:
        guess = strategy.guess(state)
        assert state.board.is_consistent(guess)
        state = state.after(guess, game.score(secret, guess))
    assert len(state.rows) < 20


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seconds"), [("20x6", 60), ("20x20", 60), ("24x6", 120)])
def test_very_large_games_are_won_in_time(size, seconds):
    started = time.process_time()
    board = play(size, "any-consistent", 1)
    assert board.inconsistent_guesses() == ()
    assert time.process_time() - started < seconds


@pytest.mark.slow
def test_sampled_needs_fewer_guesses_than_the_published_genetic_algorithm():
    """The genetic algorithm of Berghman et al. (2009) needs 8.37 guesses on average."""
    boards = [play("8x12", "sampled", seed) for seed in range(300)]
    assert sum(len(board.rows) for board in boards) < 8.37 * len(boards)
    assert any(board.inconsistent_guesses() for board in boards)
