"""Steps keep the number of certificates, and chains go the full circle."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from pysat.solvers import Solver

import mmsat
from mmsat.constraints.system import System
from mmsat.counting.count import count
from mmsat.encoding.cnf import cnf
from mmsat.errors import InputError
from mmsat.reductions.formula_links import LINKS
from mmsat.reductions.reduce import chain
from mmsat.reductions.sources import Formula
from tests.support import tiers
from tests.support.tiny_sources import random_formula, random_matrix, tiny_formulas

CIRCLE = ["three-sat", "one-in-three", "one-in-three-3sat"]


def models(formula):
    every = product((False, True), repeat=formula.variables)
    return [values for values in every if formula.is_model(values)]


def long_formula(rng):
    n = rng.randint(2, 4)
    literals = [sign * x for x in range(1, n + 1) for sign in (1, -1)]
    clauses = [rng.choices(literals, k=rng.randint(1, 6)) for _ in range(rng.randint(1, 3))]
    return Formula(n, tuple(map(tuple, clauses)))


def holds(step):
    """Every model encodes to a certificate, and there are as many certificates as models."""
    target = step.target
    ours = models(step.source)
    assert all(step.is_certificate(model) for model in ours)
    encoded = {step.encode(model): model for model in ours}
    for certificate, model in encoded.items():
        assert step.is_target_certificate(certificate)
        assert step.decode(certificate) == model
    if target.variables <= 12:
        every = product((False, True), repeat=target.variables)
        results = {values for values in every if step.is_target_certificate(values)}
        assert results == set(encoded)
    return len(ours)


@pytest.mark.parametrize("name", LINKS)
def test_steps_on_tiny_formulas(name):
    results = [holds(LINKS[name](formula)) for formula in list(tiny_formulas())[::3]]
    assert 0 in results
    assert max(results) > 1


def test_long_clauses_are_cut():
    rng = random.Random(2)
    for _ in range(60):
        step = LINKS["three-sat"](long_formula(rng))
        holds(step)
        assert all(len(clause) <= 3 for clause in step.target.clauses)


def test_one_in_three_of_all_signs_of_a_clause():
    for signs in product((1, -1), repeat=3):
        step = LINKS["one-in-three"](
            Formula(3, (tuple(s * x for s, x in zip(signs, (1, 2, 3), strict=True)),))
        )
        assert holds(step) == 7
        assert all(len({*map(abs, clause)}) == 3 for clause in step.target.clauses)
    with pytest.raises(InputError, match="use the link three-sat before"):
        LINKS["one-in-three"](Formula(4, ((1, 2, 3, 4),)))


def test_the_full_circle():
    """DIMACS, 3SAT, one-in-three, board, CNF, solver, code, model."""
    rng = random.Random(4)
    results = []
    for _ in range(8):
        formula = random_formula(rng)
        links = chain(CIRCLE, str(formula))
        program = cnf(System.of(links.board))
        with Solver("cadical153", bootstrap_with=program.clauses) as solver:
            results.append(solver.solve())
            assert results[-1] == bool(models(formula))
            if results[-1]:
                true = solver.get_model()
                code = tuple(int(true[2 * peg + 1] > 0) for peg in range(links.sizes().pegs))
                assert links.board.is_consistent(code)
                assert formula.is_model(links.decode(code))
                assert links.encode(links.decode(code)) == code
    assert len(set(results)) == 2


@pytest.mark.parametrize("last", ["consistent-mastermind", "one-in-three-3sat"])
def test_chains_take_every_formula(last):
    """Formulas without variables are included; the reductions need three different ones."""
    formulas = list(tiny_formulas())
    empty = [formula for formula in formulas if len(formula.clauses) == 0]
    for formula in [*empty, *random.Random(6).sample(formulas, tiers.share(200, least=12))]:
        links = chain(["three-sat", "one-in-three", last], formula)
        board = links.board
        assert links.sizes() == (board.game.pegs, board.game.colors, len(board.rows))
        assert count(board).count == len(models(formula)), str(formula)


def test_a_chain_has_a_stage_a_link():
    links = chain(CIRCLE, Formula(4, ((1, 2, 3, 4),)))
    stages = [{"name": name, **sizes} for name, sizes in links.stages()]
    assert [stage["name"] for stage in stages] == ["formula", *CIRCLE]
    assert stages[0] == {"name": "formula", "variables": 4, "clauses": 1, "literals": 4}
    assert stages[1] == {"name": "three-sat", "variables": 5, "clauses": 4, "literals": 10}
    assert stages[2]["variables"] == 5 + 2 * 5 + 2
    assert stages[3] == {"name": CIRCLE[-1], **links.sizes()._asdict()}
    assert links.is_parsimonious


def test_boards_go_on_to_boards():
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
    lifted = next(iter(mmsat.codes(reduction.board)))
    assert reduction.decode(lifted) == (True,)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ([], "ends with a reduction"),
        (["three-sat"], "ends with a reduction"),
        (["nothing", "sat"], "No such link or reduction 'nothing'"),
        (["three-sat", "permanent"], "expected permanent, found 'three-sat' .*makes a formula"),
        (["sat", "sat"], "expected one-in-three or three-sat before sat, .*makes a board"),
        (["another-solution"], "needs the parameter k"),
    ],
)
def test_chains_that_do_not_fit(names, says):
    with pytest.raises(InputError, match=says):
        chain(names, Formula(1, ((1,),)))


def test_parameters_nobody_reads():
    with pytest.raises(InputError, match="no parameter k"):
        chain(["sat"], Formula(1, ((1,),)), k=3)
