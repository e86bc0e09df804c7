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
from mmsat.enumeration.count import MEMORY, count
from mmsat.enumeration.listing import list_codes, verify_code
from mmsat.enumeration.odds import Odds
from mmsat.enumeration.ranking import Ranking
from mmsat.enumeration.weighing import WeighedCodes, weigh_codes
from mmsat.errors import InputError
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.registry import load
from mmsat.solving.deadline import Deadline
from mmsat.solving.executor import within
from mmsat.tolerance import STRICT, Tolerance
from mmsat.weights import Weights

SELECT_RANKING = "mmsat.enumeration.ranking_selection:select_ranking"
"""What ranks codes, by name: it is not needed to list them."""


@dataclass(frozen=True)
class Codes:
    """Codes are tuples of colors from 0. Nothing is computed before it is asked for.

    A sequence like any other, but that `count` is its length, which `len` tells only while it fits
    a machine word. Codes by number, odds and samples need a ranking, which raises SizeError where
    there are too many codes for one.
    """

    board: Board
    memory: int = MEMORY
    """Bytes that the ranking may take."""
    tolerance: Tolerance = STRICT
    """How wrong the scores may be."""
    weights: Weights | None = None
    """How likely the codes are, where not equally: for `odds` and `weight`."""

    @cached_property
    def count(self) -> int:
        """How many there are: an exact int of any size. See count for a time limit."""
        if "ranking" in self.__dict__:
            return self.ranking.count
        lies, by = self.tolerance.lies, self.tolerance.by
        return count(self.board, memory=self.memory, lies=lies, by=by).count

    @cached_property
    def ranking(self) -> Ranking:
        """What numbers the codes."""
        ranking: Ranking = load(SELECT_RANKING)(self.board, self.memory, self.tolerance)
        return ranking

    def __len__(self) -> int:
        return self.count

    @overload
    def __getitem__(self, number: int) -> Code: ...
    @overload
    def __getitem__(self, number: slice) -> Slice: ...
    def __getitem__(self, number: int | slice) -> Code | Slice:
        """A code by its number from 0, from the end if below 0; or a part, lazy as well."""
        total = self.ranking.count
        if isinstance(number, slice):
            return Slice(self, range(*number.indices(total)))
        place = index(number)
        if not -total <= place < total:
            raise IndexError(f"there are {total} codes, and none has the number {place}")
        return self.ranking.unrank(place % total)

    def index(self, code: Code) -> int:
        """The number of a code, from 0; raises ValueError if it is not consistent."""
        if code not in self:
            raise ValueError(f"{code!r} is not among the codes")
        return self.ranking.rank(code)

    def __iter__(self) -> Iterator[Code]:
        return list_codes(self.board, Deadline(), tolerance=self.tolerance)

    def __reversed__(self) -> Iterator[Code]:
        return (self.ranking.unrank(number) for number in reversed(range(self.ranking.count)))

    def __contains__(self, code: object) -> bool:
        return isinstance(code, tuple) and self.tolerance.allows(self.board, code)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def sample(self, number: int, *, seed: int | None = None) -> list[Code]:
        """So many different codes, every choice of them equally likely, in the order drawn.

        Raises InputError if there are not so many.
        """
        total = self.ranking.count
        if type(number) is not int or not 0 <= number <= total:
            raise InputError.of("the sample", f"0 to {total} codes", number)
        return [
            self.ranking.draw(rank) for rank in draw_numbers(total, number, random.Random(seed))
        ]

    @cached_property
    def _weighed(self) -> WeighedCodes:
        """The codes with their weights; raises SizeError where they are too many to be listed."""
        weights = self.weights or Weights.of_colors(self.board.game, [1] * self.board.game.colors)
        return weigh_codes(self.board, weights, self.tolerance)

    @property
    def weight(self) -> Fraction:
        """What the codes weigh together; without weights, each weighs 1."""
        return Fraction(self.count) if self.weights is None else self._weighed.weight

    @check_arguments
    def odds(self, *, timeout: float | None = None) -> Odds:
        """The chance of every color at every peg, exactly.

        Raises SizeError where that takes longer than `timeout` seconds; None is for no limit.
        """
        return within(timeout, self._odds, late="the chances are not known in time")

    def _odds(self) -> Odds:
        if self.weights is not None:
            return self._weighed.odds(self.board)
        table = self.ranking.table()
        return Odds(self.board.game, self.ranking.count, tuple(map(tuple, table)))

    def forced(self) -> tuple[int | None, ...]:
        """For each peg the color that all codes have there, None where they differ."""
        return self.odds().forced()

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a line for each code, for pandas.DataFrame and polars: the code, and its pegs.

        Pegs and colors count from 1. Codes come as they are found, as there may be very many.
        """
        for code in self:
            pegs = {f"peg {peg}": color + 1 for peg, color in enumerate(code, 1)}
            yield {"code": self.print(code), **pegs}

    def print(self, code: Code) -> str:
        """A code as the board's game spells it; raises InputError for what is none."""
        self.board.game.require(code=code)
        return speller(self.board.game).print_code(code)

    def __repr__(self) -> str:
        lies, by = self.tolerance.lies, self.tolerance.by
        told = f", lies={lies}, by={by!r}" if lies else ""
        return f"mmsat.codes({self.board!r}{told})"


