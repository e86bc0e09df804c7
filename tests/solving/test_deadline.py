"""Deadlines: how they count, and that every engine keeps them."""

from __future__ import annotations

import math
import multiprocessing
import random
import time

import pytest

import mmsat
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.solving import ENGINES, find_engine
from mmsat.solving.deadline import Deadline

HANG = 30
"""Seconds that no answer takes, unless it waits for a solver that will not stop."""
SPECS = ("auto", "brute", "cp", "sat", "sat:glucose4:sequential", "sat:gluecard4", "sat:lingeling")


@pytest.fixture(autouse=True)
def _no_child_is_left():
    yield
    assert multiprocessing.active_children() == []


def hard_board(size="120x3", rows=40, seed=1):
    """Random guesses at a random code: too many codes to search, too few rows to see through."""
    game = Game.parse(size)
    rng = random.Random(seed)
    secret, *guesses = [
        tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows + 1)
    ]
    return Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))


def test_the_specs_are_of_every_engine():
    assert {spec.partition(":")[0] for spec in SPECS} == set(ENGINES)


@pytest.mark.parametrize("spec", SPECS)
def test_an_engine_comes_back_undecided_when_the_time_is_up(spec):
    started = time.monotonic()
    decision = find_engine(spec).decide(hard_board(), Deadline(0.3))
    assert decision[:2] == (Status.UNKNOWN, None)
    assert time.monotonic() - started < HANG


@pytest.mark.parametrize("spec", SPECS)
def test_no_time_at_all_is_undecided(spec):
    decision = find_engine(spec).decide(Board.parse("4x6/1122=1.1"), Deadline(0))
    assert decision[:2] == (Status.UNKNOWN, None)


def test_building_a_model_ends_at_the_deadline_too():
    """A thousand pegs of a thousand colors take longer to write down than there is time."""
    game = Game(1000, 1000)
    board = Board(game, (Row(tuple(range(1000)), (1, 998)),) * 50)
    for spec in ("sat", "cp"):
        started = time.monotonic()
        decision = find_engine(spec).decide(board, Deadline(0.3))
        assert decision.status is Status.UNKNOWN
        assert time.monotonic() - started < HANG


def test_an_undecided_board_is_told_as_such_everywhere():
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


def test_no_deadline_never_passes():
    deadline = Deadline()
    assert deadline.end == math.inf
    assert deadline.left is None
    assert not deadline.passed
    assert not deadline.within(1000).passed


def test_a_deadline_passes_and_leaves_nothing():
    for seconds in (0, -1):
        deadline = Deadline(seconds)
        assert deadline.passed
        assert deadline.left == 0.0


def test_the_earlier_of_two_deadlines_counts():
    assert Deadline(1000).within(10).left <= 10
    assert 10 < Deadline(100).within(1000).left <= 100
    assert Deadline().within(10).left <= 10
    assert Deadline(0).within(10).passed
