"""Codes ranked by walking peg by peg: at each, so many codes go on with each color."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from mmsat.enumeration.ranking import Ranking
from mmsat.game.game import Game
from mmsat.game.row import Code


class Walk(ABC):
    """The beginning of a code."""

    @abstractmethod
    def ways(self) -> Mapping[int, int]:
        """By color, ascending: the codes that begin so and go on with it, where there are any."""

    @abstractmethod
    def step(self, color: int) -> Walk:
        """The beginning that is longer by a color that codes go on with."""


def select_branch(ways: Mapping[int, int], number: int) -> tuple[int, int]:
    """The color that a number falls on, and what is left of the number there."""
    for color, many in ways.items():
        if number < many:
            return color, number
        number -= many
    raise IndexError("there is no code of this number")


class WalkRanking(Ranking):
    """Codes ranked by walks."""

    @property
    def bytes(self) -> int:
        """What it takes at most."""
        return 0

    @abstractmethod
    def start(self) -> Walk:
        """The empty beginning."""

    def unrank(self, number: int) -> Code:
        """At each peg, the color below which there are not yet as many codes as the number."""
        walk, code = self.start(), []
        for peg in range(self.game.pegs):
            color, number = select_branch(walk.ways(), number)
            code.append(color)
            if peg + 1 < self.game.pegs:
                walk = walk.step(color)
        return tuple(code)

    def rank(self, code: Code) -> int:
        """The codes that have a lower color at the first peg that differs, added up."""
        walk, number = self.start(), 0
        for peg, color in enumerate(code):
            number += sum(ways for other, ways in walk.ways().items() if other < color)
            if peg + 1 < self.game.pegs:
                walk = walk.step(color)
        return number

    def codes(self, start: int) -> Iterator[Code]:
        """Depth first, past as many codes as are to be skipped."""
        last = self.game.pegs - 1
        code: list[int] = []
        stack = [(self.start(), iter(self.start().ways().items()))]
        while stack:
            walk, left = stack[-1]
            for color, ways in left:
                if start >= ways:
                    start -= ways
                    continue
                if len(code) == last:
                    yield (*code, color)
                    continue
                code.append(color)
                further = walk.step(color)
                stack.append((further, iter(further.ways().items())))
                break
            else:
                stack.pop()
                if code:
                    code.pop()


class FreeRanking(WalkRanking):
    """All codes of a game, where no row says anything."""

    def __init__(self, game: Game) -> None:
        """A game whose codes are not a list."""
        self.game = game

    @property
    def count(self) -> int:
        """The size of the game."""
        return self.game.size

    def start(self) -> Walk:
        """Any color may follow."""
        return _FreeWalk(self.game, ())

    def unrank(self, number: int) -> Code:
        """Digit by digit; where no color repeats, a digit is a place among those not yet taken."""
        pegs, colors = self.game.pegs, self.game.colors
        has_repeats = self.game.space.has_repeats
        digits = []
        for peg in reversed(range(pegs)):
            number, digit = divmod(number, colors if has_repeats else colors - peg)
            digits.append(digit)
        digits.reverse()
        if number:
            raise IndexError("there is no code of this number")
        if has_repeats:
            return tuple(digits)
        left = list(range(colors))
        return tuple(left.pop(digit) for digit in digits)

    def table(self) -> list[list[int]]:
        """All colors are alike."""
        many = self.game.size // self.game.colors
        return [[many] * self.game.colors for _ in range(self.game.pegs)]


class _FreeWalk(Walk):
    def __init__(self, game: Game, code: Code) -> None:
        self.game = game
        self.code = code

    def ways(self) -> Mapping[int, int]:
        left = self.game.pegs - len(self.code) - 1
        colors = range(self.game.colors)
        if self.game.space.has_repeats:
            return dict.fromkeys(colors, self.game.colors**left)
        ways = math.perm(self.game.colors - len(self.code) - 1, left)
        return dict.fromkeys(sorted({*colors} - {*self.code}), ways)

    def step(self, color: int) -> Walk:
        return _FreeWalk(self.game, (*self.code, color))
