"""Strategies with proven bounds on the number of guesses."""

from __future__ import annotations

import copy
import random
from math import ceil, log2

import pytest

from mmsat.errors import InconsistentError, InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.strategy.analyze import analyze, count_guesses
from mmsat.strategy.strategies import STRATEGIES, find_strategy
from mmsat.strategy.strategy import State
from mmsat.strategy.suggest import suggest
from tests.support import twins

PLANNED = ("halving", "parallel-halving", "weighing")
SIZES = ("1x1", "1x3", "2x2", "3x2b", "5x3", "8x8", "16x16b", "17x6", "33x33", "64x64b", "100x7b")
each_strategy = pytest.mark.parametrize("name", PLANNED)


def goodrich_bound(game):
    """Return Goodrich's bound of 2009 on the number of guesses with black pegs."""
    pegs, colors = game.pegs, game.colors
    return pegs * ceil(log2(colors)) + ceil((2 - 1 / colors) * pegs) + colors


def codes(game, seed):
    """Yield a random code, codes of one color and of two, blocks of colors, and shuffled colors."""
    rng = random.Random(f"{game} {seed}")
    pegs, colors = game.pegs, game.colors
    yield tuple(rng.choices(range(colors), k=pegs))
    yield (rng.randrange(colors),) * pegs
    yield tuple(rng.choices([0, colors - 1], k=pegs))
    yield tuple(peg * colors // pegs for peg in range(pegs))
    yield tuple(peg % colors for peg in rng.sample(range(pegs), pegs))


def supported_games(name):
    """Return the games of SIZES that a strategy supports."""
    max_colors = 16 if name == "weighing" else 1000
    return [game for game in map(Game.parse, SIZES) if game.colors <= max_colors]


@each_strategy
@pytest.mark.parametrize("size", ["1x5", "2x3", "3x4b", "4x3", "5x2b", "4x4"])
def test_every_code_of_small_games_is_found(name, size):
    game = Game.parse(size)
    analysis = analyze(game, name, seed=1)
    assert analysis.codes == len([*twins.codes(game)])
    if name != "weighing":
        assert analysis.max <= goodrich_bound(game)


@each_strategy
@pytest.mark.parametrize("seed", range(3))
def test_codes_of_all_kinds_are_found(name, seed):
    for game in supported_games(name):
        for code in codes(game, seed):
            num_guesses = count_guesses(find_strategy(name, seed=seed), game, code)
            if name != "weighing":
                assert num_guesses <= goodrich_bound(game), (game, code)


@pytest.mark.parametrize("power", range(2, 7))
def test_two_colors_need_as_many_guesses_as_lindstroem_proves(power):
    """One counting guess, 2^t - 1 guesses for t 2^(t-1) pegs, and the code."""
    game = Game.parse(f"{power << (power - 1)}x2b")
    for seed in range(5):
        for code in codes(game, seed):
            num_guesses = count_guesses(find_strategy("weighing", seed=seed), game, code)
            assert num_guesses <= 2**power + 1


@pytest.mark.parametrize("colors", [2, 3, 4, 6, 8, 11, 16])
def test_few_colors_stay_within_chvatals_bound(colors):
    game = Game.parse(f"300x{colors}b")
    bound = 2 * game.pegs * (1 + 2 * log2(colors)) / log2(game.pegs / colors)
    for code in codes(game, colors):
        assert count_guesses(find_strategy("weighing", seed=1), game, code) <= bound


def test_combined_questions_save_more_guesses_in_larger_games():
    """With n pegs and colors, the ratio of n log n to n log log n grows."""
    ratios = []
    for pegs in (16, 64, 256):
        game = Game.parse(f"{pegs}x{pegs}b")
        code = tuple(random.Random(pegs).sample(range(pegs), pegs))
        single, combined = (
            count_guesses(find_strategy(name, seed=1), game, code) for name in PLANNED[:2]
        )
        ratios.append(single / combined)
    assert ratios == sorted(ratios)
    assert ratios[-1] > 1.4


@each_strategy
def test_the_guesses_depend_on_the_seed_only(name):
    game = Game.parse("20x6")
    (code, *_) = codes(game, 1)

    def guesses(seed):
        strategy, state = find_strategy(name, seed=seed), State.start(game)
        for _ in range(30):
            guess = strategy.guess(state)
            assert find_strategy(name, seed=seed).guess(State(state.board)) == guess
            state = state.after(guess, game.score(code, guess))
        return [row.guess for row in state.rows]

    assert guesses(1) == guesses(1)
    assert guesses(1) != guesses(2)


@each_strategy
def test_a_copied_strategy_continues_a_game(name):
    game = Game.parse("20x6")
    (code, *_) = codes(game, 2)
    strategy, state = find_strategy(name, seed=4), State.start(game)
    for _ in range(12):
        guess = strategy.guess(state)
        state = state.after(guess, game.score(code, guess))
    assert copy.deepcopy(strategy).guess(state) == strategy.guess(state)


@each_strategy
def test_unplanned_guesses_are_ignored(name):
    game = Game.parse("12x6")
    rng = random.Random(7)
    for code in codes(game, 7):
        strategy, state = find_strategy(name, seed=3), State.start(game)
        for turn in range(200):
            is_planned = turn % 3
            guess = strategy.guess(state) if is_planned else tuple(rng.choices(range(6), k=12))
            state = state.after(guess, game.score(code, guess))
            if is_planned and guess == code:
                break
        else:
            pytest.fail(f"{name} does not find {code}")


@each_strategy
def test_contradictory_scores_are_reported(name):
    """Contradictions are reported at the latest when the code is determined."""
    game = Game.parse("6x4b")
    rng = random.Random(5)
    num_contradictions = 0
    for _ in range(30):
        strategy, state = find_strategy(name, seed=2), State.start(game)
        code = tuple(rng.choices(range(4), k=6))
        try:
            for _ in range(60):
                guess = strategy.guess(state)
                (black,) = game.score(code, guess)
                if black == 6:
                    break
                wrong = min(5, max(0, black + rng.choice((-1, 0, 0, 1))))
                state = state.after(guess, (wrong,))
        except InconsistentError:
            num_contradictions += 1
            assert not twins.consistent(state.board)
    assert num_contradictions > 10


@each_strategy
def test_unsupported_games_and_options_are_refused(name):
    for size, rule in (("4x6!", "any sequence"), ("word-3", "any sequence"), ("4x6w", "black")):
        with pytest.raises(InputError, match=rule):
            analyze(size, name, sample=1)
    with pytest.raises(InputError, match="also guesses codes that are ruled out"):
        analyze("4x6", name, consistent_only=True, sample=1)
    board = Board(Game.parse("4x6"), (Row((0, 0, 1, 1), (1, 1)),))
    with pytest.raises(InputError, match="lies"):
        suggest(board, strategy=name, lies=1)
    assert suggest(board, strategy=name, seed=1).strategy == name


def test_weighing_refuses_more_than_sixteen_colors():
    with pytest.raises(InputError, match="a game of up to 16 colors for weighing"):
        analyze("20x17", "weighing", sample=1)


def test_all_planned_strategies_are_tested():
    assert {n for n, kind in STRATEGIES.items() if hasattr(kind, "plan")} == set(PLANNED)
