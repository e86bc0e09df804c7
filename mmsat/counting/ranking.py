"""Rankings: rank, unrank and sample the consistent codes of a board.

Ranks start at 0, in lexicographic order of the codes. `Ranking` is the base class. `ListRanking`
stores the list of all codes. `PrefixRanking` extends a prefix peg by peg, given the number of codes
that continue it with each color. `AllCodesRanking` ranks all codes of a game, for boards whose rows
exclude no code.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from mmsat.game import Code
from mmsat.game.game import Game


class Ranking(ABC):
    """Access to codes by rank, from 0 in lexicographic order."""

    game: Game
    """The game of the codes."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game}>"

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of codes."""

    @abstractmethod
    def unrank(self, rank: int) -> Code:
        """Return the code with a rank.

        Parameters
        ----------
        rank : int
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
    def color_counts(self) -> list[list[int]]:
        """Return for each peg and color the number of codes that have the color there."""

    def draw(self, number: int) -> Code:
        """Return the code with an index in an unspecified order of the codes.

        Different numbers give different codes. Because the order is free, this may be faster than
        `unrank`, and it suffices for random samples.

        Parameters
        ----------
        number : int
            The index, from 0 and below `count`.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """
        return self.unrank(number)


class ListRanking(Ranking):
    """A ranking of codes that are few enough to list."""

    def __init__(self, game: Game, codes: Sequence[Code]) -> None:
        """Store all codes, which must be in lexicographic order."""
        self.game = game
        self.all_codes = tuple(codes)

    @property
    def count(self) -> int:
        """The length of the list."""
        return len(self.all_codes)

    def unrank(self, rank: int) -> Code:
        """Return the code with this rank."""
        return self.all_codes[rank]

    def rank(self, code: Code) -> int:
        """Return the rank of a code by binary search."""
        return bisect_left(self.all_codes, code)

    def codes(self, start: int) -> Iterator[Code]:
        """Yield the codes from the rank `start` on."""
        return iter(self.all_codes[start:])

    def color_counts(self) -> list[list[int]]:
        """Count the colors of all codes."""
        counts = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for code in self.all_codes:
            for peg, color in enumerate(code):
                counts[peg][color] += 1
        return counts


class CodePrefix(ABC):
    """The colors of the first pegs of a code, with the number of codes that extend them."""

    @abstractmethod
    def code_counts(self) -> Mapping[int, int]:
        """Return, by the color of the next peg, the number of codes that start like this.

        The colors are in ascending order. Colors without such codes are omitted.
        """

    @abstractmethod
    def extend(self, color: int) -> CodePrefix:
        """Return the prefix with one more peg; some code must have this color there."""


def select_color(counts: Mapping[int, int], rank: int) -> tuple[int, int]:
    """Return the next color of the code with a rank, and its rank among the codes with that color.

    `counts` is the number of codes by color, and `rank` is the rank among all these codes.
    """
    for color, code_count in counts.items():
        if rank < code_count:
            return color, rank
        rank -= code_count
    raise IndexError("the rank of the code is out of range")


class PrefixRanking(Ranking):
    """A ranking that extends a prefix of the code peg by peg."""

    @property
    def peak_bytes(self) -> int:
        """The peak memory in bytes while the ranking was built; 0 if it stores no data."""
        return 0

    @abstractmethod
    def empty_prefix(self) -> CodePrefix:
        """Return the empty prefix."""

    def unrank(self, rank: int) -> Code:
        """Return the code with this rank: at each peg, skip colors with too few codes."""
        prefix, code = self.empty_prefix(), []
        for peg in range(self.game.pegs):
            color, rank = select_color(prefix.code_counts(), rank)
            code.append(color)
            if peg + 1 < self.game.pegs:
                prefix = prefix.extend(color)
        return tuple(code)

    def rank(self, code: Code) -> int:
        """Return the rank: the number of codes with a lower color at the first peg that differs."""
        prefix, rank = self.empty_prefix(), 0
        for peg, color in enumerate(code):
            counts = prefix.code_counts()
            rank += sum(counts[lower_color] for lower_color in counts if lower_color < color)
            if peg + 1 < self.game.pegs:
                prefix = prefix.extend(color)
        return rank

    def codes(self, start: int) -> Iterator[Code]:
        """Yield the codes in order from the rank `start` on.

        This is a depth-first search that skips the subtrees before that rank.
        """
        last_peg = self.game.pegs - 1
        num_skipped = start  # the number of codes that are still to be skipped
        code: list[int] = []
        root = self.empty_prefix()
        # Each level of the search: a prefix, and its colors that are not searched yet.
        stack = [(root, iter(root.code_counts().items()))]
        while stack:
            prefix, remaining_colors = stack[-1]
            for color, code_count in remaining_colors:
                if num_skipped >= code_count:
                    num_skipped -= code_count
                    continue
                if len(code) == last_peg:
                    yield (*code, color)
                    continue
                code.append(color)
                extended = prefix.extend(color)
                stack.append((extended, iter(extended.code_counts().items())))
                break
            else:
                stack.pop()
                if code:
                    code.pop()


class AllCodesRanking(PrefixRanking):
    """The ranking of all codes of a game, for boards whose rows exclude no code."""

    def __init__(self, game: Game) -> None:
        """Rank the codes of a game without a word list."""
        self.game = game

    @property
    def count(self) -> int:
        """The size of the game."""
        return self.game.size

    def empty_prefix(self) -> CodePrefix:
        """Return the empty prefix."""
        return _GamePrefix(self.game, ())

    def unrank(self, rank: int) -> Code:
        """Return the code whose digits are those of the rank.

        The base is the number of colors. If no color repeats, the digit of a peg is an index into
        the unused colors, so the base decreases from peg to peg.
        """
        pegs, colors = self.game.pegs, self.game.colors
        has_repeats = self.game.space.has_repeats
        digits = []
        for peg in reversed(range(pegs)):
            rank, digit = divmod(rank, colors if has_repeats else colors - peg)
            digits.append(digit)
        digits.reverse()
        if rank:
            raise IndexError("the rank of the code is out of range")
        if has_repeats:
            return tuple(digits)
        unused_colors = list(range(colors))
        return tuple(unused_colors.pop(digit) for digit in digits)

    def color_counts(self) -> list[list[int]]:
        """Return the same number of codes for every peg and color."""
        code_count = self.game.size // self.game.colors
        return [[code_count] * self.game.colors for _ in range(self.game.pegs)]


class _GamePrefix(CodePrefix):
    """A prefix among all codes of a game."""

    def __init__(self, game: Game, code: Code) -> None:
        self.game = game
        self.code = code

    def code_counts(self) -> Mapping[int, int]:
        remaining_pegs = self.game.pegs - len(self.code) - 1
        colors = range(self.game.colors)
        if self.game.space.has_repeats:
            return dict.fromkeys(colors, self.game.colors**remaining_pegs)
        code_count = math.perm(self.game.colors - len(self.code) - 1, remaining_pegs)
        return dict.fromkeys(sorted({*colors} - {*self.code}), code_count)

    def extend(self, color: int) -> CodePrefix:
        return _GamePrefix(self.game, (*self.code, color))
