"""Detecting matrices: sums of unknown numbers that tell each of them, far fewer than there are.

Weigh coins of which each is true or false, and some of them together: the weights of about
2 n / log2 n fixed choices tell all n coins (Erdos and Renyi 1963, at random; Lindstroem 1964 and
Cantor and Mills 1966, by construction). Here a choice is a guess, and the weight its score.
"""

from __future__ import annotations

from functools import cache
from itertools import count, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from mmsat.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Column(NamedTuple):
    """Where a number is counted: in the sums of some rows, or taken away from them."""

    added: tuple[int, ...]
    taken: tuple[int, ...] = ()


class Signed(NamedTuple):
    """The matrix [D D 1; D -D 0] of Cantor and Mills: 2^t rows, by doubling t times.

    Columns of a lane have no row in common, those of two lanes may.
    """

    lanes: tuple[tuple[Column, ...], ...]
    """For numbers that are 0 or 1: t 2^(t-1) columns, in lanes of 1, 2, 4 ... of them."""
    whole: tuple[Column, ...]
    """For any whole numbers: 2^t columns that are in every row."""


@cache
def signed_matrix(dimensions: int) -> Signed:
    """The matrix of 2^dimensions rows."""
    if not dimensions:
        return Signed((), (Column((0,)),))
    half = 1 << (dimensions - 1)
    inner = signed_matrix(dimensions - 1)
    top = tuple(Column((row,)) for row in range(half))

    def double(column: Column, *, is_added: bool) -> Column:
        added = tuple(row + half for row in column.added)
        taken = tuple(row + half for row in column.taken)
        if not is_added:
            added, taken = taken, added
        return Column(column.added + added, column.taken + taken)

    lanes, whole = [top], []
    for is_added in (True, False):
        lanes += [tuple(double(each, is_added=is_added) for each in lane) for lane in inner.lanes]
        whole += [double(each, is_added=is_added) for each in inner.whole]
    return Signed(tuple(lanes), tuple(whole))


def solve_signed(sums: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """The numbers of the lanes and the whole ones, from the sums of all rows.

    The sum of a row of the upper half and its twin below is odd just where the number that only
    the upper one has is 1; without it, half their sum and half their difference are sums of the
    matrix of half the size.
    """
    if len(sums) == 1:
        return [], [sums[0]]
    half = len(sums) // 2
    upper, lower = sums[:half], sums[half:]
    top = [(one + other) % 2 for one, other in zip(upper, lower, strict=True)]
    lanes, whole = [top], []
    for sign in (1, -1):
        within = solve_signed(
            [(up + sign * low - odd) // 2 for up, low, odd in zip(upper, lower, top, strict=True)]
        )
        lanes += within[0]
        whole += within[1]
    return lanes, whole


class Counted(NamedTuple):
    """A number of Lindstroem's matrix, counted in the rows whose part in `group` is in `cells`.

    A row, the group and the cells are sets, given by their bits.
    """

    group: int
    cells: frozenset[int]


def counted_matrix(numbers: int, answers: int) -> list[Counted]:
    """So many numbers of 0 up to `answers` - 1, none taken away: rows 1, 2, ... as few as they fit.

    A row is a set of bits, and a group of numbers belongs to each row. In group a there is room for
    numbers that weigh 1, `answers`, its square and so on, up to half the number of a's subsets; one
    that weighs w is counted where the row's part in a is one of w subsets of odd size. With two
    answers, 2^t - 1 rows tell t 2^(t-1) numbers.
    """
    made: list[Counted] = []
    for group in count(1):
        odd = sorted(cell for cell in subsets(group) if cell.bit_count() % 2)
        weight = 1
        while weight <= len(odd):
            if len(made) == numbers:
                return made
            made.append(Counted(group, frozenset(odd[:weight])))
            weight *= answers
    raise InternalError("there is room for all numbers")


def solve_counted(matrix: Sequence[Counted], answers: int, sums: Sequence[int]) -> list[int]:
    """The numbers, from the sums of the rows 1, 2, ...

    From the last group on: the sums of a group's subsets, with the sign of what they lack, cancel
    out all numbers of groups that do not contain it, and those that do are known.
    """
    left = [0, *sums]
    found: list[int] = []
    for group, numbers in groupby(reversed(matrix), attrgetter("group")):
        members = [*numbers][::-1]
        signed = sum((-1) ** cell.bit_count() * left[cell] for cell in subsets(group))
        rest, own = -signed, []
        for _ in members[1:]:
            rest, number = divmod(rest, answers)
            own.append(number)
        own.append(rest)
        for (_, cells), number in zip(members, own, strict=True):
            for row in range(1, len(left)):
                if row & group in cells:
                    left[row] -= number
        found = own + found
    return found


def subsets(bits: int) -> Iterator[int]:
    """All subsets of a set that is given by its bits."""
    cell = bits
    while cell:
        yield cell
        cell = (cell - 1) & bits
    yield 0
