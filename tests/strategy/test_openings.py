"""Totals of strategies with openings and restrictions, compared with those of a plain player."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

import mmsat
from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.strategy.strategies import STRATEGIES, find_strategy
from mmsat.strategy.strategies.consistent import EXCEPTIONS
from mmsat.strategy.strategies.planned import Planned
from tests.support import tiers, twins
from tests.support.hard_mode import boards_of, uses
from tests.support.heuristics import KEYS

GAMES = ("1x4w", "2x4", "2x5d", "3x4dp", "3x3", "3x3b", "3x3p", "2x2x2", "2x2x2k", "2x4o", "3x2w")
OPTIONS = ((), ("consistent_only",), ("hard",), ("consistent_only", "hard"))
SEED = 3


class Player:
    """Plays one game by the rules of mmsat/strategy/README.md."""

    def __init__(self, game, name, opening, options):
        self.game, self.name, self.opening = game, name, opening
        self.consistent_only, self.hard = "consistent_only" in options, "hard" in options
        self.codes = [*twins.codes(game)]
        self.score = cache(lambda code, guess: twins.score(game.scoring, code, guess))

    def remaining_codes(self, rows):
        """Return the codes that are consistent with some rows."""
        return [
            code
            for code in self.codes
            if all(self.score(code, row.guess) == row.score for row in rows)
        ]

    def is_allowed(self, rows, guess):
        """Return whether a guess is allowed after some rows."""
        if self.consistent_only and guess not in self.remaining_codes(rows):
            return False
        return not self.hard or all(uses(self.game, row, guess) for row in rows)

    def guess(self, rows):
        """Return the next guess."""
        turn = len(rows)
        if turn < len(self.opening) and self.is_allowed(rows, self.opening[turn]):
            return self.opening[turn]
        if self.name in KEYS:
            return self.by_key(rows)
        return {
            "first-consistent": self.first_code,
            "next-consistent": self.next_code,
            "random-consistent": self.any_code,
            "six-guess": self.six_guess,
        }[self.name](rows)

    def by_key(self, rows):
        """Return the guess with the best key; ties prefer consistent guesses, then the first."""
        remaining_codes = self.remaining_codes(rows)
        keys = []
        for guess in self.codes:
            if self.is_allowed(rows, guess):
                sizes = Counter(self.score(code, guess) for code in remaining_codes)
                keys.append(
                    (KEYS[self.name]([*sizes.values()]), guess not in remaining_codes, guess)
                )
        return min(keys)[-1]

    def first_code(self, rows):
        """Return the first remaining code."""
        return self.remaining_codes(rows)[0]

    def random_source(self, rows):
        """Return the random number generator for the seed and the board."""
        return random.Random(f"{SEED} {Board(self.game, tuple(rows))}")

    def next_code(self, rows):
        """Return the next remaining code after the last guess; without rows, a random code."""
        remaining_codes = self.remaining_codes(rows)
        if not rows:
            return remaining_codes[self.random_source(rows).randrange(len(remaining_codes))]
        return next((code for code in remaining_codes if code > rows[-1].guess), remaining_codes[0])

    def any_code(self, rows):
        """Return a random remaining code."""
        remaining_codes = self.remaining_codes(rows)
        return remaining_codes[self.random_source(rows).randrange(len(remaining_codes))]

    def six_guess(self, rows):
        """Return a fixed guess for the first three turns, then the first code or an exception."""
        fixed = [(0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5)]
        is_unrestricted = not self.consistent_only and not self.hard
        if is_unrestricted and len(rows) < 3:
            return fixed[len(rows)]
        first = min(self.remaining_codes(rows), key=lambda code: (4 - len({*code}), code))
        letters = "".join("abcdef"[color] for color in first)
        if is_unrestricted and len(rows) == 3 and letters in EXCEPTIONS:
            return tuple("abcdef".index(letter) for letter in EXCEPTIONS[letters])
        return first

    def total(self):
        """Return the total number of guesses over all codes."""
        guess_after, total = {}, 0  # a cache of guesses by rows
        for code in self.codes:
            rows = ()
            while True:
                guess = guess_after.get(rows)
                if guess is None:
                    guess = guess_after[rows] = self.guess(rows)
                total += 1
                score = self.score(code, guess)
                if score == self.score(guess, guess):
                    break
                rows = (*rows, Row(guess, score))
        return total


def openings(game, seed):
    """Yield the empty opening, contradictory guesses, guesses that may not be codes, and others."""
    rng = random.Random(f"{game} {seed}")
    codes = [*twins.codes(game)]
    yield ()
    yield (codes[0], codes[-1])
    yield ((0,) * game.pegs,)
    yield (codes[1], (0,) * game.pegs)
    yield (codes[1], codes[1])
    yield tuple(rng.choice(codes) for _ in range(3))


def analyze(game, name, opening, options):
    """Return the analysis, or None if the strategy does not support the game or the options."""
    settings = dict.fromkeys(options, True)
    try:
        find_strategy(name, seed=SEED, **settings).check(game)
    except InputError:
        return None
    return mmsat.analyze(game, name, opening=opening, seed=SEED, **settings)


PLAIN = (*KEYS, "first-consistent", "next-consistent", "random-consistent")


@pytest.mark.parametrize("size", GAMES)
@pytest.mark.parametrize("name", PLAIN)
def test_totals_equal_those_of_a_plain_player(size, name):
    game = Game.parse(size)
    max_openings = tiers.share(6, least=4)
    for options in OPTIONS:
        for opening in [*openings(game, name)][:max_openings]:
            analysis = analyze(game, name, opening, options)
            expected = Player(game, name, opening, options).total()
            assert analysis.total == expected, (opening, options)


@pytest.mark.parametrize(
    ("size", "name", "opening"),
    [("2x8d", "first-consistent", ["84", "28"]), ("1x4w", "first-consistent", ["2", "2"])],
)
def test_an_opening_may_contradict_the_first_score(size, name, opening):
    game = Game.parse(size)
    guesses = tuple(tuple(int(color) - 1 for color in guess) for guess in opening)
    assert analyze(game, name, guesses, ()).total == Player(game, name, guesses, ()).total()


@pytest.mark.parametrize("options", OPTIONS)
def test_the_six_guess_algorithm(options):
    game = Game.parse("4x6")
    opening = ((0, 0, 1, 1), (0, 0, 1, 1)) if len(options) == 1 else ()
    analysis = analyze(game, "six-guess", opening, options)
    assert analysis.total == Player(game, "six-guess", opening, options).total()


@cache
def least_total(player, rows):
    """Return the minimum total number of guesses for the remaining codes, over all allowed play."""
    remaining_codes = player.remaining_codes(rows)
    if not remaining_codes:
        return 0
    turn = len(rows)
    guesses = [guess for guess in player.codes if player.is_allowed(rows, guess)]
    is_forced = turn < len(player.opening) and player.is_allowed(rows, player.opening[turn])
    if is_forced:
        guesses = [player.opening[turn]]
    elif player.hard:  # then only consistent codes are guessed
        guesses = remaining_codes
    totals = []
    for guess in guesses:
        scores = {player.score(code, guess) for code in remaining_codes}
        if not is_forced and len(scores) == 1 and guess not in remaining_codes:
            continue
        win = player.score(guess, guess)
        later_totals = [least_total(player, (*rows, Row(guess, s))) for s in scores - {win}]
        totals.append(len(remaining_codes) + sum(later_totals))
    return min(totals)


@pytest.mark.parametrize("size", ["1x4", "2x3", "2x4d", "2x3b", "2x3p"])
@pytest.mark.parametrize("options", OPTIONS)
def test_optimal_needs_the_fewest_guesses(size, options):
    game = Game.parse(size)
    for opening in openings(game, "optimal"):
        analysis = analyze(game, "optimal", opening, options)
        assert analysis.total == least_total(Player(game, "optimal", opening, options), ())


OTHERS = [name for name in STRATEGIES if name not in (*PLAIN, "six-guess", "optimal")]


SLOW = ("genetic",)
"""Strategies that are too slow for larger games."""
CASES = [
    *(
        (name, size)
        for name in OTHERS
        if name not in SLOW
        for size in ("3x3", "3x3b", "3x3p", "2x4d")
    ),
    *((name, "2x2") for name in SLOW),
]


@pytest.mark.parametrize(("name", "size"), CASES)
def test_all_other_strategies_obey_the_opening_and_the_restrictions(name, size):
    """Allowed guesses of the opening are made, and all other guesses obey the restrictions."""
    game = Game.parse(size)
    for options in OPTIONS:
        for opening in [*openings(game, name)][1:]:
            analysis = analyze(game, name, opening, options)
            if analysis is None:
                continue
            player = Player(game, name, opening, options)
            for node, board in boards_of(analysis.tree):
                turn = len(board.rows)
                is_forced = turn < len(opening) and player.is_allowed(board.rows, opening[turn])
                if is_forced:
                    assert node.guess == opening[turn]
                else:
                    must_be_consistent = bool(STRATEGIES[name].is_consistent or options)
                    assert not must_be_consistent or node.guess in player.remaining_codes(
                        board.rows
                    )
            assert [code for code, _ in analysis.games] == player.codes
            turns = dict(analysis.games)
            assert all(play(player, analysis.tree, code) == turns[code] for code in player.codes)


def play(player, tree, code):
    """Return the number of guesses that a tree needs for a code."""
    node, turn = tree.root, 1
    while (score := player.score(code, node.guess)) != player.score(node.guess, node.guess):
        node, turn = node.branches[score], turn + 1
    return turn


def test_planned_strategies_refuse_consistent_only():
    for name, kind in STRATEGIES.items():
        if issubclass(kind, Planned):
            assert analyze(Game.parse("2x4"), name, (), ("consistent_only",)) is None
