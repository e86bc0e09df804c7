"""Strategies with proven bounds: they find every code within their theorem's guesses."""

from __future__ import annotations

import copy
import random
from math import ceil, log2

import pytest

from mmsat.errors import InconsistentError, InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.strategy.analyze import analyze, count_guesses
from mmsat.strategy.selection import find_strategy
from mmsat.strategy.strategies import STRATEGIES
from mmsat.strategy.strategy import State
from mmsat.strategy.suggest import suggest
from tests.support import twins

PLANNED = ("halving", "parallel-halving", "weighing")
SIZES = ("1x1", "1x3", "2x2", "3x2b", "5x3", "8x8", "16x16b", "17x6", "33x33", "64x64b", "100x7b")
each_strategy = pytest.mark.parametrize("name", PLANNED)


def goodrich(game):
    """His bound of 2009 for black pegs."""
    pegs, colors = game.pegs, game.colors
    return pegs * ceil(log2(colors)) + ceil((2 - 1 / colors) * pegs) + colors


def codes(game, seed):
    """Codes at random, of one color, of two colors, blocks, and all colors in some order."""
    source = random.Random(f"{game} {seed}")
    pegs, colors = game.pegs, game.colors
    yield tuple(source.choices(range(colors), k=pegs))
    yield (source.randrange(colors),) * pegs
    yield tuple(source.choices([0, colors - 1], k=pegs))
    yield tuple(peg * colors // pegs for peg in range(pegs))
    yield tuple(peg % colors for peg in source.sample(range(pegs), pegs))


def playable(name):
    """The games of the list that a strategy plays."""
    limit = 16 if name == "weighing" else 1000
    return [game for game in map(Game.parse, SIZES) if game.colors <= limit]


@each_strategy
@pytest.mark.parametrize("size", ["1x5", "2x3", "3x4b", "4x3", "5x2b", "4x4"])
def test_every_code_of_small_games_is_found(name, size):
    game = Game.parse(size)
    analysis = analyze(game, name, seed=1)
    assert analysis.codes == len([*twins.codes(game)])
    if name != "weighing":
        assert analysis.max <= goodrich(game)


@each_strategy
@pytest.mark.parametrize("seed", range(3))
def test_codes_of_all_kinds_are_found(name, seed):
    for game in playable(name):
        for code in codes(game, seed):
            taken = count_guesses(find_strategy(name, seed=seed), game, code)
            if name != "weighing":
                assert taken <= goodrich(game), (game, code)


@pytest.mark.parametrize("power", range(2, 7))
def test_two_colors_take_lindstroems_weighings(power):
    """One counting guess, 2^t - 1 guesses for t 2^(t-1) pegs, and the code."""
    game = Game.parse(f"{power << (power - 1)}x2b")
    for seed in range(5):
        for code in codes(game, seed):
            taken = count_guesses(find_strategy("weighing", seed=seed), game, code)
            assert taken <= 2**power + 1


@pytest.mark.parametrize("colors", [2, 3, 4, 6, 8, 11, 16])
def test_few_colors_stay_within_chvatals_bound(colors):
    game = Game.parse(f"300x{colors}b")
    bound = 2 * game.pegs * (1 + 2 * log2(colors)) / log2(game.pegs / colors)
    for code in codes(game, colors):
        assert count_guesses(find_strategy("weighing", seed=1), game, code) <= bound


def test_questions_asked_together_save_guesses():
    """For n colors, more and more of them: n log n against n log log n."""
    saved = []
    for pegs in (16, 64, 256):
        game = Game.parse(f"{pegs}x{pegs}b")
        code = tuple(random.Random(pegs).sample(range(pegs), pegs))
        alone, together = (
            count_guesses(find_strategy(name, seed=1), game, code) for name in PLANNED[:2]
        )
        saved.append(alone / together)
    assert saved == sorted(saved)
    assert saved[-1] > 1.4


@each_strategy
def test_the_seed_decides(name):
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
def test_a_strategy_can_be_sent_elsewhere_in_the_midst_of_a_game(name):
    game = Game.parse("20x6")
    (code, *_) = codes(game, 2)
    strategy, state = find_strategy(name, seed=4), State.start(game)
    for _ in range(12):
        guess = strategy.guess(state)
        state = state.after(guess, game.score(code, guess))
    assert copy.deepcopy(strategy).guess(state) == strategy.guess(state)


@each_strategy
def test_rows_of_others_do_no_harm(name):
    game = Game.parse("12x6")
    source = random.Random(7)
    for code in codes(game, 7):
        strategy, state = find_strategy(name, seed=3), State.start(game)
        for turn in range(200):
            is_ours = turn % 3
            guess = strategy.guess(state) if is_ours else tuple(source.choices(range(6), k=12))
            state = state.after(guess, game.score(code, guess))
            if is_ours and guess == code:
                break
        else:
            pytest.fail(f"{name} does not find {code}")


@each_strategy
def test_scores_that_no_code_gets_are_reported(name):
    """Wrong scores are noticed, at the latest when the code is known."""
    game = Game.parse("6x4b")
    source = random.Random(5)
    message_count = 0
    for _ in range(30):
        strategy, state = find_strategy(name, seed=2), State.start(game)
        code = tuple(source.choices(range(4), k=6))
        try:
            for _ in range(60):
                guess = strategy.guess(state)
                (black,) = game.score(code, guess)
                if black == 6:
                    break
                wrong = min(5, max(0, black + source.choice((-1, 0, 0, 1))))
                state = state.after(guess, (wrong,))
        except InconsistentError:
            message_count += 1
            assert not twins.consistent(state.board)
    assert message_count > 10


@each_strategy
def test_other_games_are_refused(name):
    for size, rule in (("4x6!", "any sequence"), ("word-3", "any sequence"), ("4x6w", "black")):
        with pytest.raises(InputError, match=rule):
            analyze(size, name, sample=1)
    with pytest.raises(InputError, match="also guesses codes that are ruled out"):
        analyze("4x6", name, consistent_only=True, sample=1)
    board = Board(Game.parse("4x6"), (Row((0, 0, 1, 1), (1, 1)),))
    with pytest.raises(InputError, match="lies"):
        suggest(board, strategy=name, lies=1)
    assert suggest(board, strategy=name, seed=1).strategy == name


def test_many_colors_are_not_weighed():
    with pytest.raises(InputError, match="a game of up to 16 colors for weighing"):
        analyze("20x17", "weighing", sample=1)


def test_all_planned_strategies_are_here():
    assert {n for n, kind in STRATEGIES.items() if hasattr(kind, "plan")} == set(PLANNED)
