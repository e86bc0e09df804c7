"""What a board says where some of its scores may be wrong.

Rows that say the same are one wish, as heavy as there are of them: who misses it lies so often. A
wish that is heavier than the lies must be kept. By key pegs, each place of a score of marks is a
wish of its own, and of all other scores there are the gauges, constraints that tell how far a code
is off (`Scoring.gauges`).

Codes are counted as in the principle of inclusion and exclusion. Let each wish i have an allowance
a_i and N(a) be the number of codes that miss each by no more than that, which is the number of
codes of a system. With weights w_i, the codes within L lies are

    sum of c(a) N(a) over all a with w a <= L,
    c(a) = sum of (-1)^|S| over all sets S of wishes with w (a + 1_S) <= L

as a code that misses wish i by d_i is counted in all terms with a >= d, whose c add up to 1 if w d
is at most L, and to 0 if not. For m wishes of weight 1, by rows, that is

    sum over k = m - L .. m of (-1)^(k-m+L) C(k - 1, m - L - 1) sum over |S| = k of N(S).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.game.literals import VariableMap
    from mmsat.game.row import Code
    from mmsat.tolerance import Tolerance


class Wish(NamedTuple):
    """What one or more equal rows, or places of them, say."""

    row: Row
    """One of them."""
    constraints: tuple[CardinalityConstraint, ...]
    """What it says; by key pegs, its gauges."""
    weight: int
    """How many rows say so."""
    reach: int
    """How far a code can miss it at most; 1 by rows."""
    rows: tuple[int, ...]
    """These rows, from 0."""

    def widened(self, allowance: int) -> tuple[CardinalityConstraint, ...]:
        """What is true of the codes that miss it by no more than that."""
        if allowance >= self.reach:
            return ()
        return tuple(
            CardinalityConstraint(
                constraint.literals, constraint.low - allowance, constraint.high + allowance
            )
            for constraint in self.constraints
        )


class Term(NamedTuple):
    """A system whose codes are counted so many times, perhaps less than none."""

    times: int
    source: Board | System


@dataclass(frozen=True)
class Lenient:
    """A board some of whose rows may be missed, within a tolerance."""

    board: Board
    tolerance: Tolerance

    @property
    def lies(self) -> int:
        """How many."""
        return self.tolerance.lies

    @property
    def is_graded(self) -> bool:
        """Whether it matters how far a wish is missed."""
        return self.tolerance.by == "pegs" and not self.board.game.scoring.marks

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """All that the board says, in the order of its rows; rows that say nothing are left out."""
        scoring, variables = self.board.game.scoring, self.variables
        read = scoring.gauges if self.is_graded else scoring.constraints
        found: dict[tuple[CardinalityConstraint, ...], Wish] = {}
        for number, row in enumerate(self.board.rows):
            for part in self._parts(row):
                constraints = tuple(read(variables, *part))
                reach = max((_reach(constraint) for constraint in constraints), default=0)
                if reach > 0:
                    before = found.get(constraints)
                    rows = (number,) if before is None else (*before.rows, number)
                    most = reach if self.is_graded else 1
                    found[constraints] = Wish(part, constraints, len(rows), most, rows)
        return tuple(found.values())

    def _parts(self, row: Row) -> Iterator[Row]:
        """The row, or by key pegs its marks one by one."""
        if self.tolerance.by == "rows" or self.is_graded:
            yield row
            return
        for place, mark in enumerate(row.score):
            if mark is not None:
                score: list[int | None] = [None] * len(row.score)
                score[place] = mark
                yield Row(row.guess, tuple(score))

    @cached_property
    def kept(self) -> tuple[Wish, ...]:
        """The wishes that no code may miss, as too many rows say so."""
        return tuple(wish for wish in self.wishes if wish.weight > self.lies)

    @cached_property
    def open(self) -> tuple[Wish, ...]:
        """Those that may be missed."""
        return tuple(wish for wish in self.wishes if wish.weight <= self.lies)

    @property
    def kept_board(self) -> Board:
        """What no code may miss."""
        return Board(self.board.game, tuple(wish.row for wish in self.kept))

    @property
    def is_free(self) -> bool:
        """Whether even a code that misses everything is within the lies."""
        return sum(wish.weight * wish.reach for wish in self.wishes) <= self.lies

    @cached_property
    def strict(self) -> System:
        """What every code within the lies satisfies."""
        game = self.board.game
        system = System.of(Board(game))
        # graded wishes are constraints, too, but more of them than it takes
        rows = tuple(
            tuple(game.scoring.constraints(self.variables, *wish.row)) for wish in self.kept
        )
        return System(system.variables, system.ground, rows, system.table)

    @property
    def variables(self) -> VariableMap:
        """The numbering of the game's facts."""
        return self.board.game.variables

    @property
    def table(self) -> tuple[Code, ...] | None:
        """All codes in order, where they are a list."""
        return self.board.game.space.table()

    @cached_property
    def whole(self) -> System:
        """All that is said, as if no wish might be missed."""
        strict = self.strict
        rows = (*strict.rows, *(wish.constraints for wish in self.open))
        return System(strict.variables, strict.ground, rows, strict.table)

    @property
    def constraints(self) -> list[CardinalityConstraint]:
        """All constraints, also those that may be missed."""
        return self.whole.constraints

    def depths(self) -> dict[int, int]:
        """For each color whose count matters, the highest count that a constraint asks about."""
        return self.whole.depths()

    def most(self, wish: Wish, more: int = 0) -> int:
        """How far a wish may be missed; with `more`, or would be missed if that were so much."""
        return min(self.lies // wish.weight + more, wish.reach)

    def terms(self) -> Iterator[Term]:
        """Boards or systems whose codes, each so many times, add up to those within the lies."""
        for allowances, left in self._allowances(0, self.lies):
            times = self._times(allowances, left)
            if times:
                yield Term(times, self._source(allowances))

    def _allowances(self, start: int, left: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """The allowances of the open wishes from one on, with the lies that are left."""
        if start == len(self.open):
            yield (), left
            return
        wish = self.open[start]
        for allowance in range(min(left // wish.weight, wish.reach) + 1):
            for others, rest in self._allowances(start + 1, left - allowance * wish.weight):
                yield (allowance, *others), rest

    def _times(self, allowances: Sequence[int], left: int) -> int:
        """The sum of signs over the sets of wishes that may be missed by one more each."""
        signs = [1] + [0] * left  # by the lies of a set
        for wish, allowance in zip(self.open, allowances, strict=True):
            if allowance < wish.reach:
                for lies in range(left, wish.weight - 1, -1):
                    signs[lies] -= signs[lies - wish.weight]
        return sum(signs)

    def _source(self, allowances: Sequence[int]) -> Board | System:
        """What the codes satisfy that miss no wish by more than its allowance; a board if it is."""
        pairs = list(zip(self.open, allowances, strict=True))
        if all(allowance in (0, wish.reach) for wish, allowance in pairs):
            rows = [wish.row for wish in self.kept]
            rows += [wish.row for wish, allowance in pairs if allowance == 0]
            return Board(self.board.game, tuple(rows))
        widened = tuple(wish.widened(allowance) for wish, allowance in pairs)
        system = self.strict
        return System(system.variables, system.ground, (*system.rows, *widened), system.table)


Source: TypeAlias = "Board | Lenient"
"""A board as it stands, or with lies."""
Rules: TypeAlias = "System | Lenient"
"""What it says."""


def within(board: Board, tolerance: Tolerance) -> Source:
    """The board with lies; where these make no difference, a board without that has the same codes.

    Rows that are repeated more often than there may be lies are right, and where everything may be
    a lie, no row says anything.
    """
    if not tolerance.lies:
        return board
    source = Lenient(board, tolerance)
    if source.is_free:
        return Board(board.game)
    return source if source.open else source.kept_board


def rules(source: Source) -> Rules:
    """What a board says, with lies or without."""
    return source if isinstance(source, Lenient) else System.of(source)


def game_board(source: Source) -> Board:
    """The board itself, for its size."""
    return source.board if isinstance(source, Lenient) else source


def _reach(constraint: CardinalityConstraint) -> int:
    """How far a constraint can be missed at most."""
    return max(constraint.low, len(constraint.literals) - constraint.high)
