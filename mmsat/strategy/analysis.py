"""How well a strategy plays: every code, or a sample of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.tree import StrategyTree


class CodeKind(NamedTuple):
    """The codes with so many pegs of one color, so many of another, and so on."""

    pattern: tuple[int, ...]
    """The pegs of the colors, the most first: (2, 1, 1) has a pair."""
    codes: int
    total: int
    """The guesses that they take together."""

    @property
    def average(self) -> Fraction:
        """The guesses that one takes."""
        return Fraction(self.total, self.codes)


@dataclass(frozen=True)
class Analysis:
    """What a strategy takes for each code that was played."""

    game: Game
    strategy: str
    games: Sequence[tuple[Code, int]]
    """Codes and the guesses that they take: all codes in order, or a sample in the order drawn."""
    is_sample: bool = False
    tree: StrategyTree | None = None
    """The strategy written out, where every code was played."""

    @property
    def codes(self) -> int:
        """The codes played."""
        return len(self.games)

    @property
    def total(self) -> int:
        """The guesses that they take together."""
        return sum(turn for _, turn in self.games)

    @property
    def average(self) -> Fraction:
        """The guesses that a code takes, exactly; of a sample, its mean."""
        return Fraction(self.total, self.codes)

    @property
    def max(self) -> int:
        """The guesses that the worst code takes."""
        return max(turn for _, turn in self.games)

    @property
    def distribution(self) -> dict[int, int]:
        """For each number of guesses from 1, how many codes take so many."""
        ends = Counter(turn for _, turn in self.games)
        return {turn: ends[turn] for turn in range(1, max(ends) + 1)}

    @property
    def standard_error(self) -> float | None:
        """Of a sample's mean: the deviation in the sample, by the root of its size; else None."""
        if not self.is_sample or self.codes < 2:
            return None
        squares = sum(turn * turn * many for turn, many in self.distribution.items())
        variance = (squares - self.total * self.average) / (self.codes - 1)
        return sqrt(variance / self.codes)

    def turns(self, kind: CodeKind) -> list[int]:
        """The guesses that the codes of a kind take."""
        return [turn for code, turn in self.games if pattern(code) == kind.pattern]

    @property
    def kinds(self) -> tuple[CodeKind, ...]:
        """The same by kind of code, those with the most pegs of one color first."""
        sums: dict[tuple[int, ...], list[int]] = {}
        for code, turn in self.games:
            sums.setdefault(pattern(code), []).append(turn)
        return tuple(
            CodeKind(each, len(sums[each]), sum(sums[each])) for each in sorted(sums, reverse=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/analyze.json."""
        error = self.standard_error
        return {
            "game": str(self.game),
            "strategy": self.strategy,
            "codes": self.codes,
            "total": self.total,
            "average": fraction(self.average),
            "average_decimal": round(float(self.average), 6),
            "max": self.max,
            "distribution": list(self.distribution.values()),
            "kinds": [
                {
                    "pattern": list(kind.pattern),
                    "codes": kind.codes,
                    "total": kind.total,
                    "average": fraction(kind.average),
                    "average_decimal": round(float(kind.average), 6),
                }
                for kind in self.kinds
            ],
            "sample": self.is_sample,
            "standard_error": None if error is None else round(error, 6),
        }


def pattern(code: Code) -> tuple[int, ...]:
    """How many pegs have the same color, the most first."""
    return tuple(sorted(Counter(code).values(), reverse=True))


def fraction(value: Fraction) -> str:
    """A fraction in lowest terms, also where it is whole."""
    return f"{value.numerator}/{value.denominator}"
