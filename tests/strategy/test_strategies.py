"""Laws for all strategies, and the definitions of the heuristics."""

from __future__ import annotations

import random
from importlib.resources import files
from itertools import islice

import pytest

from mmsat.errors import InputError, SizeError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.strategy.analyze import analyze
from mmsat.strategy.strategies import STRATEGIES, find_strategy
from mmsat.strategy.strategies.planned import Planned
from mmsat.strategy.strategy import State, Strategy
from mmsat.strategy.tree import StrategyTree, replay
from tests.support import twins
from tests.support.heuristics import HEURISTICS, KEYS

GAMES = ["1x4", "2x5", "3x4", "4x3", "3x5!", "4x5!", "3x4b", "3x4w", "2x2x3", "2x2x2k", "3x4p"]
SLOW = {"genetic"}
"""Strategies whose trees are too slow to grow in every game."""
each_strategy = pytest.mark.parametrize("name", STRATEGIES)
each_heuristic = pytest.mark.parametrize("name", HEURISTICS)


def is_supported(name, game, **options):
    try:
        find_strategy(name, seed=1, **options).check(game)
    except InputError:
        return False
    return True


def supported_cases(sizes):
    """Return all pairs of a game and a strategy that supports it."""
    return [
        (size, name)
        for size in sizes
        for name in STRATEGIES
        if is_supported(name, Game.parse(size))
    ]


def check_progress(done, total):
    assert 0 <= done <= total


def random_states(game, num_states, seed):
    """Yield consistent states after up to three random guesses."""
    rng = random.Random(f"{game} {seed}")
    codes = [*twins.codes(game)]
    for _ in range(num_states):
        secret = rng.choice(codes)
        rows = [
            Row(guess, twins.score(game.scoring, secret, guess))
            for guess in (rng.choice(codes) for _ in range(rng.randrange(4)))
        ]
        yield State(Board(game, tuple(rows)))


def plain_choice(strategy, state):
    """Return the guess by definition: minimal key, then consistent codes, then the first."""
    game = state.game
    remaining_codes = twins.consistent(state.board)
    best = None
    for guess in remaining_codes if strategy.consistent_only else twins.codes(game):
        sizes = {}
        for code in remaining_codes:
            score = twins.score(game.scoring, code, guess)
            sizes[score] = sizes.get(score, 0) + 1
        key = (KEYS[strategy.name]([*sizes.values()]), guess not in remaining_codes, guess)
        best = key if best is None or key < best else best
    return best[-1]


def test_the_registry_is_complete():
    assert {
        "entropy",
        "expected-size",
        "first-consistent",
        "genetic",
        "knuth",
        "most-parts",
        "next-consistent",
        "random-consistent",
        "six-guess",
    } <= STRATEGIES.keys()
    page = (files("mmsat") / "strategy" / "README.md").read_text("utf-8")
    for name, kind in STRATEGIES.items():
        assert kind.name == name
        assert kind.summary
        assert kind.source
        assert f"\n| `{name}` | " in page


@pytest.mark.parametrize("size", GAMES)
def test_states_have_the_consistent_codes(size):
    game = Game.parse(size)
    for state in random_states(game, 10, "codes"):
        grown = State.start(game)
        for row in state.rows:
            grown = grown.after(*row)
        expected = twins.consistent(state.board)
        assert [*map(tuple, state.codes.tolist())] == expected
        assert [*map(tuple, grown.codes.tolist())] == expected
        assert all(state.allows(code) for code in expected)


@pytest.mark.parametrize("size", GAMES)
@each_heuristic
@pytest.mark.parametrize("consistent_only", [False, True])
def test_heuristics_follow_their_definition(size, name, consistent_only):
    strategy = find_strategy(name, consistent_only=consistent_only)
    for state in islice(random_states(Game.parse(size), 12, name), 12):
        assert strategy.guess(state) == plain_choice(strategy, state), state


@pytest.mark.parametrize("size", ["4x4", "5x3", "3x6", "4x6!"])
@each_heuristic
def test_symmetry_does_not_change_the_guess(size, name):
    """After few rows, the kernel omits guesses that are equivalent by symmetry."""
    strategy = find_strategy(name)
    game = Game.parse(size)
    rng = random.Random(f"{size} {name}")
    codes = [*twins.codes(game)]
    for turn in (0, 1, 1, 1, 2, 2, 2):
        secret = rng.choice(codes)
        guesses = rng.sample(codes, turn)
        rows = tuple(Row(guess, twins.score(game.scoring, secret, guess)) for guess in guesses)
        state = State(Board(game, rows))
        assert strategy.guess(state) == plain_choice(strategy, state), state


