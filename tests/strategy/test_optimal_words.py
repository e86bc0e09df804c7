"""Best play of word games, in hard mode or with further guesses: against a plain twin."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import mmsat
import mmsat.strategy.optimal
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.strategy.tree import replay
from mmsat.strategy.tree_file import load_tree
from tests.support import tiers, twins
from tests.support.hard_mode import uses

NEVER = 10**9


def least(game, guesses, *, left=NEVER, hard=False):
    """The least total by trying every guess in every state; in hard mode, every one allowed."""

    @cache
    def total(codes, allowed, left):
        if left == 0:
            return NEVER
        if len(codes) == 1:
            return 1
        best = NEVER
        for guess in allowed:
            classes = {}
            for code in codes:
                classes.setdefault(twins.score(game.scoring, code, guess), set()).add(code)
            if len(classes) == 1:
                continue  # nothing was learned, and in hard mode nothing was won by it
            classes.pop(twins.score(game.scoring, guess, guess), None)
            cost = len(codes)
            for score, entry in sorted(classes.items(), key=lambda item: -len(item[1])):
                row = Row(guess, score)
                after = tuple(g for g in allowed if uses(game, row, g)) if hard else allowed
                cost += total(frozenset(entry), after, left - (left < NEVER))
                if cost >= best:
                    break
            best = min(best, cost)
        return best

    return total(frozenset(game.codes()), tuple(guesses), left)


def random_games(many):
    """Return lists of words of three or four letters with additional guesses and several scorings.

    In every fourth list, twelve words differ in one letter only, which makes hard mode difficult.
    """
    source = random.Random(20)
    for number in range(many):
        pegs, letters = (3, 9) if number % 4 == 0 else source.choice([(3, 4), (3, 6), (4, 3)])
        every = [*product(range(letters), repeat=pegs)]
        codes = source.sample(every, min(len(every), source.randint(4, 20)))
        if number % 4 == 0:
            codes = [
                (first, first, last) for first in (0, 1) for last in source.sample(range(2, 9), 6)
            ]
        scoring = SCORINGS[("places", "places", "black-white", "black")[number % 4]]
        game = Game(
            pegs, letters, Words(codes, allows_any_guess=True), scoring, name="words of a test"
        )
        yield game, source.sample(every, source.choice([0, 8, 20]) if number % 4 else 20)


def test_the_total_is_the_least_in_every_mode():
    gained = lost = 0
    for game, others in random_games(tiers.share(100, least=16)):
        guesses = sorted({*game.codes(), *others})
        for limit in (None, 3):
            free = mmsat.optimal(game, guesses=others, max_guesses=limit)
            hard = mmsat.optimal(game, guesses=others, max_guesses=limit, hard=True)
            remaining = limit or NEVER
            assert free.is_proven
            assert hard.is_proven
            assert (free.total or NEVER) == min(least(game, guesses, left=remaining), NEVER)
            assert (hard.total or NEVER) == min(
                least(game, guesses, left=remaining, hard=True), NEVER
            )
            assert free.total is None or hard.total is None or free.total <= hard.total
            for result in filter(lambda item: item.tree is not None, (free, hard)):
                assert sum(replay(result.tree).values()) == result.total == result.bound
                assert {node.guess for _, node in result.tree.nodes()} <= {*guesses}
            if hard.tree is not None:
                obeys(hard.tree)
            lost += (hard.total or NEVER) > (free.total or NEVER)
            bare = mmsat.optimal(game, max_guesses=limit)
            gained += (free.total or NEVER) < (bare.total or NEVER)
    assert lost
    assert gained


def obeys(tree):
    """Check that every guess of a tree uses the scores before it."""

    def look(node, rows):
        assert all(uses(tree.game, row, node.guess) for row in rows)
        for score, below in node.branches.items():
            look(below, [*rows, Row(node.guess, score)])

    look(tree.root, [])


@pytest.mark.parametrize("size", ["3x3p", "2x4p", "2x3", "3x2", "2x4b"])
def test_hard_mode_of_whole_games(size):
    """If scores are not by place, only consistent codes are allowed."""
    game = Game.parse(size)
    hard = mmsat.optimal(game, hard=True)
    obeys(hard.tree)
    assert hard.is_proven
    assert hard.total == least(game, [*game.codes()], hard=True) >= mmsat.optimal(game).total
    if game.scoring.name != "places":
        assert hard.total == mmsat.optimal(game, consistent_only=True).total


@pytest.mark.parametrize("hard", [False, True])
def test_hundreds_of_scores(hard):
    """Words of five letters have up to 243 marks; the same words of a shuffled list, the same."""
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
    ("name", "total", "most"),
    [
        ("daily-word", 25_658, 7),
        ("daily-word--hard", 27_617, 12),
        ("5x8", 178_731, 7),
        ("4x6b", 8_859, 9),
    ],
)
def test_the_best_known_trees_are_what_the_page_says(name, total, most):
    """Every code is played by the plain scorer, and every guess is held to its rule."""
    page = Path(mmsat.strategy.optimal.__file__).parent
    tree = load_tree(str(page / "best" / f"{name}.json.gz"))
    turns = replay(tree).values()
    assert (sum(turns), max(turns)) == (total, most)
    assert f"| {total:,} | {total / len(turns):.4f} | {most} |" in (page / "README.md").read_text()
    assert {node.guess for _, node in tree.nodes()} <= {*tree.game.codes()}
    if name.endswith("hard"):
        obeys(tree)
