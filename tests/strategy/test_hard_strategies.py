"""Strategies in hard mode: every guess uses all information and is the best by a plain twin."""

from __future__ import annotations

import random
from itertools import product

import pytest

import mmsat
import mmsat.play.match
from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.play.players import Evader, Machine
from mmsat.strategy.selection import find_strategy
from mmsat.strategy.strategies import STRATEGIES
from mmsat.strategy.strategy import State
from mmsat.strategy.tree_file import print_tree
from tests.support import tiers, twins
from tests.support.hard_mode import uses
from tests.support.heuristics import HEURISTICS, WORTH


def random_games(many):
    """Return lists of words with common prefixes, and whole games, many of them scored by place."""
    source = random.Random(29)
    for number in range(many):
        scoring = SCORINGS[("places", "places", "black-white", "black", "color")[number % 5]]
        words = source.sample([*product([0], *[range(7)] * 3)], source.randint(4, 40))
        if number % 3 == 2:
            yield Game(3, 3, scoring=scoring)
        else:
            yield Game(4, 7, Words(words, allows_any_guess=True), scoring, name="words of a test")


def plain_choice(name, board):
    """Return the best allowed guess by definition; ties prefer consistent codes, then the first."""
    game, remaining_codes, best = board.game, twins.consistent(board), None
    for guess in twins.codes(game):
        if all(uses(game, row, guess) for row in board.rows):
            scores = [twins.score(game.scoring, code, guess) for code in remaining_codes]
            key = WORTH[name]([scores.count(score) for score in {*scores}])
            key = (key, guess not in remaining_codes, guess)
            best = key if best is None or key < best else best
    return best[-1]


def boards_of(tree):
    """Every node of a tree with the board before its guess."""
    tasks = [(tree.root, Board(tree.game))]
    while tasks:
        node, board = tasks.pop()
        yield node, board
        tasks += [(after, board.with_row(node.guess, s)) for s, after in node.branches.items()]


def test_heuristics_choose_the_best_that_is_allowed():
    """Compare the trees that analyze uses, and single guesses."""
    gained = 0
    for number, game in enumerate(random_games(tiers.share(60, least=12))):
        name = sorted(HEURISTICS)[number % len(HEURISTICS)]
        analysis = mmsat.analyze(game, name, hard=True)
        assert analysis.strategy == f"{name}, hard mode"
        for node, board in boards_of(analysis.tree):
            assert node.guess == plain_choice(name, board), board
            assert find_strategy(name, hard=True).guess(State(board)) == node.guess
            gained += not board.is_consistent(node.guess)
        only = mmsat.analyze(game, name, hard=True, consistent_only=True)
        assert all(board.is_consistent(node.guess) for node, board in boards_of(only.tree))
    assert gained  # guesses that cannot be the code


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_keeps_to_hard_mode(name):
    opening = [(0, 0, 1), (2, 2, 2), (0, 1, 2, 3)]
    for game in random_games(tiers.share(20, least=5)):
        try:
            find_strategy(name, hard=True, seed=1).check(game)
        except (InputError, mmsat.SizeError):
            continue
        openings = [guess for guess in opening if game.contains(guess)]
        for first in ([], openings, sorted(game.codes())[:3]):
            tree = mmsat.analyze(game, name, hard=True, opening=first, seed=1).tree
            for node, board in boards_of(tree):
                assert all(uses(game, row, node.guess) for row in board.rows)


def test_best_play_in_hard_mode_is_not_beaten_by_a_heuristic():
    for game in random_games(tiers.share(20, least=5)):
        if game.scoring.name == "color":
            continue  # its scores do not tell all codes apart
        best = mmsat.optimal(game, hard=True).total
        assert all(mmsat.analyze(game, name, hard=True).total >= best for name in HEURISTICS)


def test_matches_in_hard_mode():
    for number, game in enumerate(random_games(tiers.share(30, least=6))):
        seats = [Machine(game, name, number, hard=True) for name in ("entropy", "first-consistent")]
        seats.append(Evader(game, "knuth", number, hard=True))
        for pair in (seats[:2], seats[1:]):
            for played in mmsat.play.match.match(game, pair, hard=True, turns=30).played:
                board = played.board
                for turn, (guess, _) in enumerate(board.rows):
                    assert all(uses(game, row, guess) for row in board.rows[:turn])


def test_trees_are_held_to_hard_mode(tmp_path):
    """A tree plays in hard mode if all its guesses may be made then."""
    seen = set()
    for game in ["3x4p", "4x2p", "3x3"]:
        for hard in (False, True):
            tree = mmsat.analyze(game, "entropy", hard=hard).tree
            file = tmp_path / "tree.json"
            file.write_text(print_tree(tree))
            is_hard = all(
                uses(tree.game, row, node.guess)
                for node, board in boards_of(tree)
                for row in board.rows
            )
            seen.add(is_hard)
            if is_hard:
                assert mmsat.analyze(game, f"tree:{file}", hard=True).total
            else:
                with pytest.raises(
                    InputError,
                    match=r"^the strategy: expected a hard-mode tree, found '.*, guess \d+' "
                    r"\(the guess does not use all revealed information\)$",
                ):
                    mmsat.analyze(game, f"tree:{file}", hard=True)
    assert seen == {False, True}


def test_named_strategies_suggest_in_hard_mode():
    for line in ("3x4p/123=GY-", "3x4p/112=G--", "3x3/123=1.0"):
        board = Board.parse(line)
        for name in HEURISTICS:
            suggestion = mmsat.suggest(board, strategy=name, hard=True)
            assert suggestion.guess == plain_choice(name, board)
            assert all(
                uses(board.game, Row(*row), other.guess)
                for row in board.rows
                for other in suggestion.others
            )


def test_the_codemaker_who_is_worst_for_best_play_has_no_hard_mode():
    with pytest.raises(InputError, match="hard mode"):
        Evader(Game.parse("3x3"), worst=True, hard=True)
