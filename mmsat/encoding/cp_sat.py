"""Translate a constraint system to a CP-SAT model, and load CP-SAT.

The model has 0/1 variables for pegs and integers for color counts. It is not made from
encoding/linear.py: on dense boards (30x30, 58 rows), CP-SAT took three times as long on that form,
which writes the counts as chains of 0/1 variables.

The Python layer of CP-SAT imports pandas, for conveniences that mmsat does not use. That is two
thirds of its loading time. A process that exists only to solve one board (solving/worker.py) avoids
this: while CP-SAT loads, pandas is replaced by a stub module with the names that the annotations of
CP-SAT need. Other processes are not affected.
"""

import sys
from types import ModuleType
from typing import Any

from mmsat.constraints import System
from mmsat.game.space import CardinalityConstraint, Literal

WORKER = "mmsat-worker"
"""The name of the processes that load CP-SAT without pandas."""


def cp_model() -> Any:
    """Import and return the module ortools.sat.python.cp_model."""
    import multiprocessing

    is_worker = multiprocessing.current_process().name == WORKER
    uses_stub = is_worker and "pandas" not in sys.modules
    if uses_stub:
        pandas: Any = ModuleType("pandas")
        pandas.Index = type("Index", (), {})
        pandas.Series = type("Series", (), {})
        sys.modules["pandas"] = pandas
    try:
        from ortools.sat.python import cp_model as module
    finally:
        if uses_stub:
            del sys.modules["pandas"]
    return module


def cp_solver(seed: int | None = None) -> Any:
    """Return a CpSolver with one worker, which makes its results deterministic.

    A seed of None means 0. The caller handles Ctrl-C, because a solver that handles it would end
    the process at the second Ctrl-C.
    """
    solver = cp_model().CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0 if seed is None else seed
    solver.parameters.catch_sigint_signal = False
    return solver


class CpBoard:
    """A CP-SAT model of a system and its variables.

    With selectors, row i of a system without a budget is enforced only while `selectors[i]` is
    true.
    """

    def __init__(self, system: System, *, with_selectors: bool = False) -> None:
        variables = system.variables
        self.variables = variables
        self.model = cp_model().CpModel()
        new = self.model.new_bool_var
        self.code_variables = [
            [new(variables.name(variables.at(peg, color))) for color in range(variables.colors)]
            for peg in range(variables.pegs)
        ]
        for peg in self.code_variables:
            self.model.add_exactly_one(peg)
        self.counts: dict[int, Any] = {}
        self.conjunctions: dict[tuple[int, ...], Any] = {}
        for color, depth in sorted(system.highest_counts().items()):
            self._count(color, depth)
        for constraint in system.hard:
            self._add(constraint, [])
        self.selectors = []
        for number, row in enumerate(system.enforced, 1):
            guard = [self.model.new_bool_var(f"row{number}")] if with_selectors else []
            self.selectors += guard
            for constraint in row.constraints:
                self._add(constraint, guard)
        if system.budget:
            self._bound_violations(system)

    def _bound_violations(self, system: System) -> None:
        """Limit the total cost of the violations, one variable per row, to the budget."""
        costs = []
        for row in system.relaxed:
            if row.gauges:
                max_violation = min(system.budget // row.weight, row.max_violation)
                violation = self.model.new_int_var(0, max_violation, "")
                for gauge in row.gauges:
                    total = sum(self.literal(literal) for literal in gauge.literals)
                    self.model.add(total + violation >= gauge.low)
                    self.model.add(total - violation <= gauge.high)
            else:
                violation = self.model.new_bool_var("")
                for constraint in row.constraints:
                    self._add(constraint, [~violation])
            costs.append(row.weight * violation)
        self.model.add(sum(costs) <= system.budget)

    def _count(self, color: int, depth: int) -> None:
        """Define the number of pegs of a color, and "at least t pegs" for each t up to `depth`."""
        variables, model = self.variables, self.model
        pegs = [peg[color] for peg in self.code_variables]
        if depth == 1:
            self.counts[variables.least(color, 1)] = at_least = model.new_bool_var("")
            model.add_max_equality(at_least, pegs)
            return
        total = model.new_int_var(0, variables.pegs, f"color{color + 1}")
        model.add(total == sum(pegs))
        for count in range(1, depth + 1):
            at_least = model.new_bool_var(variables.name(variables.least(color, count)))
            self.counts[variables.least(color, count)] = at_least
            model.add(total >= count).only_enforce_if(at_least)
            model.add(total <= count - 1).only_enforce_if(~at_least)

    def literal(self, literal: Literal) -> Any:
        """Return the CP-SAT literal for a literal or a conjunction of the system."""
        if isinstance(literal, tuple):
            return self._conjunction(literal)
        if self.variables.is_at(literal):
            peg, color = self.variables.peg_color(literal)
            variable = self.code_variables[peg][color]
        else:
            variable = self.counts[abs(literal)]
        return variable if literal > 0 else ~variable

    def _conjunction(self, members: tuple[int, ...]) -> Any:
        """Return a literal that is true exactly when all members are.

        For one member, this is the CP-SAT literal of this member.
        """
        if members not in self.conjunctions:
            literals = [self.literal(member) for member in members]
            if len(literals) == 1:
                return literals[0]
            self.conjunctions[members] = conjunction = self.model.new_bool_var("")
            self.model.add_bool_and(literals).only_enforce_if(conjunction)
            self.model.add_bool_or([conjunction, *(~literal for literal in literals)])
        return self.conjunctions[members]

    def _add(self, constraint: CardinalityConstraint, guard: list[Any]) -> None:
        """Add a constraint that is enforced only while the literals of `guard` are true."""
        literals = [self.literal(literal) for literal in constraint.literals]
        linear_constraint = self.model.add_linear_constraint(
            sum(literals), constraint.low, constraint.high
        )
        if guard:
            linear_constraint.only_enforce_if(guard)
