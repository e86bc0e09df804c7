"""The system of a board: hard constraints, soft rows, and how much of these may be violated.

Over the literals of mmsat.game.literals (peg has color; at least so many pegs have a color) a board
says:

- each peg has exactly one color (left to the encoder, which knows the best way);
- `hard`: what is true of every code of the game, such as that no color repeats, and that the code
  is none of the known ones;
- `soft`: what each row's score says, a group of constraints that can be switched off or, within the
  `budget`, violated.

With a budget of 0, a code satisfies the system exactly when it is consistent with the board; else
when it is within the board's tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from mmsat.board import Board
from mmsat.errors import InputError
from mmsat.frozen import frozen
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.row import Code, Row
from mmsat.game.unread import constraints
from mmsat.tolerance import STRICT, Tolerance

Group = tuple[CardinalityConstraint, ...]


class SoftConstraint(NamedTuple):
    """What a row says; or several equal rows, or equal parts of rows."""

    constraints: Group
    """All hold exactly when the row is not violated."""
    weight: int = 1
    """What a violation by 1 costs: how many rows say so."""
    max_violation: int = 1
    """By how much a code can violate it at most; 0 if it says nothing."""
    rows: tuple[int, ...] = ()
    """These rows, from 0."""
    gauges: Group = ()
    """Constraints of which that one is missed by the violation which is missed most; none where a
    violation is 1 however far a code is off."""

    def relax(self, slack: int) -> Group:
        """The constraints of the codes that violate it by no more than the slack."""
        if slack >= self.max_violation:
            return ()
        if slack == 0:
            return self.constraints
        return tuple(
            CardinalityConstraint(gauge.literals, gauge.low - slack, gauge.high + slack)
            for gauge in self.gauges
        )

    def violation(self, variables: VariableMap, code: Sequence[int]) -> int:
        """By how much a code violates it."""
        slacks = range(self.max_violation)
        held = (all(variables.satisfies(code, each) for each in self.relax(s)) for s in slacks)
        return next((slack for slack, holds in enumerate(held) if holds), self.max_violation)


@frozen
class System:
    """The constraints of a board."""

    variables: VariableMap
    hard: Group
    soft: tuple[SoftConstraint, ...]
    table: tuple[Code, ...] | None = None
    """The codes of the game in order, where they are a list, for engines that walk a list faster
    than they read the hard constraints, which say the same."""
    budget: int = 0
    """What all violations together may cost, weight times violation; 0 if every row holds."""

    @classmethod
    def of(cls, board: Board, tolerance: Tolerance = STRICT) -> System:
        """The system of a board: a soft constraint a row, in order.

        With a tolerance, one for all rows that say the same.
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
        """The same with other constraints of rows, all of which hold."""
        return replace(self, soft=tuple(map(SoftConstraint, rows)), budget=0)

    @property
    def rows(self) -> list[Group]:
        """The constraints of each row, or of those that say the same."""
        return [row.constraints for row in self.soft]

    def places(self) -> list[list[int]]:
        """For each peg, that it has a color: the literals that no hard constraint denies alone."""
        pegs, colors = self.variables
        denied = {
            -literal if constraint.low >= len(constraint.literals) else literal
            for constraint in self.hard
            if constraint.high <= 0 or constraint.low >= len(constraint.literals)
            for literal in constraint.literals
            if isinstance(literal, int)
        }
        every = range(1, pegs * colors + 1)
        return [
            [place for place in every[peg * colors :][:colors] if place not in denied]
            for peg in range(pegs)
        ]

    @property
    def enforced(self) -> list[SoftConstraint]:
        """What no code may violate, as it weighs more than the budget."""
        return [row for row in self.soft if row.weight > self.budget]

    @property
    def relaxed(self) -> list[SoftConstraint]:
        """What some code may violate."""
        return [row for row in self.soft if row.weight <= self.budget and row.max_violation]

    @property
    def constraints(self) -> list[CardinalityConstraint]:
        """All constraints, hard ones first, also those that may be violated."""
        groups = (row.gauges or row.constraints for row in self.soft)
        return [*self.hard, *(constraint for group in groups for constraint in group)]

    @property
    def conjunctions(self) -> list[tuple[int, ...]]:
        """The conjunctions in all constraints, each once."""
        literals = (literal for constraint in self.constraints for literal in constraint.literals)
        return [*dict.fromkeys(each for each in literals if isinstance(each, tuple))]

    def depths(self) -> dict[int, int]:
        """For each color whose count matters, the highest count that a constraint asks about."""
        return depths(self.variables, self.constraints)

    def satisfies(self, code: Sequence[int]) -> bool:
        """Whether a code satisfies the hard constraints, and the soft ones within the budget."""
        if not all(self.variables.satisfies(code, constraint) for constraint in self.hard):
            return False
        cost = 0
        for row in self.soft:
            cost += row.weight * row.violation(self.variables, code)
            if cost > self.budget:
                return False
        return True


