"""Detecting matrices: their sums identify the numbers, by the definition of the matrix alone."""

from __future__ import annotations

import random

import pytest

from mmsat.strategy.planned import counted_matrix, signed_matrix, solve_counted, solve_signed


@pytest.mark.parametrize("dimensions", range(8))
def test_signed_sums_tell_all_numbers(dimensions):
    matrix = signed_matrix(dimensions)
    source = random.Random(dimensions)
    rows = 1 << dimensions
    assert sum(map(len, matrix.lanes)) + len(matrix.whole) == rows + dimensions * rows // 2
    for _ in range(20):
        lanes = [[source.randrange(2) for _ in lane] for lane in matrix.lanes]
        whole = [source.randrange(-50, 50) for _ in matrix.whole]
        sums = [0] * rows
        for columns, numbers in zip((*matrix.lanes, matrix.whole), (*lanes, whole), strict=True):
            for column, number in zip(columns, numbers, strict=True):
                for row in column.added:
                    sums[row] += number
                for row in column.subtracted:
                    sums[row] -= number
        assert solve_signed(sums) == (lanes, whole)


@pytest.mark.parametrize("dimensions", range(8))
def test_a_lane_has_one_number_in_a_row(dimensions):
    for lane in signed_matrix(dimensions).lanes:
        rows = [row for column in lane for row in column.added + column.subtracted]
        assert len(rows) == len(set(rows))


@pytest.mark.parametrize("answers", [2, 3, 5])
@pytest.mark.parametrize("numbers", [*range(1, 14), 32, 80, 200])
def test_counted_sums_tell_all_numbers(numbers, answers):
    matrix = counted_matrix(numbers, answers)
    source = random.Random(f"{numbers} {answers}")
    for _ in range(5):
        chosen = [source.randrange(answers) for _ in matrix]
        sums = [
            sum(
                number
                for number, (group, cells) in zip(chosen, matrix, strict=True)
                if row & group in cells
            )
            for row in range(1, matrix[-1].group + 1)
        ]
        assert solve_counted(matrix, answers, sums) == chosen


@pytest.mark.parametrize("power", range(1, 9))
def test_lindstroems_numbers(power):
    """Lindstroem identifies t 2^(t-1) coins by 2^t - 1 weighings."""
    assert counted_matrix(power << (power - 1), 2)[-1].group == (1 << power) - 1
