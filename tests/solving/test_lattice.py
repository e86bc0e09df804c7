"""The walk over lattice points: all codes and no others."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from mmsat._core import Lattice as Kernel
from mmsat.constraints.linear_systems import linear_systems
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.system import System
from mmsat.counting.count import count
from mmsat.errors import InputError, SizeError
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.lattice import Lattice, make_kernel, read_places, short_equations
from tests.support import tiers
from tests.support.lattice_equations import codes_of, random_equations, worth
from tests.support.random_boards import known_boards

ENOUGH = 300
"""Seconds; none of the boards here needs ten, and no other engine comes to an end with them."""


def random_shares(rng, pegs, colors):
    """Return likelihoods of colors, however unsuitable: None, or numbers of each kind."""
    shares = [rng.choice((0.0, 1.0, 1e-9, rng.random())) for _ in range(pegs * colors)]
    return rng.choice((None, np.array(shares)))


def random_other(rng, colors, allowed):
    """None, or a lattice whose basis is there to begin with: seldom about other colors."""
    own, weights, totals = random_equations(rng, len(allowed), colors)
    likely = random_shares(rng, len(allowed), colors)
    other = Kernel(colors, own if rng.random() < 0.1 else allowed, weights, totals, None, likely)
    if rng.random() < 0.5:
        other.reduce_blocks(4, 2)
        other.advance(20)
    return rng.choice((None, other))


@pytest.mark.parametrize("threads", [1, 3])
def test_the_walk_finds_every_solution_once(threads):
    rng = random.Random(threads)
    count = 0
    for _ in range(tiers.share(600)):
        pegs, colors = rng.randint(1, 6), rng.randint(1, 4)
        allowed, weights, totals = random_equations(rng, pegs, colors)
        solutions = [
            code
            for code in itertools.product(*allowed)
            if all(worth(row, code, colors) == t for row, t in zip(weights, totals, strict=True))
        ]
        likely = random_shares(rng, pegs, colors)
        other = random_other(rng, colors, allowed)
        kernel = Kernel(colors, allowed, weights, totals, other, likely)
        for _ in range(rng.randint(0, 3)):
            kernel.advance(rng.choice((1, 7, 1000)), threads)  # the next part restarts the search
        kernel.reduce_blocks(rng.choice((2, 5, 30)), 3)
        result = codes_of(kernel, threads, rng.choice((1, 7, 1000)))
        assert sorted(result) == solutions, (allowed, weights, totals)
        assert kernel.is_solvable or not solutions
        count += len(solutions) > 20
    assert count > tiers.at_least(15)


def test_the_basis_leads_from_one_solution_to_others():
    rng = random.Random(7)
    for _ in range(tiers.share(100)):
        pegs, colors = rng.randint(2, 6), rng.randint(3, 4)
        allowed = [list(range(colors))] * pegs
        _, weights, _ = random_equations(rng, pegs, colors)
        other = random_other(rng, colors, allowed)
        kernel = Kernel(colors, allowed, weights, [0] * len(weights), other)
        basis = kernel.basis
        width = len(basis[0]) // colors if basis else pegs
        planes = np.array(basis).reshape(len(basis), colors, width)[:, :, :pegs]
        assert not planes.sum(axis=1).any()  # as many colors as before at each peg
        by_peg = planes.transpose(0, 2, 1).reshape(len(planes), pegs * colors)
        assert not (by_peg @ weights.T).any()
        rank = np.linalg.matrix_rank(np.vstack([weights, one_color(pegs, colors)]))
        assert len(planes) == pegs * colors - rank


def one_color(pegs, colors):
    return np.kron(np.eye(pegs), np.ones(colors))


@pytest.mark.parametrize(
    "wrong",
    [
        {"allowed": []},
        {"allowed": [[], [0]]},
        {"allowed": [[1, 0], [0]]},
        {"allowed": [[0, 2], [0]]},
        {"totals": [1, 2]},
        {"weights": np.zeros((1, 3), dtype=np.int32)},
        {"weights": np.full((1, 4), 1 << 20, dtype=np.int32)},
        {"totals": []},
        {"totals": [1 << 28]},
        {"likely": np.ones(3)},
        {"likely": np.array([0.5, 0.5, -0.1, 1.1])},
        {"likely": np.array([0.5, 0.5, np.nan, 1])},
    ],
    ids=str,
)
def test_the_kernel_refuses_what_is_no_system(wrong):
    given = {"allowed": [[0, 1]] * 2, "weights": np.ones((1, 4), dtype=np.int32), "totals": [2]}
    Kernel(2, **given)
    with pytest.raises(ValueError, match=r"there is a|every|in order|weigh|totals are|likely"):
        Kernel(2, **(given | wrong))


def test_no_code_of_a_board_is_lost_in_its_readings():
    read = 0
    for board, codes in known_boards(tiers.share(3000), seed=21):
        system = System.of(board)
        listed = linear_systems(Problem.of(system))
        if listed is None:
            continue
        read += 1
        results = {code for code in codes_of_each(listed) if system.satisfies(code)}
        assert results == set(codes), board
    assert read > tiers.at_least(1000)


def codes_of_each(listed):
    """The codes of readings: as they are, and with lengths that fit and the basis before."""
    results = []
    shared = None
    for entry in listed:
        own = codes_of(Kernel(entry.colors, entry.allowed, entry.weights, entry.totals))
        assert entry.allowed == listed[0].allowed
        assert (entry.weights == listed[0].weights).all()
        shared = make_kernel(entry, shared)
        assert sorted(codes_of(shared)) == sorted(own)
        results += own
    return results


def test_it_agrees_with_a_list_of_all_codes():
    engine = Lattice()
    decided = 0
    for board, codes in known_boards(tiers.share(800), seed=22):
        if not all(read_places(system).is_suited for system in short_equations(board)):
            continue
        code = engine.solve(board)
        decided += 1
        assert code in codes if codes else code is None, board
    assert decided > tiers.at_least(300)


def planted(pegs, colors, rows, seed):
    """A random board of the classic rules with a code."""
    rng = random.Random(seed)
    game = Game(pegs, colors)
    code = tuple(rng.choices(range(colors), k=pegs))
    guesses = [tuple(rng.choices(range(colors), k=pegs)) for _ in range(rows)]
    return Board(game, tuple(Row(guess, game.score(code, guess)) for guess in guesses))


def test_no_code_is_lost_where_the_shadow_of_the_box_cuts_off_points():
    size = 0
    for seed in range(tiers.share(60, least=12)):
        pegs, colors, rows = ((16, 4, 7), (12, 6, 7), (20, 3, 9), (14, 5, 8))[seed % 4]
        board = planted(pegs, colors, rows, seed)
        listed = linear_systems(Problem.of(System.of(board)))
        results = [code for code in codes_of_each(listed) if not board.missed(code)]
        codes = count(board)
        assert codes.exact, board
        assert len(set(results)) == len(results) == codes.count, board
        size += len(results) > 20
    assert size > tiers.at_least(10)


def parity_kept(board, row):
    """Return a row with black and white shifted, by two if parity would show it."""
    step = 2 if board.game.colors == 2 else 1
    rows = list(board.rows)
    black, white = rows[row].score
    up = step if white >= step else -step
    rows[row] = Row(rows[row].guess, (black + up, white - up))
    return Board(board.game, tuple(rows))


@pytest.mark.parametrize(
    ("pegs", "colors", "rows"),
    [
        (60, 2, 22),
        (30, 3, 16),
        (20, 6, 16),
        pytest.param(80, 2, 30, marks=pytest.mark.slow),
        pytest.param(100, 2, 40, marks=pytest.mark.slow),
    ],
)
def test_boards_with_one_code_left_are_decided_both_ways(pegs, colors, rows):
    board = planted(pegs, colors, rows, seed=1)
    decision = find_engine("lattice").decide(board, Deadline(ENOUGH))
    assert decision.status is Status.CONSISTENT
    wrong = [parity_kept(board, row) for row in range(3)]
    decisions = [find_engine("lattice").decide(entry, Deadline(ENOUGH)) for entry in wrong]
    assert [entry.status for entry in decisions] == [Status.INCONSISTENT] * 3


def test_a_board_that_is_too_large_is_refused_with_its_size():
    board = planted(40, 40, 3, seed=1)
    with pytest.raises(SizeError, match="the colors can be counted in too many ways"):
        find_engine("lattice").decide(board, Deadline(ENOUGH))
    board = Board(Game.parse("200x2b"), ())
    with pytest.raises(SizeError, match="a lattice of 200 dimensions"):
        find_engine("lattice").decide(board, Deadline(ENOUGH))


def test_the_deadline_ends_the_walk():
    board = planted(40, 5, 20, seed=1)
    assert find_engine("lattice").decide(board, Deadline(0.5)).status is Status.UNKNOWN


def test_it_has_no_settings():
    with pytest.raises(InputError, match="expected lattice without settings"):
        find_engine("lattice:magma")
