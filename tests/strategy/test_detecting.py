"""Detecting matrices: row sums, computed by definition, determine the numbers of the columns."""

from __future__ import annotations

import random

import pytest

from mmsat.strategy.strategies.planned import (
    counted_matrix,
    signed_matrix,
    solve_counted,
    solve_signed,
)


@pytest.mark.parametrize("num_doublings", range(8))
def test_row_sums_of_a_signed_matrix_determine_all_numbers(num_doublings):
    matrix = signed_matrix(num_doublings)
    rng = random.Random(num_doublings)
    rows = 1 << num_doublings
    assert sum(map(len, matrix.lanes)) + len(matrix.full) == rows + num_doublings * rows // 2
    for _ in range(20):
        lanes = [[rng.randrange(2) for _ in lane] for lane in matrix.lanes]
        full = [rng.randrange(-50, 50) for _ in matrix.full]
        sums = [0] * rows
        for columns, numbers in zip((*matrix.lanes, matrix.full), (*lanes, full), strict=True):
            for column, number in zip(columns, numbers, strict=True):
                for row in column.added:
                    sums[row] += number
                for row in column.subtracted:
                    sums[row] -= number
        assert solve_signed(sums) == (lanes, full)


@pytest.mark.parametrize("num_doublings", range(8))
def test_columns_of_a_lane_share_no_row(num_doublings):
    for lane in signed_matrix(num_doublings).lanes:
        rows = [row for column in lane for row in column.added + column.subtracted]
        assert len(rows) == len(set(rows))


@pytest.mark.parametrize("base", [2, 3, 5])
@pytest.mark.parametrize("num_columns", [*range(1, 14), 32, 80, 200])
def test_row_sums_of_a_counted_matrix_determine_all_numbers(num_columns, base):
    matrix = counted_matrix(num_columns, base)
    rng = random.Random(f"{num_columns} {base}")
    for _ in range(5):
        numbers = [rng.randrange(base) for _ in matrix]
        sums = [
            sum(
                number
                for number, (group, cells) in zip(numbers, matrix, strict=True)
                if row & group in cells
            )
            for row in range(1, matrix[-1].group + 1)
        ]
        assert solve_counted(matrix, base, sums) == numbers


@pytest.mark.parametrize("power", range(1, 9))
def test_a_counted_matrix_has_the_size_that_lindstroem_proves(power):
    """Lindstroem identifies t 2^(t-1) coins by 2^t - 1 weighings."""
    assert counted_matrix(power << (power - 1), 2)[-1].group == (1 << power) - 1
