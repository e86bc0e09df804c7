"""The equations of any board: refutations, implied equations, and shorter ones."""

from __future__ import annotations

import random
from itertools import product

import pytest

from mmsat.constraints import System
from mmsat.constraints.domains import Infeasibility
from mmsat.constraints.parities import Certificate
from mmsat.constraints.presolve_state import Problem
from mmsat.constraints.presolve_steps import STEPS, Presolved, are_independent, presolve
from mmsat.errors import InternalError
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint, VariableMap
from mmsat.limits import LIMITS
from mmsat.reductions.families import generate
from tests.support import twins
from tests.support.random_boards import inconsistent_boards, known_boards


def problem_of(*constraints, pegs=3, colors=3):
    """Return a problem in which each constraint is a row."""
    return Problem.of(
        System(VariableMap(pegs, colors), (), ()).with_rows(
            [(constraint,) for constraint in constraints]
        )
    )


def test_every_consistent_code_satisfies_every_equation():
    num_checks = 0
    for board, _ in known_boards(100, seed=81, pegs=4, colors=3):
        system = System.of(board)
        outcome = presolve(system, ("bounds", "histograms", "bounds"))
        if isinstance(outcome, Infeasibility):
            continue
        equations = outcome.problem.equations
        for code in twins.consistent(board):
            for equation in equations.proof_equations:
                value = sum(
                    number * twins.holds(system.variables, literal, code)
                    for literal, number in equation.coefficients.items()
                )
                assert value == equation.total
                num_checks += 1
        for reduced in equations.reduced:
            coefficients, total = {}, 0
            for index, number in reduced.multipliers.items():
                total += number * equations.proof_equations[index].total
                for literal, times in equations.proof_equations[index].coefficients.items():
                    coefficients[literal] = coefficients.get(literal, 0) + number * times
            assert {
                literal: number for literal, number in coefficients.items() if number
            } == reduced.coefficients
            assert total == reduced.total
    assert num_checks > 500


def test_three_rows_with_an_even_left_side_and_an_odd_total_are_refuted():
    """One of each two of three pegs would have the first color."""
    variables = VariableMap(3, 2)
    ones = [variables.at(peg, 0) for peg in range(3)]
    constraints = [
        CardinalityConstraint((ones[a], ones[b]), 1, 1) for a, b in ((0, 1), (1, 2), (0, 2))
    ]
    refutation = STEPS["parity"](problem_of(*constraints, colors=2))
    assert refutation.rows == (0, 1, 2)
    assert str(refutation) == (
        "Row 1 plus row 2 plus row 3, taken together: the sum is even for every code, but 3 is "
        "stated."
    )
    assert refutation.certificate == Certificate({0: 1, 1: 1, 2: 1}, 2)


def test_sentences_state_the_summed_equations():
    """The numbers in the text are those of the certificate, which no code satisfies."""
    num_seen = {"is even": 0, " to ": 0, "cancel out": 0}
    boards = inconsistent_boards(800, seed=21, pegs=6, colors=3, rows=6)
    for board, step in product(boards, ("differences", "parity", "hermite", "rational")):
        outcome = presolve(board, [step])
        if not isinstance(outcome, Infeasibility) or outcome.certificate is None:
            continue
        first_line, equations = outcome.lines[0], outcome.equations
        coefficients, total = {}, 0
        for index, times in outcome.certificate.multipliers.items():
            total += times * equations.proof_equations[index].total
            for literal, number in equations.proof_equations[index].coefficients.items():
                coefficients[literal] = coefficients.get(literal, 0) + times * number
        numbers = [number for number in coefficients.values() if number]
        modulus = outcome.certificate.modulus
        if "cancel out" in first_line:
            assert not numbers
            assert first_line.endswith(
                f"all terms cancel out, but the stated numbers sum to {total}."
            )
            assert total
        else:
            assert first_line.endswith(f"for every code, but {total} is stated.")
            minimum = sum(min(number, 0) for number in numbers)
            maximum = sum(max(number, 0) for number in numbers)
            if modulus:
                assert all(number % modulus == 0 for number in numbers)
                assert total % modulus
                word = "even" if modulus == 2 else f"a multiple of {modulus}"
                assert f"the sum is {word} for every code" in first_line
            else:
                assert f"the sum is {minimum} to {maximum} for every code" in first_line
                assert not minimum <= total <= maximum
        for phrase in num_seen:
            num_seen[phrase] += phrase in first_line
    assert min(num_seen.values()) > 5, num_seen


def test_the_hermite_form_finds_a_contradiction_modulo_three():
    """The four triples of four pegs contain each peg three times, but their totals add up to 5."""
    variables = VariableMap(4, 2)
    ones = [variables.at(peg, 0) for peg in range(4)]
    triples = [[peg for peg in range(4) if peg != omitted] for omitted in range(4)]
    totals = (1, 1, 1, 2)
    constraints = [
        CardinalityConstraint(tuple(ones[peg] for peg in triple), total, total)
        for triple, total in zip(triples, totals, strict=True)
    ]
    problem = problem_of(*constraints, pegs=4, colors=2)
    assert STEPS["parity"](problem).problem is problem
    refutation = STEPS["hermite"](problem)
    assert refutation.certificate.modulus == 3
    assert refutation.certificate.proves(refutation.equations)
    assert refutation.rows == (0, 1, 2, 3)


