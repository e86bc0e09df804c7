"""One-in-three 3SAT as boards of consistent guesses."""

from __future__ import annotations

import random
from itertools import combinations, product

import networkx as nx
import pytest

from mmsat.counting.listing import list_codes
from mmsat.errors import InputError
from mmsat.reductions.satisfiability import ConsistentMastermind, pair_edges
from mmsat.reductions.sources import Formula
from mmsat.solving.deadline import Deadline
from tests.support.reduction_laws import codes_of, holds, is_consistent_play

CLAUSES = list(product((1, -1), (2, -2), (3, -3)))
"""All clauses with each of three variables."""


def assignments(formula: Formula):
    return product((False, True), repeat=formula.variables)


def random_formula(rng: random.Random, variables: int, clauses: int) -> Formula:
    """Return clauses with three different variables each."""
    num_variables = rng.randint(3, variables)
    drawn_clauses = [
        tuple(rng.choice((v, -v)) for v in rng.sample(range(1, num_variables + 1), 3))
        for _ in range(rng.randint(1, clauses))
    ]
    return Formula(num_variables, tuple(drawn_clauses))


def test_the_boards_of_up_to_two_clauses_over_three_variables_are_right():
    results = []
    for num_clauses in range(3):
        for clauses in combinations(CLAUSES, num_clauses):
            formula = Formula(3, clauses)
            reduction = ConsistentMastermind(formula)
            assert is_consistent_play(reduction.board), str(formula)
            results.append(holds(reduction, assignments(formula)))
    assert results[0] == 8  # without clauses, every assignment is a certificate
    assert min(results) == 0


def test_the_boards_of_random_formulas_are_right():
    rng = random.Random(141)
    results = []
    for _ in range(12):
        formula = random_formula(rng, 5, 4)
        reduction = ConsistentMastermind(formula)
        assert is_consistent_play(reduction.board), str(formula)
        results.append(holds(reduction, assignments(formula)))
    assert results.count(0) not in {0, len(results)}


@pytest.mark.slow
def test_the_boards_of_larger_random_formulas_are_right():
    rng = random.Random(142)
    for _ in range(20):
        formula = random_formula(rng, 7, 5)
        reduction = ConsistentMastermind(formula)
        assert is_consistent_play(reduction.board), str(formula)
        holds(reduction, assignments(formula))


def test_list_codes_lists_the_codes_of_the_board():
    formula = Formula(3, CLAUSES[:1])
    reduction = ConsistentMastermind(formula)
    listed = list(list_codes(reduction.board, Deadline()))
    assert listed == codes_of(reduction.board)
    assert {reduction.decode(code) for code in listed} == {
        assignment for assignment in assignments(formula) if sum(assignment) == 1
    }


def test_known_sizes_of_boards():
    assert ConsistentMastermind(Formula(3, CLAUSES[:1])).sizes() == (63, 2, 9)
    clauses = tuple((v, v + 1, v + 2) for v in range(1, 23))
    assert ConsistentMastermind(Formula(31, clauses)).sizes() == (5971, 2, 107)


def test_a_clause_is_used_once_whatever_the_order_of_its_literals():
    formula = Formula(3, ((1, -2, 3), (3, 1, -2), (1, 2, -3), (-2, 3, 1)))
    reduction = ConsistentMastermind(formula)
    assert reduction.clauses == ((1, -2, 3), (1, 2, -3))
    assert holds(reduction, assignments(formula)) == 2


@pytest.mark.parametrize("num_nodes", range(3, 20))
def test_the_pair_edges_are_a_regular_connected_graph_with_an_odd_cycle(num_nodes):
    graph = nx.Graph(pair_edges(num_nodes))
    assert graph.number_of_nodes() == num_nodes
    assert graph.number_of_edges() == len(pair_edges(num_nodes))
    assert nx.is_regular(graph)
    assert nx.is_connected(graph)
    assert not nx.is_bipartite(graph)


def test_all_faults_are_reported():
    with pytest.raises(InputError) as error:
        ConsistentMastermind(Formula(2, ((1, 2), (1, -1, 2))))
    expected_clause = "expected three literals of different variables, such as 1 -2 3"
    assert str(error.value).split("\n") == [
        f"the formula, clause 1: {expected_clause}, found (1, 2)",
        f"the formula, clause 2: {expected_clause}, found (1, -1, 2)",
        "the formula: expected 3 or more variables, found 2",
    ]
