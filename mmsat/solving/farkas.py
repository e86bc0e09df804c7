"""Linear constraints over numbers from 0 to 1: what contradicts even where halves are allowed.

Linear programming (GLOP) finds in a moment which rows contradict each other without any search, and
a number for each of their constraints, times which they add up to the contradiction. It counts in
floating point, so all that it says is a hint, to be checked by whoever knows better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from mmsat.encoding.linear import Line

NOTHING = 1e-6
"""What is taken for 0."""
LARGEST = 500_000
"""Terms from which it would take too long."""


class Relaxation:
    """Constraints that hold, and rows of constraints that may be asked for.

    Among all ways to give in, the least is looked for: if that is not 0, the rows contradict.
    """

    def __init__(
        self, variables: int, hard: Iterable[Line], rows: Sequence[Sequence[Line]]
    ) -> None:
        """Write the program down."""
        from ortools.linear_solver import pywraplp  # noqa: PLC0415  (loaded when first needed)

        self.program: Any = pywraplp.Solver.CreateSolver("GLOP")
        self.done = pywraplp.Solver.OPTIMAL
        self.infinity = self.program.infinity()
        self.variables = [self.program.NumVar(0, 1, "") for _ in range(variables)]
        for line in hard:
            self._add(line)
        self.rows = [[self._add(line) for line in row] for row in rows]
        self.gaps = [[gap for each in row for gap in self._add_gaps(each)] for row in self.rows]
        self.program.Objective().SetMinimization()

    def _add(self, line: Line) -> Any:
        low = -self.infinity if line.low is None else line.low
        high = self.infinity if line.high is None else line.high
        constraint = self.program.Constraint(low, high)
        for coefficient, variable in line.terms:
            constraint.SetCoefficient(self.variables[variable - 1], coefficient)
        return constraint

    def _add_gaps(self, constraint: Any) -> list[Any]:
        """How far a constraint is missed, on either side."""
        gaps = []
        for side in (1, -1):
            gaps.append(self.program.NumVar(0, self.infinity, ""))
            constraint.SetCoefficient(gaps[-1], side)
        return gaps

    def farkas_multipliers(self, rows: Collection[int]) -> dict[int, list[float]] | None:
        """For some of the rows, the Farkas multipliers of their constraints.

        These are the duals of the linear program: times them, the constraints add up to a
        contradiction. None where there is none, or none that is clear.
        """
        price = self.program.Objective()
        for row, gaps in enumerate(self.gaps):
            for gap in gaps:
                price.SetCoefficient(gap, 1 if row in rows else 0)
        if self.program.Solve() != self.done or price.Value() < NOTHING:
            return None
        found = {row: [constraint.dual_value() for constraint in self.rows[row]] for row in rows}
        return {
            row: numbers
            for row, numbers in found.items()
            if any(abs(number) > NOTHING for number in numbers)
        }


def is_too_large(hard: Iterable[Line], rows: Iterable[Iterable[Line]], most: int = LARGEST) -> bool:
    """Whether the program would have more than so many terms, and be slow."""
    lengths = (len(line.terms) for lines in (hard, *rows) for line in lines)
    return sum(lengths) > most
