"""Hidden parities: conclusions hold for every solution, and contradictions are found."""

from __future__ import annotations

import random
from itertools import product

import pytest

from mmsat.constraints.parities import (
    MAX_PEGS,
    Relation,
    affine_hull,
    are_contradictory,
    eliminate,
    read_relations,
)
from mmsat.constraints.two_color_games import suits
from mmsat.constraints.two_colors import systems
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

MANY = 7
"""Pegs of random relations, whose values can all be tried out."""


def holds(relation, values):
    """By the definition of a table."""
    number = sum(values[peg] << place for place, peg in enumerate(relation.pegs))
    return bool(relation.table >> number & 1)


def solutions(relations):
    return [
        values
        for values in product((0, 1), repeat=MANY)
        if all(holds(relation, values) for relation in relations)
    ]


def random_relation(rng):
    """A parity, or a table that allows most choices, of a few pegs."""
    pegs = tuple(sorted(rng.sample(range(MANY), rng.randint(1, 4))))
    choices = range(1 << len(pegs))
    if rng.random() < 0.5:
        total = rng.randrange(2)
        return Relation(
            pegs, sum(1 << choice for choice in choices if choice.bit_count() % 2 == total)
        )
    return Relation(pegs, sum(1 << choice for choice in choices if rng.random() < 0.8))


def test_what_is_left_of_random_relations_holds_of_every_solution():
    rng = random.Random(1)
    results = set()
    for _ in range(tiers.share(2000, least=300)):
        relations = [random_relation(rng) for _ in range(rng.randint(1, 9))]
        expected = solutions(relations)
        remaining = eliminate(relations)
        assert all(len(entry.pegs) <= MAX_PEGS for entry in remaining)
        assert all(holds(entry, values) for entry in remaining for values in expected)
        refuted = are_contradictory(remaining)
        assert not (refuted and expected)
        results.add((refuted, bool(expected)))
    assert results == {
        (True, False),
        (False, True),
    }  # all pegs are eliminated because there are few


def test_the_hull_is_the_least_affine_set():
    """A choice satisfies the equations just when it is a sum of an odd number of allowed ones."""
    for table in range(1, 256):
        allowed = {choice for choice in range(8) if table >> choice & 1}
        sums = set(allowed)
        while more := {a ^ b ^ c for a in sums for b in sums for c in allowed} - sums:
            sums |= more
        text = affine_hull(table, 3)
        assert sums == {
            choice
            for choice in range(8)
            if all((places & choice).bit_count() % 2 == total for places, total in text)
        }
    assert affine_hull(0, 3) == ((0, 1),)


@pytest.mark.parametrize("size", [9, 30, pytest.param(214, marks=pytest.mark.slow)])
def test_contradicting_parities_are_refuted_without_search(size):
    """Random cubic graphs (Urquhart), of which no solver decides the largest."""
    for seed in (1, 2):
        board = FAMILIES["sat"].make(size, seed, Answer.INCONSISTENT).board
        assert systems(board) == []


def test_grids_are_refuted_just_where_they_are_odd():
    for side in (2, 3, 4, 5):
        for odd in (False, True):
            reduction, _ = tseitin(side, odd)
            assert bool(systems(reduction.board)) != odd


def test_one_parity_more_or_less_decides():
    """The same random parities with either sum of one of them: by elimination in plain Python."""
    rng = random.Random(5)
    for _ in range(tiers.share(60, least=20)):
        rows = [tuple(sorted(rng.sample(range(1, 9), 3))) for _ in range(9)]
        sums = [rng.randrange(2) for _ in rows]
        clauses = [
            tuple(-v if bits >> place & 1 else v for place, v in enumerate(row))
            for row, total in zip(rows, sums, strict=True)
            for bits in range(8)
            if bits.bit_count() % 2 != total
        ]
        board = REDUCTIONS["sat"](Formula(8, tuple(clauses))).board
        has_model = any(
            all(sum(x[v - 1] for v in row) % 2 == s for row, s in zip(rows, sums, strict=True))
            for x in product((0, 1), repeat=8)
        )
        assert bool(systems(board)) == has_model
        decision = find_engine("auto").decide(board, Deadline(60))
        assert decision.status is (Status.CONSISTENT if has_model else Status.INCONSISTENT)


def test_constraints_are_read_as_they_are():
    """No code of a board is lost, whatever its parities are."""
    for board, codes in known_boards(tiers.share(400, least=150), seed=92, colors=2):
        if not suits(board):
            continue
        created = systems(board)
        for code in twins.codes(board.game):
            held = [
                all(holds(relation, code) for relation in read_relations(one)) for one in created
            ]
            assert held == [one.satisfies(code) for one in created]
            assert any(held) == (code in codes), (str(board), code)
