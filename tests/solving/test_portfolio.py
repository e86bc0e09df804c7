"""Portfolios: searches for any code, members that take turns, and members that are dropped."""

from __future__ import annotations

import pytest

from mmsat.constraints import System
from mmsat.errors import SizeError
from mmsat.game.board import Board
from mmsat.solving import AnyOf, Portfolio, Scaled, find_code, finish
from mmsat.solving.cp import CpWork
from mmsat.solving.race import sat_and_cp
from mmsat.solving.sat import SatWork


class FakeWork:
    """Work that is decided by a step with a given budget, and records the budgets of all steps."""

    def __init__(self, name, budget, code=None):
        self.name, self.budget, self.answer = name, budget, code
        self.code = None
        self.budgets = []
        self.is_closed = False

    def step(self, budget):
        """Record the budget."""
        self.budgets.append(budget)
        if budget == self.budget:
            self.code = self.answer
        return budget == self.budget

    def close(self):
        """Record the call."""
        self.is_closed = True


def raise_size_error():
    raise SizeError("too large")


def test_any_of_returns_the_first_code_of_its_works():
    works = [FakeWork("a", 1), FakeWork("b", 4, (1,)), FakeWork("c", 8, (2,))]
    any_of = finish(AnyOf(works))
    assert (any_of.code, any_of.name) == ((1,), "b")
    assert works[0].budgets == [1]  # refuted, so it does not run again
    assert works[2].budgets == [1, 2]
    assert all(work.is_closed for work in works)


def test_any_of_is_refuted_once_all_works_are_refuted():
    works = [FakeWork("a", 2), FakeWork("b", 16)]
    assert find_code(works) is None
    assert (works[0].budgets, works[1].budgets) == ([1, 2], [1, 2, 4, 8, 16])
    empty = finish(AnyOf([], "no works"))
    assert (empty.code, empty.name) == (None, "no works")


def test_the_first_decision_of_a_member_decides():
    works = [FakeWork("a", 32, (1,)), FakeWork("b", 2)]
    portfolio = finish(Portfolio(lambda: works[0], lambda: works[1]))
    assert (portfolio.code, portfolio.name) == (None, "b")
    assert all(work.is_closed for work in works)


def test_a_member_is_not_created_before_its_first_step_is_due():
    created = []
    portfolio = Portfolio(lambda: FakeWork("a", 1, (1,)), lambda: created.append(1))
    assert portfolio.step(1)
    assert created == []


def test_scaled_work_has_the_name_of_the_solver_that_decided():
    works = [FakeWork("a", 3), FakeWork("b", 6, (1,))]
    scaled = Scaled(AnyOf(works, "none yet"), lambda budget: 3 * budget)
    assert scaled.name == "none yet"
    assert (finish(scaled).code, scaled.name) == ((1,), "b")
    assert (works[0].budgets, works[1].budgets) == ([3], [3, 6])


def test_members_that_are_too_large_are_dropped():
    work = FakeWork("a", 8, (1,))
    assert finish(Portfolio(raise_size_error, lambda: work)).code == (1,)
    assert work.budgets == [1, 2, 4, 8]
    with pytest.raises(SizeError, match="too large"):
        finish(Portfolio(raise_size_error, raise_size_error))


@pytest.mark.parametrize("line", ["4x6/1122=1.1/3345=0.2", "4x6/1122=1.1/1122=1.2", "3x4!/123=?.2"])
def test_sat_and_cp_sat_and_their_portfolio_agree(line):
    board = Board.parse(line)
    system = System.of(board)
    works = [SatWork(system), CpWork(system, 1), sat_and_cp(system, 1)]
    codes = [finish(work).code for work in works]
    assert len({code is None for code in codes}) == 1
    assert all(code is None or board.is_consistent(code) for code in codes)
    assert works[2].name == works[0].name  # SAT decides first
