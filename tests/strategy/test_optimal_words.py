"""Optimal play of word games, in hard mode or with other guesses: compared with a plain twin."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import mmsat
import mmsat.strategy.optimal
from mmsat.game import Row
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.strategy.tree import load_tree, replay
from tests.support import tiers, twins
from tests.support.hard_mode import uses

NEVER = 10**9
"""Total if some code is never found; larger than all other totals."""


def minimum_total(game, guesses, *, max_guesses=NEVER, hard=False):
    """Return the minimum total by trying every allowed guess in every state."""

    @cache
    def total(codes, allowed, max_guesses):
        if max_guesses == 0:
            return NEVER
        if len(codes) == 1:
            return 1
        best = NEVER
        for guess in allowed:
            classes = {}
            for code in codes:
                classes.setdefault(twins.score(game.scoring, code, guess), set()).add(code)
            if len(classes) == 1:
                continue  # the guess gives no information and, in hard mode, does not win
            classes.pop(twins.score(game.scoring, guess, guess), None)
            cost = len(codes)
            for score, entry in sorted(classes.items(), key=lambda item: -len(item[1])):
                row = Row(guess, score)
                allowed_after = (
                    tuple(other for other in allowed if uses(game, row, other)) if hard else allowed
                )
                cost += total(frozenset(entry), allowed_after, max_guesses - (max_guesses < NEVER))
                if cost >= best:
                    break
            best = min(best, cost)
        return best

    return total(frozenset(game.codes()), tuple(guesses), max_guesses)


def random_games(num_games):
    """Yield lists of words of three or four letters with additional guesses and several scorings.

    Every fourth list has two groups of six words that differ in the last letter only, which makes
    hard mode difficult.
    """
    rng = random.Random(20)
    for number in range(num_games):
        pegs, letters = (3, 9) if number % 4 == 0 else rng.choice([(3, 4), (3, 6), (4, 3)])
        words = [*product(range(letters), repeat=pegs)]
        codes = rng.sample(words, min(len(words), rng.randint(4, 20)))
        if number % 4 == 0:
            codes = [
                (first, first, last) for first in (0, 1) for last in rng.sample(range(2, 9), 6)
            ]
        scoring = SCORINGS[("places", "places", "black-white", "black")[number % 4]]
        game = Game(
            pegs, letters, Words(codes, allows_any_guess=True), scoring, name="words of a test"
        )
        yield game, rng.sample(words, rng.choice([0, 8, 20]) if number % 4 else 20)


def test_the_total_is_minimal_in_every_mode():
    num_improved = num_worsened = 0  # by other guesses, and by hard mode
    for game, others in random_games(tiers.share(100, least=16)):
        guesses = sorted({*game.codes(), *others})
        for limit in (None, 3):
            free = mmsat.optimal(game, guesses=others, max_guesses=limit)
            hard = mmsat.optimal(game, guesses=others, max_guesses=limit, hard=True)
            max_guesses = limit or NEVER
            assert free.is_proven
            assert hard.is_proven
            assert (free.total or NEVER) == min(
                minimum_total(game, guesses, max_guesses=max_guesses), NEVER
            )
            assert (hard.total or NEVER) == min(
                minimum_total(game, guesses, max_guesses=max_guesses, hard=True), NEVER
            )
            assert free.total is None or hard.total is None or free.total <= hard.total
            for result in filter(lambda item: item.tree is not None, (free, hard)):
                assert sum(replay(result.tree).values()) == result.total == result.bound
                assert {node.guess for _, node in result.tree.nodes()} <= {*guesses}
            if hard.tree is not None:
                check_hard_mode(hard.tree)
            num_worsened += (hard.total or NEVER) > (free.total or NEVER)
            codes_only = mmsat.optimal(game, max_guesses=limit)
            num_improved += (free.total or NEVER) < (codes_only.total or NEVER)
    assert num_worsened
    assert num_improved


def check_hard_mode(tree):
    """Check that every guess of a tree uses the scores before it."""

    def check(node, rows):
        assert all(uses(tree.game, row, node.guess) for row in rows)
        for score, child in node.branches.items():
            check(child, [*rows, Row(node.guess, score)])

    check(tree.root, [])


@pytest.mark.parametrize("size", ["3x3p", "2x4p", "2x3", "3x2", "2x4b"])
def test_hard_mode_of_games_without_a_word_list(size):
    """If scores do not mark places, only consistent codes are allowed."""
    game = Game.parse(size)
    hard = mmsat.optimal(game, hard=True)
    check_hard_mode(hard.tree)
    assert hard.is_proven
    assert (
        hard.total == minimum_total(game, [*game.codes()], hard=True) >= mmsat.optimal(game).total
    )
    if game.scoring.name != "places":
        assert hard.total == mmsat.optimal(game, consistent_only=True).total


@pytest.mark.parametrize("hard", [False, True])
def test_games_with_more_than_64_scores(hard):
    """Words of five letters have up to 243 different scores."""
    words = random.Random(4).sample([*Game.parse("daily-word").codes()], 150)
    game = Game(5, 26, Words(words, allows_any_guess=True), SCORINGS["places"], name="some words")
    optimum = mmsat.optimal(game, hard=hard)
    assert len({game.score(code, guess) for code in words for guess in words}) > 64
    assert optimum.is_proven
    assert sum(replay(optimum.tree).values()) == optimum.total
    assert optimum.total >= 2 * len(words) - 1
    assert mmsat.optimal(game, hard=hard, jobs=2, max_guesses=64).total == optimum.total
    for strategy in ("entropy", "most-parts"):
        assert optimum.total <= mmsat.analyze(game, strategy, consistent_only=hard).total


@pytest.mark.parametrize(
    ("name", "total", "max_guesses"),
    [
        ("daily-word", 25_658, 7),
        ("daily-word--hard", 27_617, 12),
        ("5x8", 178_731, 7),
        ("4x6b", 8_859, 9),
    ],
)
def test_the_best_known_trees_have_the_figures_of_the_page(name, total, max_guesses):
    """Every code is played with the plain scorer, and every guess is checked."""
    page = Path(mmsat.strategy.optimal.__file__).parent
    tree = load_tree(str(page / "best" / f"{name}.json.gz"))
    turns = replay(tree).values()
    assert (sum(turns), max(turns)) == (total, max_guesses)
    assert (
        f"| {total:,} | {total / len(turns):.4f} | {max_guesses} |"
        in (page / "README.md").read_text()
    )
    assert {node.guess for _, node in tree.nodes()} <= {*tree.game.codes()}
    if name.endswith("hard"):
        check_hard_mode(tree)
