"""Propagation: immediate conclusions, the rows they follow from, and the speed."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given

from mmsat.constraints.presolve.domains import ContradictionError, Domains, Infeasibility, bits
from mmsat.constraints.presolve.presolve import propagate
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.presolve.propagation import ConstraintPropagator
from mmsat.constraints.system import System
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.space import CardinalityConstraint, VariableMap
from tests.support import twins
from tests.support.presolve_laws import codes_of_rows
from tests.support.random_boards import known_boards
from tests.support.systems import systems


def known_of(system):
    problem = Problem.of(system)
    domains = problem.domains.copy()
    ConstraintPropagator(problem.reasoned_constraints(), domains).run()
    return domains


def test_what_is_known_follows_from_the_rows_that_it_names():
    """Each color that is ruled out, each peg that is settled, each bound of a count."""
    found_count = 0
    for board, codes in known_boards(150, seed=71, pegs=4, colors=3):
        if not codes:
            continue
        system = System.of(board)
        domains = known_of(system)
        variables = system.variables
        for literal in domains.literals():
            by_rows = codes_of_rows(system, bits(domains.rows(literal)))
            assert all(twins.holds(variables, literal, code) for code in by_rows)
            found_count += 1
        for color in range(variables.colors):
            for code in codes_of_rows(system, bits(domains.reason_low[color])):
                assert code.count(color) >= domains.low[color]
            for code in codes_of_rows(system, bits(domains.reason_high[color])):
                assert code.count(color) <= domains.high[color]
    assert found_count > 100


@given(systems())
def test_a_contradiction_names_rows_that_make_it(system):
    outcome = propagate(Problem.of(system))
    if isinstance(outcome, Infeasibility):
        assert not codes_of_rows(system, outcome.rows)
    else:
        codes = [code for code, _ in twins.solutions(system)]
        assert all(outcome.problem.domains.allows(code) for code in codes)


def test_one_claim_alone_is_propagated_as_far_as_its_pegs_and_counts_say():
    """Over one positive constraint of places, propagation settles all that is settled."""
    rng = random.Random(3)
    for _ in range(300):
        variables = VariableMap(rng.randint(1, 3), rng.randint(1, 3))
        every = range(1, variables.pegs * variables.colors + 1)
        stated = tuple(rng.sample(every, rng.randint(0, len(every))))
        low = rng.randint(0, variables.pegs)
        system = System(
            variables,
            (),
            (),
        ).with_rows([(CardinalityConstraint(stated, low, rng.randint(low, variables.pegs)),)])
        codes = [code for code, _ in twins.solutions(system)]
        try:
            domains = known_of(system)
        except ContradictionError:
            assert not codes
            continue
        assert codes
        for peg, color in product(range(variables.pegs), range(variables.colors)):
            allowed = any(code[peg] == color for code in codes)
            assert (domains.value(variables.at(peg, color)) is not False) == allowed


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("3x3b/123=3", [(0, 0), (1, 1), (2, 2)]),
        ("3x3b/111=3", [(0, 0), (1, 0), (2, 0)]),
        ("2x3/12=0.2", [(0, 1), (1, 0)]),
        ("3x2/111=2.0/112=3.0", [(0, 0), (1, 0), (2, 1)]),
        ("2x2x2/1A2B=0.0.2", []),
        ("2x2x2/1A2B=2.0.0", [(0, 0), (1, 3)]),
    ],
)
def test_pegs_that_are_settled(line, places):
    domains = known_of(System.of(Board.parse(line)))
    settled = [
        (p, domains.color(p)) for p in range(domains.variables.pegs) if domains.color(p) is not None
    ]
    assert settled == places


def test_counts_elsewhere_leave_the_rest_to_the_last_color():
    """Of 6 pegs 2 and 3 are of the first two colors, so the third has one."""
    domains = known_of(System.of(Board.parse("6x3b/111111=2/222222=3")))
    assert domains.low == domains.high == [2, 3, 1]
    assert list(bits(domains.reason_low[2])) == [0, 1]


def test_it_starts_from_given_domains():
    """Nothing more is found in a second run, and reasons stay."""
    for board, codes in known_boards(100, seed=72):
        if codes:
            system = System.of(board)
            first = known_of(system)
            second = first.copy()
            ConstraintPropagator(Problem.of(system).reasoned_constraints(), second).run()
            assert (first.domain, first.low, first.high) == (second.domain, second.low, second.high)
            assert first.reason.keys() == second.reason.keys()


def test_facts_by_the_hundred_thousand_take_work_in_proportion():
    """Each constraint is looked at once, and once more for a literal that changed."""
    rng = random.Random(4)
    game = Game.parse("1000x20o")
    secret = tuple(rng.randrange(20) for _ in range(1000))
    guesses = [tuple(rng.randrange(20) for _ in range(1000)) for _ in range(8)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    problem = Problem.of(System.of(board))
    propagation = ConstraintPropagator(problem.reasoned_constraints(), problem.domains.copy())
    looks = 0
    look_at_claim = propagation._propagate_constraint

    def count(index):
        nonlocal looks
        looks += 1
        look_at_claim(index)

    propagation._propagate_constraint = count
    propagation.run()
    constraints, literals = len(propagation.members), len(propagation.value)
    assert looks <= constraints + sum(map(len, propagation.users)) <= constraints + 2 * literals
    assert propagation.domains.allows(secret)


def test_a_contradiction_has_a_sentence():
    problem = Problem.of(System.of(Board.parse("4x6b/1111=3/2222=2")))
    refutation = propagate(problem)
    assert refutation.rows == (0, 1)
    assert str(refutation).startswith("Rows 1 and 2 ")
    assert str(refutation).endswith(".")


def test_the_refutation_of_an_impossible_row_names_it_alone():
    refutation = propagate(Problem.of(System.of(Board.parse("3x3b/111=1/222=5"))))
    assert str(refutation).startswith("Row 2 gives color 2 at least 5 ")
    system = System(VariableMap(1, 2), (CardinalityConstraint((1, 2), 2, 2),), ())
    refutation = propagate(Problem.of(system))
    assert refutation.rows == ()
    assert str(refutation).startswith("The rules of the game leave ")


def test_nothing_known_allows_everything():
    domains = Domains.full(VariableMap(2, 3))
    assert all(domains.allows(code) for code in product(range(3), repeat=2))
    assert list(domains.literals()) == []
    assert domains.tally() == (0, 0, 0)
