"""Two-color boards as permutation games."""

from __future__ import annotations

import random

import pytest

from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.reductions.boards import PermutationGame
from tests.support.random_boards import random_guess, random_score
from tests.support.reduction_laws import all_codes, holds


def two_colors(rng: random.Random) -> Board:
    """Return a small two-color board; one row determines the weight, others may have slips."""
    game = Game(rng.randint(1, 4), 2, scoring=SCORINGS[rng.choice(["black", "black-white"])])
    secret = random_guess(rng, game)
    one_color_guess = (rng.randrange(2),) * game.pegs
    rows = [Row(one_color_guess, game.score(secret, one_color_guess))]
    slips = rng.choice([0.0, 0.0, 0.3])
    for _ in range(rng.randint(0, 3)):
        guess = random_guess(rng, game)
        rows.append(Row(guess, random_score(rng, game, secret, guess, slips)))
    rng.shuffle(rows)
    return Board(game, tuple(rows))


def test_the_permutation_game_of_a_random_board_has_the_same_codes():
    rng = random.Random(91)
    results = []
    for _ in range(250):
        board = two_colors(rng)
        results.append(holds(PermutationGame(board), all_codes(board.game)))
    assert results.count(0) > 20
    assert len(results) - results.count(0) > 100


@pytest.mark.parametrize(
    ("line", "weight"),
    [
        ("3x2b/111=1", 2),
        ("3x2b/222=1", 1),
        ("3x2/122=1.2", 2),
        ("3x2/112=2.0/222=0.?/121=?.?", 0),
        ("3x2/112=1.1/122=1.2", 2),
        ("3x2b/111=1/222=1", None),
        ("3x2b/111=4", None),
    ],
)
def test_the_rows_determine_the_weight(line, weight):
    reduction = PermutationGame(Board.parse(line))
    assert reduction.weight == weight
    holds(reduction, all_codes(reduction.source.game))


def test_the_board_of_a_small_example():
    reduction = PermutationGame(Board.parse("2x2b/11=1/12=2"))
    assert str(reduction.board) == "4x4d/1234=2.2/2143=2.2/1234=2.2/1243=4.0"
    assert reduction.decode((0, 1, 3, 2)) == (0, 1)


@pytest.mark.parametrize("size", ["2x3", "2x2!", "2x2w"])
def test_other_games_are_refused(size):
    with pytest.raises(InputError, match="two colors"):
        PermutationGame(Board(Game.parse(size)))


@pytest.mark.parametrize("line", ["3x2b/112=1", "3x2/112=1.1", "3x2"])
def test_a_board_that_does_not_determine_the_weight_is_refused(line):
    board = Board.parse(line) if "/" in line else Board(Game.parse(line))
    with pytest.raises(InputError, match="pegs of the second color"):
        PermutationGame(board)
