"""Every presolve step, alone and with others, on boards of every game and on random systems."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings

from mmsat.constraints import System
from mmsat.constraints.domains import Infeasibility
from mmsat.constraints.presolve_steps import ORDER, STEPS, Presolved, presolve
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.reductions.families import FAMILIES
from mmsat.reductions.samples import Answer
from tests.support import tiers, twins
from tests.support.presolve_laws import STEP_ORDERS, check
from tests.support.random_boards import known_boards
from tests.support.systems import listed_systems, systems

BOARDS = (
    {"number": 240, "seed": 61},
    {"number": 160, "seed": 62, "pegs": 5, "colors": 2, "rows": 8},
    {"number": 60, "seed": 63, "pegs": 3, "colors": 6},
)


@pytest.mark.parametrize("step_order", STEP_ORDERS, ids="-".join)
def test_the_verdict_and_the_number_of_codes_stay_the_same(step_order):
    outcomes = Counter()
    for arguments in BOARDS:
        for board, codes in tiers.part(known_boards(**arguments), STEP_ORDERS.index(step_order)):
            outcome = check(System.of(board), list(codes), step_order)
            is_refuted = isinstance(outcome, Infeasibility)
            outcomes["refuted"] += is_refuted
            outcomes["changed"] += not is_refuted and bool(outcome.applied_steps)
    assert outcomes["refuted"] + outcomes["changed"] > tiers.at_least(15), (
        "the steps hardly ever changed or refuted a board"
    )
    if set(step_order) <= {"parity", "hermite"}:
        assert outcomes["changed"] == 0


@pytest.mark.parametrize("step_order", STEP_ORDERS, ids="-".join)
@settings(max_examples=tiers.share(60))
@given(system=systems() | listed_systems())
def test_random_systems_keep_their_codes(step_order, system):
    check(system, [code for code, _ in twins.solutions(system)], step_order)


def test_nearly_all_small_inconsistent_boards_are_refuted():
    num_refuted = num_open = 0
    for arguments in BOARDS:
        for board, codes in known_boards(**arguments):
            if not codes:
                is_refuted = isinstance(presolve(board), Infeasibility)
                num_refuted += is_refuted
                num_open += not is_refuted
    assert num_refuted > 100
    assert num_open < num_refuted / 20


def test_the_default_order_has_every_step_and_every_step_has_a_docstring():
    assert set(ORDER) == set(STEPS)
    assert all(step.__doc__ for step in STEPS.values())


def test_presolving_a_board_equals_presolving_its_system():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    of_board, of_system = presolve(board), presolve(System.of(board))
    assert isinstance(of_board, Presolved)
    assert isinstance(of_system, Presolved)
    assert of_board.system == of_system.system
    assert of_board.applied_steps == of_system.applied_steps


def test_without_steps_only_constraints_that_always_hold_are_dropped():
    for board, _ in known_boards(100, seed=64):
        outcome = presolve(board, ())
        assert outcome.applied_steps == ()
        for row, constraints in zip(
            outcome.system.row_constraints, System.of(board).row_constraints, strict=True
        ):
            expected = [
                constraint
                for constraint in constraints
                if constraint.low > 0 or constraint.high < len(constraint.literals)
            ]
            assert list(row) == (expected if board.game.colors > 1 else [*row])


def test_a_refutation_names_the_contradictory_rows():
    outcome = presolve(Board.parse("4x6/1122=1.0/3344=1.0/5566=1.0"))
    assert isinstance(outcome, Infeasibility)
    assert outcome.rows == (0, 1, 2)
    assert "ows 1, 2 and 3" in str(outcome)


@pytest.mark.parametrize("name", FAMILIES)
def test_planted_codes_of_large_boards_satisfy_the_reduced_system(name):
    """The boards are too large to count; the planted code shows that they are consistent."""
    family = FAMILIES[name]
    sample = family.make(max(6, family.size // 2), seed=1, answer=Answer.CONSISTENT)
    outcome = presolve(sample.board, [step for step in ORDER if step not in ("colors", "pegs")])
    assert isinstance(outcome, Presolved)
    assert outcome.system.satisfies(sample.witness)
    assert outcome.problem.domains.allows(sample.witness)
    original_length, reduced_length = (
        sum(len(constraint.literals) for constraint in system.constraints)
        for system in (System.of(sample.board), outcome.system)
    )
    assert reduced_length <= original_length
    assert isinstance(presolve(sample.board), Presolved)


def test_dense_boards_with_thirty_colors_need_no_counters_after_presolve():
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
        first, second = presolve(board), presolve(board)
        assert type(first) is type(second)
        if isinstance(first, Infeasibility):
            assert (first.rows, first.lines) == (second.rows, second.lines)
            assert first.certificate == second.certificate
        else:
            assert first.system == second.system
            assert first.applied_steps == second.applied_steps
