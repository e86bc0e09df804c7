"""The consistent codes of a board as a lazy, immutable sequence in lexicographic order."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import index
from typing import Any, overload

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.english import quantity, whole_range
from mmsat.enumeration.count import MEMORY, count
from mmsat.enumeration.listing import list_codes, verify_code
from mmsat.enumeration.odds import Odds
from mmsat.enumeration.ranking import Ranking
from mmsat.enumeration.weighing import WeighedCodes, weigh_codes
from mmsat.errors import InputError, describe_found
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.registry import load
from mmsat.solving.deadline import Deadline
from mmsat.solving.executor import within
from mmsat.tolerance import STRICT, Tolerance
from mmsat.weights import Weights

SELECT_RANKING = "mmsat.enumeration.ranking_selection:select_ranking"
"""Import path of the function that makes a ranking. It is imported on first use, as lists need
none."""


@dataclass(frozen=True)
class Codes:
    """The consistent codes of a board, as tuples of colors from 0, computed on first use.

    Codes support `in`, iteration, `reversed`, indexing and slices like a sequence. They are not a
    `collections.abc.Sequence`, because `count` is the number of codes, an int of any size. `len()`
    works up to `sys.maxsize`. Codes by rank, odds and samples need a ranking, which raises
    SizeError if there are too many codes for one.
    """

    board: Board
    memory: int = MEMORY
    """The memory limit of the ranking in bytes."""
    tolerance: Tolerance = STRICT
    """The number of scores that may be wrong."""
    weights: Weights | None = None
    """The weights of the codes for `odds` and `weight`; None if all are equally likely."""

    @cached_property
    def count(self) -> int:
        """The number of codes: an exact int of any size. `mmsat.count` has a time limit."""
        if "ranking" in self.__dict__:
            return self.ranking.count
        lies, by = self.tolerance.lies, self.tolerance.by
        return count(self.board, memory=self.memory, lies=lies, by=by).count

    @cached_property
    def ranking(self) -> Ranking:
        """The ranking of the codes, in lexicographic order from 0."""
        ranking: Ranking = load(SELECT_RANKING)(self.board, self.memory, self.tolerance)
        return ranking

    def __len__(self) -> int:
        return self.count

    @overload
    def __getitem__(self, number: int) -> Code: ...
    @overload
    def __getitem__(self, number: slice) -> Slice: ...
    def __getitem__(self, number: int | slice) -> Code | Slice:
        """Return the code of a number, from 0, or from the end if negative; a slice is lazy."""
        total = self.ranking.count
        if isinstance(number, slice):
            return Slice(self, range(*number.indices(total)))
        place = index(number)
        if not -total <= place < total:
            raise IndexError(f"index {place:,} is out of range for {quantity(total, 'code')}")
        return self.ranking.unrank(place % total)

    def index(self, code: Sequence[int] | str) -> int:
        """Return the number of a code, from 0.

        - `code`: text, or colors from 0.

        Raises ValueError if it is not consistent, InputError (a ValueError) if it is not a code.
        """
        colors = self.board.game.read_code(code)
        if colors not in self:
            raise ValueError(f"{describe_found(code)} is not among the codes")
        return self.ranking.rank(colors)

    def __iter__(self) -> Iterator[Code]:
        return list_codes(self.board, Deadline(), tolerance=self.tolerance)

    def __reversed__(self) -> Iterator[Code]:
        return (self.ranking.unrank(number) for number in reversed(range(self.ranking.count)))

    def __contains__(self, code: Sequence[int] | str) -> bool:
        """Return whether a code, as text or as colors from 0, is one of these.

        Raises InputError for objects that are not codes.
        """
        return self.tolerance.allows(self.board, code)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    @check_arguments
    def sample(self, number: int, *, seed: int | None = None) -> list[Code]:
        """Return different codes in random order; every selection is equally likely.

        - `number`: the number of codes; all of them are returned if there are fewer.
        - `seed`: the seed of the random choices; None for a different sample each time.

        Raises InputError for a number that is negative or not an integer, and for an invalid seed.
        """
        total = self.ranking.count
        numbers = draw_numbers(total, min(number, total), random.Random(seed))
        return [self.ranking.draw(rank) for rank in numbers]

    @cached_property
    def _weighed(self) -> WeighedCodes:
        """The codes with their weights; raises SizeError if there are too many codes to list."""
        weights = self.weights or Weights.of_colors(self.board.game, [1] * self.board.game.colors)
        return weigh_codes(self.board, weights, self.tolerance)

    @property
    def weight(self) -> Fraction:
        """The total weight of the codes. Without weights, each code has weight 1."""
        return Fraction(self.count) if self.weights is None else self._weighed.weight

    @check_arguments
    def odds(self, *, timeout: float | None = None) -> Odds:
        """Return the exact probability of every color at every peg.

        Raises TimeLimitError after `timeout` seconds; None means no limit.
        """
        return within(timeout, self._odds, work="the odds")

    def _odds(self) -> Odds:
        if self.weights is not None:
            return self._weighed.odds(self.board)
        table = self.ranking.table()
        return Odds(self.board.game, self.ranking.count, tuple(map(tuple, table)))

    def forced(self) -> tuple[int | None, ...]:
        """Return for each peg the color that all codes have there, or None if they differ."""
        return self.odds().forced()

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield one record per code, for pandas.DataFrame and polars: the code and its pegs.

        Pegs and colors count from 1. Codes are yielded as they are found, because there may be very
        many.
        """
        for code in self:
            pegs = {f"peg {peg}": color + 1 for peg, color in enumerate(code, 1)}
            yield {"code": self.print(code), **pegs}

    def print(self, code: Sequence[int] | str) -> str:
        """Return a code as text of the board's game; raises InputError for other objects."""
        (colors,) = self.board.game.require(code=code)
        return speller(self.board.game).print_code(colors)

    def __repr__(self) -> str:
        lies, by = self.tolerance.lies, self.tolerance.by
        lies_argument = f", lies={lies}, by={by!r}" if lies else ""
        return f"mmsat.codes({self.board!r}{lies_argument})"


