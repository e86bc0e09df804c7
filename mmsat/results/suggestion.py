"""The next guess and its evaluation."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypedDict

from mmsat.board import Board
from mmsat.game.row import Code
from mmsat.json_types import BoardLine, ColorList, Digits, Positive, Ratio, Seconds
from mmsat.notation.speller import speller
from mmsat.results.count import Count
from mmsat.shown import Shown
from mmsat.tolerance import STRICT, Tolerance, ToleranceJson


class JudgmentJson(TypedDict):
    """Evaluation of a guess, by all remaining codes or by a sample of them."""

    possible: bool
    """Whether the guess can itself be the code."""
    chance: Ratio
    """Probability that the guess is the code; an upper bound unless `codes_exact`."""
    expected: Ratio
    """Expected number of remaining codes among those judged by."""
    worst: Positive
    """Maximum number of remaining codes among those judged by."""
    scores: Positive
    """Number of different scores that the guess can get."""
    judged_by: Positive
    """Number of codes that the guess is judged by."""


class ProspectJson(JudgmentJson):
    """A guess and its evaluation."""

    guess: ColorList


@dataclass(frozen=True)
class Prospect:
    """Evaluation of a guess, judged by all consistent codes or by a sample of them."""

    guess: Code
    """The guess, with colors from 0."""
    sizes: tuple[int, ...]
    """For each score that the guess can get, the number of these codes that give it; descending."""
    is_possible: bool
    """Whether the guess can itself be the code."""
    chance: Fraction
    """The probability that the guess is the code; 0 if it cannot be."""
    weights: tuple[int, ...] = ()
    """If codes have weights, the total weight of the codes of each entry of `sizes`, as integers in
    a common unit; otherwise empty."""

    @property
    def judged_by(self) -> int:
        """Number of codes that the guess is judged by."""
        return sum(self.sizes)

    @property
    def expected(self) -> Fraction:
        """Expected number of remaining codes among those judged by.

        If the guess is the code, one code remains.
        """
        shares = self.weights or self.sizes
        weighted_sum = sum(share * size for share, size in zip(shares, self.sizes, strict=True))
        return Fraction(weighted_sum, sum(shares))

    @property
    def worst(self) -> int:
        """Maximum number of remaining codes among those judged by."""
        return self.sizes[0]

    @property
    def scores(self) -> int:
        """Number of different scores that the guess can get."""
        return len(self.sizes)

    def to_dict(self) -> ProspectJson:
        """Return a dict for JSON, with colors from 1."""
        return {"guess": [color + 1 for color in self.guess], **self.judgment()}

    def judgment(self) -> JudgmentJson:
        """Return the evaluation without the guess, for JSON."""
        return {
            "possible": self.is_possible,
            "chance": str(self.chance),
            "expected": str(self.expected),
            "worst": self.worst,
            "scores": self.scores,
            "judged_by": self.judged_by,
        }


class SuggestionJson(ProspectJson, ToleranceJson):
    """The suggested next guess, with its evaluation and alternatives."""

    board: BoardLine
    strategy: str
    """Name of the strategy that chose the guess."""
    codes: Digits
    """Number of codes that remain; a lower bound unless `codes_exact`."""
    codes_exact: bool
    """Whether `codes` is exact."""
    exact: bool
    """Whether guesses are judged by all remaining codes, not by a sample."""
    expected_guesses: Ratio | None
    """Average number of guesses that the code takes from here on, if the guess is provably
    optimal; otherwise null."""
    others: list[ProspectJson]
    """Alternative guesses, the best first."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Suggestion(Shown):
    """The suggested next guess, with its evaluation and alternatives."""

    board: Board
    """The board to which the guess is to be added."""
    strategy: str
    """Name of the strategy that chose the guess."""
    codes: Count
    """Number of codes that remain before the guess."""
    best: Prospect
    """The suggested guess."""
    others: tuple[Prospect, ...]
    """Alternative guesses, those with the least remaining uncertainty first."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    tolerance: Tolerance = STRICT
    """How wrong the scores of the board may be. Remaining codes are consistent within this
    tolerance."""
    expected_guesses: Fraction | None = None
    """Average number of guesses that the code takes from here on, including this one, if it is
    known and provably minimal; otherwise None. With `consistent_only`, it is the minimum over
    consistent play."""
    consistent_only: bool = False
    """Whether the guess was required to be a code that remains possible."""
    own: tuple[Prospect, ...] = ()
    """Evaluations of the extra guesses that were requested (`own` of `suggest`)."""

    @property
    def guess(self) -> Code:
        """The suggested guess, with colors from 0."""
        return self.best.guess

    @property
    def is_exact(self) -> bool:
        """Whether guesses are judged by all remaining codes, not by a sample."""
        return self.codes.exact and self.best.judged_by == self.codes.count

    def records(self) -> list[dict[str, Any]]:
        """Return one record per guess, the best first, for pandas.DataFrame and polars."""
        print_code = speller(self.board.game).print_code
        return [
            {
                **prospect.to_dict(),
                "guess": print_code(prospect.guess),
                "chance": float(prospect.chance),
                "expected": float(prospect.expected),
            }
            for prospect in (self.best, *self.others)
        ]

    def to_dict(self) -> SuggestionJson:
        """Return a dict for JSON, with colors from 1; see schemas/suggest.json."""
        expected_guesses = self.expected_guesses
        return {
            "board": str(self.board),
            "strategy": self.strategy,
            **self.tolerance.optional_dict(),
            "codes": str(self.codes.count),
            "codes_exact": self.codes.exact,
            "exact": self.is_exact,
            **self.best.to_dict(),
            "others": [prospect.to_dict() for prospect in self.others],
            "expected_guesses": None if expected_guesses is None else str(expected_guesses),
            "seconds": round(self.seconds, 6),
        }
