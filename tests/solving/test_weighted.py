"""The weighted search: correct on boards of every kind, and fast on medium-sized boards."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.constraints import System
from mmsat.errors import SizeError
from mmsat.game.board import Board, Status
from mmsat.solving import find_engine, finish, policy
from mmsat.solving.deadline import Deadline
from mmsat.solving.sat import Sat
from mmsat.solving.searches import PresolvingWork, Weighted, WeightedWork
from tests.support import tiers
from tests.support.random_boards import known_boards
from tests.support.secret_boards import secret_board


def planted(size, rows, seed, *, has_wrong_score=False):
    """Return a random consistent board, or with `has_wrong_score` one with a black too many."""
    board = secret_board(size, rows, seed)
    black, *others = board.rows[0].score
    return board.changed({0: (black + has_wrong_score, *others)})


@pytest.mark.parametrize("failures", [0, policy.FAILURES_BEFORE_PRESOLVE])
def test_the_engine_agrees_with_a_list_of_all_codes(failures, monkeypatch):
    """With FAILURES_BEFORE_PRESOLVE = 0, all boards are presolved first."""
    monkeypatch.setattr(policy, "FAILURES_BEFORE_PRESOLVE", failures)
    num_boards = {True: 0, False: 0}
    for board, codes in known_boards(tiers.share(1500, least=200), seed=31):
        if System.of(board).table is not None:
            with pytest.raises(SizeError, match="use brute"):
                Weighted().solve(board)
            continue
        code = Weighted().solve(board)
        num_boards[code is None] += 1
        assert code in codes if codes else code is None, str(board)
    assert min(num_boards.values()) > tiers.at_least(200)


@pytest.mark.parametrize("has_wrong_score", [False, True])
@pytest.mark.parametrize(("size", "rows"), [("10x10", 12), ("12x4", 10), ("14x12", 20)])
def test_the_engine_agrees_with_sat(size, rows, has_wrong_score):
    for seed in range(tiers.share(12, least=4)):
        board = planted(size, rows, seed, has_wrong_score=has_wrong_score)
        code = Weighted().solve(board)
        assert (code is None) == (Sat("cadical195", "totalizer").solve(board) is None), str(board)
        assert code is None or board.is_consistent(code)


def test_the_search_can_be_resumed():
    """One failure at a time, the search decides like PresolvingWork in one run."""
    for seed in range(tiers.share(40, least=10)):
        board = planted("8x6", 6, seed, has_wrong_score=seed % 2 == 1)
        work = WeightedWork(System.of(board))
        steps = 1
        while not work.advance(1):
            steps += 1
            assert steps < 100_000
        assert (work.code is None) == (finish(PresolvingWork(System.of(board))).code is None)


def test_auto_decides_medium_sized_boards_in_this_process(monkeypatch):
    monkeypatch.setattr("mmsat.solving.searches.run", None)
    statuses = set()
    for size, rows in (("10x10", 12), ("15x15", 22), ("20x6", 16)):
        for has_wrong_score in (False, True):
            board = planted(size, rows, 1, has_wrong_score=has_wrong_score)
            decision = find_engine("auto").decide(board, Deadline())
            assert decision.engine == "weighted"
            statuses.add(decision.status)
    assert statuses == {Status.CONSISTENT, Status.INCONSISTENT}


def test_the_engine_declines_large_boards_word_lists_and_late_calls():
    assert Weighted().begin(planted("200x40", 60, 1)) is None
    assert Weighted().begin(Board.parse("daily-word/CRANE=-YG--")) is None
    board = planted("20x6", 16, 1)
    search = Weighted().begin(board)
    assert Weighted().try_decide(board, search, Deadline(0)) is None
    assert Weighted().try_decide(board, search, Deadline()).status is Status.CONSISTENT


def test_the_engine_obeys_a_time_limit():
    board = planted("40x8", 45, 1)
    verdict = mmsat.check(board, engine="weighted", timeout=0.3)
    assert verdict.status is Status.UNKNOWN
