"""Counts of colors by CP-SAT, compared with the counts of all codes."""

from __future__ import annotations

from itertools import product

from mmsat.constraints import System
from mmsat.constraints.histograms import has_only_counts
from mmsat.constraints.presolve_state import Problem
from mmsat.solving.cp import HistogramWork
from tests.support.random_boards import inconsistent_boards
from tests.support.tiers import at_least, share


def count_constraints(problem):
    """Return the constraints about counts only."""
    return [
        reasoned.constraint
        for reasoned in problem.reasoned_constraints()
        if has_only_counts(problem.variables, reasoned)
    ]


def has_valid_counts(problem, code):
    """Return whether a code satisfies the constraints about counts."""
    return all(
        problem.variables.satisfies(code, constraint) for constraint in count_constraints(problem)
    )


def test_counts_are_found_if_some_code_has_valid_counts_and_refuted_otherwise():
    num_refuted = num_found = 0
    for board in inconsistent_boards(share(600), seed=91, pegs=4, colors=3, rows=7):
        problem = Problem.of(System.of(board))
        work = HistogramWork(problem)
        if not work.is_open:
            assert not work.step(1)
            assert not count_constraints(problem)
            continue
        codes = product(range(board.game.colors), repeat=board.game.pegs)
        valid_codes = [code for code in codes if has_valid_counts(problem, code)]
        assert work.step(1) == (not valid_codes), str(board)
        assert not work.is_open
        assert not work.step(1)
        num_refuted += not valid_codes
        num_found += bool(valid_codes)
        if valid_codes:
            assert any(
                all(code.count(color) == count for color, count in work.histogram.items())
                for code in valid_codes
            )
        else:
            assert work.histogram == {}
    assert num_refuted > at_least(40)
    assert num_found > at_least(40)


def test_without_time_nothing_is_decided(monkeypatch):
    monkeypatch.setattr("mmsat.solving.cp.HISTOGRAM_BUDGET_TIME", 0.0)
    (board,) = inconsistent_boards(1, seed=3, pegs=4, colors=3, rows=7)
    work = HistogramWork(Problem.of(System.of(board)))
    assert not work.step(1)
    assert work.histogram == {}
