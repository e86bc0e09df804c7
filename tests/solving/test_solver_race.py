"""The race of solvers on two-color boards: the algebra with SAT against CP-SAT."""

from __future__ import annotations

from itertools import islice

import pytest

from mmsat.constraints import System
from mmsat.constraints.presolve_steps import is_algebraic
from mmsat.game.board import Board, Status
from mmsat.limits import LIMITS
from mmsat.reductions.families import generate
from mmsat.solving import find_engine, growing_budgets
from mmsat.solving.deadline import Deadline
from mmsat.solving.portfolios import (
    decide_large,
    race_solvers,
    sat_and_cp,
    solve_by_cp,
    solve_by_sat,
)
from tests.support import tiers
from tests.support.two_color_boards import known_boards

MAX_SECONDS = 120
"""Time limit in seconds. Without the algebra, most of the boards here take far longer."""


def wrong_answers(boards, solve):
    """Return the boards, as text, that a function solves wrongly, with its answers."""
    answers = [(board, codes, solve(board)) for board, codes in boards]
    return [
        (str(board), code)
        for board, codes, code in answers
        if (code not in codes if codes else code is not None)
    ]


def test_algebra_and_sat_agree_with_a_list_of_all_codes():
    boards = known_boards(tiers.share(4000), seed=10)
    assert wrong_answers(boards, lambda board: solve_by_sat(board)[0]) == []
    assert all(is_algebraic(board) for board, _ in boards if not board.has_unread_pegs)
    assert {bool(codes) for _, codes in boards} == {True, False}


def test_cp_sat_agrees_with_a_list_of_all_codes(monkeypatch):
    monkeypatch.setattr(LIMITS, "clause_memory", -1)
    monkeypatch.setattr(LIMITS, "small_formula", -1)
    boards = known_boards(tiers.share(250), seed=11)
    assert wrong_answers(boards, lambda board: solve_by_cp(board, 1)[0]) == []


def test_the_race_agrees_and_only_boards_with_few_weights_are_algebraic():
    boards = known_boards(tiers.share(400), seed=12)
    assert wrong_answers(boards, lambda board: race_solvers(board, 1).code) == []
    assert is_algebraic(Board.parse("20x2/11111222221111122222=?.?"))
    assert not is_algebraic(Board.parse("20x2/11111222221111122222=?.6"))
    assert not is_algebraic(Board.parse("4x3/1122=1.1"))


@pytest.mark.parametrize(
    ("family", "size", "answer"),
    [
        ("vertex-cover-regular", 25, "inconsistent"),
        ("vertex-cover-regular", 25, "consistent"),
        ("one-in-three-3sat", 300, "consistent"),
        ("sat", 60, "consistent"),
        ("random-two-color", 50, "consistent"),
        ("consistent-mastermind", 6, "consistent"),
        ("vertex-cover", 12, "inconsistent"),
    ],
)
def test_boards_of_families_are_decided(family, size, answer):
    generated = generate(family, size, seed=2, answer=answer)
    decision = find_engine("auto").decide(generated.board, Deadline(MAX_SECONDS), seed=1)
    assert decision.status is generated.status
    assert decision.code is None or generated.board.is_consistent(decision.code)


def test_a_large_board_is_decided_without_brute_force():
    board = generate("one-in-three-3sat", 400, seed=4, answer="consistent").board
    decision = decide_large(board, 1)
    assert decision.status is Status.CONSISTENT
    assert decision.engine != "brute"


def test_the_largest_seed_is_valid_in_every_step(monkeypatch):
    monkeypatch.setattr(LIMITS, "clause_memory", -1)
    monkeypatch.setattr(LIMITS, "small_formula", -1)
    work = sat_and_cp(System.of(Board.parse("4x2/1122=2.2")), (1 << 31) - 1)
    assert [work.step(budget) for budget in (1, 2, 4)] == [True, True, True]


def test_growing_budgets_decide_a_board():
    board = generate("vertex-cover-regular", 12, seed=1, answer="inconsistent").board
    work = sat_and_cp(System.of(board), 1)
    try:
        assert any(map(work.step, islice(growing_budgets(), 12)))
        assert work.code is None
    finally:
        work.close()
