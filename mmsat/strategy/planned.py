"""Strategies that follow a plan: the code is computed from the scores, without any search.

Plans use detecting matrices. Given n coins, each true or false, weigh some of them together. About
2 n / log2 n fixed selections are enough: their weights determine all n coins (Erdos and Renyi 1963,
at random; Lindstroem 1964 and Cantor and Mills 1966, by construction). Here a selection is a guess,
and the weight is its score.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from functools import cache
from itertools import count, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mmsat.errors import Description, Fault, InputError, InternalError
from mmsat.game.row import Code
from mmsat.strategy.candidates import no_code_error
from mmsat.strategy.strategy import SeededStrategy
from mmsat.strategy.tree import Node, StrategyTree

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from mmsat.game.game import Game
    from mmsat.game.row import Row
    from mmsat.strategy.strategy import State


def line_of(tree: StrategyTree) -> tuple[Code, ...]:
    """Return the guesses of a tree, from the root on, if every score is zero."""
    guesses = []
    node: Node | None = tree.root
    while node is not None:
        guesses.append(node.guess)
        node = next((child for score, child in node.branches.items() if not any(score)), None)
    return tuple(guesses)


class Column(NamedTuple):
    """The rows in whose sums a number is added or subtracted."""

    added: tuple[int, ...]
    subtracted: tuple[int, ...] = ()


class Signed(NamedTuple):
    """The matrix [D D 1; D -D 0] of Cantor and Mills: 2^t rows, after t doublings.

    Columns of the same lane have no row in common; columns of different lanes may have.
    """

    lanes: tuple[tuple[Column, ...], ...]
    """Columns for numbers that are 0 or 1: t 2^(t-1) columns, in lanes of 1, 2, 4 ... columns."""
    whole: tuple[Column, ...]
    """Columns for any whole numbers: 2^t columns that are nonzero in every row."""


@cache
def signed_matrix(dimensions: int) -> Signed:
    """Return the matrix with 2^dimensions rows."""
    if not dimensions:
        return Signed((), (Column((0,)),))
    half = 1 << (dimensions - 1)
    inner = signed_matrix(dimensions - 1)
    top = tuple(Column((row,)) for row in range(half))

    def double(column: Column, *, is_added: bool) -> Column:
        added = tuple(row + half for row in column.added)
        subtracted = tuple(row + half for row in column.subtracted)
        if not is_added:
            added, subtracted = subtracted, added
        return Column(column.added + added, column.subtracted + subtracted)

    lanes, whole = [top], []
    for is_added in (True, False):
        lanes += [
            tuple(double(column, is_added=is_added) for column in lane) for lane in inner.lanes
        ]
        whole += [double(column, is_added=is_added) for column in inner.whole]
    return Signed(tuple(lanes), tuple(whole))


def solve_signed(sums: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Return the numbers of each lane and the whole ones, from the sums of all rows.

    The sum of a row of the upper half and the sum of its counterpart in the lower half differ in
    parity if and only if the number that only the upper row has is 1. Without that number, half the
    sum and half the difference of the two are row sums of the matrix of half the size.
    """
    if len(sums) == 1:
        return [], [sums[0]]
    half = len(sums) // 2
    upper, lower = sums[:half], sums[half:]
    odd_numbers = [(up + low) % 2 for up, low in zip(upper, lower, strict=True)]
    lanes, whole = [odd_numbers], []
    for sign in (1, -1):
        half_solution = solve_signed(
            [
                (up + sign * low - odd) // 2
                for up, low, odd in zip(upper, lower, odd_numbers, strict=True)
            ]
        )
        lanes += half_solution[0]
        whole += half_solution[1]
    return lanes, whole


class Counted(NamedTuple):
    """A column of Lindstroem's matrix: 1 in the rows whose intersection with `group` is in `cells`.

    Rows, groups and cells are sets, represented by the bits of an integer.
    """

    group: int
    cells: frozenset[int]


def counted_matrix(numbers: int, answers: int) -> list[Counted]:
    """Return columns for this many numbers from 0 to `answers` - 1, none subtracted.

    The rows are 1, 2, ..., up to the last group. A row is a set of bits, and each row is also the
    group of some columns. Group a has columns of weights 1, `answers`, its square and so on, up to
    half the number of subsets of a. A number of weight w is counted in a row if the intersection of
    the row with a is one of w subsets of odd size. With two answers, 2^t - 1 rows determine t
    2^(t-1) numbers.
    """
    columns: list[Counted] = []
    for group in count(1):
        odd = sorted(cell for cell in subsets(group) if cell.bit_count() % 2)
        weight = 1
        while weight <= len(odd):
            if len(columns) == numbers:
                return columns
            columns.append(Counted(group, frozenset(odd[:weight])))
            weight *= answers
    raise InternalError("there is room for all numbers")


