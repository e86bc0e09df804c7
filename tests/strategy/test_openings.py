"""Totals of every strategy with an opening and restrictions, held against a plain player."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

import mmsat
from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.strategy.planned import Planned
from mmsat.strategy.selection import find_strategy
from mmsat.strategy.strategies import STRATEGIES
from mmsat.strategy.strategies.consistent import EXCEPTIONS
from tests.support import tiers, twins
from tests.support.hard_mode import uses
from tests.support.heuristics import WORTH

GAMES = ("1x4w", "2x4", "2x5d", "3x4dp", "3x3", "3x3b", "3x3p", "2x2x2", "2x2x2k", "2x4o", "3x2w")
OPTIONS = ((), ("consistent_only",), ("hard",), ("consistent_only", "hard"))
SEED = 3


class Player:
    """Plays one game by the rules of the strategy README."""

    def __init__(self, game, name, opening, options):
        self.game, self.name, self.opening = game, name, opening
        self.only, self.hard = "consistent_only" in options, "hard" in options
        self.codes = [*twins.codes(game)]
        self.score = cache(lambda code, guess: twins.score(game.scoring, code, guess))

    def left(self, rows):
        """The codes that get all scores."""
        return [
            code
            for code in self.codes
            if all(self.score(code, row.guess) == row.score for row in rows)
        ]

    def may(self, rows, guess):
        """Whether a guess is allowed after some rows."""
        if self.only and guess not in self.left(rows):
            return False
        return not self.hard or all(uses(self.game, row, guess) for row in rows)

    def guess(self, rows):
        """The next guess."""
        turn = len(rows)
        if turn < len(self.opening) and self.may(rows, self.opening[turn]):
            return self.opening[turn]
        if self.name in WORTH:
            return self.by_worth(rows)
        return {
            "first-consistent": self.first,
            "next-consistent": self.next,
            "random-consistent": self.any,
            "six-guess": self.six_guess,
        }[self.name](rows)

    def by_worth(self, rows):
        """Return the guess with the best key; ties prefer consistent guesses, then the first."""
        remaining_codes = self.left(rows)
        keys = []
        for guess in self.codes:
            if self.may(rows, guess):
                sizes = Counter(self.score(code, guess) for code in remaining_codes)
                keys.append(
                    (WORTH[self.name]([*sizes.values()]), guess not in remaining_codes, guess)
                )
        return min(keys)[-1]

    def first(self, rows):
        """The first code that is left."""
        return self.left(rows)[0]

    def random(self, rows):
        """The source of random choices, by the seed and the board."""
        return random.Random(f"{SEED} {Board(self.game, tuple(rows))}")

    def next(self, rows):
        """The next code after the last guess; at first, a random one."""
        remaining_codes = self.left(rows)
        if not rows:
            return remaining_codes[self.random(rows).randrange(len(remaining_codes))]
        return next((code for code in remaining_codes if code > rows[-1].guess), remaining_codes[0])

    def any(self, rows):
        """A random code that is left."""
        remaining_codes = self.left(rows)
        return remaining_codes[self.random(rows).randrange(len(remaining_codes))]

    def six_guess(self, rows):
        """Three fixed guesses, then the codes in the order of the list, with exceptions."""
        fixed = [(0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5)]
        is_free = not self.only and not self.hard
        if is_free and len(rows) < 3:
            return fixed[len(rows)]
        first = min(self.left(rows), key=lambda code: (4 - len({*code}), code))
        letters = "".join("abcdef"[color] for color in first)
        if is_free and len(rows) == 3 and letters in EXCEPTIONS:
            return tuple("abcdef".index(letter) for letter in EXCEPTIONS[letters])
        return first

    def total(self):
        """The guesses that all codes take, each played alone."""
        known_values, total = {}, 0
        for code in self.codes:
            rows = ()
            while True:
                guess = known_values.get(rows)
                if guess is None:
                    guess = known_values[rows] = self.guess(rows)
                total += 1
                score = self.score(code, guess)
                if score == self.score(guess, guess):
                    break
                rows = (*rows, Row(guess, score))
        return total


def openings(game, seed):
    """Return no opening, contradictory guesses, one that may not be a code, and others."""
    rng = random.Random(f"{game} {seed}")
    codes = [*twins.codes(game)]
    yield ()
    yield (codes[0], codes[-1])
    yield ((0,) * game.pegs,)
    yield (codes[1], (0,) * game.pegs)
    yield (codes[1], codes[1])
    yield tuple(rng.choice(codes) for _ in range(3))


def analyze(game, name, opening, options):
    """The analysis, or None if the strategy does not play this."""
    chosen = dict.fromkeys(options, True)
    try:
        find_strategy(name, seed=SEED, **chosen).check(game)
    except InputError:
        return None
    return mmsat.analyze(game, name, opening=opening, seed=SEED, **chosen)


PLAIN = (*WORTH, "first-consistent", "next-consistent", "random-consistent")


@pytest.mark.parametrize("size", GAMES)
@pytest.mark.parametrize("name", PLAIN)
def test_totals_are_those_of_a_plain_player(size, name):
    game = Game.parse(size)
    some = tiers.share(6, least=4)
    for options in OPTIONS:
        for opening in [*openings(game, name)][:some]:
            analysis = analyze(game, name, opening, options)
            expected = Player(game, name, opening, options).total()
            assert analysis.total == expected, (opening, options)


@pytest.mark.parametrize(
    ("size", "name", "opening"),
    [("2x8d", "first-consistent", ["84", "28"]), ("1x4w", "first-consistent", ["2", "2"])],
)
def test_an_opening_that_contradicts_the_first_score(size, name, opening):
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
    """The fewest guesses for all codes that are left, over all play that is allowed."""
    remaining_codes = player.left(rows)
    if not remaining_codes:
        return 0
    turn = len(rows)
    guesses = [guess for guess in player.codes if player.may(rows, guess)]
    is_forced = turn < len(player.opening) and player.may(rows, player.opening[turn])
    if is_forced:
        guesses = [player.opening[turn]]
    elif player.hard:  # then it guesses a consistent code
        guesses = remaining_codes
    totals = []
    for guess in guesses:
        scores = {player.score(code, guess) for code in remaining_codes}
        if not is_forced and len(scores) == 1 and guess not in remaining_codes:
            continue
        win = player.score(guess, guess)
        remainder = [least_total(player, (*rows, Row(guess, s))) for s in scores - {win}]
        totals.append(len(remaining_codes) + sum(remainder))
    return min(totals)


@pytest.mark.parametrize("size", ["1x4", "2x3", "2x4d", "2x3b", "2x3p"])
@pytest.mark.parametrize("options", OPTIONS)
def test_optimal_takes_the_fewest_guesses(size, options):
    game = Game.parse(size)
    for opening in openings(game, "optimal"):
        analysis = analyze(game, "optimal", opening, options)
        assert analysis.total == least_total(Player(game, "optimal", opening, options), ())


OTHERS = [name for name in STRATEGIES if name not in (*PLAIN, "six-guess", "optimal")]


def boards_of(tree):
    """Every node of a tree with the board before its guess."""
    tasks = [(tree.root, Board(tree.game))]
    while tasks:
        node, board = tasks.pop()
        yield node, board
        tasks += [(after, board.with_row(node.guess, s)) for s, after in node.branches.items()]


SLOW = ("genetic",)
"""It breeds codes at each node."""
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
def test_all_other_strategies_keep_the_rule(name, size):
    """Forced guesses are made in order, and all others are allowed for the strategy."""
    game = Game.parse(size)
    for options in OPTIONS:
        for opening in [*openings(game, name)][1:]:
            analysis = analyze(game, name, opening, options)
            if analysis is None:
                continue
            player = Player(game, name, opening, options)
            for node, board in boards_of(analysis.tree):
                turn = len(board.rows)
                is_forced = turn < len(opening) and player.may(board.rows, opening[turn])
                if is_forced:
                    assert node.guess == opening[turn]
                else:
                    is_bound = STRATEGIES[name].is_consistent or options
                    assert not is_bound or node.guess in player.left(board.rows)
            assert [code for code, _ in analysis.games] == player.codes
            turns = dict(analysis.games)
            assert all(play(player, analysis.tree, code) == turns[code] for code in player.codes)


def play(player, tree, code):
    """The number of guesses in which a tree finds a code."""
    node, turn = tree.root, 1
    while (score := player.score(code, node.guess)) != player.score(node.guess, node.guess):
        node, turn = node.branches[score], turn + 1
    return turn


def test_strategies_that_follow_a_plan_refuse_restrictions():
    for name, kind in STRATEGIES.items():
        if issubclass(kind, Planned):
            assert analyze(Game.parse("2x4"), name, (), ("consistent_only",)) is None
