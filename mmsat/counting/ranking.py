"""Rankings: rank, unrank and sample the consistent codes of a board.

Ranks start at 0, in lexicographic order of the codes. `Ranking` is the base class. `ListRanking`
stores the list of all codes. `WalkRanking` walks from peg to peg, given the number of codes that
continue with each color. `FreeRanking` ranks all codes of a game, for boards whose rows exclude no
code.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from mmsat.game import Code
from mmsat.game.game import Game


class Ranking(ABC):
    """Access to codes by rank, from 0 in lexicographic order, without a list of them."""

    game: Game
    """The game of the codes."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game}>"

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of codes."""

    @abstractmethod
    def unrank(self, number: int) -> Code:
        """Return the code with a rank.

        Parameters
        ----------
        number : int
            The rank, from 0 and below `count`.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """

    @abstractmethod
    def rank(self, code: Code) -> int:
        """Return the rank of a consistent code.

        Parameters
        ----------
        code : tuple of int
            The code, with colors from 0. It is not checked.

        Returns
        -------
        int
            The rank, from 0.
        """

    @abstractmethod
    def codes(self, start: int) -> Iterator[Code]:
        """Return an iterator over the codes in order.

        Parameters
        ----------
        start : int
            The rank of the first code, from 0.

        Returns
        -------
        iterator of tuple of int
            The codes, with colors from 0.
        """

    @abstractmethod
    def table(self) -> list[list[int]]:
        """Return for each peg and color the number of codes that have the color there."""

    def draw(self, number: int) -> Code:
        """Return a code for a number; different numbers give different codes.

        The order is not specified, so that this may be faster than `unrank` for random samples.

        Parameters
        ----------
        number : int
            A number from 0 and below `count`.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """
        return self.unrank(number)


class ListRanking(Ranking):
    """A ranking of codes that are few enough to list."""

    def __init__(self, game: Game, codes: Sequence[Code]) -> None:
        """Store all codes, which are in order."""
        self.game = game
        self.all = tuple(codes)

    @property
    def count(self) -> int:
        """The length of the list."""
        return len(self.all)

    def unrank(self, number: int) -> Code:
        """Return the code with this rank."""
        return self.all[number]

    def rank(self, code: Code) -> int:
        """Return the rank of a code by binary search."""
        return bisect_left(self.all, code)

    def codes(self, start: int) -> Iterator[Code]:
        """Yield the codes from the rank `start` on."""
        return iter(self.all[start:])

    def table(self) -> list[list[int]]:
        """Count the colors of all codes."""
        table = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for code in self.all:
            for peg, color in enumerate(code):
                table[peg][color] += 1
        return table


class Walk(ABC):
    """A prefix of codes."""

    @abstractmethod
    def ways(self) -> Mapping[int, int]:
        """Return, by color, the number of codes that continue the prefix with the color.

        The colors are in ascending order. Colors without such codes are omitted.
        """

    @abstractmethod
    def step(self, color: int) -> Walk:
        """Return the prefix extended by a color that some code continues with."""


def select_branch(ways: Mapping[int, int], rank: int) -> tuple[int, int]:
    """Return the color of the code with a rank, and its rank among the codes with that color."""
    for color, code_count in ways.items():
        if rank < code_count:
            return color, rank
        rank -= code_count
    raise IndexError("the rank of the code is out of range")


class WalkRanking(Ranking):
    """A ranking that extends a prefix of the code peg by peg."""

    @property
    def bytes(self) -> int:
        """The peak memory of the data of the ranking, in bytes."""
        return 0

    @abstractmethod
    def start(self) -> Walk:
        """Return the empty prefix."""

    def unrank(self, number: int) -> Code:
        """Return the code with this rank: at each peg, skip colors with too few codes."""
        walk, code = self.start(), []
        for peg in range(self.game.pegs):
            color, number = select_branch(walk.ways(), number)
            code.append(color)
            if peg + 1 < self.game.pegs:
                walk = walk.step(color)
        return tuple(code)

    def rank(self, code: Code) -> int:
        """Return the rank: the number of codes with a lower color at the first peg that differs."""
        walk, number = self.start(), 0
        for peg, color in enumerate(code):
            number += sum(ways for other, ways in walk.ways().items() if other < color)
            if peg + 1 < self.game.pegs:
                walk = walk.step(color)
        return number

    def codes(self, start: int) -> Iterator[Code]:
        """Yield the codes in order from the rank `start` on.

        This is a depth-first search that skips the subtrees before that rank.
        """
        last = self.game.pegs - 1
        code: list[int] = []
        stack = [(self.start(), iter(self.start().ways().items()))]
        while stack:
            walk, remaining_branches = stack[-1]
            for color, ways in remaining_branches:
                if start >= ways:
                    start -= ways
                    continue
                if len(code) == last:
                    yield (*code, color)
                    continue
                code.append(color)
                extended = walk.step(color)
                stack.append((extended, iter(extended.ways().items())))
                break
            else:
                stack.pop()
                if code:
                    code.pop()


class FreeRanking(WalkRanking):
    """The ranking of all codes of a game, for boards whose rows exclude no code."""

    def __init__(self, game: Game) -> None:
        """Rank the codes of a game whose codes are not a list."""
        self.game = game

    @property
    def count(self) -> int:
        """The size of the game."""
        return self.game.size

    def start(self) -> Walk:
        """Return the empty prefix."""
        return _FreeWalk(self.game, ())

    def unrank(self, number: int) -> Code:
        """Return the code whose digits are those of the rank.

        If no color repeats, a digit is an index into the unused colors.
        """
        pegs, colors = self.game.pegs, self.game.colors
        has_repeats = self.game.space.has_repeats
        digits = []
        for peg in reversed(range(pegs)):
            number, digit = divmod(number, colors if has_repeats else colors - peg)
            digits.append(digit)
        digits.reverse()
        if number:
            raise IndexError("the rank of the code is out of range")
        if has_repeats:
            return tuple(digits)
        unused_colors = list(range(colors))
        return tuple(unused_colors.pop(digit) for digit in digits)

    def table(self) -> list[list[int]]:
        """Return the same number of codes for every peg and color."""
        code_count = self.game.size // self.game.colors
        return [[code_count] * self.game.colors for _ in range(self.game.pegs)]


class _FreeWalk(Walk):
    """A prefix of the codes of a game."""

    def __init__(self, game: Game, code: Code) -> None:
        self.game = game
        self.code = code

    def ways(self) -> Mapping[int, int]:
        remaining_pegs = self.game.pegs - len(self.code) - 1
        colors = range(self.game.colors)
        if self.game.space.has_repeats:
            return dict.fromkeys(colors, self.game.colors**remaining_pegs)
        ways = math.perm(self.game.colors - len(self.code) - 1, remaining_pegs)
        return dict.fromkeys(sorted({*colors} - {*self.code}), ways)

    def step(self, color: int) -> Walk:
        return _FreeWalk(self.game, (*self.code, color))