def solve_counted(matrix: Sequence[Counted], answers: int, sums: Sequence[int]) -> list[int]:
    """Return the numbers, from the sums of the rows 1, 2, ...

    Groups are solved from the last one to the first. The sums of all subsets of a group are added
    with alternating signs, by the parity of the subset. This cancels the numbers of all groups that
    do not contain the group; the numbers of groups that contain it are already known and have been
    subtracted. The negated result is the sum of the group's numbers times their weights: a number
    in base `answers`, of which they are the digits.
    """
    remaining_sums = [0, *sums]
    solution: list[int] = []
    for group, numbers in groupby(reversed(matrix), attrgetter("group")):
        members = [*numbers][::-1]
        alternating_sum = sum(
            (-1) ** cell.bit_count() * remaining_sums[cell] for cell in subsets(group)
        )
        quotient, group_numbers = -alternating_sum, []
        for _ in members[1:]:
            quotient, number = divmod(quotient, answers)
            group_numbers.append(number)
        group_numbers.append(quotient)
        for (_, cells), number in zip(members, group_numbers, strict=True):
            for row in range(1, len(remaining_sums)):
                if row & group in cells:
                    remaining_sums[row] -= number
        solution = group_numbers + solution
    return solution


def subsets(bits: int) -> Iterator[int]:
    """Yield all subsets of a set that is given by its bits, the empty set last."""
    cell = bits
    while cell:
        yield cell
        cell = (cell - 1) & bits
    yield 0


Plan: TypeAlias = "Generator[Code, int, Code]"
"""A generator that yields guesses, is sent the black pegs of each, and returns the code."""


class ContradictionError(Exception):
    """No code gets the scores that a plan received."""


class Planned(SeededStrategy):
    """A strategy with a proven bound on the number of guesses, for black pegs in games of any size.

    Its guesses are seldom possible codes. Rows with unplanned guesses are ignored, and so are white
    pegs. The order of pegs and colors is drawn by the seed, so that no particular code is a worst
    case.
    """

    _plan: Plan | None = None
    _game: Game
    _rows: tuple[Row, ...]
    """The rows that the plan has processed."""
    _black_pegs: dict[Code, int]
    """Guesses and their black pegs."""
    _next: Code

    @abstractmethod
    def plan(self, game: Game, source: random.Random) -> Plan:
        """Return the plan for a whole game."""

    def choose(self, state: State) -> Code:
        """Resume the plan; restart it if the processed rows are not the first rows of the state."""
        rows = state.rows
        try:
            if (
                self._plan is None
                or self._game != state.game
                or self._rows != rows[: len(self._rows)]
            ):
                self._game, self._rows, self._black_pegs = state.game, (), {}
                self._plan = self.plan(state.game, random.Random(f"{self.seed} {state.game}"))
                self._next = next(self._plan)
            for guess, (black, *_) in rows[len(self._rows) :]:
                if black is not None:
                    self._black_pegs[guess] = black
            self._rows = rows
            while self._next in self._black_pegs:
                self._next = self._plan.send(self._black_pegs[self._next])
        except StopIteration as end:
            self._plan, self._next = None, end.value
            if not state.allows(self._next):
                raise no_code_error(state.board) from None
        except ContradictionError:
            self._plan = None
            raise no_code_error(state.board) from None
        return self._next

    def __getstate__(self) -> dict[str, object]:
        """Return the options, without the running plan, which cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name[0] != "_"}

    def check(self, game: Game) -> None:
        """Raise InputError if codes are not arbitrary sequences, or if scores have no black pegs.

        Also if consistent guesses only are required.
        """
        faults = []
        if game.scoring.name not in ("black-white", "black"):
            rule = f"{self.name} uses black pegs"
            faults.append(
                Fault(rule, str(game), "a game scored by black and white, or by black only")
            )
        if game.space.name != "repeats":
            rule = f"{self.name} guesses any sequence of colors"
            faults.append(Fault(rule, str(game), "a game with repeated colors"))
        if self.consistent_only:
            rule = f"{self.name} also guesses codes that are ruled out"
            faults.append(Fault(rule, Description("consistent guesses only"), "all guesses"))
        InputError.refuse(faults, "the strategy")
        super().check(game)
