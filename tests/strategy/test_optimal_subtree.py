"""Optimal play from any state: compared with exhaustive search, and with the search of games."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

import mmsat
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.names import find_game
from mmsat.game.tolerance import Tolerance
from mmsat.strategy.analyze import analyze
from mmsat.strategy.strategies import find_strategy
from mmsat.strategy.strategies.optimal import solve_subtree
from mmsat.strategy.strategy import State, Strategy
from mmsat.strategy.tree import StrategyTree
from tests.support import twins


def ignore_progress(*_):
    """Ignore progress reports."""


def minimum_total(game, codes, *, consistent_only):
    """Return the minimum total for some codes, by trying every guess in every state."""
    everything = [*twins.codes(game)]
    score = cache(lambda code, guess: twins.score(game.scoring, code, guess))

    @cache
    def total(remaining_codes):
        if len(remaining_codes) == 1:
            return 1
        results = []
        for guess in remaining_codes if consistent_only else everything:
            classes = {}
            for code in remaining_codes:
                if code != guess:
                    classes.setdefault(score(code, guess), []).append(code)
            if len(remaining_codes) not in map(len, classes.values()):
                results.append(
                    len(remaining_codes) + sum(total(tuple(entry)) for entry in classes.values())
                )
        return min(results)

    return total(tuple(codes))


def consistent_boards(game, num_boards, seed):
    """Yield consistent boards of one to three random rows."""
    rng = random.Random(seed)
    everything = [*twins.codes(game)]
    for _ in range(num_boards):
        secret, *guesses = (rng.choice(everything) for _ in range(rng.randint(2, 4)))
        yield Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))


@pytest.mark.parametrize("name", ["3x3", "2x5", "3x4!", "3x3b", "2x4p", "2x2x3"])
@pytest.mark.parametrize("consistent_only", [False, True])
def test_the_total_is_minimal_from_any_state(name, consistent_only):
    for board in consistent_boards(find_game(name), 12, name):
        codes = twins.consistent(board)
        root = solve_subtree(State(board), consistent_only=consistent_only)
        tree = StrategyTree(board.game, root)
        assert tree.codes == len(codes)
        assert tree.total == minimum_total(board.game, codes, consistent_only=consistent_only)


def slow(name):
    """Return a case for `make test-all` only."""
    return pytest.param(name, marks=pytest.mark.slow)


@pytest.mark.parametrize("name", ["3x4", "4x4", "5x3", "4x3b", "3x6!", "2x2x3", slow("4x5")])
@pytest.mark.parametrize("consistent_only", [False, True])
def test_searching_once_and_at_each_turn_gives_the_same_tree(name, consistent_only):
    game = find_game(name)
    strategy = find_strategy("optimal", consistent_only=consistent_only)
    tree = strategy.grow(game, ignore_progress)
    assert tree == Strategy.grow_from(strategy, State.start(game), ignore_progress)
    optimum = mmsat.optimal(game, consistent_only=consistent_only)
    assert StrategyTree(game, tree).total == optimum.total
    opening = [(0,) * game.pegs if game.space.has_repeats else tuple(range(game.pegs))]
    forced = find_strategy("optimal", opening=opening, consistent_only=consistent_only)
    grown = forced.grow(game, ignore_progress)
    assert grown.guess == opening[0]
    assert grown == Strategy.grow_from(forced, State.start(game), ignore_progress)


def test_a_tree_within_a_tolerance_plays_all_codes_within_it():
    board = Board.parse("4x4/1122=1.1/1122=0.2/3412=2.0")
    tolerance = Tolerance(1)
    state = State(board, tolerance=tolerance)
    tree = StrategyTree(board.game, solve_subtree(state))
    assert tree.codes == len(twins.within(board, 1, "rows")) == len(state)


def test_suggestions_of_optimal_play_state_the_average():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    suggestion = mmsat.suggest(board)
    assert suggestion.strategy == "optimal"
    assert suggestion.expected_guesses == Fraction(95, 36)
    assert "you finish in 2.64 guesses on average, counting this one" in " ".join(
        sentences(suggestion)
    )
    assert mmsat.suggest(board, strategy="knuth").expected_guesses is None
    consistent = mmsat.suggest(mmsat.Board.parse("4x6"), consistent_only=True)
    assert consistent.expected_guesses == Fraction(5660, 1296)
    assert "With best consistent play you finish in" in " ".join(sentences(consistent))


def test_suggestions_from_an_opening_state_no_average():
    start = mmsat.Board.parse("4x6")
    forced = mmsat.suggest(start, strategy="optimal", opening=[(0, 0, 1, 2), (0, 0, 0, 0)])
    assert forced.guess == (0, 0, 1, 2)
    assert forced.expected_guesses is None
    assert mmsat.suggest(start, strategy="optimal").expected_guesses == Fraction(5625, 1296)


def test_contradictory_scores_are_reported():
    board = Board.parse("4x6/1111=1.0/1111=2.0")
    with pytest.raises(mmsat.InconsistentError, match="Rows 1 and 2"):
        solve_subtree(State(board))


def sentences(suggestion):
    from mmsat.strategy.suggest import suggestion_sentences

    return suggestion_sentences(suggestion)


def test_large_games_and_games_with_too_coarse_scores_are_refused():
    for name, message in (("5x6", "5,040"), ("6x3p", "scores")):
        with pytest.raises(mmsat.SizeError, match=message):
            mmsat.suggest(Board(find_game(name)), strategy="optimal")
    with pytest.raises(mmsat.InputError, match="scores that can identify every code"):
        analyze("3x3w", "optimal")


def test_auto_chooses_a_strategy_that_suits_the_game():
    expected = {
        "word-3": "entropy",
        "black-only": "sampled",
        "10x2": "sampled",
        "colors-only": "sampled",
        "4x6!": "optimal",
        "6x6!": "sampled",
        "3x4o": "entropy",
        "1x300": "sampled",
        "300x1": "entropy",
        "2x36": "optimal",
        "8x12": "sampled",
    }
    for name, strategy in expected.items():
        assert mmsat.suggest(Board(find_game(name)), seed=1).strategy == strategy
