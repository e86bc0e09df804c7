"""A constraint system as an integer program: as linear constraints, and as a CP-SAT model.

**Linear constraints over 0/1 variables** (`LinearSystem`). The code variables come first, numbered
like the literals: 1 + peg * colors + color. After them comes y_t = "at least t pegs have the
color", for each color and each count up to the highest that a constraint uses. Let x_1 .. x_n be
the color's n code variables and d the highest count. Then

    y_1 >= y_2 >= ... >= y_d        x_1 + .. + x_n >= y_1 + .. + y_d
    x_1 + .. + x_n <= y_1 + .. + y_(d-1) + (n - d + 1) y_d

define y_t in both directions, so that each code has one assignment, and are as tight as linear
constraints on these variables can be. That makes d + 1 constraints for each color; for d = n the
two sums are one constraint. Last comes z = "these k literals hold together", for each conjunction
in some constraint. Let x_1 .. x_k be its members, with 1 - x for a negated one. Then

    z <= x_1    ...    z <= x_k        z >= x_1 + .. + x_k - (k - 1)

The writers of OPB and LP use these constraints, and Farkas multipliers refer to them.

**CP-SAT** (`CpBoard`). The model has 0/1 variables for pegs and integers for color counts. It is
not made from the linear constraints: on dense boards (30x30, 58 rows), CP-SAT took three times as
long on that form, which writes the counts as chains of 0/1 variables.

The Python layer of CP-SAT imports pandas, for conveniences that mmsat does not use. That is two
thirds of its loading time. A process that exists only to solve one board (solving/worker.py) avoids
this: while CP-SAT loads, pandas is replaced by a stub module with the names that the annotations of
CP-SAT need. Other processes are not affected.

`answer_text` reads the answer of a solver that was called in Python.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple

from mmsat._util.arguments import attempt, whole_number
from mmsat._util.text import quantity
from mmsat.constraints import System
from mmsat.errors import Description, Fault, InputError, found_argument
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap


class LinearConstraint(NamedTuple):
    """A sum of terms that is between low and high. At least one of the bounds is not None."""

    name: str
    """A name that is unique in its system: peg2, color3_low, together5_1, game_4, row1_2."""
    terms: tuple[tuple[int, int], ...]
    """Pairs of a coefficient, never 0, and a variable; each variable once."""
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class LinearSystem:
    """A board's linear constraints. Variables are numbered from 1."""

    variables: int
    """The number of variables."""
    code_variables: int
    """The number of code variables, which are numbered 1 + peg * colors + color."""
    names: Mapping[int, str]
    """The name of each variable: peg2color5, color5least3, together1."""
    hard: tuple[LinearConstraint, ...]
    """Constraints that do not depend on scores: one color per peg, definitions of auxiliary
    variables, and the rules of the game."""
    rows: tuple[tuple[LinearConstraint, ...], ...]
    """The constraints of each row's score, in the order of the board. A row may have none."""

    @classmethod
    def of(cls, system: System) -> LinearSystem:
        """Return linear constraints that exactly the codes of the system satisfy."""
        variables = system.variables
        code_variables = variables.pegs * variables.colors
        depths = sorted(system.highest_counts().items())
        counts = [variables.least(color, t) for color, depth in depths for t in range(1, depth + 1)]
        literals = [*range(1, code_variables + 1), *counts]
        numbers: dict[Literal, int] = {
            literal: number for number, literal in enumerate(literals, 1)
        }
        names = {number: variables.name(literal) for number, literal in enumerate(literals, 1)}
        hard = list(_peg_constraints(variables))
        for color, depth in depths:
            first_count = numbers[variables.least(color, 1)]
            hard += _count_constraints(
                variables, color, list(range(first_count, first_count + depth))
            )
        # A conjunction of one member needs no variable; see `_term`.
        conjunctions = [members for members in system.conjunctions if len(members) != 1]
        for number, members in enumerate(conjunctions, 1):
            numbers[members] = variable = len(numbers) + 1
            names[variable] = f"together{number}"
            hard += _conjunction_constraints(
                names[variable], variable, [_term(m, numbers) for m in members]
            )
        hard += _cardinality_constraints("game", system.hard, numbers)
        rows = tuple(
            tuple(_cardinality_constraints(f"row{number}", constraints, numbers))
            for number, constraints in enumerate(system.row_constraints, 1)
        )
        return cls(len(numbers), code_variables, names, tuple(hard), rows)

    @property
    def constraints(self) -> Iterator[LinearConstraint]:
        """All constraints: the hard ones, then row by row."""
        yield from self.hard
        for row in self.rows:
            yield from row


def _peg_constraints(variables: VariableMap) -> Iterator[LinearConstraint]:
    """Yield the constraints that each peg has exactly one color."""
    for peg in range(variables.pegs):
        terms = tuple((1, variables.at(peg, color)) for color in range(variables.colors))
        yield LinearConstraint(f"peg{peg + 1}", terms, 1, 1)


