"""Properties of every puzzle."""

from __future__ import annotations

import mmsat
from mmsat.diagnosis.steps.stepwise import find_grade
from tests.support import twins

MIN_GRADE_WITH_ASSUMPTIONS = 5
"""The lowest grade of puzzles whose solution makes an assumption."""


def check(puzzle):
    """Check a puzzle by brute force with the twins, and its grade by `mmsat.steps`."""
    board = puzzle.board
    assert twins.consistent(board) == [puzzle.code]
    assert puzzle.code not in [guess for guess, _ in board.rows]
    assert len(puzzle.distractors) == len(board.rows) > 0
    for number, distractor in enumerate(puzzle.distractors):
        assert twins.wrong_rows(board, distractor) == [number]
        assert distractor in {*twins.codes(board.game)}
    steps = mmsat.steps(board)
    assert puzzle.grade == steps.grade
    assert puzzle.steps.steps == steps.steps
    has_assumptions = puzzle.grade >= MIN_GRADE_WITH_ASSUMPTIONS
    assert find_grade(board, puzzle.code) == (None if has_assumptions else puzzle.grade)