@dataclass(frozen=True, repr=False)
class Slice:
    """A slice of Codes, with the same operations."""

    codes: Codes
    numbers: range
    """The numbers of its codes, in its order."""

    @property
    def count(self) -> int:
        """The number of codes: an int of any size."""
        return self.numbers.index(self.numbers[-1]) + 1 if self.numbers else 0

    def __len__(self) -> int:
        return len(self.numbers)

    def __bool__(self) -> bool:
        return bool(self.numbers)

    @overload
    def __getitem__(self, number: int) -> Code: ...
    @overload
    def __getitem__(self, number: slice) -> Slice: ...
    def __getitem__(self, number: int | slice) -> Code | Slice:
        """Return the code of a number within the slice, or a slice of the slice."""
        if isinstance(number, slice):
            return Slice(self.codes, self.numbers[number])
        return self.codes.ranking.unrank(self.numbers[number])

    def __iter__(self) -> Iterator[Code]:
        ranking, numbers = self.codes.ranking, self.numbers
        if numbers and numbers.step == 1:
            in_order = zip(numbers, ranking.codes(numbers.start), strict=False)
            yield from (code for _, code in in_order)
        else:
            yield from map(ranking.unrank, numbers)

    def __reversed__(self) -> Iterator[Code]:
        return map(self.codes.ranking.unrank, reversed(self.numbers))

    def __contains__(self, code: Sequence[int] | str) -> bool:
        """Return whether a code, as text or as colors from 0, is one of these."""
        colors = self.codes.board.game.read_code(code)
        return colors in self.codes and self.codes.ranking.rank(colors) in self.numbers

    def index(self, code: Sequence[int] | str) -> int:
        """Return the number of a code within the slice, as `Codes.index` does."""
        number = self.codes.index(code)
        if number not in self.numbers:
            raise ValueError(f"{describe_found(code)} is not among the codes")
        return self.numbers.index(number)

    def __repr__(self) -> str:
        start, stop, step = self.numbers.start, self.numbers.stop, self.numbers.step
        return f"{self.codes!r}[{start}:{stop}:{step}]"


def codes_from(codes: Codes, start: int) -> Iterator[Code]:
    """Yield the codes in order from the number `start` (from 0), each scored again.

    Raises InputError, which counts from 1, if the last code has a smaller number.
    """
    total = codes.ranking.count
    if start >= total > 0:
        raise InputError.of("the first code", whole_range(1, total), start + 1)
    for code in codes[start:]:
        yield verify_code(codes.board, code, codes.tolerance)


def draw_codes(codes: Codes, number: int, seed: int | None) -> Iterator[Code]:
    """Yield `number` different codes at random, or all if there are fewer, each scored again."""
    for code in codes.sample(number, seed=seed):
        yield verify_code(codes.board, code, codes.tolerance)


def draw_numbers(total: int, number: int, source: random.Random) -> list[int]:
    """Return `number` different numbers below `total`, in random order."""
    if total <= 4 * number:
        return source.sample(range(total), number)
    drawn: dict[int, None] = {}  # range() has no length beyond a machine word
    while len(drawn) < number:
        drawn[source.randrange(total)] = None
    return list(drawn)


@check_arguments
def codes(
    board: Board | str,
    *,
    lies: int = 0,
    by: str = "rows",
    memory: int = MEMORY,
    weights: Weights | None = None,
) -> Codes:
    """Return the lazy sequence of the consistent codes in lexicographic order.

    - `board`: the game and its scored rows.
    - `lies`: the number of scores that may be wrong, counted `by` "rows" or by "pegs" (the number
      of key pegs that differ).
    - `memory`: the memory limit in bytes of the decision diagram for ranks, samples and odds.
    - `weights`: how likely each code is, for odds and the total weight; None if all are equally
      likely.

    Raises InputError for an invalid argument. Operations on the codes may raise SizeError later.
    """
    return Codes(Board.of(board), memory, Tolerance(lies, by), weights)