def other_codes(variables: VariableMap, known: Iterable[Code]) -> Group:
    """That a code is none of these: of each, some peg has another color."""
    return tuple(
        CardinalityConstraint(tuple(map(variables.at, range(len(code)), code)), 0, len(code) - 1)
        for code in known
    )


def depths(variables: VariableMap, constraints: Iterable[CardinalityConstraint]) -> dict[int, int]:
    """For each color whose count matters, the highest count that some constraints ask about."""
    highest: dict[int, int] = {}
    for constraint in constraints:
        for literal in constraint.literals:
            for member in literal if isinstance(literal, tuple) else (literal,):
                if not variables.is_at(member):
                    color, count = variables.color_count(member)
                    highest[color] = max(count, highest.get(color, 0))
    return highest


def soft_constraints(board: Board, tolerance: Tolerance) -> list[tuple[Row, SoftConstraint]]:
    """What may be violated within a tolerance, each with one of its rows, or the part that it is.

    By key pegs, each place of a score of marks is one of its own, and all other scores have gauges
    (see `Scoring.gauges`). Raises InputError where pegs of guesses were not read, as then there are
    no such sums.
    """
    scoring, variables = board.game.scoring, board.game.variables
    if tolerance.by == "pegs" and board.has_unread_pegs:
        rule = "lies are counted by pegs where all guesses were read"
        raise InputError.of("the tolerance", "lies by rows", "a ? in a guess", rule)
    is_graded = tolerance.by == "pegs" and not scoring.marks
    found: dict[Group, tuple[Row, SoftConstraint]] = {}
    for number, row in enumerate(board.rows):
        for part in _marks(row) if tolerance.by == "pegs" and scoring.marks else (row,):
            said = tuple(constraints(board.game, part))
            gauges = tuple(scoring.gauges(variables, *part)) if is_graded else ()
            missed = [max(c.low, len(c.literals) - c.high, 0) for c in gauges or said]
            most = max(missed, default=0)
            key = gauges or said
            before = found[key][1].rows if key in found else ()
            rows = (*before, number)
            violation = most if is_graded else min(most, 1)
            found[key] = part, SoftConstraint(said, len(rows), violation, rows, gauges)
    return list(found.values())


def _marks(row: Row) -> Iterator[Row]:
    """The marks of a row one by one; the row itself where none was read."""
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
    """The same codes without a tolerance, by fewer rows, where it makes no difference.

    Rows that are repeated more often than there may be lies are right, and where everything may be
    a lie, no row says anything; but where one code is enough, it had better be a good one.
    """
    if not tolerance.lies:
        return board, tolerance
    soft = soft_constraints(board, tolerance)
    worst = sum(each.weight * each.max_violation for _, each in soft)
    if worst <= tolerance.lies and not is_one_enough:
        return board.only(()), STRICT
    if any(each.weight <= tolerance.lies and each.max_violation for _, each in soft):
        return board, tolerance
    rows = (row for row, each in soft if each.max_violation)
    return replace(board, rows=tuple(rows)), STRICT
