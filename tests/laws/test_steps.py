"""Steps of boards of every kind: each follows from its premises alone, and the last is the end.

Nothing of the rules is asked: small boards by masks over all their codes, scored by the twins, all
others by a solver's model of the scores (score_model.py).
"""

from __future__ import annotations

import random
from functools import cache, partial, reduce
from operator import and_

import pytest

import mmsat
from mmsat.board import Board
from mmsat.diagnosis.steps.step import Way
from mmsat.diagnosis.steps.stepwise import find_steps
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.scoring import SCORINGS
from mmsat.game.variants import VARIANTS
from tests import twins
from tests.laws.random_boards import (
    EVERY_SPACE,
    random_board,
    random_guess,
    random_secret,
    scorings_of,
    spaces_of,
)
from tests.laws.score_model import KINDS, has_code
from tests.tiers import at_least, share

SHAPES = ((4, 4, 5), (3, 6, 5), (6, 3, 5), (5, 4, 6), (7, 2, 6))
"""Pegs, colors and rows of the largest small boards."""
LARGE = ("8x4", "8x4w", "5x8", "8x7", "7x9!", "6x10b", "9x5w", "12x3", "5x12p", "6x9o", "6x3x3")

LISTED = 20_000
"""Codes that are written down one by one."""


class Masks:
    """The codes of a board as bits: who gets a row's score, and of whom a literal is true."""

    def __init__(self, board):
        self.board = board
        self.codes = list(twins.codes(board.game))
        self.every = (1 << len(self.codes)) - 1
        scoring = board.game.scoring
        self.rows = [
            self.mask(lambda code, row=row: twins.agrees(scoring, code, row.guess, row.score))
            for row in board.rows
        ]
        self.literal = cache(self.of_literal)

    def mask(self, is_so):
        return sum(1 << number for number, code in enumerate(self.codes) if is_so(code))

    def of_literal(self, literal):
        variables = self.board.game.variables
        if literal < 0:
            return self.every & ~self.literal(-literal)
        if variables.is_at(literal):
            peg, color = variables.peg_color(literal)
            return self.mask(lambda code: code[peg] == color)
        color, count = variables.color_count(literal)
        return self.mask(lambda code: code.count(color) >= count)

    def has_code(self, rows, literals=(), denied=()):
        left = reduce(and_, (self.rows[row] for row in rows), self.every)
        left = reduce(and_, map(self.literal, literals), left)
        return bool(left & ~reduce(and_, map(self.literal, denied), self.every) if denied else left)


def check_chain(has_code, steps, given=()):
    """Each step follows from what it names, which was told before; returns all that is told."""
    told = list(given)
    for number, step in enumerate(steps):
        assert set(step.literals) <= set(told), "only earlier literals are used"
        assert len(step.rows) <= 2 or step.supposed is not None or step.way is Way.LISTING
        assert not has_code(step.rows, step.literals, step.found), step
        assert bool(step.steps) == (step.supposed is not None) == (step.way is Way.SUPPOSING)
        if step.supposed is not None:
            assert step.found == (-step.supposed,)
            assert all(set(each.rows) <= set(step.rows) for each in step.steps)
            check_chain(has_code, step.steps, [*step.literals, step.supposed])
            assert not step.steps[-1].found, "what is supposed is refuted"
        assert step.found or number == len(steps) - 1, "only the last one is the contradiction"
        told += step.found
    return told


def check_end(board, has_code, plan, steps, code):
    """The last step is the contradiction, or all that the codes share has been told."""
    told = check_chain(has_code, steps)
    every = range(len(board.rows))
    if code is None:
        assert steps
        assert not steps[-1].found
        assert {row for step in steps for row in step.rows} == set(plan.conflict)
        return
    assert all(step.found for step in steps)
    assert set(plan.goals) <= set(told)
    for literal in statements(board.game, code):
        is_shared = not has_code(every, (), literal)
        assert is_shared == (not has_code((), plan.goals, literal)), literal


