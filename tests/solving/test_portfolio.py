"""Portfolios: any of several works, ways to the same answer, and who gives up."""

from __future__ import annotations

import pytest

from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.game.board import Board
from mmsat.solving.cp import CpWork
from mmsat.solving.portfolio import AnyOf, Portfolio, find_code, finish
from mmsat.solving.race import sat_and_cp
from mmsat.solving.sat import SatWork


class Fake:
    """A task that is decided within some budget, and records its budgets."""

    def __init__(self, name, budget, code=None):
        self.name, self.budget, self.answer = name, budget, code
        self.code = None
        self.budgets = []
        self.is_closed = False

    def step(self, budget):
        """Note the budget."""
        self.budgets.append(budget)
        if budget == self.budget:
            self.code = self.answer
        return budget == self.budget

    def close(self):
        """Note that it was closed."""
        self.is_closed = True


def too_large():
    raise SizeError("too large")


def test_any_of_has_the_first_code_of_any():
    works = [Fake("a", 1), Fake("b", 4, (1,)), Fake("c", 8, (2,))]
    union = finish(AnyOf(works))
    assert (union.code, union.name) == ((1,), "b")
    assert works[0].budgets == [1]  # refuted, so it does not run again
    assert works[2].budgets == [1, 2]
    assert all(work.is_closed for work in works)


def test_any_of_is_refuted_once_all_are():
    works = [Fake("a", 2), Fake("b", 16)]
    assert find_code(works) is None
    assert (works[0].budgets, works[1].budgets) == ([1, 2], [1, 2, 4, 8, 16])
    empty = finish(AnyOf([], "nobody"))
    assert (empty.code, empty.name) == (None, "nobody")


def test_of_several_ways_the_first_to_be_done_decides():
    works = [Fake("a", 32, (1,)), Fake("b", 2)]
    either = finish(Portfolio(lambda: works[0], lambda: works[1]))
    assert (either.code, either.name) == (None, "b")
    assert all(work.is_closed for work in works)


def test_a_way_is_made_when_its_first_step_comes():
    created = []
    either = Portfolio(lambda: Fake("a", 1, (1,)), lambda: created.append(1))
    assert either.step(1)
    assert created == []


def test_ways_that_are_too_large_are_left_out():
    work = Fake("a", 8, (1,))
    assert finish(Portfolio(too_large, lambda: work)).code == (1,)
    assert work.budgets == [1, 2, 4, 8]
    with pytest.raises(SizeError, match="too large"):
        finish(Portfolio(too_large, too_large))


@pytest.mark.parametrize("line", ["4x6/1122=1.1/3345=0.2", "4x6/1122=1.1/1122=1.2", "3x4!/123=?.2"])
def test_sat_and_cp_sat_agree_step_by_step(line):
    board = Board.parse(line)
    system = System.of(board)
    works = [SatWork(system), CpWork(system, 1), sat_and_cp(system, 1)]
    codes = [finish(work).code for work in works]
    assert len({code is None for code in codes}) == 1
    assert all(code is None or board.is_consistent(code) for code in codes)
    assert works[2].name == works[0].name
