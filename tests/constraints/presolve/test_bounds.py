"""Propagation: its conclusions, the rows that they follow from, and its speed."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given

from mmsat.constraints import System
from mmsat.constraints.domains import ContradictionError, Domains, Infeasibility, bits
from mmsat.constraints.presolve_state import Problem
from mmsat.constraints.presolve_steps import propagate
from mmsat.constraints.propagation import ConstraintPropagator
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.space import CardinalityConstraint, VariableMap
from tests.support import twins
from tests.support.presolve_laws import codes_of_rows
from tests.support.random_boards import known_boards
from tests.support.systems import systems


def propagated_domains(system):
    """Return the domains after propagation."""
    problem = Problem.of(system)
    domains = problem.domains.copy()
    ConstraintPropagator(problem.reasoned_constraints(), domains).run()
    return domains


def test_each_conclusion_follows_from_its_reason():
    """Conclusions are excluded colors, decided pegs and bounds of counts."""
    num_literals = 0
    for board, codes in known_boards(150, seed=71, pegs=4, colors=3):
        if not codes:
            continue
        system = System.of(board)
        domains = propagated_domains(system)
        variables = system.variables
        for literal in domains.literals():
            codes_of_reason = codes_of_rows(system, bits(domains.reason_of(literal)))
            assert all(twins.holds(variables, literal, code) for code in codes_of_reason)
            num_literals += 1
        for color in range(variables.colors):
            for code in codes_of_rows(system, bits(domains.reason_low[color])):
                assert code.count(color) >= domains.low[color]
            for code in codes_of_rows(system, bits(domains.reason_high[color])):
                assert code.count(color) <= domains.high[color]
    assert num_literals > 100


@given(systems())
def test_the_rows_of_a_contradiction_are_contradictory(system):
    outcome = propagate(Problem.of(system))
    if isinstance(outcome, Infeasibility):
        assert not codes_of_rows(system, outcome.rows)
    else:
        codes = [code for code, _ in twins.solutions(system)]
        assert all(outcome.problem.domains.allows(code) for code in codes)


def test_propagation_is_complete_for_a_single_constraint_of_at_literals():
    rng = random.Random(3)
    for _ in range(300):
        variables = VariableMap(rng.randint(1, 3), rng.randint(1, 3))
        at_literals = range(1, variables.pegs * variables.colors + 1)
        literals = tuple(rng.sample(at_literals, rng.randint(0, len(at_literals))))
        low = rng.randint(0, variables.pegs)
        system = System(
            variables,
            (),
            (),
        ).with_rows([(CardinalityConstraint(literals, low, rng.randint(low, variables.pegs)),)])
        codes = [code for code, _ in twins.solutions(system)]
        try:
            domains = propagated_domains(system)
        except ContradictionError:
            assert not codes
            continue
        assert codes
        for peg, color in product(range(variables.pegs), range(variables.colors)):
            is_possible = any(code[peg] == color for code in codes)
            assert (domains.value(variables.at(peg, color)) is not False) == is_possible


@pytest.mark.parametrize(
    ("line", "decided_pegs"),
    [
        ("3x3b/123=3", [(0, 0), (1, 1), (2, 2)]),
        ("3x3b/111=3", [(0, 0), (1, 0), (2, 0)]),
        ("2x3/12=0.2", [(0, 1), (1, 0)]),
        ("3x2/111=2.0/112=3.0", [(0, 0), (1, 0), (2, 1)]),
        ("2x2x2/1A2B=0.0.2", []),
        ("2x2x2/1A2B=2.0.0", [(0, 0), (1, 3)]),
    ],
)
def test_propagation_decides_pegs(line, decided_pegs):
    domains = propagated_domains(System.of(Board.parse(line)))
    colors = map(domains.color, range(domains.variables.pegs))
    assert [(peg, color) for peg, color in enumerate(colors) if color is not None] == decided_pegs


def test_the_counts_of_other_colors_determine_the_last_one():
    """Of 6 pegs, 2 and 3 have the first two colors, so 1 peg has the third."""
    domains = propagated_domains(System.of(Board.parse("6x3b/111111=2/222222=3")))
    assert domains.low == domains.high == [2, 3, 1]
    assert list(bits(domains.reason_low[2])) == [0, 1]


def test_a_second_run_changes_nothing():
    for board, codes in known_boards(100, seed=72):
        if codes:
            system = System.of(board)
            first = propagated_domains(system)
            second = first.copy()
            ConstraintPropagator(Problem.of(system).reasoned_constraints(), second).run()
            assert (first.possible_colors, first.low, first.high) == (
                second.possible_colors,
                second.low,
                second.high,
            )
            assert first.reason.keys() == second.reason.keys()


def test_the_work_of_propagation_is_linear():
    """Each constraint is propagated once, and once more for each of its decided literals."""
    rng = random.Random(4)
    game = Game.parse("1000x20o")
    secret = tuple(rng.randrange(20) for _ in range(1000))
    guesses = [tuple(rng.randrange(20) for _ in range(1000)) for _ in range(8)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    problem = Problem.of(System.of(board))
    propagation = ConstraintPropagator(problem.reasoned_constraints(), problem.domains.copy())
    num_calls = 0
    propagate_constraint = propagation._propagate_constraint

    def count(constraint):
        nonlocal num_calls
        num_calls += 1
        propagate_constraint(constraint)

    propagation._propagate_constraint = count
    propagation.run()
    num_constraints, num_literals = len(propagation.constraints), len(propagation.literals)
    max_calls = num_constraints + sum(
        len(literal.users) for literal in propagation.literals.values()
    )
    assert num_calls <= max_calls <= num_constraints + 2 * num_literals
    assert propagation.domains.allows(secret)


def test_a_refutation_is_a_sentence():
    problem = Problem.of(System.of(Board.parse("4x6b/1111=3/2222=2")))
    refutation = propagate(problem)
    assert refutation.rows == (0, 1)
    assert str(refutation).startswith("Rows 1 and 2 ")
    assert str(refutation).endswith(".")


def test_the_refutation_of_an_impossible_row_names_only_this_row():
    refutation = propagate(Problem.of(System.of(Board.parse("3x3b/111=1/222=5"))))
    assert str(refutation).startswith("Row 2 gives color 2 at least 5 ")
    system = System(VariableMap(1, 2), (CardinalityConstraint((1, 2), 2, 2),), ())
    refutation = propagate(Problem.of(system))
    assert refutation.rows == ()
    assert str(refutation).startswith("The rules of the game leave ")


def test_full_domains_allow_every_code():
    domains = Domains.full(VariableMap(2, 3))
    assert all(domains.allows(code) for code in product(range(3), repeat=2))
    assert list(domains.literals()) == []
    assert domains.tally() == (0, 0, 0)
