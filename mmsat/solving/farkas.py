"""Linear programming relaxation: conflicts of rows that exist even for fractional values.

Linear programming (GLOP) quickly finds rows that conflict without search, and a multiplier for each
of their constraints such that they add up to a contradiction. It computes in floating point, so the
caller must verify the results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from mmsat.encoding.linear import Line

TOLERANCE = 1e-6
"""Values up to this size count as 0."""
LARGEST = 500_000
"""The number of terms from which linear programming would take too long."""


class Relaxation:
    """Constraints that always hold, and rows of constraints that can be selected.

    The total violation of the selected rows is minimized. If the minimum is positive, the rows
    conflict.
    """

    def __init__(
        self, variables: int, hard: Iterable[Line], rows: Sequence[Sequence[Line]]
    ) -> None:
        """Build the linear program."""
        from ortools.linear_solver import pywraplp

        self.program: Any = pywraplp.Solver.CreateSolver("GLOP")
        self.done = pywraplp.Solver.OPTIMAL
        self.infinity = self.program.infinity()
        self.variables = [self.program.NumVar(0, 1, "") for _ in range(variables)]
        for line in hard:
            self._add(line)
        self.rows = [[self._add(line) for line in row] for row in rows]
        self.gaps = [
            [gap for constraint in row for gap in self._add_gaps(constraint)] for row in self.rows
        ]
        self.program.Objective().SetMinimization()

    def _add(self, line: Line) -> Any:
        """Add a constraint."""
        low = -self.infinity if line.low is None else line.low
        high = self.infinity if line.high is None else line.high
        constraint = self.program.Constraint(low, high)
        for coefficient, variable in line.terms:
            constraint.SetCoefficient(self.variables[variable - 1], coefficient)
        return constraint

    def _add_gaps(self, constraint: Any) -> list[Any]:
        """Add one variable for each direction in which a constraint can be violated."""
        gaps = []
        for side in (1, -1):
            gaps.append(self.program.NumVar(0, self.infinity, ""))
            constraint.SetCoefficient(gaps[-1], side)
        return gaps

    def farkas_multipliers(self, rows: Collection[int]) -> dict[int, list[float]] | None:
        """Return the Farkas multipliers of the constraints of some of the given rows.

        These are the dual values of the linear program. With these multipliers, the constraints add
        up to a contradiction. Returns None if there is no contradiction or the minimum is too close
        to 0.
        """
        objective = self.program.Objective()
        for row, gaps in enumerate(self.gaps):
            for gap in gaps:
                objective.SetCoefficient(gap, 1 if row in rows else 0)
        if self.program.Solve() != self.done or objective.Value() < TOLERANCE:
            return None
        multipliers = {
            row: [constraint.dual_value() for constraint in self.rows[row]] for row in rows
        }
        return {
            row: numbers
            for row, numbers in multipliers.items()
            if any(abs(number) > TOLERANCE for number in numbers)
        }


def is_too_large(hard: Iterable[Line], rows: Iterable[Iterable[Line]], most: int = LARGEST) -> bool:
    """Return whether the program would have more than `most` terms, and be slow."""
    lengths = (len(line.terms) for lines in (hard, *rows) for line in lines)
    return sum(lengths) > most