def test_implied_constraints_are_dropped_and_the_others_stay():
    variables = VariableMap(4, 3)
    first, second = [tuple(variables.at(peg, color) for peg in range(4)) for color in (0, 1)]
    constraints = [
        CardinalityConstraint(first, 1, 1),
        CardinalityConstraint(second, 2, 2),
        CardinalityConstraint((*first, *second), 3, 3),
    ]
    change = STEPS["rational"](problem_of(*constraints, pegs=4))
    assert sorted(map(len, change.problem.rows)) == [0, 1, 1]
    assert "dropped 1 implied constraint," in change.text


def test_a_combination_of_rows_decides_a_literal():
    variables = VariableMap(3, 3)
    one, two, three = (variables.at(peg, 0) for peg in range(3))
    constraints = [
        CardinalityConstraint((one, two), 1, 1),
        CardinalityConstraint((one, two, three), 2, 2),
    ]
    outcome = presolve(problem_of(*constraints).system, ("rational", "differences", "bounds"))
    assert outcome.problem.domains.color(2) == 0
    assert outcome.problem.domains.reason_of(three) == 0b11


def test_two_rows_of_two_colors_are_shortened_to_the_pegs_at_which_they_differ():
    board = Board.parse("8x2/11112222=4.4/11122221=4.4")
    outcome = presolve(board, ("bounds", "differences"))
    lengths = sorted(
        len(constraint.literals) for row in outcome.system.row_constraints for constraint in row
    )
    assert lengths == [2, 4]
    codes = twins.consistent(board)
    assert [code for code, _ in twins.solutions(outcome.system)] == codes


def test_the_equations_of_a_reduction_become_as_short_as_those_of_its_source():
    generated = generate("one-in-three-3sat", 20, seed=1)
    outcome = presolve(generated.board, ("bounds", "rational", "differences"))
    assert isinstance(outcome, Presolved)
    lengths = [
        len(constraint.literals) for row in outcome.system.row_constraints for constraint in row
    ]
    assert max(lengths) <= 3
    assert not outcome.system.highest_counts()


def test_a_hard_board_is_refuted_with_a_certificate():
    """Few of the 91 rows of an exact cover board are contradictory."""
    generated = generate("exact-cover", 30, seed=2, answer="inconsistent")
    refutation = presolve(generated.board)
    assert isinstance(refutation, Infeasibility)
    assert refutation.certificate.proves(refutation.equations)
    assert len(refutation.rows) < len(generated.board.rows)


def test_refutations_name_the_rows_of_earlier_conclusions():
    """The bounds imply the count of a color, and the refutation names the rows of this count."""
    generated = generate("three-dimensional-matching", seed=1, answer="any")
    outcome = presolve(generated.board)
    assert isinstance(outcome, Infeasibility)
    assert "color 1 (47 pegs)" in outcome.lines[0]
    assert outcome.lines[0].endswith(".")
    assert any(line.startswith("Color 1 (47 pegs) follows from row") for line in outcome.lines[1:])


def test_an_invalid_certificate_raises_an_internal_error():
    equations = problem_of(CardinalityConstraint((1, 4), 1, 1)).equations
    with pytest.raises(InternalError, match="is invalid"):
        equations.refutation("parity", Certificate({0: 1}, 2))


def test_steps_beyond_their_limits_of_work_change_nothing(monkeypatch):
    board = generate("random-two-color", 40, seed=1).board
    problem = Problem.of(System.of(board))
    monkeypatch.setattr(LIMITS, "parity_work", 0)
    monkeypatch.setattr(LIMITS, "hermite_work", 0)
    monkeypatch.setattr(LIMITS, "sparsify_work", 0)
    for name in ("parity", "hermite", "differences"):
        change = STEPS[name](problem)
        assert change.problem is problem
        assert not change.text


def test_the_dense_test_distinguishes_dependent_and_independent_equations():
    """Thirty equations over 120 literals are enough for this test to run."""
    rng = random.Random(8)
    outcomes = set()
    for _ in range(30):
        rows = [[rng.randint(-1, 1) for _ in range(120)] for _ in range(30)]
        if is_dependent := rng.random() < 0.5:
            rows[rng.randrange(1, 30)] = [
                first - last for first, last in zip(rows[0], rows[-1], strict=True)
            ]
        equations = [({key: number for key, number in enumerate(row) if number}, 0) for row in rows]
        assert are_independent(equations) is not is_dependent
        outcomes.add(is_dependent)
    assert outcomes == {True, False}
