"""Every step, alone and with others, on boards of every game and on systems of any constraints."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings

from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import ORDER, STEPS, Presolved, presolve
from mmsat.constraints.system import System
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.reductions.families import FAMILIES
from mmsat.reductions.samples import Answer
from tests.support import tiers, twins
from tests.support.presolve_laws import WAYS, check
from tests.support.random_boards import known_boards
from tests.support.systems import listed_systems, systems

BOARDS = (
    {"number": 240, "seed": 61},
    {"number": 160, "seed": 62, "pegs": 5, "colors": 2, "rows": 8},
    {"number": 60, "seed": 63, "pegs": 3, "colors": 6},
)


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_verdict_and_number_of_codes_stay(way):
    outcomes = Counter()
    for kind in BOARDS:
        for board, codes in tiers.part(known_boards(**kind), WAYS.index(way)):
            outcome = check(System.of(board), list(codes), way)
            refuted = isinstance(outcome, Infeasibility)
            outcomes["refuted"] += refuted
            outcomes["changed"] += not refuted and bool(outcome.applied_steps)
    assert outcomes["refuted"] + outcomes["changed"] > tiers.at_least(15), (
        "the step hardly ever did anything"
    )
    if set(way) <= {"parity", "hermite"}:
        assert outcomes["changed"] == 0


@pytest.mark.parametrize("way", WAYS, ids="-".join)
@settings(max_examples=tiers.share(60))
@given(system=systems() | listed_systems())
def test_any_claims_keep_their_codes(way, system):
    check(system, [code for code, _ in twins.solutions(system)], way)


def test_nearly_every_small_board_without_a_code_is_refuted():
    refuted = missed = 0
    for kind in BOARDS:
        for board, codes in known_boards(**kind):
            if not codes:
                result = isinstance(presolve(board), Infeasibility)
                refuted, missed = refuted + result, missed + (not result)
    assert refuted > 100
    assert missed < refuted / 20


def test_the_order_has_every_step_and_a_step_is_described():
    assert set(ORDER) == set(STEPS)
    assert all(step.__doc__ for step in STEPS.values())


def test_presolving_a_board_equals_presolving_its_system():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    one, other = presolve(board), presolve(System.of(board))
    assert isinstance(one, Presolved)
    assert isinstance(other, Presolved)
    assert (one.system, one.applied_steps) == (other.system, other.applied_steps)


def test_no_steps_change_nothing():
    for board, _ in known_boards(100, seed=64):
        outcome = presolve(board, ())
        assert outcome.applied_steps == ()
        for row, constraints in zip(outcome.system.rows, System.of(board).rows, strict=True):
            read = [
                constraint
                for constraint in constraints
                if constraint.low > 0 or constraint.high < len(constraint.literals)
            ]
            assert list(row) == (read if board.game.colors > 1 else [*row])


def test_the_rows_of_a_slipped_board_are_named():
    outcome = presolve(Board.parse("4x6/1122=1.0/3344=1.0/5566=1.0"))
    assert isinstance(outcome, Infeasibility)
    assert outcome.rows == (0, 1, 2)
    assert "ows 1, 2 and 3" in str(outcome)


@pytest.mark.parametrize("name", FAMILIES)
def test_planted_codes_of_larger_boards_stay(name):
    """The boards are too large to count; the planted code shows that they are consistent."""
    family = FAMILIES[name]
    sample = family.make(max(6, family.size // 2), seed=1, answer=Answer.CONSISTENT)
    outcome = presolve(sample.board, [step for step in ORDER if step not in ("colors", "pegs")])
    assert isinstance(outcome, Presolved)
    assert outcome.system.satisfies(sample.witness)
    assert outcome.problem.domains.allows(sample.witness)
    before = sum(len(constraint.literals) for constraint in System.of(sample.board).constraints)
    assert sum(len(constraint.literals) for constraint in outcome.system.constraints) <= before
    symmetric = presolve(sample.board)
    assert isinstance(symmetric, Presolved)


def test_dense_boards_of_thirty_colors_need_no_counters_any_more():
    rng = random.Random(2)
    game = Game.parse("30x30")
    secret, *guesses = [tuple(rng.randrange(30) for _ in range(30)) for _ in range(59)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    outcome = presolve(board)
    assert isinstance(outcome, Presolved)
    assert outcome.system.satisfies(secret)
    assert System.of(board).highest_counts()
    assert not outcome.system.highest_counts()


def test_the_same_board_gives_the_same_outcome():
    for board, _ in known_boards(60, seed=65):
        one, other = presolve(board), presolve(board)
        assert type(one) is type(other)
        if isinstance(one, Infeasibility):
            assert (one.rows, one.lines, one.certificate) == (
                other.rows,
                other.lines,
                other.certificate,
            )
        else:
            assert (one.system, one.applied_steps) == (other.system, other.applied_steps)
