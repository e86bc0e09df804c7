"""The engine for two colors: right on small boards, and quick where others never end."""

from __future__ import annotations

from itertools import islice

import pytest

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.errors import InputError
from mmsat.generators.generate import generate
from mmsat.limits import LIMITS
from mmsat.results.verdict import Status
from mmsat.solving import SPECIAL, find_engine
from mmsat.solving.algebra import Algebra
from mmsat.solving.deadline import Deadline
from mmsat.solving.portfolio import growing_budgets
from mmsat.solving.simplification import is_algebraic
from mmsat.solving.solver_race import decide_large, race_solvers, sat_and_cp
from tests import tiers
from tests.constraints.algebra.two_colors import known_boards

ENOUGH = 120
"""Seconds; without the algebra most of the boards here take far longer."""


def wrong(boards, answer):
    """The boards, as one would report them, where an answer is not right."""
    answers = [(board, codes, answer(board)) for board, codes in boards]
    return [
        (str(board), code)
        for board, codes, code in answers
        if (code not in codes if codes else code is not None)
    ]


def test_it_agrees_with_a_list_of_all_codes():
    assert wrong(known_boards(tiers.share(4000), seed=10), Algebra().solve) == []


def test_cp_sat_alone_agrees_too(monkeypatch):
    monkeypatch.setattr(LIMITS, "clause_memory", -1)
    monkeypatch.setattr(LIMITS, "small_formula", -1)
    assert wrong(known_boards(tiers.share(250), seed=11), Algebra().solve) == []


def test_auto_asks_it_where_few_weights_are_open():
    boards = known_boards(tiers.share(400), seed=12)
    assert wrong(boards, lambda board: race_solvers(board, 1).code) == []
    assert is_algebraic(Board.parse("20x2/11111222221111122222=?.?"))
    assert not is_algebraic(Board.parse("20x2/11111222221111122222=?.6"))
    assert not is_algebraic(Board.parse("4x3/1122=1.1"))


def test_a_decision_in_a_process_of_its_own():
    for board, codes in known_boards(20, seed=13):
        decision = find_engine("algebra").decide(board, Deadline(ENOUGH), seed=1)
        assert decision.status is (Status.CONSISTENT if codes else Status.INCONSISTENT)
        assert decision.engine == "algebra"
        assert decision.code in codes if codes else decision.code is None


@pytest.mark.parametrize("line", ["4x6/1122=1.1", "4x2p/1122=GGGY", "2x1x2", "3x1"])
def test_other_games_are_bad_input(line):
    with pytest.raises(InputError, match="two colors"):
        find_engine("algebra").decide(Board.parse(line), Deadline())


def test_it_has_no_settings_and_is_listed():
    assert SPECIAL["algebra"] is Algebra
    with pytest.raises(InputError, match="algebra without settings"):
        find_engine("algebra:cp")
    with pytest.raises(InputError, match="algebra"):
        find_engine("nosuch")


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
    made = generate(family, size, seed=2, answer=answer)
    for spec in ("algebra", "auto"):
        decision = find_engine(spec).decide(made.board, Deadline(ENOUGH), seed=1)
        assert decision.status is made.status
        assert decision.code is None or made.board.is_consistent(decision.code)


def test_the_same_seed_gives_the_same_witness():
    board = generate("random-two-color", 50, seed=3).board
    first, second = (find_engine("algebra").decide(board, Deadline(), seed=7) for _ in range(2))
    assert first == second


def test_an_open_end_comes_back_undecided():
    board = generate("random-two-color", 200, seed=1).board
    assert find_engine("algebra").decide(board, Deadline(1.5)).status is Status.UNKNOWN


def test_a_large_board_is_decided_without_a_search():
    board = generate("one-in-three-3sat", 400, seed=4, answer="consistent").board
    decision = decide_large(board, 1)
    assert decision.status is Status.CONSISTENT
    assert decision.engine != "brute"


def test_the_largest_seed_is_a_seed_in_every_step(monkeypatch):
    monkeypatch.setattr(LIMITS, "clause_memory", -1)
    monkeypatch.setattr(LIMITS, "small_formula", -1)
    work = sat_and_cp(System.of(Board.parse("4x2/1122=2.2")), (1 << 31) - 1)
    assert [work.step(budget) for budget in (1, 2, 4)] == [True, True, True]


def test_steps_go_on_where_they_stopped():
    """A first budget of nearly nothing decides little; twice that, again and again, decides."""
    board = generate("vertex-cover-regular", 12, seed=1, answer="inconsistent").board
    work = sat_and_cp(System.of(board), 1)
    try:
        assert any(map(work.step, islice(growing_budgets(), 12)))
        assert work.code is None
    finally:
        work.close()
