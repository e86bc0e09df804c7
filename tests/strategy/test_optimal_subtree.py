"""The best play from any state, against trying everything, and against itself."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

import mmsat
from mmsat.game.board import Board
from mmsat.game.names import find_game
from mmsat.game.row import Row
from mmsat.game.tolerance import Tolerance
from mmsat.strategy.analyze import analyze
from mmsat.strategy.selection import find_strategy
from mmsat.strategy.strategies.optimal import solve_subtree
from mmsat.strategy.strategy import State, Strategy
from mmsat.strategy.tree import StrategyTree
from tests.support import twins


def nobody(*_):
    """Tell nobody."""


def least(game, codes, *, consistent_only):
    """The least total for some codes, by trying every guess in every state."""
    everything = [*twins.codes(game)]
    score = cache(lambda code, guess: twins.score(game.scoring, code, guess))

    @cache
    def total(left):
        if len(left) == 1:
            return 1
        results = []
        for guess in left if consistent_only else everything:
            classes = {}
            for code in left:
                if code != guess:
                    classes.setdefault(score(code, guess), []).append(code)
            if len(left) not in map(len, classes.values()):
                results.append(len(left) + sum(total(tuple(entry)) for entry in classes.values()))
        return min(results)

    return total(tuple(codes))


def boards(game, many, seed):
    """Boards of one to three random rows that some code gets."""
    source = random.Random(seed)
    everything = [*twins.codes(game)]
    for _ in range(many):
        secret, *guesses = (source.choice(everything) for _ in range(source.randint(2, 4)))
        yield Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))


@pytest.mark.parametrize("name", ["3x3", "2x5", "3x4!", "3x3b", "2x4p", "2x2x3"])
@pytest.mark.parametrize("consistent_only", [False, True])
def test_no_play_takes_fewer_guesses(name, consistent_only):
    for board in boards(find_game(name), 12, name):
        codes = twins.consistent(board)
        root = solve_subtree(State(board), consistent_only=consistent_only)
        tree = StrategyTree(board.game, root)
        assert tree.codes == len(codes)
        assert tree.total == least(board.game, codes, consistent_only=consistent_only)


def slow(name):
    """A case of make test-all."""
    return pytest.param(name, marks=pytest.mark.slow)


@pytest.mark.parametrize("name", ["3x4", "4x4", "5x3", "4x3b", "3x6!", "2x2x3", slow("4x5")])
@pytest.mark.parametrize("consistent_only", [False, True])
def test_what_is_best_anew_is_best_in_the_tree(name, consistent_only):
    """Searched at each turn, or once: the same tree."""
    game = find_game(name)
    strategy = find_strategy("optimal", consistent_only=consistent_only)
    tree = strategy.grow(game, nobody)
    assert tree == Strategy.grow_from(strategy, State.start(game), nobody)
    whole = mmsat.optimal(game, consistent_only=consistent_only)
    assert StrategyTree(game, tree).total == whole.total
    if len(game.parts) > 1:
        opening = [(0,) * game.pegs if game.space.has_repeats else tuple(range(game.pegs))]
        forced = find_strategy("optimal", opening=opening, consistent_only=consistent_only)
        grown = forced.grow(game, nobody)
        assert grown.guess == opening[0]
        assert grown == Strategy.grow_from(forced, State.start(game), nobody)


def test_scores_that_lie_leave_more_codes():
    board = Board.parse("4x4/1122=1.1/1122=0.2/3412=2.0")
    tolerance = Tolerance(1)
    state = State(board, tolerance=tolerance)
    tree = StrategyTree(board.game, solve_subtree(state))
    assert tree.codes == len(twins.within(board, 1, "rows")) == len(state)


def test_suggestions_promise_what_best_play_takes():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    suggestion = mmsat.suggest(board)
    assert suggestion.strategy == "optimal"
    assert suggestion.expected_guesses == Fraction(95, 36)
    assert "takes 2.64 guesses on average" in " ".join(said(suggestion))
    assert mmsat.suggest(board, strategy="knuth").expected_guesses is None
    consistent = mmsat.suggest(mmsat.Board.parse("4x6"), consistent_only=True)
    assert consistent.expected_guesses == Fraction(5660, 1296)
    assert "the best possible average of consistent play" in " ".join(said(consistent))


def test_a_suggestion_of_an_opening_promises_nothing():
    start = mmsat.Board.parse("4x6")
    forced = mmsat.suggest(start, strategy="optimal", opening=[(0, 0, 1, 2), (0, 0, 0, 0)])
    assert forced.guess == (0, 0, 1, 2)
    assert forced.expected_guesses is None
    assert mmsat.suggest(start, strategy="optimal").expected_guesses == Fraction(5625, 1296)


def test_contradicting_scores_are_reported():
    board = Board.parse("4x6/1111=1.0/1111=2.0")
    with pytest.raises(mmsat.InconsistentError, match="Rows 1 and 2"):
        solve_subtree(State(board))


def said(found):
    from mmsat.strategy.suggest import suggestion_sentences

    return suggestion_sentences(found)


def test_games_that_are_too_large_or_too_dim_are_refused():
    for name, error in (("5x6", mmsat.SizeError), ("6x3p", mmsat.SizeError)):
        with pytest.raises(error, match=r"5,040|scores"):
            mmsat.suggest(Board(find_game(name)), strategy="optimal")
    with pytest.raises(mmsat.InputError, match="scores that can identify every code"):
        analyze("3x3w", "optimal")


def test_small_games_with_long_searches_are_played_otherwise():
    chosen = {
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
    for name, strategy in chosen.items():
        assert mmsat.suggest(Board(find_game(name)), seed=1).strategy == strategy
