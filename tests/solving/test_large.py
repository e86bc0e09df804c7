"""Boards of the largest games are decided correctly."""

from __future__ import annotations

import random

import pytest

from mmsat.game import Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline

MAX_SECONDS = 900
"""Time limit in seconds. An answer that takes longer is a failure."""


def secret_board(size, rows, seed=1):
    """Return a consistent board, and the same board with a last row that contradicts the first."""
    game = Game.parse(size)
    rng = random.Random(seed)
    if game.space.name == "distinct":
        secret = tuple(rng.sample(range(game.colors), game.pegs))
    else:
        secret = tuple(rng.randrange(game.colors) for _ in range(game.pegs))
    guesses = [tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    guess, (number, *remainder) = board.rows[0]
    return board, Board(game, (*board.rows, Row(guess, (number + 1, *remainder))))


@pytest.mark.parametrize(
    ("size", "rows", "spec"),
    [
        ("4x1000", 5, "auto"),
        ("4x1000", 5, "sat"),
        ("4x1000", 5, "cp"),
        ("1x1000", 3, "auto"),
        ("1x1000", 3, "sat"),
        ("1000x1", 2, "auto"),
        ("1000x1", 2, "cp"),
        ("1000x2", 3, "cp"),
        ("50x50", 3, "auto"),
        ("50x50", 3, "sat"),
        ("50x50", 3, "cp"),
        ("100x100!", 1, "sat"),
        ("1000x1000!b", 1, "brute"),
        ("70000x1", 1, "brute"),
        pytest.param("1000x2", 1, "auto", marks=pytest.mark.slow),
        pytest.param("1000x2", 3, "auto", marks=pytest.mark.slow),
        pytest.param("1000x2", 3, "sat", marks=pytest.mark.slow),
        pytest.param("1000x1000!b", 1, "sat", marks=pytest.mark.slow),
    ],
)
def test_a_large_board_is_decided(size, rows, spec):
    board, _ = secret_board(size, rows)
    decision = find_engine(spec).decide(board, Deadline(MAX_SECONDS), seed=1)
    assert decision.status is Status.CONSISTENT
    assert board.is_consistent(decision.code)


@pytest.mark.parametrize(
    ("size", "rows", "spec"),
    [
        ("4x1000", 3, "auto"),
        ("1x1000", 3, "cp"),
        ("1000x1", 1, "auto"),
        ("1000x1", 1, "cp"),
        ("50x50b", 1, "auto"),
        ("50x50b", 1, "sat"),
        ("1000x2b", 1, "cp"),
    ],
)
def test_a_large_contradiction_is_found(size, rows, spec):
    _, board = secret_board(size, rows)
    decision = find_engine(spec).decide(board, Deadline(MAX_SECONDS), seed=1)
    assert decision.status is Status.INCONSISTENT


def test_a_thousand_rows_are_decided_by_every_engine():
    board, inconsistent_board = secret_board("5x8", 1000)
    for spec in ("auto", "brute", "cp", "sat", "sat:gluecard4"):
        engine = find_engine(spec)
        assert engine.decide(board, Deadline(MAX_SECONDS)).status is Status.CONSISTENT
        assert (
            engine.decide(inconsistent_board, Deadline(MAX_SECONDS)).status is Status.INCONSISTENT
        )
