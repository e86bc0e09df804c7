"""Implied parities: they hold for every solution, and contradictions are found."""

from __future__ import annotations

import random
from itertools import product

import pytest

from mmsat.constraints import is_linear_board
from mmsat.constraints.parities import (
    MAX_RELATION_PEGS,
    Relation,
    affine_hull,
    are_contradictory,
    eliminate,
    read_relations,
)
from mmsat.constraints.two_colors import simplify_two_colors
from mmsat.game.board import Status
from mmsat.reductions.families import FAMILIES
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.samples import Answer
from mmsat.reductions.sources import Formula
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from tests.support import tiers, twins
from tests.support.random_boards import known_boards
from tests.support.reduced_boards import tseitin

NUM_PEGS = 7
"""Number of pegs of random relations, few enough to try all values."""


def holds(relation, values):
    """Return whether values satisfy a relation, by the definition of its table."""
    combination = sum(values[peg] << position for position, peg in enumerate(relation.pegs))
    return bool(relation.table >> combination & 1)


def solutions(relations):
    """Return all values that satisfy the relations."""
    return [
        values
        for values in product((0, 1), repeat=NUM_PEGS)
        if all(holds(relation, values) for relation in relations)
    ]


def random_relation(rng):
    """Return a parity, or a table that allows most combinations, of a few pegs."""
    pegs = tuple(sorted(rng.sample(range(NUM_PEGS), rng.randint(1, 4))))
    combinations = range(1 << len(pegs))
    if rng.random() < 0.5:
        total = rng.randrange(2)
        return Relation(
            pegs,
            sum(
                1 << combination
                for combination in combinations
                if combination.bit_count() % 2 == total
            ),
        )
    return Relation(
        pegs, sum(1 << combination for combination in combinations if rng.random() < 0.8)
    )


def test_the_remaining_relations_hold_for_every_solution():
    rng = random.Random(1)
    results = set()
    for _ in range(tiers.share(2000, least=300)):
        relations = [random_relation(rng) for _ in range(rng.randint(1, 9))]
        expected = solutions(relations)
        remaining = eliminate(relations)
        assert all(len(relation.pegs) <= MAX_RELATION_PEGS for relation in remaining)
        assert all(holds(relation, values) for relation in remaining for values in expected)
        refuted = are_contradictory(remaining)
        assert not (refuted and expected)
        results.add((refuted, bool(expected)))
    assert results == {
        (True, False),
        (False, True),
    }  # as there are few pegs, all of them are eliminated


def test_the_affine_hull_is_the_smallest_affine_set():
    """A combination is in the hull if it is a sum of an odd number of allowed combinations."""
    for table in range(1, 256):
        allowed = {combination for combination in range(8) if table >> combination & 1}
        sums = set(allowed)
        while new_sums := {a ^ b ^ c for a in sums for b in sums for c in allowed} - sums:
            sums |= new_sums
        hull = affine_hull(table, 3)
        assert sums == {
            combination
            for combination in range(8)
            if all((positions & combination).bit_count() % 2 == total for positions, total in hull)
        }
    assert affine_hull(0, 3) == ((0, 1),)


@pytest.mark.parametrize("size", [9, 30, pytest.param(214, marks=pytest.mark.slow)])
def test_contradictory_parities_are_refuted_without_search(size):
    """Parities of random cubic graphs (Urquhart). No solver decides the largest boards."""
    for seed in (1, 2):
        board = FAMILIES["sat"].make(size, seed, Answer.INCONSISTENT).board
        assert simplify_two_colors(board) == []


def test_parities_of_grids_are_refuted_if_their_sum_is_odd():
    for side in (2, 3, 4, 5):
        for odd in (False, True):
            reduction, _ = tseitin(side, odd)
            assert bool(simplify_two_colors(reduction.board)) != odd


def test_random_parities_agree_with_an_enumeration_of_models():
    """The boards are those of formulas that state nine random parities of eight variables."""
    rng = random.Random(5)
    for _ in range(tiers.share(60, least=20)):
        rows = [tuple(sorted(rng.sample(range(1, 9), 3))) for _ in range(9)]
        sums = [rng.randrange(2) for _ in rows]
        clauses = [
            tuple(-v if bits >> position & 1 else v for position, v in enumerate(row))
            for row, total in zip(rows, sums, strict=True)
            for bits in range(8)
            if bits.bit_count() % 2 != total
        ]
        board = REDUCTIONS["sat"](Formula(8, tuple(clauses))).board
        has_model = any(
            all(sum(x[v - 1] for v in row) % 2 == s for row, s in zip(rows, sums, strict=True))
            for x in product((0, 1), repeat=8)
        )
        assert bool(simplify_two_colors(board)) == has_model
        decision = find_engine("auto").decide(board, Deadline(60))
        assert decision.status is (Status.CONSISTENT if has_model else Status.INCONSISTENT)


def test_the_relations_of_a_board_hold_for_exactly_its_codes():
    """All constraints of these small boards are short, so that relations represent all of them."""
    for board, codes in known_boards(tiers.share(400, least=150), seed=92, colors=2):
        if not is_linear_board(board):
            continue
        short_systems = simplify_two_colors(board)
        for code in twins.codes(board.game):
            is_satisfied = [
                all(holds(relation, code) for relation in read_relations(system))
                for system in short_systems
            ]
            assert is_satisfied == [system.satisfies(code) for system in short_systems]
            assert any(is_satisfied) == (code in codes), (str(board), code)
