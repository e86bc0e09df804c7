"""The system of a board: hard constraints, soft constraints of rows, and a budget of violations.

The constraints are over the literals of mmsat.game.space: "a peg has a color", and "at least
`count` pegs have a color".

- Each peg has exactly one color. This constraint is implicit, because the best way to state it
  depends on the encoder.
- `hard`: constraints that every code of the game satisfies, such as that no color repeats, and that
  the code is not one of the known codes.
- `soft`: the constraints of each row, which can be switched off, or violated within the `budget`.

With a budget of 0, a code satisfies the system if and only if it is consistent with the board.
Otherwise, it does if and only if it is within the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mmsat.errors import Description, InputError
from mmsat.game.board import Board
from mmsat.game.row import Code, Row
from mmsat.game.space import CardinalityConstraint, VariableMap
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.game.unread import constraints

Group = tuple[CardinalityConstraint, ...]


class SoftConstraint(NamedTuple):
    """The constraints of a row, of several equal rows, or of equal parts of rows."""

    constraints: Group
    """Constraints that all hold if and only if the row is not violated."""
    weight: int = 1
    """The cost of a violation by 1: the number of equal rows or parts."""
    max_violation: int = 1
    """An upper bound on the violation by any code; 0 if all codes satisfy the constraints."""
    rows: tuple[int, ...] = ()
    """The indices of these rows, from 0."""
    gauges: Group = ()
    """Constraints whose largest deviation is the violation; empty if every violation counts 1."""

    def relax(self, slack: int) -> Group:
        """Return constraints that are satisfied by the codes whose violation is at most `slack`."""
        if slack >= self.max_violation:
            return ()
        if slack == 0:
            return self.constraints
        return tuple(
            CardinalityConstraint(gauge.literals, gauge.low - slack, gauge.high + slack)
            for gauge in self.gauges
        )

    def violation(self, variables: VariableMap, code: Sequence[int]) -> int:
        """Return the violation by a code, from 0 to `max_violation`."""
        slacks = range(self.max_violation)
        is_satisfied = (
            all(variables.satisfies(code, constraint) for constraint in self.relax(max_slack))
            for max_slack in slacks
        )
        return next(
            (slack for slack, holds in enumerate(is_satisfied) if holds), self.max_violation
        )


@dataclass(frozen=True)
class System:
    """The constraints of a board."""

    variables: VariableMap
    hard: Group
    soft: tuple[SoftConstraint, ...]
    table: tuple[Code, ...] | None = None
    """The codes in lexicographic order if the game has a list of codes, otherwise None.

    The hard constraints are equivalent, but some engines are faster if they iterate over a list.
    """
    budget: int = 0
    """The maximum total cost of violations, each weight times violation; 0 if all rows hold."""

    @classmethod
    def of(cls, board: Board, tolerance: Tolerance = STRICT) -> System:
        """Return the system of a board, with one soft constraint per row, in order.

        With a tolerance, equal rows share one soft constraint.
        """
        game = board.game
        if tolerance.lies:
            soft = tuple(constraint for _, constraint in soft_constraints(board, tolerance))
        else:
            soft = tuple(
                [
                    SoftConstraint(tuple(constraints(game, row)), rows=(number,))
                    for number, row in enumerate(board.rows)
                ]
            )
        hard = (*game.constraints(), *other_codes(game.variables, board.known))
        table = game.space.table()
        if table is not None and board.known:
            table = tuple(code for code in table if code not in board.known)
        return cls(game.variables, hard, soft, table, tolerance.lies)

    def with_rows(self, rows: Iterable[Group]) -> System:
        """Return a copy with other soft constraints, one for each group, and a budget of 0."""
        return replace(self, soft=tuple(map(SoftConstraint, rows)), budget=0)

    @property
    def rows(self) -> list[Group]:
        """The constraints of each soft constraint."""
        return [row.constraints for row in self.soft]

    def places(self) -> list[list[int]]:
        """Return for each peg the `at` literals that no hard constraint alone makes false."""
        pegs, colors = self.variables
        denied = {
            -literal if constraint.low >= len(constraint.literals) else literal
            for constraint in self.hard
            if constraint.high <= 0 or constraint.low >= len(constraint.literals)
            for literal in constraint.literals
            if isinstance(literal, int)
        }
        literals = range(1, pegs * colors + 1)
        return [
            [
                at_literal
                for at_literal in literals[peg * colors :][:colors]
                if at_literal not in denied
            ]
            for peg in range(pegs)
        ]

    @property
    def enforced(self) -> list[SoftConstraint]:
        """The soft constraints that cannot be violated, because they weigh more than the budget."""
        return [row for row in self.soft if row.weight > self.budget]

    @property
    def relaxed(self) -> list[SoftConstraint]:
        """The soft constraints that some code violates at a cost that may be within the budget."""
        return [row for row in self.soft if row.weight <= self.budget and row.max_violation]

    @property
    def constraints(self) -> list[CardinalityConstraint]:
        """All constraints, hard ones first; gauges replace the constraints of graded rows."""
        groups = (row.gauges or row.constraints for row in self.soft)
        return [*self.hard, *(constraint for group in groups for constraint in group)]

    @property
    def conjunctions(self) -> list[tuple[int, ...]]:
        """The different conjunctions in all constraints."""
        literals = (literal for constraint in self.constraints for literal in constraint.literals)
        return [*dict.fromkeys(item for item in literals if isinstance(item, tuple))]

    def depths(self) -> dict[int, int]:
        """Return the highest count of each color in the constraints, for the colors counted."""
        return depths(self.variables, self.constraints)

    def satisfies(self, code: Sequence[int]) -> bool:
        """Return whether a code satisfies the hard constraints, and soft ones within the budget."""
        if not all(self.variables.satisfies(code, constraint) for constraint in self.hard):
            return False
        cost = 0
        for row in self.soft:
            cost += row.weight * row.violation(self.variables, code)
            if cost > self.budget:
                return False
        return True


def other_codes(variables: VariableMap, known: Iterable[Code]) -> Group:
    """Return constraints that exclude codes: for each of them, some peg has another color."""
    return tuple(
        CardinalityConstraint(tuple(map(variables.at, range(len(code)), code)), 0, len(code) - 1)
        for code in known
    )


def depths(variables: VariableMap, constraints: Iterable[CardinalityConstraint]) -> dict[int, int]:
    """Return the highest count of each color in `least` literals of some constraints."""
    highest: dict[int, int] = {}
    for constraint in constraints:
        for literal in constraint.literals:
            for member in literal if isinstance(literal, tuple) else (literal,):
                if not variables.is_at(member):
                    color, count = variables.color_count(member)
                    highest[color] = max(count, highest.get(color, 0))
    return highest


def soft_constraints(board: Board, tolerance: Tolerance) -> list[tuple[Row, SoftConstraint]]:
    """Return the soft constraints of a board, each with a row or a row reduced to one mark.

    If lies are counted by key pegs, each place of a score of marks has a separate soft constraint,
    and all other scores have gauges (see `Scoring.gauges`). Then InputError is raised if a guess
    has unread pegs, because there are no gauges for it.
    """
    scoring, variables = board.game.scoring, board.game.variables
    if tolerance.by == "pegs" and board.has_unread_pegs:
        rule = "these are needed to count lies by key pegs; count them by rows instead"
        raise InputError.of("the board", "complete guesses", Description("a ? in a guess"), rule)
    is_graded = tolerance.by == "pegs" and not scoring.marks
    soft: dict[Group, tuple[Row, SoftConstraint]] = {}
    for number, row in enumerate(board.rows):
        for part in _marks(row) if tolerance.by == "pegs" and scoring.marks else (row,):
            part_constraints = tuple(constraints(board.game, part))
            gauges = tuple(scoring.gauges(variables, *part)) if is_graded else ()
            deviations = [
                max(c.low, len(c.literals) - c.high, 0) for c in gauges or part_constraints
            ]
            max_deviation = max(deviations, default=0)
            key = gauges or part_constraints
            earlier_rows = soft[key][1].rows if key in soft else ()
            rows = (*earlier_rows, number)
            violation = max_deviation if is_graded else min(max_deviation, 1)
            soft[key] = part, SoftConstraint(part_constraints, len(rows), violation, rows, gauges)
    return list(soft.values())


def _marks(row: Row) -> Iterator[Row]:
    """Yield a row for each mark that is read in a row, or the row itself if there is none."""
    if all(mark is None for mark in row.score):
        yield row
    for place, mark in enumerate(row.score):
        if mark is not None:
            score: list[int | None] = [None] * len(row.score)
            score[place] = mark
            yield Row(row.guess, tuple(score))


def simplify(
    board: Board, tolerance: Tolerance, *, is_one_enough: bool = False
) -> tuple[Board, Tolerance]:
    """Remove a tolerance that makes no difference; return a board with the same codes.

    Rows that are repeated more often than the number of lies must hold. If all rows together can be
    lies, no row is a constraint. But if one code is enough (`is_one_enough`), the rows and the
    tolerance are kept in this case, so that a code with few violations can be preferred.
    """
    if not tolerance.lies:
        return board, tolerance
    soft = soft_constraints(board, tolerance)
    worst = sum(constraint.weight * constraint.max_violation for _, constraint in soft)
    if worst <= tolerance.lies and not is_one_enough:
        return board.only(()), STRICT
    if any(
        constraint.weight <= tolerance.lies and constraint.max_violation for _, constraint in soft
    ):
        return board, tolerance
    rows = (row for row, constraint in soft if constraint.max_violation)
    return replace(board, rows=tuple(rows)), STRICT
