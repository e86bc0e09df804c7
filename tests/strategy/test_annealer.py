"""Annealing over codes: codes that are found satisfy all constraints; runs are reproducible."""

from __future__ import annotations

import random

import pytest

from mmsat._core import Annealer
from mmsat.constraints import System
from mmsat.errors import SizeError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.solving.searches import AnnealWork
from tests.support import twins
from tests.support.random_boards import known_boards

CHANCE = 1 << 30
"""A probability of 1/4: probabilities are multiples of 2**-32."""


def has_no_conjunctions(system):
    return all(
        isinstance(literal, int)
        for constraint in system.constraints
        for literal in constraint.literals
    )


def violation(system, code):
    """Return the sum of the deviations of a code from the bounds of all constraints."""
    total = 0
    for literals, low, high in system.constraints:
        true = sum(system.variables.holds(literal, code) for literal in literals)
        total += max(low - true, 0, true - high)
    return total


def new_annealer(system, seed=1):
    annealer = Annealer(system.variables.pegs, system.variables.colors, seed)
    annealer.add([tuple(constraint) for constraint in system.constraints])
    return annealer


def test_steps_update_the_violation():
    """The sums that the steps update equal those computed from scratch."""
    checked = 0
    for board, _ in known_boards(300, seed=5):
        system = System.of(board)
        if not has_no_conjunctions(system):
            continue
        annealer = new_annealer(system)
        for _ in range(5):
            assert annealer.violation == violation(system, annealer.code)
            annealer.anneal(7, CHANCE, CHANCE)
            checked += 1
    assert checked > 300


def test_codes_that_are_found_are_consistent_and_all_codes_of_small_games_are_found():
    found_all = 0
    for board, codes in known_boards(200, seed=6):
        system = System.of(board)
        if not has_no_conjunctions(system):
            continue
        annealer = new_annealer(system)
        assert annealer.anneal(20_000, CHANCE, CHANCE) == bool(codes)
        if codes:
            collected = annealer.sample(50_000, CHANCE, 1, 10_000)
            assert len(collected) == len(set(collected))
            assert set(collected) <= set(codes)
            found_all += set(collected) == set(codes)
    assert found_all > 50


def test_the_same_seed_finds_the_same_codes():
    board = Board(Game(8, 12), (Row((0, 0, 1, 1, 2, 2, 3, 3), (1, 2)),))
    results = []
    for seed in (1, 1, 2):
        annealer = new_annealer(System.of(board), seed)
        assert annealer.anneal(1 << 16, CHANCE, CHANCE >> 2)
        results.append(annealer.sample(1 << 14, CHANCE, 8, 50))
    assert results[0] == results[1] != results[2]


def test_many_constraints_change_no_step():
    """1,025 constraints that always hold change no step, although they are evaluated in parts."""
    checked = 0
    for board, _ in known_boards(100, seed=7):
        system = System.of(board)
        if not has_no_conjunctions(system):
            continue
        annealer, annealer_of_many = new_annealer(system), new_annealer(system)
        annealer_of_many.add([([1], 0, 1)] * 1025)
        for _ in range(5):
            annealer.anneal(50, CHANCE, CHANCE)
            annealer_of_many.anneal(50, CHANCE, CHANCE)
            assert (annealer.code, annealer.violation) == (
                annealer_of_many.code,
                annealer_of_many.violation,
            )
            assert annealer.violation == violation(system, annealer.code)
            checked += 1
    assert checked > 100


def test_every_code_violates_bounds_that_cannot_be_met():
    """Found by libFuzzer: when evaluated in lanes, such a constraint seemed to be satisfied."""
    for seed in range(20):
        annealer = Annealer(4, 3, seed)
        annealer.add([([-23], 4, -4)])
        for _ in range(20):
            assert not annealer.anneal(25, CHANCE, CHANCE)
            assert annealer.violation > 0


def test_all_consistent_codes_are_found_equally_often():
    """A step and its reverse have the same probability."""
    board = Board(Game(3, 4), (Row((0, 0, 1), (1, 0)),))
    codes = twins.consistent(board)
    annealer = new_annealer(System.of(board))
    frequencies = dict.fromkeys(codes, 0)
    assert annealer.anneal(10_000, CHANCE, CHANCE)
    for _ in range(6000):
        (code,) = annealer.sample(10_000, CHANCE, 1, 1)
        frequencies[code] += 1
        annealer.sample(40, CHANCE, 1, 1000)
    expected = 6000 / len(codes)
    assert all(0.75 * expected < count < 1.25 * expected for count in frequencies.values()), (
        frequencies
    )


def test_invalid_arguments_are_refused():
    annealer = Annealer(3, 4, 1)
    for invalid_call in (
        lambda: annealer.add([([25], 0, 1)]),
        lambda: annealer.add([([0], 0, 1)]),
        lambda: annealer.set_code((0, 1)),
        lambda: annealer.set_code((0, 1, 4)),
        lambda: annealer.anneal(1, 1 << 33, 1),
        lambda: annealer.anneal(1, 1, 2),
        lambda: annealer.sample(1, 1 << 33, 1, 1),
        lambda: Annealer(0, 4, 1),
        lambda: Annealer(4, 0, 1),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            invalid_call()


def test_conjunctions_are_refused():
    board = Board.parse("2x3x3k/1A2B=0.1.1")
    with pytest.raises(SizeError):
        AnnealWork(System.of(board))


def test_work_continues_with_each_budget():
    rng = random.Random(4)
    game = Game(20, 6)
    secret = tuple(rng.randrange(6) for _ in range(20))
    guesses = [tuple(rng.randrange(6) for _ in range(20)) for _ in range(8)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    work = AnnealWork(System.of(board), 1)
    assert any(work.step(1 << step) for step in range(6))
    assert board.is_consistent(work.code)
    assert all(map(board.is_consistent, work.collect(10_000, 10)))
