"""Code spaces: membership, sizes, and constraints."""

from __future__ import annotations

import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS, Pairs
from mmsat.game.space import SPACES, VariableMap
from mmsat.game.symbols import Symbols
from mmsat.game.words import Words
from tests.support import strategies, twins

SIZES = list(product(range(1, 5), range(1, 6)))
kinds = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)


def games(space):
    return [Game(*size, space) for size in SIZES if space.unfit(*size) is None]


@kinds
def test_a_space_contains_exactly_the_codes_of_its_twin(space):
    for game in games(space):
        sequences = set(product(range(game.colors), repeat=game.pegs))
        codes = set(twins.codes(game))
        assert {code for code in sequences if space.contains(code)} == codes
        assert game.size == len(codes)


@kinds
def test_exactly_the_codes_satisfy_the_constraints(space):
    for game in games(space):
        constraints = list(space.constraints(VariableMap(game.pegs, game.colors)))
        codes = set(twins.codes(game))
        for code in product(range(game.colors), repeat=game.pegs):
            assert twins.satisfies(game.variables, constraints, code) == (code in codes)


@kinds
def test_a_size_has_a_flaw_exactly_when_it_has_no_code(space):
    for pegs, colors in SIZES:
        is_empty = space.size(pegs, colors) == 0
        assert (space.unfit(pegs, colors) is not None) == is_empty
        if is_empty:
            with pytest.raises(InputError):
                Game(pegs, colors, space)


@kinds
def test_a_game_contains_only_codes_of_its_size(space):
    for game in games(space):
        codes = set(twins.codes(game))
        for pegs in range(game.pegs + 2):
            if game.colors**pegs < 300:
                for code in product(range(-1, game.colors + 1), repeat=pegs):
                    assert game.contains(code) == (code in codes)


def test_the_numbers_of_codes_of_the_largest_games_are_exact():
    assert Game.parse("1000x1000").size == 1000**1000
    assert Game.parse("1000x1000!").size % 1000 == 0
    assert Game.parse("4x10!").size == 5040


def test_kinds_of_space_have_different_names_and_suffixes():
    assert [kind.name for kind in SPACES.values()] == list(SPACES)
    assert len({kind.suffix for kind in SPACES.values()}) == len(SPACES)
    for kind in SPACES.values():
        assert Game.parse(f"4x6{kind.suffix}").space == kind
        assert kind == type(kind)()
        assert hash(kind) == hash(type(kind)())
    for space, scoring in product(SPACES.values(), SCORINGS.values()):
        if isinstance(scoring, Pairs):
            size, game = "4x2x5", Game(4, 10, space, scoring)
        else:
            size, game = "4x6", Game(4, 6, space, scoring)
        assert Game.parse(f"{size}{space.suffix}{scoring.suffix}") == game


@given(game=strategies.word_games())
def test_the_codes_of_a_word_game_are_its_words(game):
    codes = list(twins.codes(game))
    sequences = list(product(range(game.colors), repeat=game.pegs))
    constraints = list(game.constraints())
    assert [code for code in sequences if game.contains(code)] == codes == list(game.space.table())
    assert game.size == len(codes) == len(set(codes))
    assert [
        code for code in sequences if twins.satisfies(game.variables, constraints, code)
    ] == codes
    allowed = [guess for guess in sequences if game.space.allows(guess)]
    assert allowed == (sequences if game.space.allows_any_guess else codes)


@given(game=strategies.word_games(), data=st.data())
def test_the_nearest_words_are_no_farther_than_any_other(game, data):
    guess = data.draw(st.tuples(*[st.integers(0, game.colors - 1)] * game.pegs))

    def distance(code):
        black, white = twins.cross_out(code, guess)
        return (game.pegs - black) + (game.pegs - black - white)

    for max_words in (1, 3):
        nearest_words = game.space.nearest(guess, max_words)
        assert len(nearest_words) == len(set(nearest_words)) == min(max_words, game.size)
        distances = sorted(map(distance, twins.codes(game)))
        assert list(map(distance, nearest_words)) == distances[: len(nearest_words)]


@given(game=strategies.word_games())
def test_the_order_of_a_word_list_does_not_matter(game):
    words = game.space.codes
    reordered = Words([*reversed(words), *words], allows_any_guess=game.space.allows_any_guess)
    assert reordered == game.space == pickle.loads(pickle.dumps(game.space))  # noqa: S301
    assert hash(reordered) == hash(game.space)
    assert reordered != Words(words, allows_any_guess=not game.space.allows_any_guess)
    assert reordered != Words(words, source="english", allows_any_guess=game.space.allows_any_guess)
    assert reordered != SPACES["repeats"]


@pytest.mark.parametrize("words", [[], [(0, 1)], [(0, 1, 2), (0, 1, 3)], [(0, 1, -1)], [()]])
def test_a_word_list_that_does_not_fit_its_game_is_an_input_error(words):
    with pytest.raises(InputError):
        Game(3, 3, Words(words), symbols=Symbols(("A", "B", "C")), name="own")
