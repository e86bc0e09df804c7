"""Properties of all presolve orders: the same verdict and the same number of codes."""

from __future__ import annotations

from mmsat.constraints.domains import Infeasibility
from mmsat.constraints.presolve_steps import ORDER, STEPS, presolve
from tests.support import twins

STEP_ORDERS = (
    *((name,) for name in STEPS),
    *(("bounds", name) for name in STEPS if name != "bounds"),
    *(("bounds", "histograms", name, "bounds") for name in STEPS),
    ("pegs", "colors", "bounds", "histograms", "bounds", "rational", "bounds", "differences"),
    ("rational", "differences", "parity", "hermite"),
    ORDER,
)
"""Orders with each step alone, with each step among others, and with all steps."""


def codes_of_rows(system, rows):
    """Return the codes that satisfy the hard constraints and some rows."""
    reduced = system.with_rows(system.row_constraints[row] for row in rows)
    return [code for code, _ in twins.solutions(reduced)]


def check(system, codes, step_order):
    """Presolve a system, compare the outcome with its codes, and return the outcome."""
    outcome = presolve(system, step_order)
    if isinstance(outcome, Infeasibility):
        assert codes == []
        assert list(outcome.rows) == sorted(set(outcome.rows))
        assert not codes_of_rows(system, outcome.rows), (step_order, str(outcome))
        assert outcome.step in step_order
        assert str(outcome) == "\n".join(outcome.lines) != ""
        if outcome.certificate is not None:
            check_certificate(system, outcome)
        return outcome
    kept = [code for code, _ in twins.solutions(outcome.system)]
    assert set(kept) <= set(codes), (step_order, outcome.applied_steps)
    assert sum(map(outcome.orbit_size, kept)) == len(codes), (step_order, outcome.applied_steps)
    if not {"colors", "pegs"} & {applied.step for applied in outcome.applied_steps}:
        assert kept == codes
    assert len(outcome.system.row_constraints) == len(system.row_constraints)
    assert {applied.step for applied in outcome.applied_steps} <= set(step_order)
    assert all(applied.text for applied in outcome.applied_steps)
    return outcome


def check_certificate(system, refutation):
    """Check that the rows of each equation imply it, and that no code satisfies the sum."""
    certificate, equations = refutation.certificate, refutation.equations
    assert certificate.proves(equations)
    assert certificate.rows(equations) == refutation.rows
    coefficients, total = {}, 0
    for index, number in certificate.multipliers.items():
        equation = equations.proof_equations[index]
        total += number * equation.total
        for literal, coefficient in equation.coefficients.items():
            coefficients[literal] = coefficients.get(literal, 0) + number * coefficient
        for code in codes_of_rows(system, equations.rows_of(index)):
            value = sum(
                coefficient * twins.holds(system.variables, literal, code)
                for literal, coefficient in equation.coefficients.items()
            )
            assert value == equation.total, equation.text
    values = coefficients.values()
    if certificate.modulus:
        assert all(value % certificate.modulus == 0 for value in values)
        assert total % certificate.modulus
    else:
        minimum = sum(min(value, 0) for value in values)
        assert not minimum <= total <= minimum + sum(map(abs, values))