Sequence.register(Codes)


class Slice(Sequence["Code"]):
    """The codes of some numbers."""

    def __init__(self, codes: Codes, numbers: range) -> None:
        """The numbers in the order wanted."""
        self.codes = codes
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, number: int) -> Code: ...
    @overload
    def __getitem__(self, number: slice) -> Slice: ...
    def __getitem__(self, number: int | slice) -> Code | Slice:
        """A code by its number within the part, or a part of the part."""
        if isinstance(number, slice):
            return Slice(self.codes, self.numbers[number])
        return self.codes.ranking.unrank(self.numbers[number])

    def __iter__(self) -> Iterator[Code]:
        ranking = self.codes.ranking
        if self.numbers.step == 1:
            left = self.numbers.stop - self.numbers.start
            for code in ranking.codes(self.numbers.start) if left > 0 else ():
                yield code
                left -= 1
                if left == 0:
                    return
        else:
            yield from map(ranking.unrank, self.numbers)

    def __contains__(self, code: object) -> bool:
        return (
            isinstance(code, tuple)
            and code in self.codes
            and self.codes.ranking.rank(code) in self.numbers
        )

    def __repr__(self) -> str:
        start, stop, step = self.numbers.start, self.numbers.stop, self.numbers.step
        return f"{self.codes!r}[{start}:{stop}:{step}]"


def codes_from(codes: Codes, start: int) -> Iterator[Code]:
    """Yield the codes in order from a number (from 0) on, each scored once more."""
    for code in codes[start:]:
        yield verify_code(codes.board, code, codes.tolerance)


def draw_codes(codes: Codes, number: int, seed: int | None) -> Iterator[Code]:
    """Yield so many different codes at random, or all where there are fewer, scored once more."""
    for code in codes.sample(min(number, codes.ranking.count), seed=seed):
        yield verify_code(codes.board, code, codes.tolerance)


def draw_numbers(total: int, number: int, source: random.Random) -> list[int]:
    """So many different numbers below the total, in the order drawn."""
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
    """Make the lazy sequence of the consistent codes; nothing is computed yet.

    The codes are in lexicographic order.

    - `board`: the game and its scored rows.
    - `lies`: how many scores may be wrong, counted `by` "rows" or by "pegs" (key pegs that are
      off).
    - `memory`: bytes that the decision diagram for ranks, samples and odds may take.
    - `weights`: how likely the codes are, where not equally: for odds and the weight of all.

    Raises InputError for a wrong argument. What is asked of the codes later may raise SizeError.
    """
    return Codes(Board.of(board), memory, Tolerance(lies, by), weights)
