"""SAT solvers leave the timer of the process as it was."""

import signal

import pytest

import mmsat
from mmsat.solving.sat import Sat

BOARD = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")


@pytest.mark.parametrize("solver", ["maplechrono", "maplecm", "cadical195"])
@pytest.mark.parametrize("seconds", [0, 60])
def test_a_solver_keeps_the_timer_and_its_handler(solver, seconds):
    """The first two start a timer of 2500 s, whose signal ended the process later."""
    calls = []
    previous_handler = signal.signal(signal.SIGALRM, lambda *_: calls.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        assert BOARD.is_consistent(Sat(solver, "sequential").solve(BOARD))
        remaining, interval = signal.getitimer(signal.ITIMER_REAL)
        assert max(0, seconds - 30) <= remaining <= seconds
        assert interval == 0
        signal.raise_signal(signal.SIGALRM)
        assert calls == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)
