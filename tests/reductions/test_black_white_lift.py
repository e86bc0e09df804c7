"""The black-white lift: the new boards have white, but it adds no information."""

from __future__ import annotations

import random
from itertools import product

import pytest

from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.reductions.boards import BlackWhiteLift
from tests.support.random_boards import random_score
from tests.support.reduction_laws import all_codes, holds


def black_only(rng: random.Random) -> Board:
    """Return a small board with black only, which excludes a color with probability 1/2."""
    game = Game(rng.randint(1, 3), rng.randint(1, 3), scoring=SCORINGS["black"])
    secret = tuple(rng.randrange(game.colors) for _ in range(game.pegs))
    guesses = [
        tuple(rng.randrange(game.colors) for _ in range(game.pegs))
        for _ in range(rng.randint(0, 3))
    ]
    if rng.random() < 0.5:
        unused_colors = [color for color in range(game.colors) if color not in secret]
        guesses += [(color,) * game.pegs for color in unused_colors[:1]]
        rng.shuffle(guesses)
    slips = rng.choice([0.0, 0.3])
    rows = tuple(Row(guess, random_score(rng, game, secret, guess, slips)) for guess in guesses)
    return Board(game, rows)


def test_the_lift_of_a_random_board_has_the_same_codes():
    rng = random.Random(81)
    verdicts = {
        (holds(reduction, all_codes(reduction.source.game)) > 0, reduction.has_new_color)
        for reduction in (BlackWhiteLift(black_only(rng)) for _ in range(300))
    }
    assert verdicts == set(product((False, True), repeat=2))


def test_the_last_excluded_color_is_neutral():
    board = Board.parse("2x3b/11=0/33=0/32=1")
    reduction = BlackWhiteLift(board)
    assert (reduction.neutral, reduction.has_new_color) == (2, False)
    assert str(reduction.board) == "5x3/33333=0.0/33113=2.0/33332=1.0/11333=0.2/32333=1.0"


def test_a_neutral_color_is_added_if_there_is_none():
    reduction = BlackWhiteLift(Board.parse("2x2b/12=1"))
    assert str(reduction.board) == "4x3/3333=0.0/3313=1.0/3332=1.0/1233=1.1"


@pytest.mark.parametrize("size", ["2x2", "2x2!b", "2x2w"])
def test_other_games_are_refused(size):
    with pytest.raises(InputError, match="scored with black only"):
        BlackWhiteLift(Board(Game.parse(size)))
