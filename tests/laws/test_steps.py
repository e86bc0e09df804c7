"""On boards of every kind, each step follows from its premises, and the steps reach the goals.

The checks do not use the rules of steps. Small boards are checked with masks over all codes, scored
by the twins, and all others with a solver's model of the scores (score_model.py).
"""

from __future__ import annotations

import random
from functools import partial

import pytest

import mmsat
from mmsat.diagnosis.steps import Way
from mmsat.diagnosis.steps.stepwise import find_steps
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.game.scoring import SCORINGS
from tests.support import twins
from tests.support.deduction_steps import Masks, check_end
from tests.support.random_boards import (
    EVERY_SPACE,
    random_board,
    random_guess,
    random_secret,
    scorings_of,
    spaces_of,
)
from tests.support.score_model import KINDS, has_code
from tests.support.tiers import at_least, share

SHAPES = ((4, 4, 5), (3, 6, 5), (6, 3, 5), (5, 4, 6), (7, 2, 6))
"""Maximum numbers of pegs, colors and rows of small boards."""
LARGE = ("8x4", "8x4w", "5x8", "8x7", "7x9!", "6x10b", "9x5w", "12x3", "5x12p", "6x9o", "6x3x3")

MAX_LISTED_CODES = 20_000
"""Maximum number of codes for which steps are checked with masks."""


def check_steps(board, code, has_code):
    """Check and return the steps of a board; `has_code` decides its rows with some literals."""
    plan, *_, steps = find_steps(board, code)
    check_end(board, has_code, plan, steps, code)
    used = {literal for step in steps for node in step.walk() for literal in node.literals}
    used.update(plan.goals)
    assert all(set(step.found) <= used for step in steps), "an unused conclusion"
    return steps


def check_small_boards(boards):
    """Return the boards with their consistency, and the number of boards with tried literals."""
    results, num_tried = [], 0
    for board in boards:
        masks = Masks(board)
        codes = [code for n, code in enumerate(masks.codes) if all(m >> n & 1 for m in masks.rows)]
        steps = check_steps(board, codes[0] if codes else None, masks.has_code)
        results.append((board, bool(codes)))
        num_tried += any(step.way in {Way.FAILED_LITERAL, Way.SUPPOSING} for step in steps)
    return results, num_tried


def small_boards(number, seed):
    """Yield boards of all shapes, half of them about as large as their shape allows."""
    rng = random.Random(seed)
    for _ in range(number):
        pegs, colors, rows = rng.choice(SHAPES)
        min_size = rng.choice((1, pegs * colors - 2))
        board = random_board(rng, pegs, colors, rows)
        while board.game.pegs * board.game.colors < min_size:
            board = random_board(rng, pegs, colors, rows)
        yield board


def test_steps_of_small_boards_of_every_kind():
    results, num_tried = check_small_boards(small_boards(share(1200, least=200), seed=71))
    boards = [board for board, _ in results]
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}
    assert sum(is_consistent for _, is_consistent in results) > at_least(300)
    assert sum(not is_consistent for _, is_consistent in results) > at_least(300)
    assert num_tried > at_least(40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(72, 77))
def test_steps_of_thousands_of_small_boards(seed):
    check_small_boards(small_boards(1000, seed))


def played_board(rng, game, max_rows):
    """Return a board with scores for a secret, of which one may be wrong."""
    secret = random_secret(rng, game)
    guesses = [random_guess(rng, game) for _ in range(rng.randint(1, max_rows))]
    rows = [Row(guess, twins.score(game.scoring, secret, guess)) for guess in guesses]
    wrong = rng.randrange(2 * len(rows))
    if wrong < len(rows):
        other = random_secret(rng, game)
        guess = rows[wrong].guess
        rows[wrong] = Row(guess, twins.score(game.scoring, other, guess))
    return Board(game, tuple(rows))


def check_large(board):
    witness = mmsat.check(board, reason=0).witness
    is_listed = board.game.space.size(board.game.pegs, board.game.colors) <= MAX_LISTED_CODES
    check_steps(board, witness, Masks(board).has_code if is_listed else partial(has_code, board))


@pytest.mark.parametrize("name", PUBLISHED_GAMES)
def test_steps_of_published_games(name):
    rng = random.Random(name)
    for _ in range(share(3)):
        check_large(played_board(rng, PUBLISHED_GAMES[name].game, 4))


def test_steps_of_large_boards():
    rng = random.Random(77)
    for _ in range(share(24)):
        check_large(played_board(rng, Game.parse(rng.choice(LARGE)), 4))


def test_the_model_of_scores_agrees_with_the_twins():
    """Both have a code for the same rows, true literals and denied literals."""
    rng = random.Random(78)
    boards = [random_board(rng, 4, 4, 3) for _ in range(share(150, least=40))]
    boards = [board for board in boards if board.game.scoring.name in KINDS]
    assert scorings_of(boards) == KINDS
    for board in boards:
        masks = Masks(board)
        literals = range(1, 2 * board.game.pegs * board.game.colors + 1)
        sample = [
            rng.choice((1, -1)) * literal for literal in rng.sample(literals, min(3, len(literals)))
        ]
        rows = [row for row in range(len(board.rows)) if rng.random() < 0.7]
        for true, denied in ((sample[:1], ()), (sample[:1], sample[1:])):
            assert has_code(board, rows, true, denied) == masks.has_code(rows, true, denied)


@pytest.mark.parametrize(
    "line",
    [
        "6x3/333223=0.2/211112=1.2/323113=1.4/121331=1.5",
        "5x4/24234=2.1/33311=2.1/14214=2.0",
        "4x6w/2462=1/6424=1/6145=2/5343=1/2166=2/1353=1/6135=2",
        "5x4w/43114=2/24242=2/12332=4/44342=2/44414=1/32214=4",
    ],
)
def test_runs_of_counts_may_have_gaps(line):
    """A run is a row of known counts of a color: at least 2, 3 and 4.

    On these boards, "at least 2" and "at least 4" were once known, but not "at least 3".
    """
    check_large(Board.parse(line))
