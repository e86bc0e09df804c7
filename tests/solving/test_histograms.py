"""Counts of colors by CP-SAT: whether there are any that fit, against a look at every code."""

from __future__ import annotations

from itertools import product

from mmsat.constraints.presolve.histogram_search import has_only_counts
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.system import System
from mmsat.solving.cp import HistogramWork
from tests.support.random_boards import inconsistent_boards
from tests.support.tiers import at_least, share


def said_of_counts(problem):
    every = problem.reasoned_constraints()
    return [entry.constraint for entry in every if has_only_counts(problem.variables, entry)]


def fits(problem, code):
    """Return whether a code's counts agree with the rows, at any positions."""
    return all(problem.variables.satisfies(code, count) for count in said_of_counts(problem))


def test_there_are_counts_just_when_some_code_has_them():
    refuted = found_count = 0
    for board in inconsistent_boards(share(600), seed=91, pegs=4, colors=3, rows=7):
        problem = Problem.of(System.of(board))
        work = HistogramWork(problem)
        if not work.is_open:
            assert not work.step(1)
            assert not said_of_counts(problem)
            continue
        codes = product(range(board.game.colors), repeat=board.game.pegs)
        counted = [code for code in codes if fits(problem, code)]
        assert work.step(1) == (not counted), str(board)
        assert not work.is_open
        assert not work.step(1)
        refuted += not counted
        found_count += bool(counted)
        if counted:
            assert any(
                all(code.count(color) == count for color, count in work.histogram.items())
                for code in counted
            )
        else:
            assert work.histogram == {}
    assert refuted > at_least(40)
    assert found_count > at_least(40)


def test_too_little_work_tells_nothing(monkeypatch):
    monkeypatch.setattr("mmsat.solving.cp.HISTOGRAM_BUDGET_TIME", 0.0)
    (board,) = inconsistent_boards(1, seed=3, pegs=4, colors=3, rows=7)
    work = HistogramWork(Problem.of(System.of(board)))
    assert not work.step(1)
    assert work.histogram == {}
