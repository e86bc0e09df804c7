"""Annealing over codes: results satisfy all constraints, and runs are reproducible."""

from __future__ import annotations

import random

import pytest

from mmsat._core import Annealer
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.solving.anneal import AnnealWork
from tests.support import twins
from tests.support.random_boards import known_boards

CHANCE = 1 << 30


def plain(system):
    return all(
        isinstance(literal, int)
        for constraint in system.constraints
        for literal in constraint.literals
    )


def missed(system, code):
    """By how much a code misses the constraints, by their definition."""
    total = 0
    for literals, low, high in system.constraints:
        true = sum(system.variables.holds(literal, code) for literal in literals)
        total += max(low - true, 0, true - high)
    return total


def walk(system, seed=1):
    annealer = Annealer(system.variables.pegs, system.variables.colors, seed)
    annealer.add([tuple(constraint) for constraint in system.constraints])
    return annealer


def test_misses_are_counted_along_the_way():
    """The sums that steps keep up to date are those of the code from scratch."""
    checked = 0
    for board, _ in known_boards(300, seed=5):
        system = System.of(board)
        if not plain(system):
            continue
        annealer = walk(system)
        for _ in range(5):
            assert annealer.violation == missed(system, annealer.code)
            annealer.anneal(7, CHANCE, CHANCE)
            checked += 1
    assert checked > 300


def test_what_is_found_is_consistent_and_small_games_are_found_whole():
    found_some = 0
    for board, codes in known_boards(200, seed=6):
        system = System.of(board)
        if not plain(system):
            continue
        annealer = walk(system)
        assert annealer.anneal(20_000, CHANCE, CHANCE) == bool(codes)
        if codes:
            collected = annealer.sample(50_000, CHANCE, 1, 10_000)
            assert len(collected) == len(set(collected))
            assert set(collected) <= set(codes)
            found_some += set(collected) == set(codes)
    assert found_some > 50


def test_the_same_seed_walks_the_same_way():
    board = Board(Game(8, 12), (Row((0, 0, 1, 1, 2, 2, 3, 3), (1, 2)),))
    ways = []
    for seed in (1, 1, 2):
        annealer = walk(System.of(board), seed)
        assert annealer.anneal(1 << 16, CHANCE, CHANCE >> 2)
        ways.append(annealer.sample(1 << 14, CHANCE, 8, 50))
    assert ways[0] == ways[1] != ways[2]


def test_a_step_that_weighs_many_claims_at_once_is_a_step():
    """Constraints that are always true change no step, but are too many to be weighed together."""
    checked = 0
    for board, _ in known_boards(100, seed=7):
        system = System.of(board)
        if not plain(system):
            continue
        together, apart = walk(system), walk(system)
        apart.add([([1], 0, 1)] * 1025)
        for _ in range(5):
            together.anneal(50, CHANCE, CHANCE)
            apart.anneal(50, CHANCE, CHANCE)
            assert (together.code, together.violation) == (apart.code, apart.violation)
            assert together.violation == missed(system, together.code)
            checked += 1
    assert checked > 100


def test_bounds_that_nothing_meets_are_missed_by_every_code():
    """Such a constraint, weighed in lanes, was met after some steps, as libFuzzer found."""
    for seed in range(20):
        annealer = Annealer(4, 3, seed)
        annealer.add([([-23], 4, -4)])
        for _ in range(20):
            assert not annealer.anneal(25, CHANCE, CHANCE)
            assert annealer.violation > 0


def test_codes_met_are_spread_evenly():
    """Steps go back as easily as forth, so that no consistent code is met more than others."""
    board = Board(Game(3, 4), (Row((0, 0, 1), (1, 0)),))
    codes = twins.consistent(board)
    annealer = walk(System.of(board))
    seen = dict.fromkeys(codes, 0)
    assert annealer.anneal(10_000, CHANCE, CHANCE)
    for _ in range(6000):
        (code,) = annealer.sample(10_000, CHANCE, 1, 1)
        seen[code] += 1
        annealer.sample(40, CHANCE, 1, 1000)
    share = 6000 / len(codes)
    assert all(0.75 * share < count < 1.25 * share for count in seen.values()), seen


def test_an_annealer_refuses_what_is_out_of_bounds():
    annealer = Annealer(3, 4, 1)
    for wrong in (
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
            wrong()


def test_facts_together_are_left_to_others():
    board = Board.parse("2x3x3k/1A2B=0.1.1")
    with pytest.raises(SizeError):
        AnnealWork(System.of(board))


def test_work_goes_on_turn_by_turn():
    source = random.Random(4)
    game = Game(20, 6)
    secret = tuple(source.randrange(6) for _ in range(20))
    guesses = [tuple(source.randrange(6) for _ in range(20)) for _ in range(8)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    work = AnnealWork(System.of(board), 1)
    assert any(work.step(1 << step) for step in range(6))
    assert board.is_consistent(work.code)
    assert all(map(board.is_consistent, work.collect(10_000, 10)))
