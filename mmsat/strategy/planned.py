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
from mmsat.game import Code
from mmsat.strategy.candidates import no_code_error
from mmsat.strategy.strategy import SeededStrategy
from mmsat.strategy.tree import Node, StrategyTree

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from mmsat.game import Row
    from mmsat.game.game import Game
    from mmsat.strategy.strategy import State


def zero_score_path(tree: StrategyTree) -> tuple[Code, ...]:
    """Return the guesses that a tree makes, from the root on, if every score is zero."""
    guesses = []
    node: Node | None = tree.root
    while node is not None:
        guesses.append(node.guess)
        node = next((child for score, child in node.branches.items() if not any(score)), None)
    return tuple(guesses)


class Column(NamedTuple):
    """A column of a matrix: the rows in whose sums its number is added or subtracted."""

    added: tuple[int, ...]
    subtracted: tuple[int, ...] = ()


class SignedMatrix(NamedTuple):
    """The matrix [D D 1; D -D 0] of Cantor and Mills: 2^t rows, after t doublings.

    Columns of the same lane have no row in common; columns of different lanes may have.
    """

    lanes: tuple[tuple[Column, ...], ...]
    """Columns for numbers that are 0 or 1: t 2^(t-1) columns, in lanes of 1, 2, 4 ... columns."""
    full: tuple[Column, ...]
    """Columns for any whole numbers: 2^t columns that are nonzero in every row."""


@cache
def signed_matrix(num_doublings: int) -> SignedMatrix:
    """Return the matrix of this many doublings, with 2^num_doublings rows."""
    if not num_doublings:
        return SignedMatrix((), (Column((0,)),))
    half = 1 << (num_doublings - 1)
    inner = signed_matrix(num_doublings - 1)
    top = tuple(Column((row,)) for row in range(half))

    def double(column: Column, *, is_added: bool) -> Column:
        added = tuple(row + half for row in column.added)
        subtracted = tuple(row + half for row in column.subtracted)
        if not is_added:
            added, subtracted = subtracted, added
        return Column(column.added + added, column.subtracted + subtracted)

    lanes, full = [top], []
    for is_added in (True, False):
        lanes += [
            tuple(double(column, is_added=is_added) for column in lane) for lane in inner.lanes
        ]
        full += [double(column, is_added=is_added) for column in inner.full]
    return SignedMatrix(tuple(lanes), tuple(full))


def solve_signed(sums: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Return the numbers of each lane, and those of the full columns, from the sums of all rows.

    Let u be the sum of a row in the upper half, and v the sum of the same row in the lower half.
    They differ in parity if and only if the number x that occurs only in the upper row is 1. Then
    (u + v - x) / 2 and (u - v - x) / 2 are row sums of the matrix of half the size.
    """
    if len(sums) == 1:
        return [], [sums[0]]
    half = len(sums) // 2
    upper, lower = sums[:half], sums[half:]
    odd_numbers = [(up + low) % 2 for up, low in zip(upper, lower, strict=True)]
    lanes, full = [odd_numbers], []
    for sign in (1, -1):
        half_solution = solve_signed(
            [
                (up + sign * low - odd) // 2
                for up, low, odd in zip(upper, lower, odd_numbers, strict=True)
            ]
        )
        lanes += half_solution[0]
        full += half_solution[1]
    return lanes, full


class CountedColumn(NamedTuple):
    """A column of Lindstroem's matrix: 1 in the rows whose intersection with `group` is in `cells`.

    Rows, groups and cells are sets, represented by the bits of an integer.
    """

    group: int
    cells: frozenset[int]


def counted_matrix(num_columns: int, base: int) -> list[CountedColumn]:
    """Return a matrix of zeros and ones whose row sums determine numbers from 0 to `base` - 1.

    The rows are 1, 2, ..., up to the last group. A row is a set of bits, and each row is also the
    group of some columns. Group a has columns of weights 1, `base`, `base`^2 and so on, up to half
    the number of subsets of a. A column of weight w has a 1 in the rows whose intersection with a
    is one of w subsets of odd size. In base 2, 2^t - 1 rows determine t 2^(t-1) numbers.
    """
    columns: list[CountedColumn] = []
    for group in count(1):
        odd = sorted(cell for cell in subsets(group) if cell.bit_count() % 2)
        weight = 1
        while weight <= len(odd):
            if len(columns) == num_columns:
                return columns
            columns.append(CountedColumn(group, frozenset(odd[:weight])))
            weight *= base
    raise InternalError("the groups are infinite")


def solve_counted(matrix: Sequence[CountedColumn], base: int, sums: Sequence[int]) -> list[int]:
    """Return the number of each column, from the sums of the rows 1, 2, ...

    Groups are solved from the last one to the first. The sums of all subsets of a group are added
    with alternating signs, by the parity of the subset. This cancels the numbers of all groups that
    do not contain the group; the numbers of groups that contain the group are already known and
    have been subtracted. The negated result is the sum of the group's numbers times their weights,
    so that these numbers are its digits in base `base`.
    """
    remaining_sums = [0, *sums]
    solution: list[int] = []
    for group, reversed_columns in groupby(reversed(matrix), attrgetter("group")):
        columns = [*reversed_columns][::-1]
        alternating_sum = sum(
            (-1) ** cell.bit_count() * remaining_sums[cell] for cell in subsets(group)
        )
        quotient, group_numbers = -alternating_sum, []
        for _ in columns[1:]:
            quotient, number = divmod(quotient, base)
            group_numbers.append(number)
        group_numbers.append(quotient)
        for (_, cells), number in zip(columns, group_numbers, strict=True):
            for row in range(1, len(remaining_sums)):
                if row & group in cells:
                    remaining_sums[row] -= number
        solution = group_numbers + solution
    return solution


def subsets(bits: int) -> Iterator[int]:
    """Yield all subsets of a set of bits, the empty set last."""
    subset = bits
    while subset:
        yield subset
        subset = (subset - 1) & bits
    yield 0


Plan: TypeAlias = "Generator[Code, int, Code]"
"""A generator that yields guesses, receives the number of black pegs of each, and returns the code.
"""


class ContradictionError(Exception):
    """No code is consistent with the scores that a plan received."""


class Planned(SeededStrategy):
    """A strategy with a proven bound on the number of guesses, for black pegs in games of any size.

    The guesses are seldom possible codes. White pegs and rows whose guesses are not in the plan are
    ignored. The seed determines a random order of pegs and colors, so that no particular code is a
    worst case.
    """

    _plan: Plan | None = None
    _game: Game
    _rows: tuple[Row, ...]
    """The rows that the plan has processed."""
    _black_pegs: dict[Code, int]
    """The number of black pegs of each guess."""
    _next: Code
    """The next guess of the plan."""

    @abstractmethod
    def plan(self, game: Game, rng: random.Random) -> Plan:
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
        """Raise InputError if the game or an option is not supported.

        Codes must be arbitrary sequences of colors, scores must have black pegs, and guesses must
        not be restricted to consistent codes.
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
