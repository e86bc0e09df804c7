"""The race of solvers: on two-color boards the algebra, on dense boards the resumed search."""

from __future__ import annotations

from collections import Counter
from copy import copy
from itertools import islice

import pytest

from mmsat.constraints import System
from mmsat.constraints.presolve_steps import is_algebraic
from mmsat.game.board import Board, Status
from mmsat.limits import LIMITS
from mmsat.reductions.families import generate
from mmsat.solving import find_engine, growing_budgets, policy, searches, verify_witness
from mmsat.solving.deadline import Deadline
from mmsat.solving.race import (
    decide_large,
    race_solvers,
    sat_and_cp,
    solve_by_cp,
    solve_by_sat,
)
from mmsat.solving.sat import is_dense
from mmsat.solving.searches import PresolvingWork
from tests.support import tiers
from tests.support.perturbed_boards import parity_kept
from tests.support.planted_boards import planted
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


@pytest.mark.parametrize("failures_per_step", [1, policy.FAILURES_PER_STEP])
def test_a_search_resumed_in_the_race_agrees_with_brute_force(failures_per_step, monkeypatch):
    """With one failure per step, SAT, lattices and counts decide most boards."""
    monkeypatch.setattr(policy, "FAILURES_BEFORE_PRESOLVE", 1)
    monkeypatch.setattr(policy, "FAILURES_PER_STEP", failures_per_step)
    results: Counter[tuple[Status, str]] = Counter()
    for seed in range(tiers.share(60, least=20)):
        for size, rows in (("8x6", 6), ("9x4", 7), ("10x3", 6), ("9x9", 9)):
            consistent_board = planted(size, rows, seed)
            for board in (consistent_board, parity_kept(consistent_board, str(seed))):
                assert is_dense(System.of(board))
                assert not is_algebraic(board)
                status = find_engine("brute").decide(board, Deadline()).status
                search = PresolvingWork(System.of(board))
                search.step(1)
                works = None, copy(search), search  # a copy is what a spawned process gets
                for code, engine, reason in (solve_by_sat(board, work) for work in works):
                    assert verify_witness(board, code, engine, reason).status is status, board
                    results[status, engine] += 1
    assert results[Status.CONSISTENT, "weighted"] > tiers.at_least(40)
    assert results[Status.INCONSISTENT, "weighted"] > tiers.at_least(40)
    if failures_per_step == 1:
        assert results[Status.CONSISTENT, "lattice"] > tiers.at_least(40)
        assert results[Status.INCONSISTENT, "lattice"] > tiers.at_least(40)


@pytest.mark.parametrize(("size", "rows", "steps"), [("20x6", 16, 5), ("20x10", 16, 20)])
def test_auto_passes_its_search_to_the_race(size, rows, steps, monkeypatch):
    """The search runs longer before the race if there are many colors."""
    monkeypatch.setattr(policy, "FAILURES_BEFORE_PRESOLVE", 1)
    monkeypatch.setattr(policy, "FAILURES_PER_STEP", 1)
    calls = []

    def record(_, function, *arguments):
        calls.append((function, arguments[-1]))
        return function(*arguments)

    monkeypatch.setattr(searches, "run", record)
    board = planted(size, rows, 1)
    decision = find_engine("auto").decide(board, Deadline())
    assert decision.status is Status.CONSISTENT
    [(function, search)] = calls
    assert function is race_solvers
    num_steps = 0
    while not search.step(1):  # in this process, the search is where `auto` stopped
        num_steps += 1
    fresh = PresolvingWork(System.of(board))
    num_fresh_steps = 0
    while not fresh.step(1):
        num_fresh_steps += 1
    assert num_fresh_steps == num_steps + steps
    assert fresh.code == search.code


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