def _count_constraints(
    variables: VariableMap, color: int, least: list[int]
) -> Iterator[LinearConstraint]:
    """Yield the constraints that define "at least 1", "at least 2", ... pegs of a color."""
    name = f"color{color + 1}"
    pegs = tuple((1, variables.at(peg, color)) for peg in range(variables.pegs))
    last_coefficient = variables.pegs - len(least) + 1  # the coefficient n - d + 1 of y_d
    counts = tuple((-1, count) for count in least)
    if last_coefficient == 1:
        yield LinearConstraint(name, (*pegs, *counts), 0, 0)
    else:
        yield LinearConstraint(f"{name}_low", (*pegs, *counts), 0, None)
        yield LinearConstraint(
            f"{name}_high", (*pegs, *counts[:-1], (-last_coefficient, least[-1])), None, 0
        )
    for number, (fewer, more) in enumerate(pairwise(least), 1):
        yield LinearConstraint(f"{name}_{number}", ((1, fewer), (-1, more)), 0, None)


def _term(literal: Literal, variables: Mapping[Literal, int]) -> tuple[int, int]:
    """Return the coefficient and the variable of a literal.

    A negated literal has the value 1 - x. Its coefficient is -1, and the caller moves the 1 to the
    bounds.
    """
    match literal:
        case (member,):
            return _term(member, variables)
        case int() if literal < 0:
            return -1, variables[-literal]
    return 1, variables[literal]


def _conjunction_constraints(
    name: str, variable: int, members: list[tuple[int, int]]
) -> Iterator[LinearConstraint]:
    """Yield the constraints that define a conjunction of literals."""
    for number, (sign, member) in enumerate(members, 1):
        yield LinearConstraint(
            f"{name}_{number}", ((sign, member), (-1, variable)), min(sign, 0), None
        )
    offset = sum(sign > 0 for sign, _ in members) - 1
    negated_members = tuple((-sign, member) for sign, member in members)
    yield LinearConstraint(f"{name}_all", ((1, variable), *negated_members), -offset, None)


def _cardinality_constraints(
    name: str, constraints: tuple[CardinalityConstraint, ...], variables: Mapping[Literal, int]
) -> Iterator[LinearConstraint]:
    """Yield the linear constraints of cardinality constraints.

    A negated literal counts as 1 - x, which moves the bounds. A constraint that is always
    satisfied is omitted. A constraint without literals that cannot be satisfied becomes x_1 = 2.
    """
    for number, constraint in enumerate(constraints, 1):
        terms = tuple(_term(literal, variables) for literal in constraint.literals)
        negated_count = sum(sign < 0 for sign, _ in terms)
        # Bounds that always hold are omitted, except those of equations, which remain equations.
        is_equation = constraint.low == constraint.high
        has_low = is_equation or constraint.low > 0
        has_high = is_equation or constraint.high < len(terms)
        low = constraint.low - negated_count if has_low else None
        high = constraint.high - negated_count if has_high else None
        if terms and (low is not None or high is not None):
            yield LinearConstraint(f"{name}_{number}", terms, low, high)
        elif not constraint.low <= 0 <= constraint.high and not terms:
            # x_1 = 2, because no language has an empty sum
            yield LinearConstraint(f"{name}_{number}", ((1, 1),), 2, 2)


WORKER = "mmsat-worker"
"""The name of the worker processes, which load CP-SAT without pandas (see the module docstring)."""


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
        """Limit the total cost of the violations, each a variable, to the budget."""
        costs = []
        for row in system.relaxed:
            if row.gauges:  # the violation can exceed 1, and is the largest deviation of a gauge
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


def answer_text(answer: Any, num_variables: int) -> str:
    """Return the answer of a solver's library as text that `SolverLog` reads.

    The variables with the numbers 1 to `num_variables` are those of the code. Raises InputError if
    the answer has neither literals nor values.
    """
    response = getattr(answer, "response_proto", answer)
    if hasattr(response, "solution"):  # of CP-SAT
        if not response.solution:
            return f"status: {response.status.name.replace('_', ' ')}"
        answer = response.solution
    if isinstance(answer, Mapping):
        try:
            values = {str(name): value for name, value in answer.items()}
            return json.dumps(values, default=float)  # converts numpy numbers
        except (TypeError, ValueError):
            raise InputError.of("the values", "a number for each name", answer) from None
    items = list(answer)
    if items and all(isinstance(item, str) for item in items):
        return "\n".join(["Answer: 1", *items])  # the heading of atoms in clingo's output
    are_truths = all(isinstance(item, bool) for item in items)
    numbers = [attempt(int if are_truths else whole_number, item) for item in items]
    pairs, expected = zip(items, numbers, strict=True), "a whole number: a literal, or 0 or 1"
    wrong_items = [found_argument(item) for item, number in pairs if number is None]
    InputError.refuse([Fault("", item, expected) for item in wrong_items], "the literals")
    values_of_code = numbers[:num_variables]  # other variables can be counts
    # Numbers that are all 0 or 1 are values. Literals would be neither 0 nor repeated.
    if {*values_of_code} <= {0, 1} and len(numbers) > 1:
        if len(numbers) < num_variables:
            found = Description(quantity(len(numbers), "value"))
            raise InputError.of("the answer", f"values of all {num_variables:,} variables", found)
        numbers = [number for number, value in enumerate(values_of_code, 1) if value]
    true_literals, variables = {*numbers}, range(1, num_variables + 1)
    model = (variable if variable in true_literals else -variable for variable in variables)
    return f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n"
