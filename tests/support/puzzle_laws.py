"""Properties of every puzzle."""

from __future__ import annotations

import mmsat
from mmsat.diagnosis.steps.stepwise import find_grade
from tests.support import twins

SUPPOSING = 5
"""The grade from which something is supposed."""


def check(made):
    """By brute force with the twins, and by `mmsat.steps`."""
    board = made.board
    assert twins.consistent(board) == [made.code]
    assert made.code not in [guess for guess, _ in board.rows]
    assert len(made.distractors) == len(board.rows) > 0
    for number, near in enumerate(made.distractors):
        assert twins.wrong_rows(board, near) == [number]
        assert near in {*twins.codes(board.game)}
    steps = mmsat.steps(board)
    assert made.grade == steps.grade
    assert made.steps.steps == steps.steps
    assert find_grade(board, made.code) == (made.grade if made.grade < SUPPOSING else None)
