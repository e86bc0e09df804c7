"""Corrections are sorted by the model of slips, which includes those of faulty programs."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

import mmsat
from mmsat.diagnosis.corrections import (
    EXCHANGED_NUMBERS,
    WRONG_NAME,
    WRONG_NUMBER,
    repeats_slip,
    slip,
)
from mmsat.game import UNREAD, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game
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

NAME, NUMBER, EXCHANGED = WRONG_NAME, WRONG_NUMBER, EXCHANGED_NUMBERS
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
def test_counting_repeated_colors_twice_is_the_first_explanation(line, row, after, words):
    board = Board.parse(line)
    first = mmsat.explain(board).corrections[0]
    (change,) = first.changes
    assert (change.row + 1, change.after, change.slip) == (row, after, words)
    if board.game.size < 2000:
        assert ((change.row, change.after),) == slip_model.sorted_corrections(board)[0]


@pytest.mark.parametrize(
    ("game", "stated", "true", "words", "weight"),
    [
        ("4x6", (2, 1), (1, 2), "a white was taken for a black", NAME),
        ("4x6", (1, 2), (2, 1), "a black was taken for a white", NAME),
        ("4x6", (2, 1), (1, 1), "one black too many", NUMBER),
        ("4x6", (1, 0), (1, 1), "one white too few", NUMBER),
        ("4x6", (0, 2), (2, 0), "black and white were exchanged", EXCHANGED),
        ("4x6", (0, 4), (0, 2), "", NUMBER // 32),
        ("4x6", (0, 4), (0, 1), "", NUMBER // 32**2),
        ("4x6", (3, 0), (1, 1), "", NUMBER // 32),
        ("4x6", (4, 0), (0, 0), "", NUMBER // 32**3),
        ("6x6", (6, 0), (0, 0), "", NUMBER // 32**3),
        ("4x6", (None, 2), (None, 1), "one white too many", NUMBER),
        ("4x6w", (3,), (2,), "one color too many", NUMBER),
        ("4x6p", (0, 1, 2, 0), (0, 1, 2, 1), "place 4 was elsewhere, not absent", NAME),
        ("4x6p", (0, 1, 2, 0), (0, 0, 2, 1), "", NUMBER // 32),
    ],
)
def test_slips_of_people(game, stated, true, words, weight):
    result = slip(stated, true, Game.parse(game))
    assert (result.words, result.weight) == (words, weight)
    assert result.weight == slip_model.weight_of(Game.parse(game), stated, true)


def test_the_slip_of_programs_has_the_weight_of_all_wrong_names():
    weights = {name: repeats_slip(find_game(name)).weight for name in ("4x6", "4x6w", "5x26p")}
    assert weights == {"4x6": 2 * NAME, "4x6w": 2 * NAME, "5x26p": 10 * NAME}


def with_slips(board, rng):
    """Return the board with some scores that count repeats twice, and some parts or pegs unread."""
    secret = random_secret(rng, board.game)
    rows = []
    for original, score in board.rows:
        mixed = tuple(rng.choices(original, k=len(original)))
        guess = mixed if board.game.space.allows(mixed) else original
        slipped_score = twins.count_twice(board.game.scoring, secret, guess)
        parts = [None if rng.random() < 0.1 else part for part in slipped_score]
        hidden = tuple(UNREAD if rng.random() < 0.04 else color for color in guess)
        if is_allowed(board.game, hidden):
            guess = hidden
        rows.append(Row(guess, tuple(parts if rng.random() < 0.7 else score)))
    return replace(board, rows=tuple(rows))


def slipped_boards(number, seed):
    """Yield boards of every kind with many wrong rows, some of them by slips of programs."""
    rng = random.Random(seed)
    for board in inconsistent_boards(number, seed=seed, pegs=3, colors=3, rows=5):
        yield board
        other = with_slips(board, rng)
        if not mmsat.check(other, reason=0):
            yield other


def test_corrections_are_sorted_by_the_model():
    seen, boards = Counter(), []
    for board in slipped_boards(share(150, least=40), 461):
        explanation = mmsat.explain(board, limit=100_000)
        expected = slip_model.cheapest_corrections(board)
        repairs = [
            tuple((c.row, c.after) for c in entry.changes) for entry in explanation.corrections
        ]
        assert repairs == slip_model.sorted_corrections(board), str(board)
        selected = tuple((c.row, c.after) for c in explanation.correction.changes)
        assert selected == slip_model.selected_correction(board), str(board)
        for repair, correction in zip(repairs, explanation.corrections, strict=True):
            assert correction.likelihood == expected[repair]
            seen[len(repair), any("twice" in change.slip for change in correction.changes)] += 1
        boards.append(board)
    assert scorings_of(boards) == {*SCORINGS}
    assert {1, 2, 3} <= {cost for cost, _ in seen}
    assert sum(seen[cost, True] for cost, _ in seen) > at_least(20)


def test_corrections_of_large_boards_have_the_same_likelihood(monkeypatch):
    """Without brute force, codes are listed to find those that explain scores by repeats."""
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    num_twice = 0
    for board in slipped_boards(share(12, least=6), 462):
        expected = slip_model.cheapest_corrections(board)
        for correction in mmsat.explain(board, limit=100_000).corrections:
            repair = tuple((change.row, change.after) for change in correction.changes)
            assert (correction.likelihood, correction.is_likelihood_exact) == (
                expected[repair],
                True,
            )
            num_twice += any("twice" in change.slip for change in correction.changes)
    assert num_twice


def one_wrong_row(rng, kind):
    """Return a 4x6 board of four to six rows with one wrong score, its row, and the true score."""
    game = Game.parse("4x6")
    secret = random_guess(rng, game)
    guesses = [random_guess(rng, game) for _ in range(rng.randint(4, 6))]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    row = rng.randrange(len(guesses))
    black, white = board.rows[row].score
    slipped_scores = {
        "twice": [twins.count_twice(game.scoring, secret, guesses[row])],
        "name": [(black + 1, white - 1), (black - 1, white + 1)],
        "number": [(black + 1, white), (black - 1, white), (black, white + 1), (black, white - 1)],
        "exchanged": [(white, black)],
    }[kind]
    possible = [score for score in slipped_scores if min(score) >= 0] or [(black, white)]
    return board.changed({row: rng.choice(possible)}), row, (black, white)


@pytest.mark.parametrize(
    ("kind", "min_first"), [("twice", 240), ("name", 170), ("number", 170), ("exchanged", 150)]
)
def test_the_first_correction_is_mostly_the_true_score(kind, min_first):
    """For at least `min_first` of 280 boards of each kind, with a fixed seed."""
    rng = random.Random(f"first {kind}")
    num_first = board_count = 0
    while board_count < 280:
        board, row, true = one_wrong_row(rng, kind)
        score = board.rows[row].score
        if score == true or mmsat.check(board, reason=0):
            continue
        board_count += 1
        changes = mmsat.check(board, reason=60).correction.changes
        num_first += [(change.row, change.after) for change in changes] == [(row, true)]
    assert num_first >= min_first
