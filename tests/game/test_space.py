"""Which sequences are codes, how many there are, and what is claimed of them."""

from __future__ import annotations

from itertools import product

import pytest

from mmsat.errors import InputError
from mmsat.game.facts import Facts
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from tests import twins

SIZES = list(product(range(1, 5), range(1, 6)))
kinds = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)


def games(space):
    return [Game(*size, space) for size in SIZES if space.flaw(*size) is None]


@kinds
def test_the_codes_are_those_written_down(space):
    for game in games(space):
        every = set(product(range(game.colors), repeat=game.pegs))
        codes = set(twins.codes(game))
        assert {code for code in every if space.contains(code)} == codes
        assert game.size == len(codes)


@kinds
def test_claims_are_true_of_exactly_the_codes(space):
    for game in games(space):
        claims = list(space.claims(Facts(game.pegs, game.colors)))
        codes = set(twins.codes(game))
        for code in product(range(game.colors), repeat=game.pegs):
            assert twins.satisfies(game.facts, claims, code) == (code in codes)


@kinds
def test_a_size_has_a_flaw_exactly_when_it_has_no_code(space):
    for pegs, colors in SIZES:
        empty = space.size(pegs, colors) == 0
        assert (space.flaw(pegs, colors) is not None) == empty
        if empty:
            with pytest.raises(InputError):
                Game(pegs, colors, space)


@kinds
def test_a_game_contains_only_its_own_pegs_and_colors(space):
    for game in games(space):
        codes = set(twins.codes(game))
        for pegs in range(game.pegs + 2):
            if game.colors**pegs < 300:
                for code in product(range(-1, game.colors + 1), repeat=pegs):
                    assert game.contains(code) == (code in codes)


def test_sizes_of_the_largest_games_are_exact():
    assert Game.parse("1000x1000").size == 1000**1000
    assert Game.parse("1000x1000!").size % 1000 == 0
    assert Game.parse("4x10!").size == 5040


def test_kinds_are_told_apart_by_name_and_suffix():
    assert [kind.name for kind in SPACES.values()] == list(SPACES)
    assert len({kind.suffix for kind in SPACES.values()}) == len(SPACES)
    for kind in SPACES.values():
        assert Game.parse(f"4x6{kind.suffix}").space == kind
        assert kind == type(kind)()
        assert hash(kind) == hash(type(kind)())
    for space, scoring in product(SPACES.values(), SCORINGS.values()):
        assert Game.parse(f"4x6{space.suffix}{scoring.suffix}") == Game(4, 6, space, scoring)
