"""Elimination and Hermite form, compared with plain definitions and the ranks of numpy."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import gcd

import numpy as np
import pytest

from mmsat.constraints.linear_algebra import (
    PRIMES,
    ModularElimination,
    find_dependencies,
    find_integer_contradiction,
    find_odd_combination,
    pivot_columns,
    reconstruct_fraction,
    reconstruct_multipliers,
)
from mmsat.limits import LIMITS

LARGE_PRIME = PRIMES[0]
SMALL_PRIMES = (2, 3, (1 << 31) - 1)


def random_rows(rng, rows, unknowns):
    """Return sparse rows, some of which are sums of others."""
    results = []
    for _ in range(rows):
        if len(results) > 2 and rng.random() < 0.3:
            one, other = rng.sample(results, 2)
            coefficients = {p: one.get(p, 0) + other.get(p, 0) for p in {*one, *other}}
            results.append({p: n for p, n in coefficients.items() if n})
        else:
            support = rng.sample(range(unknowns), rng.randint(1, min(4, unknowns)))
            results.append({unknown: rng.choice((-1, 1)) for unknown in support})
    if rng.random() < 0.5:
        results.append(dict.fromkeys(range(unknowns), 1))
    return results


def planted_rows(rng, size, unknowns, modulus):
    """Return equations with an integer solution, or with a wrong total in the last one."""
    solution = [rng.randint(-2, 2) for _ in range(unknowns)]
    rows = []
    for _ in range(size):
        coefficients = [rng.randint(-1, 1) * rng.choice([1, modulus]) for _ in range(unknowns)]
        rows.append((coefficients, sum(a * b for a, b in zip(coefficients, solution, strict=True))))
    if rng.random() < 0.6:
        coefficients, total = rows[-1]
        rows[-1] = coefficients, total + 1
    return rows


def sparse(rows):
    """Return dense equations as sparse ones."""
    return [
        ({key: n for key, n in enumerate(coefficients) if n}, total) for coefficients, total in rows
    ]


def add_up(multipliers, rows):
    """Return a combination of dense rows, by the definition."""
    coefficients = [
        sum(n * rows[i][0][key] for i, n in multipliers.items()) for key in range(len(rows[0][0]))
    ]
    return coefficients, sum(n * rows[i][1] for i, n in multipliers.items())


def rank_mod(rows, prime):
    """Return the rank modulo a prime, by elimination in plain Python."""
    rows = [[number % prime for number in row] for row in rows]
    rank = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            while rows[i][column]:  # without a division
                rows[i] = [
                    (a * rows[rank][column] - b * rows[i][column]) % prime
                    for a, b in zip(rows[i], rows[rank], strict=True)
                ]
        rank += 1
    return rank


def test_the_rows_not_reduced_to_zero_are_independent_and_as_many_as_the_rank():
    rng = random.Random(1)
    for _ in range(300):
        unknowns = rng.randint(1, 40)
        rows = random_rows(rng, rng.randint(0, 25), unknowns)
        elimination = ModularElimination([(row, 0) for row in rows], LARGE_PRIME)
        assert elimination.run()
        dense = np.zeros((len(rows), unknowns))
        for index, coefficients in enumerate(rows):
            for unknown, number in coefficients.items():
                dense[index, unknown] = number
        rank = int(np.linalg.matrix_rank(dense)) if rows else 0
        vanished = [index for index, row in enumerate(elimination.rows) if not row.coefficients]
        assert len(rows) - len(vanished) == rank
        kept_rows = [index for index in range(len(rows)) if index not in vanished]
        assert rank == (int(np.linalg.matrix_rank(dense[kept_rows])) if kept_rows else 0)


@pytest.mark.parametrize("prime", [2, *PRIMES])
def test_each_reduced_row_is_the_combination_of_its_multipliers(prime):
    rng = random.Random(2)
    for _ in range(60):
        rows = [(row, rng.randint(-3, 3)) for row in random_rows(rng, 12, 15)]
        elimination = ModularElimination(rows, prime)
        elimination.run()
        for reduced in elimination.rows:
            for unknown in range(15):
                there = sum(n * rows[i][0].get(unknown, 0) for i, n in reduced.multipliers.items())
                assert there % prime == reduced.coefficients.get(unknown, 0)
            total = sum(n * rows[i][1] for i, n in reduced.multipliers.items())
            assert total % prime == reduced.total


def test_an_elimination_that_stops_early_has_valid_multipliers():
    rng = random.Random(3)
    rows = [(row, 0) for row in random_rows(rng, 60, 30)]
    elimination = ModularElimination(rows, LARGE_PRIME)
    assert not elimination.run(max_work=20)
    for reduced in elimination.rows:
        for unknown in range(30):
            there = sum(n * rows[i][0].get(unknown, 0) for i, n in reduced.multipliers.items())
            assert there % LARGE_PRIME == reduced.coefficients.get(unknown, 0)


def test_the_number_of_dependencies_is_the_number_of_rows_minus_the_rank():
    """Some dependency has a total other than 0 if the column of totals raises the rank."""
    rng = random.Random(9)
    contradictions = 0
    for _ in range(300):
        rows = planted_rows(rng, rng.randint(1, 7), 4, rng.choice([1, 3]))
        _, dependencies = find_dependencies(sparse(rows))
        rank = np.linalg.matrix_rank(np.array([coefficients for coefficients, _ in rows]))
        augmented = np.linalg.matrix_rank(
            np.array([[*coefficients, total] for coefficients, total in rows])
        )
        is_contradicting = any(total for _, total in dependencies.values())
        assert is_contradicting == (augmented > rank)
        assert len(dependencies) == len(rows) - rank
        for multipliers, total in dependencies.values():
            assert any(multipliers.values())
            assert add_up(multipliers, rows) == ([0] * 4, total)
        contradictions += is_contradicting
    assert 50 < contradictions < 250


@pytest.mark.parametrize("prime", SMALL_PRIMES)
def test_dense_elimination_has_a_pivot_in_each_row_that_raises_the_rank(prime):
    rng = random.Random(8)
    dependent = 0
    for _ in range(200):
        rows = [[rng.randint(-1, 1) for _ in range(6)] for _ in range(rng.randint(1, 8))]
        pivots = [*pivot_columns(np.array(rows, dtype=np.int64) % prime, prime)]
        ranks = [rank_mod(rows[:size], prime) for size in range(len(rows) + 1)]
        assert [pivot is not None for pivot in pivots] == [
            after > before for before, after in pairwise(ranks)
        ]
        # the pivots of an echelon form are the columns that raise the rank of the columns so far
        prefixes = [rank_mod([row[:size] for row in rows], prime) for size in range(7)]
        assert {pivot for pivot in pivots if pivot is not None} == {
            column for column in range(6) if prefixes[column + 1] > prefixes[column]
        }
        dependent += None in pivots
    assert dependent > 40


def test_an_odd_combination_is_found_if_there_is_one():
    rng = random.Random(7)
    num_odd = 0
    for _ in range(400):
        rows = planted_rows(rng, rng.randint(1, 6), 4, rng.choice([1, 2]))
        combination = find_odd_combination(sparse(rows))
        odd_sets = [
            row_set
            for row_set in range(1 << len(rows))
            for coefficients, total in [
                add_up({i: row_set >> i & 1 for i in range(len(rows))}, rows)
            ]
            if total % 2 and not any(number % 2 for number in coefficients)
        ]
        assert combination in odd_sets if odd_sets else combination is None
        num_odd += bool(odd_sets)
    assert 50 < num_odd < 350


def test_the_multipliers_of_the_hermite_form_prove_a_contradiction():
    rng = random.Random(5)
    has_modulus = []
    for _ in range(400):
        rows = planted_rows(rng, rng.randint(1, 5), rng.randint(1, 5), rng.choice([1, 2, 3, 5]))
        contradiction = find_integer_contradiction(sparse(rows), LIMITS.hermite_work)
        if contradiction is None:
            continue
        multipliers, modulus = contradiction
        coefficients, total = add_up(multipliers, rows)
        assert gcd(modulus, *multipliers.values()) == 1
        if modulus:
            assert modulus > 1
            assert not any(number % modulus for number in coefficients)
            assert total % modulus
        else:
            assert not any(coefficients)
            assert total
        has_modulus.append(modulus > 0)
    assert min(has_modulus.count(True), has_modulus.count(False)) > 20


def test_equations_that_the_hermite_form_does_not_refute_have_solutions_modulo_small_numbers():
    """The numbers are 2, 3, 4 and 5."""
    rng = random.Random(6)
    num_open = 0
    for _ in range(250):
        rows = planted_rows(rng, rng.randint(1, 3), 3, rng.choice([1, 2, 3]))
        if find_integer_contradiction(sparse(rows), LIMITS.hermite_work) is not None:
            continue
        num_open += 1
        for modulus in (2, 3, 4, 5):
            assert any(
                all(
                    (sum(a * b for a, b in zip(coefficients, values, strict=True)) - total)
                    % modulus
                    == 0
                    for coefficients, total in rows
                )
                for values in product(range(modulus), repeat=3)
            )
    assert num_open > 50


def test_without_work_no_contradiction_is_found():
    rows = [({0: 2, 1: 2}, 1)]
    assert find_integer_contradiction(rows, LIMITS.hermite_work) == ({0: 1}, 2)
    assert find_integer_contradiction(rows, 0) is None


def test_fractions_are_reconstructed_from_their_residues():
    rng = random.Random(4)
    for _ in range(500):
        numerator, denominator = rng.randint(-1000, 1000), rng.randint(1, 1000)
        residue = numerator * pow(denominator, -1, LARGE_PRIME) % LARGE_PRIME
        fraction = reconstruct_fraction(residue, LARGE_PRIME)
        assert fraction is not None
        assert fraction[1] > 0
        assert numerator * fraction[1] == denominator * fraction[0]


def test_multipliers_become_coprime_integers():
    third = pow(3, -1, LARGE_PRIME)
    numbers = {0: third, 1: LARGE_PRIME - 2 * third % LARGE_PRIME, 2: 1}
    assert reconstruct_multipliers(numbers, LARGE_PRIME) == {0: 1, 1: -2, 2: 3}
    assert reconstruct_multipliers({0: 4, 1: 6}, LARGE_PRIME) == {0: 2, 1: 3}
    assert reconstruct_multipliers({0: 1, 5: 1}, 2) == {0: 1, 5: 1}
    assert reconstruct_multipliers({}, LARGE_PRIME) == {}
