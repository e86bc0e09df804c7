"""Strategies in hard mode: every guess uses all information; heuristics follow a plain twin."""

from __future__ import annotations

import random
from itertools import product

import pytest

import mmsat
import mmsat.play.match
from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.play import Evader, Machine
from mmsat.strategy.strategies import STRATEGIES, find_strategy
from mmsat.strategy.strategy import State
from mmsat.strategy.tree import print_tree
from tests.support import tiers, twins
from tests.support.hard_mode import boards_of, uses
from tests.support.heuristics import HEURISTICS, KEYS


def random_games(num_games):
    """Yield lists of words with the same first letter, and games without word lists."""
    rng = random.Random(29)
    for number in range(num_games):
        scoring = SCORINGS[("places", "places", "black-white", "black", "color")[number % 5]]
        words = rng.sample([*product([0], *[range(7)] * 3)], rng.randint(4, 40))
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
            key = KEYS[name]([scores.count(score) for score in {*scores}])
            key = (key, guess not in remaining_codes, guess)
            best = key if best is None or key < best else best
    return best[-1]


def test_heuristics_choose_the_best_allowed_guess():
    """Both in the trees of `analyze` and for single guesses."""
    num_inconsistent = 0
    for number, game in enumerate(random_games(tiers.share(60, least=12))):
        name = sorted(HEURISTICS)[number % len(HEURISTICS)]
        analysis = mmsat.analyze(game, name, hard=True)
        assert analysis.strategy == f"{name}, hard mode"
        for node, board in boards_of(analysis.tree):
            assert node.guess == plain_choice(name, board), board
            assert find_strategy(name, hard=True).guess(State(board)) == node.guess
            num_inconsistent += not board.is_consistent(node.guess)
        consistent = mmsat.analyze(game, name, hard=True, consistent_only=True)
        assert all(board.is_consistent(node.guess) for node, board in boards_of(consistent.tree))
    assert num_inconsistent


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_obeys_hard_mode(name):
    guesses = [(0, 0, 1), (2, 2, 2), (0, 1, 2, 3)]
    for game in random_games(tiers.share(20, least=5)):
        try:
            find_strategy(name, hard=True, seed=1).check(game)
        except (InputError, mmsat.SizeError):
            continue
        codes_of_game = [guess for guess in guesses if game.contains(guess)]
        for opening in ([], codes_of_game, sorted(game.codes())[:3]):
            tree = mmsat.analyze(game, name, hard=True, opening=opening, seed=1).tree
            for node, board in boards_of(tree):
                assert all(uses(game, row, node.guess) for row in board.rows)


def test_no_heuristic_is_better_than_optimal_play_in_hard_mode():
    for game in random_games(tiers.share(20, least=5)):
        if game.scoring.name == "color":
            continue  # these scores do not identify every code
        best = mmsat.optimal(game, hard=True).total
        assert all(mmsat.analyze(game, name, hard=True).total >= best for name in HEURISTICS)


def test_players_obey_hard_mode_in_matches():
    for number, game in enumerate(random_games(tiers.share(30, least=6))):
        players = [
            Machine(game, name, number, hard=True) for name in ("entropy", "first-consistent")
        ]
        players.append(Evader(game, "knuth", number, hard=True))
        for pair in (players[:2], players[1:]):
            for played in mmsat.play.match.match(game, pair, hard=True, turns=30).played:
                board = played.board
                for turn, (guess, _) in enumerate(board.rows):
                    assert all(uses(game, row, guess) for row in board.rows[:turn])


def test_trees_that_break_hard_mode_are_refused(tmp_path):
    outcomes = set()
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
            outcomes.add(is_hard)
            if is_hard:
                assert mmsat.analyze(game, f"tree:{file}", hard=True).total
            else:
                with pytest.raises(
                    InputError,
                    match=r"^the strategy: expected a hard-mode tree, found '.*, guess \d+' "
                    r"\(the guess does not use all revealed information\)$",
                ):
                    mmsat.analyze(game, f"tree:{file}", hard=True)
    assert outcomes == {False, True}


def test_suggestions_of_heuristics_obey_hard_mode():
    for line in ("3x4p/123=GY-", "3x4p/112=G--", "3x3/123=1.0"):
        board = Board.parse(line)
        for name in HEURISTICS:
            suggestion = mmsat.suggest(board, strategy=name, hard=True)
            assert suggestion.guess == plain_choice(name, board)
            assert all(
                uses(board.game, row, other.guess)
                for row in board.rows
                for other in suggestion.others
            )


def test_the_worst_case_codemaker_does_not_support_hard_mode():
    with pytest.raises(InputError, match="hard mode"):
        Evader(Game.parse("3x3"), worst=True, hard=True)