def statements(game, code):
    """What may be certain, as it is in a code: the color of a peg, the number of a color."""
    variables = game.variables
    for peg, color in enumerate(code):
        yield (variables.at(peg, color),)
    for color in range(game.colors):
        number = code.count(color)
        low = [variables.least(color, number)] if number else []
        high = [-variables.least(color, number + 1)] if number < game.pegs else []
        yield (*low, *high)


def check(board, code, has_code):
    plan, *_, steps = find_steps(board, code)
    check_end(board, has_code, plan, steps, code)
    wanted = {literal for step in steps for each in step.walk() for literal in each.literals}
    wanted.update(plan.goals)
    assert all(set(step.found) <= wanted for step in steps), "nothing idle is told"
    return steps


def hold_small_boards(boards):
    seen, deep = [], 0
    for board in boards:
        masks = Masks(board)
        codes = [code for n, code in enumerate(masks.codes) if all(m >> n & 1 for m in masks.rows)]
        steps = check(board, codes[0] if codes else None, masks.has_code)
        seen.append((board, bool(codes)))
        deep += any(step.way in {Way.FAILED_LITERAL, Way.SUPPOSING} for step in steps)
    return seen, deep


def small_boards(number, seed):
    """Boards of all shapes, half of them as large as their shape is."""
    rng = random.Random(seed)
    for _ in range(number):
        pegs, colors, rows = rng.choice(SHAPES)
        least = rng.choice((1, pegs * colors - 2))
        board = random_board(rng, pegs, colors, rows)
        while board.game.pegs * board.game.colors < least:
            board = random_board(rng, pegs, colors, rows)
        yield board


def test_steps_of_small_boards_of_every_kind():
    seen, deep = hold_small_boards(small_boards(share(1200, least=100), seed=71))
    boards = [board for board, _ in seen]
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}
    assert sum(is_consistent for _, is_consistent in seen) > at_least(300)
    assert sum(not is_consistent for _, is_consistent in seen) > at_least(300)
    assert deep > at_least(40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(72, 77))
def test_steps_of_thousands_of_small_boards(seed):
    hold_small_boards(small_boards(1000, seed))


def random_rows(rng, game, most):
    """A board with a code behind it; one of its scores may be wrong."""
    secret = random_secret(rng, game)
    guesses = [random_guess(rng, game) for _ in range(rng.randint(1, most))]
    rows = [Row(guess, twins.score(game.scoring, secret, guess)) for guess in guesses]
    wrong = rng.randrange(2 * len(rows))
    if wrong < len(rows):
        other = random_secret(rng, game)
        guess = rows[wrong].guess
        rows[wrong] = Row(guess, twins.score(game.scoring, other, guess))
    return Board(game, tuple(rows))


def check_large(board):
    witness = mmsat.check(board, reason=0).witness
    few = board.game.space.size(board.game.pegs, board.game.colors) <= LISTED
    check(board, witness, Masks(board).has_code if few else partial(has_code, board))


@pytest.mark.parametrize("name", VARIANTS)
def test_steps_of_published_games(name):
    rng = random.Random(name)
    for _ in range(share(3)):
        check_large(random_rows(rng, VARIANTS[name].game, 4))


def test_steps_of_large_boards():
    rng = random.Random(77)
    for _ in range(share(24)):
        check_large(random_rows(rng, Game.parse(rng.choice(LARGE)), 4))


def test_the_model_of_scores_is_that_of_the_twins():
    """Both definitions have the same codes, with literals and denials."""
    rng = random.Random(78)
    boards = [random_board(rng, 4, 4, 3) for _ in range(share(150, least=40))]
    boards = [board for board in boards if board.game.scoring.name in KINDS]
    assert scorings_of(boards) == KINDS
    for board in boards:
        masks = Masks(board)
        literals = range(1, 2 * board.game.pegs * board.game.colors + 1)
        some = [rng.choice((1, -1)) * each for each in rng.sample(literals, min(3, len(literals)))]
        rows = [row for row in range(len(board.rows)) if rng.random() < 0.7]
        for true, denied in ((some[:1], ()), (some[:1], some[1:])):
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
def test_counts_with_gaps_are_no_runs(line):
    """At least 2 and at least 4 were told, and not at least 3; too much was concluded from it."""
    check_large(Board.parse(line))
