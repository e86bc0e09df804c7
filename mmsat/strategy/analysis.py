"""Results of an analysis: how many guesses a strategy needs, for every code or for a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Annotated, Any, NamedTuple, TypedDict

from mmsat._util.display import Shown
from mmsat._util.json_types import GameText, NonNegative, Positive, Schema
from mmsat.game.game import Game
from mmsat.game.notation.speller import speller
from mmsat.game.row import Code
from mmsat.strategy.tree import Figures, StrategyTree

PositiveFraction = Annotated[
    str,
    Schema(
        pattern="^[1-9][0-9]*/[1-9][0-9]*$",
        description="Exact number, as a fraction in lowest terms.",
    ),
]


AverageDecimal = Annotated[
    float, Schema(minimum=1, description="The same, rounded to six decimal places.")
]


Pattern = Annotated[
    list[Positive],
    Schema(
        description="The number of pegs of each color, in descending order: [2, 1, 1] has a pair."
    ),
]


Distribution = Annotated[list[NonNegative], Schema(minItems=1)]


class AverageJson(TypedDict):
    """Average number of guesses per code."""

    average: PositiveFraction
    average_decimal: AverageDecimal


class CodeKindJson(AverageJson):
    """Codes with the same color counts."""

    pattern: Pattern
    codes: Positive
    """Number of codes."""
    total: Positive
    """Total number of guesses for these codes."""


class AnalysisJson(AverageJson):
    """The number of guesses that a strategy needs, for every code or for a sample."""

    game: GameText
    strategy: str
    """Name of the strategy."""
    codes: Positive
    """Number of codes that were played."""
    total: Positive
    """Total number of guesses for these codes, including the guesses that win."""
    max: Positive
    """Maximum number of guesses."""
    distribution: Distribution
    """The numbers of codes that need one guess, two guesses, and so on up to `max`."""
    kinds: list[CodeKindJson]
    """The results by kind of code; kinds with the most pegs of one color come first."""
    sample: bool
    """Whether the codes are a random sample."""
    standard_error: Annotated[float, Schema(minimum=0)] | None
    """Standard error of the average; null without a sample of at least two codes."""


class CodeKind(NamedTuple):
    """Codes with the same color counts, such as 2+1+1."""

    pattern: tuple[int, ...]
    """Number of pegs of each color, in descending order: (2, 1, 1) has a pair."""
    turns: tuple[int, ...]
    """Number of guesses for each of the codes."""

    @property
    def codes(self) -> int:
        """Number of codes."""
        return len(self.turns)

    @property
    def total(self) -> int:
        """Total number of guesses for these codes."""
        return sum(self.turns)

    @property
    def average(self) -> Fraction:
        """Average number of guesses per code."""
        return Fraction(self.total, self.codes)


@dataclass(frozen=True, repr=False)
class Analysis(Shown, Figures):
    """Number of guesses per code. If `is_sample`, `average` is the mean of the sample."""

    game: Game
    """The game."""
    strategy: str
    """Name of the strategy, with its options."""
    games: Sequence[tuple[Code, int]]
    """Codes and their numbers of guesses: all codes in order, or a sample in the order drawn."""
    is_sample: bool = False
    """Whether only a sample of the codes was played."""
    tree: StrategyTree | None = None
    """The complete strategy tree, if every code was played."""

    @cached_property
    def distribution(self) -> dict[int, int]:
        num_codes = Counter(turns for _, turns in self.games)
        return {turns: num_codes[turns] for turns in range(1, max(num_codes) + 1)}

    @property
    def standard_error(self) -> float | None:
        """Standard error of the mean; None without a sample of at least two codes."""
        if not self.is_sample or self.codes < 2:
            return None
        squares = sum(turns**2 * num_codes for turns, num_codes in self.distribution.items())
        variance = (squares - self.total * self.average) / (self.codes - 1)
        return sqrt(variance / self.codes)

    @cached_property
    def kinds(self) -> tuple[CodeKind, ...]:
        """The results by kind of code; kinds with the most pegs of one color come first."""
        by_pattern: dict[tuple[int, ...], list[int]] = {}
        for code, turns in self.games:
            by_pattern.setdefault(color_pattern(code), []).append(turns)
        patterns = sorted(by_pattern, reverse=True)
        return tuple(CodeKind(pattern, tuple(by_pattern[pattern])) for pattern in patterns)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per code that was played, for pandas.DataFrame and polars."""
        print_code = speller(self.game).print_code
        return [{"code": print_code(code), "guesses": turns} for code, turns in self.games]

    def to_dict(self) -> AnalysisJson:
        """Return a dict with the stable JSON keys; see schemas/analyze.json."""
        standard_error = self.standard_error
        return {
            "game": str(self.game),
            "strategy": self.strategy,
            "codes": self.codes,
            "total": self.total,
            **average_json(self.average),
            "max": self.max,
            "distribution": list(self.distribution.values()),
            "kinds": [
                {
                    "pattern": list(kind.pattern),
                    "codes": kind.codes,
                    "total": kind.total,
                    **average_json(kind.average),
                }
                for kind in self.kinds
            ],
            "sample": self.is_sample,
            "standard_error": None if standard_error is None else round(standard_error, 6),
        }


def color_pattern(code: Code) -> tuple[int, ...]:
    """Return the numbers of pegs of the colors of a code, in descending order."""
    return tuple(sorted(map(code.count, set(code)), reverse=True))


def format_fraction(value: Fraction) -> str:
    """Return a fraction in lowest terms as text, with its denominator even if that is 1."""
    return f"{value.numerator}/{value.denominator}"


def round_fraction(value: Fraction) -> float:
    """Return a fraction rounded to six decimal places."""
    return round(float(value), 6)


def average_json(value: Fraction) -> AverageJson:
    """Return the JSON entries of an average: the exact fraction and a decimal."""
    return {"average": format_fraction(value), "average_decimal": round_fraction(value)}
