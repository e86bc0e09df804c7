"""Corrections come in the order of the model, and a program's slips are among them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

import mmsat
from mmsat.diagnosis.slips import repeats_slip, slip
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.game.row import UNREAD, Row
from mmsat.game.scoring import SCORINGS
from mmsat.game.unread import is_allowed
from mmsat.limits import LIMITS
from tests.support import slip_model, twins
from tests.support.random_boards import (
    inconsistent_boards,
    random_guess,
    random_secret,
    scorings_of,
)
from tests.support.tiers import at_least, share

TWICE = "repeated colors were counted twice"


@pytest.mark.parametrize(
    ("line", "row", "after", "words"),
    [
        ("4x6/1122=1.3", 1, (1, 1), TWICE),
        ("4x6/1111=1.3", 1, (1, 0), TWICE),
        ("4x6w/1111=4/1234=2/2345=2", 1, (1,), TWICE),
        ("5x8/11223=2.3/45678=0.2/14567=1.2", 1, (2, 1), TWICE),
        ("daily-word/INDIA=YY-GG", 1, (0, 1, 0, 2, 2), "repeated letters were counted twice"),
        ("4x6p/1112=GYYY/3456=--YY", 1, (2, 0, 0, 1), TWICE),
    ],
)
def test_a_program_that_counts_twice_is_named_first(line, row, after, words):
    board = Board.parse(line)
    first = mmsat.explain(board).corrections[0]
    expected = slip_model.cheapest_corrections(board) if board.game.size < 2000 else None
    (change,) = first.changes
    assert (change.row + 1, change.after, change.slip) == (row, after, words)
    assert expected is None or expected[(change.row, change.after),] == min(expected.values())


@pytest.mark.parametrize(
    ("game", "said", "true", "words", "weight"),
    [
        ("4x6", (2, 1), (1, 2), "a white was taken for a black", 8),
        ("4x6", (1, 2), (2, 1), "a black was taken for a white", 8),
        ("4x6", (2, 1), (1, 1), "one black too many", 4),
        ("4x6", (1, 0), (1, 1), "one white too few", 4),
        ("4x6", (0, 2), (2, 0), "black and white were exchanged", 2),
        ("4x6", (0, 4), (0, 1), "", 1),
        ("4x6", (None, 2), (None, 1), "one white too many", 4),
        ("4x6w", (3,), (2,), "one color too many", 4),
        ("4x6p", (0, 1, 2, 0), (0, 1, 2, 1), "place 4 was elsewhere, not absent", 8),
        ("4x6p", (0, 1, 2, 0), (0, 0, 2, 1), "", 1),
    ],
)
def test_slips_of_people(game, said, true, words, weight):
    created = slip(said, true, Game.parse(game))
    assert (created.words, created.weight) == (words, weight)
    assert created.rank == slip_model.rank_of(Game.parse(game), said, true)


def test_a_program_has_the_weight_of_all_wrong_names():
    weights = {name: repeats_slip(find_game(name)).weight for name in ("4x6", "4x6w", "5x26p")}
    assert weights == {"4x6": 16, "4x6w": 16, "5x26p": 80}


def with_slips(board, rng):
    """The board with some scores by a program that counts twice, some parts or pegs unread."""
    secret = random_secret(rng, board.game)
    rows = []
    for asked, score in board.rows:
        mixed = tuple(rng.choices(asked, k=len(asked)))
        guess = mixed if board.game.space.allows(mixed) else asked
        text = twins.count_twice(board.game.scoring, secret, guess)
        texts = [None if rng.random() < 0.1 else part for part in text]
        hidden = tuple(UNREAD if rng.random() < 0.04 else color for color in guess)
        if is_allowed(board.game, hidden):
            guess = hidden
        rows.append(Row(guess, tuple(texts if rng.random() < 0.7 else score)))
    return replace(board, rows=tuple(rows))


def slipped_boards(number, seed):
    """Boards of every kind, with many wrong rows, also by programs."""
    rng = random.Random(seed)
    for board in inconsistent_boards(number, seed=seed, pegs=3, colors=3, rows=5):
        yield board
        other = with_slips(board, rng)
        if not mmsat.check(other, reason=0):
            yield other


def test_corrections_are_in_the_order_of_the_model():
    seen, boards = Counter(), []
    for board in slipped_boards(share(150, least=40), 461):
        explanation = mmsat.explain(board, limit=100_000)
        expected = slip_model.cheapest_corrections(board)
        repairs = [
            tuple((c.row, c.after) for c in entry.changes) for entry in explanation.corrections
        ]
        assert repairs == sorted(repairs, key=lambda repair: order(repair, expected)), str(board)
        assert set(repairs) == set(expected)
        for repair, correction in zip(repairs, explanation.corrections, strict=True):
            assert correction.likelihood == -expected[repair][2]
            seen[len(repair), any("twice" in change.slip for change in correction.changes)] += 1
        boards.append(board)
    assert scorings_of(boards) == {*SCORINGS}
    assert {1, 2, 3} <= {cost for cost, _ in seen}
    assert sum(seen[cost, True] for cost, _ in seen) > at_least(20)


def order(repair, expected):
    """The key of a repair; equal ones are in the order of rows and scores."""
    rows = [row for row, _ in repair]
    scores = [[-1 if part is None else part for part in score] for _, score in repair]
    return *expected[repair], rows, scores


def test_corrections_of_large_boards_have_the_same_likelihood(monkeypatch):
    """Beyond brute force, codes are listed to see which of them count twice."""
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    twice = 0
    for board in slipped_boards(share(12, least=6), 462):
        expected = slip_model.cheapest_corrections(board)
        for correction in mmsat.explain(board, limit=100_000).corrections:
            repair = tuple((change.row, change.after) for change in correction.changes)
            assert (correction.likelihood, correction.is_likelihood_exact) == (
                -expected[repair][2],
                True,
            )
            twice += any("twice" in change.slip for change in correction.changes)
    assert twice


def one_wrong_row(rng, kind):
    """A 4x6 board of four to six rows with one wrong score, the row, and its true score."""
    game = Game.parse("4x6")
    secret = random_guess(rng, game)
    guesses = [random_guess(rng, game) for _ in range(rng.randint(4, 6))]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    row = rng.randrange(len(guesses))
    black, white = board.rows[row].score
    wrong = {
        "twice": [twins.count_twice(game.scoring, secret, guesses[row])],
        "name": [(black + 1, white - 1), (black - 1, white + 1)],
        "number": [(black + 1, white), (black - 1, white), (black, white + 1), (black, white - 1)],
        "exchanged": [(white, black)],
    }[kind]
    possible = [score for score in wrong if min(score) >= 0] or [(black, white)]
    return board.changed({row: rng.choice(possible)}), row, (black, white)


@pytest.mark.parametrize(
    ("kind", "least"), [("twice", 240), ("name", 170), ("number", 170), ("exchanged", 150)]
)
def test_the_true_score_comes_first(kind, least):
    """Of 280 boards of each kind, with a fixed seed."""
    rng = random.Random(f"first {kind}")
    first = number = 0
    while number < 280:
        board, row, true = one_wrong_row(rng, kind)
        score = board.rows[row].score
        if score == true or mmsat.check(board, reason=0):
            continue
        number += 1
        changes = mmsat.check(board, reason=60).correction.changes
        first += [(change.row, change.after) for change in changes] == [(row, true)]
    assert first >= least