@pytest.mark.parametrize(
    ("size", "name"), [pair for pair in supported_cases(GAMES) if pair[1] not in SLOW]
)
@pytest.mark.parametrize("consistent_only", [False, True])
def test_trees_have_the_guesses_that_the_strategy_makes(size, name, consistent_only):
    game = Game.parse(size)
    if not is_supported(name, game, consistent_only=consistent_only):
        assert issubclass(STRATEGIES[name], Planned)
        return
    strategy = find_strategy(name, consistent_only=consistent_only, seed=3)
    grown = StrategyTree(game, strategy.grow(game, check_progress))
    plain = StrategyTree(game, Strategy.grow_from(strategy, State.start(game), check_progress))

    assert grown == plain
    assert [*replay(grown)] == [*twins.codes(game)]
    assert grown == plain  # replay counts the same wins


@pytest.mark.parametrize("game", ["word-3", "secret-search-3"])
@each_heuristic
def test_games_of_words_are_played_with_words(game, name):
    words = find_game(game)
    tree = analyze(words, name).tree
    assert all(words.space.contains(node.guess) for _, node in tree.nodes())
    assert tree.codes == words.size


@pytest.mark.parametrize(("size", "name"), supported_cases(["3x4", "4x4!", "3x4b", "2x2x3"]))
def test_consistent_strategies_guess_consistent_codes(size, name):
    game = Game.parse(size)
    kind = STRATEGIES[name]
    if issubclass(kind, Planned):
        assert not is_supported(name, game, consistent_only=True)
        return
    strategy = find_strategy(name, consistent_only=not kind.is_consistent, seed=5)
    for secret in random.Random(1).sample([*twins.codes(game)], 2 if name in SLOW else 8):
        state = State.start(game)
        guess = None
        while guess is None or game.score(secret, guess) != game.score(guess, guess):
            guess = strategy.guess(state)
            assert not state.board.missed(guess)
            assert strategy.guess(State(state.board)) == guess
            state = state.after(guess, game.score(secret, guess))


def test_guesses_of_the_opening_are_made_unless_they_are_forbidden():
    game = Game.parse("3x4")
    opening = [(0, 0, 0), (0, 1, 2)]
    for name in STRATEGIES:
        if not is_supported(name, game):
            continue
        strategy = find_strategy(name, opening=opening, seed=1)
        assert strategy.guess(State.start(game)) == (0, 0, 0)
        consistent_state = State.start(game).after((0, 0, 0), (1, 0))
        assert strategy.guess(consistent_state) == (0, 1, 2)
        # The next guess of the opening cannot be the code here.
        inconsistent_state = State.start(game).after((0, 0, 0), (0, 0))
        assert strategy.guess(inconsistent_state) == (0, 1, 2)
        if not is_supported(name, game, consistent_only=True):
            continue
        restricted = find_strategy(name, opening=opening, consistent_only=True, seed=1)
        assert inconsistent_state.allows(restricted.guess(inconsistent_state))


def test_an_opening_may_be_a_guess_that_is_not_a_code():
    """Digits may repeat in the opening of bulls and cows, except with `consistent_only`."""
    unrestricted = analyze("3x5!", "knuth", opening=[(0, 0, 1)])
    assert unrestricted.tree.root.guess == (0, 0, 1)
    assert unrestricted.tree.root.wins == 0
    restricted = analyze("3x5!", "knuth", opening=[(0, 0, 1)], consistent_only=True)
    assert restricted.tree.root.guess == (0, 1, 2)


def test_unsupported_strategies_and_openings_are_reported():
    with pytest.raises(InputError, match="No such strategy 'nobody'"):
        find_strategy("nobody")
    with pytest.raises(InputError, match="supports no other game"):
        analyze("4x7", "six-guess")
    with pytest.raises(InputError, match="a game without a word list"):
        analyze("word-3", "genetic")
    with pytest.raises(InputError) as caught:
        analyze("3x4", "knuth", opening=[(0, 0), (0, 0, 4)])
    assert len(caught.value.faults) == 2
    with pytest.raises(SizeError, match="20,000,000"):
        analyze("10x10", "knuth")


def test_guesses_depend_on_the_seed():
    for name in ("random-consistent", "next-consistent"):
        one, same, other = (analyze("4x4", name, seed=seed).games for seed in (1, 1, 2))
        assert one == same
        assert one != other
    one, same = (analyze("5x6", "genetic", seed=4, sample=1).games for _ in range(2))
    assert one == same


def test_genetic_plays_games_too_large_to_list():
    analysis = analyze("8x9", "genetic", seed=1, sample=1)
    assert analysis.max < 12
