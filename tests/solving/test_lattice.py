"""The walk over lattice points finds all codes and no others."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from mmsat._core import Lattice as KernelLattice
from mmsat.constraints import System
from mmsat.constraints.histograms import linear_systems
from mmsat.constraints.presolve_state import Problem
from mmsat.counting.count import count
from mmsat.errors import InputError, SizeError
from mmsat.game import Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.lattice import Lattice, make_kernel, read_lattice_equations, systems_to_solve
from tests.support import tiers
from tests.support.lattice_equations import codes_of, evaluate, random_equations
from tests.support.random_boards import known_boards

MAX_SECONDS = 300
"""Time limit in seconds. Each large board needs less than ten; no other engine decides them."""


def random_probabilities(rng, pegs, colors):
    """Return None or arbitrary probabilities of colors, unrelated to the equations."""
    probabilities = [rng.choice((0.0, 1.0, 1e-9, rng.random())) for _ in range(pegs * colors)]
    return rng.choice((None, np.array(probabilities)))


def random_previous(rng, colors, allowed):
    """Return None or a lattice to start from, seldom with other allowed colors."""
    other_allowed, weights, totals = random_equations(rng, len(allowed), colors)
    probabilities = random_probabilities(rng, len(allowed), colors)
    previous = KernelLattice(
        colors,
        other_allowed if rng.random() < 0.1 else allowed,
        weights,
        totals,
        None,
        probabilities,
    )
    if rng.random() < 0.5:
        previous.reduce_blocks(4, 2)
        previous.advance(20)
    return rng.choice((None, previous))


@pytest.mark.parametrize("threads", [1, 3])
def test_the_walk_finds_every_solution_once(threads):
    rng = random.Random(threads)
    num_with_many_codes = 0
    for _ in range(tiers.share(600)):
        pegs, colors = rng.randint(1, 6), rng.randint(1, 4)
        allowed, weights, totals = random_equations(rng, pegs, colors)
        solutions = [
            code
            for code in itertools.product(*allowed)
            if all(
                evaluate(row, code, colors) == total
                for row, total in zip(weights, totals, strict=True)
            )
        ]
        probabilities = random_probabilities(rng, pegs, colors)
        previous = random_previous(rng, colors, allowed)
        kernel = KernelLattice(colors, allowed, weights, totals, previous, probabilities)
        for _ in range(rng.randint(0, 3)):
            kernel.advance(rng.choice((1, 7, 1000)), threads)
        kernel.reduce_blocks(rng.choice((2, 5, 30)), 3)  # restarts the walk
        result = codes_of(kernel, threads, rng.choice((1, 7, 1000)))
        assert sorted(result) == solutions, (allowed, weights, totals)
        assert kernel.is_solvable or not solutions
        num_with_many_codes += len(solutions) > 20
    assert num_with_many_codes > tiers.at_least(15)


def test_basis_vectors_are_differences_of_solutions():
    rng = random.Random(7)
    for _ in range(tiers.share(100)):
        pegs, colors = rng.randint(2, 6), rng.randint(3, 4)
        allowed = [list(range(colors))] * pegs
        _, weights, _ = random_equations(rng, pegs, colors)
        previous = random_previous(rng, colors, allowed)
        kernel = KernelLattice(colors, allowed, weights, [0] * len(weights), previous)
        basis = kernel.basis
        width = len(basis[0]) // colors if basis else pegs
        planes = np.array(basis).reshape(len(basis), colors, width)[:, :, :pegs]
        assert not planes.sum(axis=1).any()  # adding a basis vector keeps one color per peg
        by_peg = planes.transpose(0, 2, 1).reshape(len(planes), pegs * colors)
        assert not (by_peg @ weights.T).any()
        rank = np.linalg.matrix_rank(np.vstack([weights, color_sums(pegs, colors)]))
        assert len(planes) == pegs * colors - rank


def color_sums(pegs, colors):
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
        {"probabilities": np.ones(3)},
        {"probabilities": np.array([0.5, 0.5, -0.1, 1.1])},
        {"probabilities": np.array([0.5, 0.5, np.nan, 1])},
    ],
    ids=str,
)
def test_the_kernel_refuses_invalid_equations(wrong):
    valid = {"allowed": [[0, 1]] * 2, "weights": np.ones((1, 4), dtype=np.int32), "totals": [2]}
    KernelLattice(2, **valid)
    with pytest.raises(ValueError, match=r"allowed|weights|totals|probabilities"):
        KernelLattice(2, **(valid | wrong))


def test_every_code_of_a_board_satisfies_one_set_of_equations():
    num_with_equations = 0
    for board, codes in known_boards(tiers.share(3000), seed=21):
        system = System.of(board)
        equation_sets = linear_systems(Problem.of(system))
        if equation_sets is None:
            continue
        num_with_equations += 1
        results = {code for code in codes_of_all(equation_sets) if system.satisfies(code)}
        assert results == set(codes), board
    assert num_with_equations > tiers.at_least(1000)


def codes_of_all(equation_sets):
    """Return all solutions; starting from the previous lattice gives the same ones."""
    results = []
    lattice = None
    for equations in equation_sets:
        codes = codes_of(
            KernelLattice(
                equations.colors, equations.allowed, equations.coefficients, equations.totals
            )
        )
        assert equations.allowed == equation_sets[0].allowed
        assert (equations.coefficients == equation_sets[0].coefficients).all()
        lattice = make_kernel(equations, lattice)
        assert sorted(codes_of(lattice)) == sorted(codes)
        results += codes
    return results


def test_the_engine_agrees_with_a_list_of_all_codes():
    engine = Lattice()
    num_decided = 0
    for board, codes in known_boards(tiers.share(800), seed=22):
        if not all(read_lattice_equations(system).is_suited for system in systems_to_solve(board)):
            continue
        code = engine.solve(board)
        num_decided += 1
        assert code in codes if codes else code is None, board
    assert num_decided > tiers.at_least(300)


def planted(pegs, colors, rows, seed):
    """Return a random consistent board with the classic rules."""
    rng = random.Random(seed)
    game = Game(pegs, colors)
    code = tuple(rng.choices(range(colors), k=pegs))
    guesses = [tuple(rng.choices(range(colors), k=pegs)) for _ in range(rows)]
    return Board(game, tuple(Row(guess, game.score(code, guess)) for guess in guesses))


def test_cutting_off_points_by_the_shadow_of_the_box_loses_no_code():
    """The shadow: the projection of all mixtures of codes to the complement of the free basis."""
    num_with_many_codes = 0
    for seed in range(tiers.share(60, least=12)):
        pegs, colors, rows = ((16, 4, 7), (12, 6, 7), (20, 3, 9), (14, 5, 8))[seed % 4]
        board = planted(pegs, colors, rows, seed)
        equation_sets = linear_systems(Problem.of(System.of(board)))
        results = [code for code in codes_of_all(equation_sets) if not board.missed(code)]
        codes = count(board)
        assert codes.exact, board
        assert len(set(results)) == len(results) == codes.count, board
        num_with_many_codes += len(results) > 20
    assert num_with_many_codes > tiers.at_least(10)


def with_wrong_score(board, row):
    """Return a board with a black changed to a white in a row, or the reverse.

    With two colors, two key pegs are changed, because the parity of the score is known.
    """
    shift = 2 if board.game.colors == 2 else 1
    rows = list(board.rows)
    black, white = rows[row].score
    increase = shift if white >= shift else -shift
    rows[row] = Row(rows[row].guess, (black + increase, white - increase))
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
def test_large_boards_with_about_one_code_are_decided(pegs, colors, rows):
    board = planted(pegs, colors, rows, seed=1)
    decision = find_engine("lattice").decide(board, Deadline(MAX_SECONDS))
    assert decision.status is Status.CONSISTENT
    wrong_boards = [with_wrong_score(board, row) for row in range(3)]
    decisions = [
        find_engine("lattice").decide(entry, Deadline(MAX_SECONDS)) for entry in wrong_boards
    ]
    assert [entry.status for entry in decisions] == [Status.INCONSISTENT] * 3


def test_a_board_that_is_too_large_is_refused_with_its_size():
    board = planted(40, 40, 3, seed=1)
    with pytest.raises(SizeError, match="there are too many possible color counts"):
        find_engine("lattice").decide(board, Deadline(MAX_SECONDS))
    board = Board(Game.parse("200x2b"), ())
    with pytest.raises(SizeError, match="a lattice of 200 dimensions"):
        find_engine("lattice").decide(board, Deadline(MAX_SECONDS))


def test_the_deadline_ends_the_walk():
    board = planted(40, 5, 20, seed=1)
    assert find_engine("lattice").decide(board, Deadline(0.5)).status is Status.UNKNOWN


def test_the_engine_has_no_settings():
    with pytest.raises(InputError, match="expected lattice without settings"):
        find_engine("lattice:magma")
