"""differences: constraints made shorter by adding or subtracting others.

Proof. Each new equation is a combination of true ones, and the old one is a combination of the new
one and of the other, which stays (sparsify.py): the same codes satisfy both. A half of an odd
total, or a total out of reach, is a contradiction, with the combination as its certificate. The
equations remember what they are made of, so that later proofs still add up what the board says.
"""

from dataclasses import replace

from mmsat.constraints.presolve.domains import ReasonedConstraint
from mmsat.constraints.presolve.infeasibility import Infeasibility
from mmsat.constraints.presolve.literal_equations import DerivedEquation
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.presolve.sparsify import FlawError, sparsify
from mmsat.constraints.presolve.steps.presolve_step import Change, PresolveStep
from mmsat.game.literals import CardinalityConstraint


class Differences(PresolveStep):
    """Equations made shorter by pairs."""

    name = "differences"
    summary = "rows subtracted from one another, where that leaves shorter ones"

    def apply(self, problem: Problem) -> Change | Infeasibility:
        """The problem with shorter constraints."""
        equations = problem.equations
        try:
            short = sparsify(equations)
        except FlawError as found:
            return equations.refutation(self.name, found.certificate)
        changed = [list(constraints) for constraints in problem.rows]
        done = before = after = 0
        for old, new in zip(equations.short, short, strict=True):
            if new is not old and new.place is not None:
                done += 1
                before += len(old.left)
                after += len(new.left)
                row, number = new.place
                changed[row][number] = ReasonedConstraint(constraint(new), equations.rows(new.made))
        if not done:
            return Change(problem)
        text = f"made {done} constraints shorter, from {before} literals to {after}"
        rows = tuple(map(tuple, changed))
        return Change(replace(problem, rows=rows, read=equations.with_short(short)), text)


def constraint(short: DerivedEquation) -> CardinalityConstraint:
    """What an equation says whose coefficients are 1 and -1."""
    stated = tuple(literal if number > 0 else -literal for literal, number in short.left.items())
    true = short.total + sum(number < 0 for number in short.left.values())
    return CardinalityConstraint(stated, true, true)
