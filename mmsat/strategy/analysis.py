"""How well a strategy plays: every code, or a sample of them."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, NamedTuple

from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.shown import Shown
from mmsat.strategy.tree import Figures, StrategyTree


class CodeKind(NamedTuple):
    """Codes with the same color counts, such as 2+1+1."""

    pattern: tuple[int, ...]
    """The pegs of the colors, the most first: (2, 1, 1) has a pair."""
    turns: tuple[int, ...]
    """The guesses that each of the codes takes."""

    @property
    def codes(self) -> int:
        """How many codes there are."""
        return len(self.turns)

    @property
    def total(self) -> int:
        """The guesses that they take together."""
        return sum(self.turns)

    @property
    def average(self) -> Fraction:
        """The guesses that one takes."""
        return Fraction(self.total, self.codes)


@frozen
class Analysis(Shown, Figures):
    """Number of guesses per code. `average` is the sample mean if sampled."""

    game: Game
    strategy: str
    games: Sequence[tuple[Code, int]]
    """Codes and the guesses that they take: all codes in order, or a sample in the order drawn."""
    is_sample: bool = False
    tree: StrategyTree | None = None
    """The strategy written out, where every code was played."""

    @cached_property
    def distribution(self) -> dict[int, int]:
        ends = Counter(turn for _, turn in self.games)
        return {turn: ends[turn] for turn in range(1, max(ends) + 1)}

    @property
    def standard_error(self) -> float | None:
        """Standard error of the mean; None if not sampled."""
        if not self.is_sample or self.codes < 2:
            return None
        squares = sum(turn * turn * many for turn, many in self.distribution.items())
        variance = (squares - self.total * self.average) / (self.codes - 1)
        return sqrt(variance / self.codes)

    @cached_property
    def kinds(self) -> tuple[CodeKind, ...]:
        """The same by kind of code, those with the most pegs of one color first."""
        turns: dict[tuple[int, ...], list[int]] = {}
        for code, turn in self.games:
            turns.setdefault(color_pattern(code), []).append(turn)
        patterns = sorted(turns, reverse=True)
        return tuple(CodeKind(pattern, tuple(turns[pattern])) for pattern in patterns)

    def records(self) -> list[dict[str, Any]]:
        """A line for each code that was played, for pandas.DataFrame and polars."""
        print_code = speller(self.game).print_code
        return [{"code": print_code(code), "guesses": turns} for code, turns in self.games]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/analyze.json."""
        error = self.standard_error
        return {
            "game": str(self.game),
            "strategy": self.strategy,
            "codes": self.codes,
            "total": self.total,
            **print_average(self.average),
            "max": self.max,
            "distribution": list(self.distribution.values()),
            "kinds": [
                {
                    "pattern": list(kind.pattern),
                    "codes": kind.codes,
                    "total": kind.total,
                    **print_average(kind.average),
                }
                for kind in self.kinds
            ],
            "sample": self.is_sample,
            "standard_error": None if error is None else round(error, 6),
        }


def color_pattern(code: Code) -> tuple[int, ...]:
    """How many pegs have the same color, the most first."""
    return tuple(sorted(map(code.count, set(code)), reverse=True))


def print_fraction(value: Fraction) -> str:
    """A fraction in lowest terms, also where it is whole."""
    return f"{value.numerator}/{value.denominator}"


def print_average(value: Fraction, key: str = "average") -> dict[str, Any]:
    """A number for JSON, exactly and as a decimal."""
    return {key: print_fraction(value), f"{key}_decimal": round(float(value), 6)}
