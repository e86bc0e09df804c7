"""Links preserve the number of certificates, and chains convert certificates both ways."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from pysat.solvers import Solver

import mmsat
from mmsat.constraints import System
from mmsat.counting.count import count
from mmsat.encoding.cnf import cnf
from mmsat.errors import InputError
from mmsat.reductions.reduce import LINKS, chain
from mmsat.reductions.sources import Formula
from tests.support import tiers
from tests.support.tiny_sources import random_formula, random_matrix, tiny_formulas

LINKS_TO_BOARD = ["three-sat", "one-in-three", "one-in-three-3sat"]


def models(formula):
    assignments = product((False, True), repeat=formula.variables)
    return [values for values in assignments if formula.is_model(values)]


def long_formula(rng):
    n = rng.randint(2, 4)
    literals = [sign * x for x in range(1, n + 1) for sign in (1, -1)]
    clauses = [rng.choices(literals, k=rng.randint(1, 6)) for _ in range(rng.randint(1, 3))]
    return Formula(n, tuple(map(tuple, clauses)))


def check_link(link):
    """Check that models and target certificates correspond; return the number of models."""
    target = link.target
    source_models = models(link.source)
    assert all(link.is_certificate(model) for model in source_models)
    encoded = {link.encode(model): model for model in source_models}
    for certificate, model in encoded.items():
        assert link.is_target_certificate(certificate)
        assert link.decode(certificate) == model
    if target.variables <= 12:
        assignments = product((False, True), repeat=target.variables)
        results = {values for values in assignments if link.is_target_certificate(values)}
        assert results == set(encoded)
    return len(source_models)


@pytest.mark.parametrize("name", LINKS)
def test_links_preserve_the_certificates_of_tiny_formulas(name):
    results = [check_link(LINKS[name](formula)) for formula in list(tiny_formulas())[::3]]
    assert 0 in results
    assert max(results) > 1


def test_three_sat_splits_long_clauses():
    rng = random.Random(2)
    for _ in range(60):
        link = LINKS["three-sat"](long_formula(rng))
        check_link(link)
        assert all(len(clause) <= 3 for clause in link.target.clauses)


def test_one_in_three_of_a_clause_with_any_signs():
    for signs in product((1, -1), repeat=3):
        link = LINKS["one-in-three"](
            Formula(3, (tuple(s * x for s, x in zip(signs, (1, 2, 3), strict=True)),))
        )
        assert check_link(link) == 7
        assert all(len({*map(abs, clause)}) == 3 for clause in link.target.clauses)
    with pytest.raises(InputError, match="use the link three-sat before"):
        LINKS["one-in-three"](Formula(4, ((1, 2, 3, 4),)))


def test_a_model_of_the_board_decodes_to_a_model_of_the_formula():
    """The stages are DIMACS, 3SAT, one-in-three, board, CNF, solver, code and model."""
    rng = random.Random(4)
    results = []
    for _ in range(8):
        formula = random_formula(rng)
        links = chain(LINKS_TO_BOARD, str(formula))
        encoded = cnf(System.of(links.board))
        with Solver("cadical153", bootstrap_with=encoded.clauses) as solver:
            results.append(solver.solve())
            assert results[-1] == bool(models(formula))
            if results[-1]:
                solver_model = solver.get_model()
                code = tuple(
                    int(solver_model[2 * peg + 1] > 0) for peg in range(links.sizes().pegs)
                )
                assert links.board.is_consistent(code)
                assert formula.is_model(links.decode(code))
                assert links.encode(links.decode(code)) == code
    assert len(set(results)) == 2


@pytest.mark.parametrize("last", ["consistent-mastermind", "one-in-three-3sat"])
def test_chains_accept_every_formula(last):
    """Formulas without variables are included, although the reductions need three variables."""
    formulas = list(tiny_formulas())
    clauseless = [formula for formula in formulas if len(formula.clauses) == 0]
    for formula in [*clauseless, *random.Random(6).sample(formulas, tiers.share(200, least=12))]:
        links = chain(["three-sat", "one-in-three", last], formula)
        board = links.board
        assert links.sizes() == (board.game.pegs, board.game.colors, len(board.rows))
        assert count(board).count == len(models(formula)), str(formula)


def test_the_stages_of_a_chain_are_its_source_and_the_target_of_each_link():
    links = chain(LINKS_TO_BOARD, Formula(4, ((1, 2, 3, 4),)))
    stages = [{"name": name, **sizes} for name, sizes in links.stages()]
    assert [stage["name"] for stage in stages] == ["formula", *LINKS_TO_BOARD]
    assert stages[0] == {"name": "formula", "variables": 4, "clauses": 1, "literals": 4}
    assert stages[1] == {"name": "three-sat", "variables": 5, "clauses": 4, "literals": 10}
    assert stages[2]["variables"] == 5 + 2 * 5 + 2
    assert stages[3] == {"name": LINKS_TO_BOARD[-1], **links.sizes()._asdict()}
    assert links.is_parsimonious


def test_reductions_of_boards_can_follow_in_a_chain():
    matrix = random_matrix(random.Random(2))
    links = chain(["k-permanent", "permutation-game", "lies"], matrix, k=2, lies=1)
    assert links.ratio == 2
    assert links.sizes() == (
        len(links.board.rows[0].guess),
        links.board.game.colors,
        len(links.board.rows),
    )
    permutation = next(entry for entry in permutations(range(4)) if matrix.is_matching(entry))
    code = links.encode(permutation)
    assert links.board.is_consistent(code)
    assert links.decode(code) == permutation
    reduction = chain(["another-solution", "permutation-game"], Formula(1, ((1,),)), k=2)
    assert len(reduction.board.known) == 2
    assert count(reduction.board).count == 1
    code = next(iter(mmsat.codes(reduction.board)))
    assert reduction.decode(code) == (True,)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "ends with a reduction"),
        (["three-sat"], "ends with a reduction"),
        (["nothing", "sat"], "No such link or reduction 'nothing'"),
        (
            ["three-sat", "permanent"],
            "after three-sat one-in-three, .*'permanent' .*makes a formula",
        ),
        (["sat", "sat"], "after sat black-white-lift, .*, found 'sat' .*makes a board"),
        (["sat", "three-sat"], "after sat black-white-lift, .*'three-sat' .*makes a board"),
        (["another-solution"], "needs the parameter k"),
    ],
)
def test_links_that_do_not_form_a_chain_are_refused(names, message):
    with pytest.raises(InputError, match=message):
        chain(names, Formula(1, ((1,),)))


def test_unknown_parameters_are_refused():
    with pytest.raises(InputError, match="no parameter k"):
        chain(["sat"], Formula(1, ((1,),)), k=3)
