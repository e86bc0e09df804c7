"""Elimination, step by step and against known ranks."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mmsat.constraints.algebra.elimination import (
    PRIMES,
    Elimination,
    rational_reconstruction,
    reconstruct_multipliers,
)

LARGE_PRIME = PRIMES[0]


def random_rows(rng, rows, pegs):
    """Sparse rows, some of them sums of others."""
    found = []
    for _ in range(rows):
        if len(found) > 2 and rng.random() < 0.3:
            one, other = rng.sample(found, 2)
            left = {p: one.get(p, 0) + other.get(p, 0) for p in {*one, *other}}
            found.append({p: n for p, n in left.items() if n})
        else:
            chosen = rng.sample(range(pegs), rng.randint(1, min(4, pegs)))
            found.append({peg: rng.choice((-1, 1)) for peg in chosen})
    if rng.random() < 0.5:
        found.append(dict.fromkeys(range(pegs), 1))
    return found


def test_the_pivots_are_as_many_as_the_rank_and_independent():
    rng = random.Random(1)
    for _ in range(300):
        pegs = rng.randint(1, 40)
        rows = random_rows(rng, rng.randint(0, 25), pegs)
        elimination = Elimination.of([(left, 0) for left in rows], LARGE_PRIME)
        assert elimination.run()
        dense = np.zeros((len(rows), pegs))
        for index, left in enumerate(rows):
            for peg, number in left.items():
                dense[index, peg] = number
        rank = int(np.linalg.matrix_rank(dense)) if rows else 0
        vanished = [index for index, row in enumerate(elimination.rows) if not row.left]
        assert len(rows) - len(vanished) == rank
        staying = [index for index in range(len(rows)) if index not in vanished]
        assert rank == (int(np.linalg.matrix_rank(dense[staying])) if staying else 0)


@pytest.mark.parametrize("prime", [2, *PRIMES])
def test_each_row_is_the_combination_that_it_names(prime):
    rng = random.Random(2)
    for _ in range(60):
        rows = [(left, rng.randint(-3, 3)) for left in random_rows(rng, 12, 15)]
        elimination = Elimination.of(rows, prime)
        elimination.run()
        for reduced in elimination.rows:
            for peg in range(15):
                there = sum(n * rows[i][0].get(peg, 0) for i, n in reduced.made.items())
                assert there % prime == reduced.left.get(peg, 0)
            total = sum(n * rows[i][1] for i, n in reduced.made.items())
            assert total % prime == reduced.total


def test_little_work_stops_it_and_leaves_combinations_that_hold():
    rng = random.Random(3)
    rows = [(left, 0) for left in random_rows(rng, 60, 30)]
    elimination = Elimination.of(rows, LARGE_PRIME)
    assert not elimination.run(limit=20)
    for reduced in elimination.rows:
        for peg in range(30):
            there = sum(n * rows[i][0].get(peg, 0) for i, n in reduced.made.items())
            assert there % LARGE_PRIME == reduced.left.get(peg, 0)


def test_fractions_are_read_back():
    rng = random.Random(4)
    for _ in range(500):
        above, below = rng.randint(-1000, 1000), rng.randint(1, 1000)
        read = rational_reconstruction(
            above * pow(below, -1, LARGE_PRIME) % LARGE_PRIME, LARGE_PRIME
        )
        assert read is not None
        assert read[1] > 0
        assert above * read[1] == below * read[0]


def test_numbers_are_made_whole_and_small():
    third = pow(3, -1, LARGE_PRIME)
    numbers = {0: third, 1: LARGE_PRIME - 2 * third % LARGE_PRIME, 2: 1}
    assert reconstruct_multipliers(numbers, LARGE_PRIME) == {0: 1, 1: -2, 2: 3}
    assert reconstruct_multipliers({0: 4, 1: 6}, LARGE_PRIME) == {0: 2, 1: 3}
    assert reconstruct_multipliers({0: 1, 5: 1}, 2) == {0: 1, 5: 1}
    assert reconstruct_multipliers({}, LARGE_PRIME) == {}
