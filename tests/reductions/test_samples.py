"""Random sources have the structure that proves them solvable or unsolvable."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from mmsat.reductions.samples import (
    Answer,
    draw_colored_edges,
    draw_coloring,
    draw_cubic_cover,
    draw_cubic_edges,
    draw_edges,
    draw_matching,
    draw_matrix,
    draw_mycielski_graph,
    draw_odd_one_in_three,
    draw_one_in_three,
    draw_parities,
    draw_system,
    draw_three_sat,
    draw_triple_cover,
    find_minimum_cover,
)
from mmsat.reductions.satisfiability import draw_regular

SEEDS = range(8)


def rng(*seed):
    return random.Random(str(seed))


@pytest.mark.parametrize("nodes", [4, 6, 10, 30])
def test_cubic_graphs_are_simple_and_cubic(nodes):
    for seed in SEEDS:
        edges = draw_cubic_edges(nodes, rng(seed))
        assert len(set(edges)) == len(edges) == 3 * nodes // 2
        assert all(a < b for a, b in edges)
        assert set(Counter(end for edge in edges for end in edge).values()) == {3}


def test_random_edges_are_distinct():
    assert len(draw_edges(5, 100, rng())) == 10
    edges = draw_colored_edges([0, 1, 2, 0, 1, 2], 7, rng())
    assert len(set(edges)) == 7
    assert all(a % 3 != b % 3 for a, b in edges)


@pytest.mark.parametrize("nodes", [2, 5, 8])
def test_minimum_covers_have_the_minimum_size(nodes):
    for seed in SEEDS:
        edges = draw_edges(nodes, 2 * nodes, rng(seed))
        sizes = [
            sum(chosen)
            for chosen in product((0, 1), repeat=nodes)
            if all(chosen[a] or chosen[b] for a, b in edges)
        ]
        cover = find_minimum_cover(nodes, edges)
        assert len(cover) == min(sizes)
        assert all(a in cover or b in cover for a, b in edges)


@pytest.mark.parametrize("nodes", [4, 5, 7, 9, 11])
def test_mycielski_graphs_have_no_coloring_with_three_colors(nodes):
    graph = draw_mycielski_graph(nodes, rng(nodes))
    assert len(graph.nodes) == nodes
    assert not any(
        all(colors[a] != colors[b] for a, b in graph.edges)
        for colors in product(range(3), repeat=nodes)
    )


def test_larger_mycielski_graphs_are_sparse():
    graph = draw_mycielski_graph(90, rng())
    assert len(graph.edges) <= 3 * 90


def test_planted_colorings_are_proper():
    sample = draw_coloring(40, rng(), Answer.CONSISTENT)
    assert all(sample.certificate[a] != sample.certificate[b] for a, b in sample.source.edges)
    assert len(sample.source.edges) == 93


@pytest.mark.parametrize("variables", [6, 7, 9, 11])
def test_odd_formulas_have_no_solution(variables):
    for seed in SEEDS:
        formula = draw_odd_one_in_three(variables, rng(seed))
        occurrences = Counter(abs(literal) for clause in formula.clauses for literal in clause)
        assert set(occurrences.values()) == {2}
        negations = [literal for clause in formula.clauses for literal in clause if literal < 0]
        assert len(formula.clauses) % 2 == 0
        assert len(negations) % 2 == 1
        assert not any(
            set(formula.count_true_literals(values)) == {1}
            for values in product((False, True), repeat=variables)
        )


@pytest.mark.parametrize("variables", [6, 9])
def test_contradictory_parities_have_no_model(variables):
    for seed in SEEDS:
        formula = draw_parities(variables, rng(seed))
        assert len(formula.clauses) == 4 * (2 * (variables // 3))
        assert not any(map(formula.is_model, product((False, True), repeat=variables)))


def test_planted_assignments_are_certificates():
    for seed in SEEDS:
        sample = draw_three_sat(20, rng(seed), Answer.CONSISTENT)
        assert sample.source.is_model(sample.certificate)
        assert len(sample.source.clauses) == 85
        sample = draw_one_in_three(30, 19, rng(seed), Answer.CONSISTENT)
        assert set(sample.source.count_true_literals(sample.certificate)) == {1}


@pytest.mark.parametrize("answer", [Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT])
@pytest.mark.parametrize("third", [3, 4, 9, 20])
def test_cubic_covers_have_sets_of_three_and_elements_in_three_sets(answer, third):
    for seed in SEEDS:
        sample = draw_cubic_cover(third, rng(seed), answer)
        assert {len(set(entry)) for entry in sample.source.sets} == {3}
        assert {len(indices) for indices in sample.source.sets_by_element()} == {3}
        assert sample.certificate is None or sample.source.is_exact(sample.certificate)
        formula = draw_regular(third, rng(seed), answer)
        assert formula.source.variables == len(formula.source.clauses) == 3 * third
        if formula.certificate:
            assert set(formula.source.count_true_literals(formula.certificate)) == {1}


def test_weighted_covers_have_no_exact_cover():
    for seed in SEEDS:
        cover = draw_cubic_cover(3, rng(seed), Answer.INCONSISTENT).source
        assert not any(
            cover.is_exact([index for index, is_chosen in enumerate(chosen) if is_chosen])
            for chosen in product((0, 1), repeat=9)
        )


@pytest.mark.parametrize("draw", [draw_matching, draw_triple_cover])
def test_marked_triples_have_no_matching(draw):
    for seed in SEEDS:
        source = draw(3, rng(seed), Answer.INCONSISTENT).source
        count = len(getattr(source, "triples", getattr(source, "sets", ())))
        is_certificate = getattr(source, "is_matching", getattr(source, "is_exact", None))
        assert not any(
            is_certificate(tuple(index for index in range(count) if bits >> index & 1))
            for bits in range(1 << count)
        )


@pytest.mark.parametrize("size", [2, 3, 10, 40])
def test_every_thing_is_in_at_least_one_triple(size):
    for seed, answer in product(SEEDS, (Answer.CONSISTENT, Answer.INCONSISTENT)):
        sample = draw_matching(size, rng(seed), answer)
        for kind in range(3):
            assert {triple[kind] for triple in sample.source.triples} == set(range(1, size + 1))
        assert sample.certificate is None or sample.source.is_matching(sample.certificate)


@pytest.mark.parametrize("variables", [4, 5, 8])
def test_inconsistent_equations_have_no_solution(variables):
    for seed in SEEDS:
        system = draw_system(variables, rng(seed), Answer.INCONSISTENT).source
        column_sums = [
            sum(column) for column in zip(*(e.coefficients for e in system.equations), strict=True)
        ]
        assert all(column_sum % 3 == 0 for column_sum in column_sums)
        assert sum(equation.total for equation in system.equations) % 3
        assert not any(map(system.is_solution, product((0, 1), repeat=variables)))
        sample = draw_system(variables, rng(seed), Answer.CONSISTENT)
        assert sample.source.is_solution(sample.certificate)


@pytest.mark.parametrize("size", [2, 3, 8])
def test_a_matrix_has_a_planted_permutation_or_violates_halls_condition(size):
    for seed in SEEDS:
        sample = draw_matrix(size, rng(seed), Answer.CONSISTENT)
        assert sample.source.is_matching(sample.certificate)
        rows = draw_matrix(size, rng(seed), Answer.INCONSISTENT).source.rows
        violations = [
            group
            for bits in range(1, 1 << size)
            for group in [[row for index, row in enumerate(rows) if bits >> index & 1]]
            if sum(map(any, zip(*group, strict=True))) < len(group)
        ]
        assert violations
