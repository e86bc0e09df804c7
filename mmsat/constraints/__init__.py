"""The system of a board: hard constraints, soft constraints of rows, and a budget of violations.

The constraints are over the literals of mmsat.game.space: "a peg has a color", and "at least
`count` pegs have a color".

- Each peg has exactly one color. This constraint is implicit, because the best way to state it
  depends on the encoder.
- `hard`: constraints that every sought code satisfies, such as that no color repeats, and that the
  code is not one of the known codes.
- `soft`: the constraints of each row. They can be switched off, or violated within the `budget`.

A code violates a row by 0 if it satisfies the constraints of the row. Otherwise, the violation is
1, or if lies are counted by key pegs, the number of wrong key pegs. With a budget of 0, the codes
that satisfy the system are the consistent codes of the board. With a positive budget, they are the
codes within the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from mmsat.errors import Description, InputError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.space import CardinalityConstraint, VariableMap
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.game.unread import constraints

LINEAR_SCORINGS = ("black-white", "black", "color")
"""The kinds of scoring that give linear equations for two colors."""
LINEAR_SPACES = ("repeats", "distinct")
"""The kinds of code spaces whose rules are linear equations for two colors."""


def is_linear(game: Game) -> bool:
    """Return whether each board of a game is a set of linear equations if it has no unread pegs."""
    return (
        game.colors == 2
        and game.scoring.name in LINEAR_SCORINGS
        and game.space.name in LINEAR_SPACES
    )


def is_linear_board(board: Board) -> bool:
    """Return whether a board is a set of linear equations."""
    return is_linear(board.game) and not board.has_unread_pegs


Group = tuple[CardinalityConstraint, ...]
"""Constraints that belong together, such as those of a row."""


class SoftRow(NamedTuple):
    """The constraints of a row, of equal rows, or of equal marks of rows (see `soft_rows`)."""

    constraints: Group
    """The constraints, which all hold if and only if the row is not violated."""
    weight: int = 1
    """The cost of a violation by 1, which is the number of equal rows or marks."""
    max_violation: int = 1
    """An upper bound on the violation by any code; 0 if all codes satisfy the constraints."""
    row_indices: tuple[int, ...] = ()
    """The indices of the rows of the board, from 0."""
    gauges: Group = ()
    """Constraints that measure a violation that can exceed 1; otherwise empty. The violation is the
    largest distance of the number of true literals of one of them from its bounds."""

    def relax(self, slack: int) -> Group:
        """Return constraints that a code satisfies exactly if its violation is at most `slack`."""
        if slack >= self.max_violation:
            return ()
        if slack == 0:
            return self.constraints
        return tuple(
            CardinalityConstraint(gauge.literals, gauge.low - slack, gauge.high + slack)
            for gauge in self.gauges
        )

    def conditions(self, slack: int) -> Group | None:
        """Return the constraints of `relax(slack)` without trivial ones.

        Returns None if one of them is impossible, so that every code has a larger violation.
        """
        constraints = tuple(
            constraint for constraint in self.relax(slack) if not constraint.is_trivial
        )
        is_impossible = any(constraint.is_impossible for constraint in constraints)
        return None if is_impossible else constraints

    def violation(self, variables: VariableMap, code: Sequence[int]) -> int:
        """Return the violation by a code, from 0 to `max_violation`."""
        is_satisfied = (
            all(variables.satisfies(code, constraint) for constraint in self.relax(slack))
            for slack in range(self.max_violation)
        )
        return next(
            (slack for slack, holds in enumerate(is_satisfied) if holds), self.max_violation
        )


class System(NamedTuple):
    """The constraints of a board."""

    variables: VariableMap
    """The numbering of the literals."""
    hard: Group
    """The constraints that every sought code satisfies."""
    soft: tuple[SoftRow, ...]
    """The constraints of the rows, which may be violated within the budget."""
    table: tuple[Code, ...] | None = None
    """The codes in lexicographic order if the game has a word list, otherwise None.

    The hard constraints are equivalent to this list, but some engines are faster with the list.
    """
    budget: int = 0
    """The maximum sum of weight times violation over the soft rows; 0 if all rows must hold."""

    @classmethod
    def of(cls, board: Board, tolerance: Tolerance = STRICT) -> System:
        """Return the system of a board.

        If no lies are tolerated, it has one soft row for each row, in order; otherwise, see
        `soft_rows`.
        """
        game = board.game
        if tolerance.lies:
            soft = tuple(soft_row for _, soft_row in soft_rows(board, tolerance))
        else:
            soft = tuple(
                [
                    SoftRow(tuple(constraints(game, row)), row_indices=(row_index,))
                    for row_index, row in enumerate(board.rows)
                ]
            )
        hard = (*game.constraints(), *exclude_codes(game.variables, board.known))
        table = game.space.table()
        if table is not None and board.known:
            table = tuple(code for code in table if code not in board.known)
        return cls(game.variables, hard, soft, table, tolerance.lies)

    def with_rows(self, rows: Iterable[Group]) -> System:
        """Return a copy with other soft rows, one for each group, and a budget of 0."""
        return self._replace(soft=tuple(map(SoftRow, rows)), budget=0)

    @property
    def row_constraints(self) -> list[Group]:
        """The constraints of each soft row."""
        return [row.constraints for row in self.soft]

    def possible_literals(self) -> list[list[int]]:
        """Return for each peg the `at` literals that no single hard constraint makes false."""
        pegs, colors = self.variables
        # A constraint decides all of its literals if it allows none, or requires all.
        false_literals = {
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
                if at_literal not in false_literals
            ]
            for peg in range(pegs)
        ]

    @property
    def enforced(self) -> list[SoftRow]:
        """The soft rows that must hold, because their weight exceeds the budget."""
        return [row for row in self.soft if row.weight > self.budget]

    @property
    def relaxed(self) -> list[SoftRow]:
        """The soft rows that may be violated within the budget."""
        return [row for row in self.soft if row.weight <= self.budget and row.max_violation]

    @property
    def constraints(self) -> list[CardinalityConstraint]:
        """All constraints, hard ones first; the gauges of a row replace its constraints."""
        groups = (row.gauges or row.constraints for row in self.soft)
        return [*self.hard, *(constraint for group in groups for constraint in group)]

    @property
    def conjunctions(self) -> list[tuple[int, ...]]:
        """The different conjunctions in all constraints."""
        literals = (literal for constraint in self.constraints for literal in constraint.literals)
        return [*dict.fromkeys(item for item in literals if isinstance(item, tuple))]

    def highest_counts(self) -> dict[int, int]:
        """Return, by color, the highest count in a literal "at least `count` pegs have it"."""
        return highest_counts(self.variables, self.constraints)

    def satisfies(self, code: Sequence[int]) -> bool:
        """Return whether a code satisfies the hard constraints, and soft rows within the budget."""
        if not all(self.variables.satisfies(code, constraint) for constraint in self.hard):
            return False
        cost = 0
        for row in self.soft:
            cost += row.weight * row.violation(self.variables, code)
            if cost > self.budget:
                return False
        return True


def exclude_codes(variables: VariableMap, codes: Iterable[Code]) -> Group:
    """Return constraints that exclude codes: for each of them, some peg has another color."""
    return tuple(
        CardinalityConstraint(tuple(map(variables.at, range(len(code)), code)), 0, len(code) - 1)
        for code in codes
    )


def highest_counts(
    variables: VariableMap, constraints: Iterable[CardinalityConstraint]
) -> dict[int, int]:
    """Return, by color, the highest count in a literal "at least `count` pegs have it".

    Such literals are those of `VariableMap.least`. Other colors are omitted.
    """
    counts: dict[int, int] = {}
    for constraint in constraints:
        for literal in constraint.literals:
            for member in literal if isinstance(literal, tuple) else (literal,):
                if not variables.is_at(member):
                    color, count = variables.color_count(member)
                    counts[color] = max(count, counts.get(color, 0))
    return counts


def soft_rows(board: Board, tolerance: Tolerance) -> list[tuple[Row, SoftRow]]:
    """Return the soft rows of a board, each paired with the row whose constraints it has.

    The paired row is a row of the board, or if lies are counted by key pegs and scores consist of
    marks, a row of the board with only one of its marks. Equal rows share one soft row. If lies are
    counted by key pegs, scores that are not marks have gauges (see `Scoring.gauges`). In this case,
    InputError is raised if a guess has unread pegs, because gauges do not support these.
    """
    scoring, variables = board.game.scoring, board.game.variables
    if tolerance.by == "pegs" and board.has_unread_pegs:
        rule = "these are needed to count lies by key pegs; count them by rows instead"
        raise InputError.of("the board", "complete guesses", Description("a ? in a guess"), rule)
    has_gauges = tolerance.by == "pegs" and not scoring.marks
    soft: dict[Group, tuple[Row, SoftRow]] = {}
    for row_index, row in enumerate(board.rows):
        for part in _marks(row) if tolerance.by == "pegs" and scoring.marks else (row,):
            part_constraints = tuple(constraints(board.game, part))
            gauges = tuple(scoring.gauges(variables, *part)) if has_gauges else ()
            # A constraint deviates most if none of its literals is true, or if all are.
            deviations = [
                max(constraint.low, len(constraint.literals) - constraint.high, 0)
                for constraint in gauges or part_constraints
            ]
            max_deviation = max(deviations, default=0)
            key = gauges or part_constraints
            earlier_indices = soft[key][1].row_indices if key in soft else ()
            indices = (*earlier_indices, row_index)
            max_violation = max_deviation if has_gauges else min(max_deviation, 1)
            soft[key] = (
                part,
                SoftRow(part_constraints, len(indices), max_violation, indices, gauges),
            )
    return list(soft.values())


def _marks(row: Row) -> Iterator[Row]:
    """Yield a row for each read mark of a row, or the row itself if no mark is read."""
    if all(mark is None for mark in row.score):
        yield row
    for place, mark in enumerate(row.score):
        if mark is not None:
            score: list[int | None] = [None] * len(row.score)
            score[place] = mark
            yield Row(row.guess, tuple(score))


def simplify_tolerance(
    board: Board, tolerance: Tolerance, *, is_one_enough: bool = False
) -> tuple[Board, Tolerance]:
    """Return a board and a tolerance with the same codes, without lies if possible.

    Rows that are repeated more often than the number of lies must hold. If all rows together can be
    lies, no row is needed. But if only one code is sought (`is_one_enough`), the board and the
    tolerance are unchanged in that case, so that a code with few violations can be preferred.
    """
    if not tolerance.lies:
        return board, tolerance
    soft = soft_rows(board, tolerance)
    max_cost = sum(soft_row.weight * soft_row.max_violation for _, soft_row in soft)
    if max_cost <= tolerance.lies and not is_one_enough:
        return board.only(()), STRICT
    if any(soft_row.weight <= tolerance.lies and soft_row.max_violation for _, soft_row in soft):
        return board, tolerance
    rows = (row for row, soft_row in soft if soft_row.max_violation)
    return replace(board, rows=tuple(rows)), STRICT
