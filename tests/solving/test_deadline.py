"""Deadlines: how the time is measured, and that every engine obeys them."""

from __future__ import annotations

import math
import multiprocessing
import random
import time

import pytest

import mmsat
from mmsat.game import Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.solving import ENGINES, find_engine
from mmsat.solving.deadline import Deadline

MAX_SECONDS = 30
"""Time limit in seconds. An answer that takes longer waits for a solver that does not stop."""
SPECS = ("auto", "brute", "cp", "sat", "sat:glucose4:sequential", "sat:gluecard4", "sat:lingeling")


@pytest.fixture(autouse=True)
def _no_child_remains():
    yield
    assert multiprocessing.active_children() == []


def hard_board(size="120x3", rows=40, seed=1):
    """Return a board with too many codes to search and too few rows to decide by deduction."""
    game = Game.parse(size)
    rng = random.Random(seed)
    secret, *guesses = [
        tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows + 1)
    ]
    return Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))


def test_the_specs_cover_every_engine():
    assert {spec.partition(":")[0] for spec in SPECS} == set(ENGINES)


@pytest.mark.parametrize("spec", SPECS)
def test_an_engine_returns_undecided_when_the_deadline_passes(spec):
    started = time.monotonic()
    decision = find_engine(spec).decide(hard_board(), Deadline(0.3))
    assert decision[:2] == (Status.UNKNOWN, None)
    assert time.monotonic() - started < MAX_SECONDS


@pytest.mark.parametrize("spec", SPECS)
def test_a_deadline_without_time_is_undecided(spec):
    decision = find_engine(spec).decide(Board.parse("4x6/1122=1.1"), Deadline(0))
    assert decision[:2] == (Status.UNKNOWN, None)


def test_building_a_model_also_ends_at_the_deadline():
    """The model of 1,000 pegs and colors takes longer to build than the deadline allows."""
    game = Game(1000, 1000)
    board = Board(game, (Row(tuple(range(1000)), (1, 998)),) * 50)
    for spec in ("sat", "cp"):
        started = time.monotonic()
        decision = find_engine(spec).decide(board, Deadline(0.3))
        assert decision.status is Status.UNKNOWN
        assert time.monotonic() - started < MAX_SECONDS


def test_an_undecided_board_is_reported_as_undecided():
    board = hard_board()
    verdict = mmsat.check(board, engine="sat", timeout=0.2)
    assert (verdict.status, verdict.witness, verdict.conflict) == (Status.UNKNOWN, None, None)
    assert verdict.is_consistent is None
    assert "Undecided" in str(verdict)
    explanation = mmsat.explain(board, engine="cp", timeout=0.2)
    assert explanation.status is Status.UNKNOWN
    assert (explanation.conflicts, explanation.corrections) == ((), ())
    assert not explanation.all_conflicts
    assert not explanation.all_corrections


def test_an_unlimited_deadline_never_passes():
    deadline = Deadline()
    assert deadline.end == math.inf
    assert deadline.remaining is None
    assert not deadline.passed
    assert not deadline.within(1000).passed


def test_a_passed_deadline_has_no_time_left():
    for seconds in (0, -1):
        deadline = Deadline(seconds)
        assert deadline.passed
        assert deadline.remaining == 0.0


def test_the_earlier_of_two_deadlines_counts():
    assert Deadline(1000).within(10).remaining <= 10
    assert 10 < Deadline(100).within(1000).remaining <= 100
    assert Deadline().within(10).remaining <= 10
    assert Deadline(0).within(10).passed
