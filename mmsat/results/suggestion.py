"""The next guess, and what it promises."""

from dataclasses import field
from fractions import Fraction
from typing import Any

from mmsat.board import Board
from mmsat.frozen import frozen
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.results.count import Count
from mmsat.shown import Shown
from mmsat.tolerance import STRICT, Tolerance


@frozen
class Prospect:
    """Evaluation of a guess against all, or a sample of, the consistent codes."""

    guess: Code
    sizes: tuple[int, ...]
    """For each score that some of these codes give, how many do, descending."""
    is_possible: bool
    """Whether the guess can itself be the code."""
    chance: Fraction
    """That it is the code; 0 where it cannot be."""
    weights: tuple[int, ...] = ()
    """Where codes have weights, what each of these parts weighs, in some unit."""

    @property
    def judged_by(self) -> int:
        """The codes that it is judged by."""
        return sum(self.sizes)

    @property
    def expected(self) -> Fraction:
        """The codes that are left on average, of those judged by; the code itself counts as one."""
        shares = self.weights or self.sizes
        left = sum(share * size for share, size in zip(shares, self.sizes, strict=True))
        return Fraction(left, sum(shares))

    @property
    def worst(self) -> int:
        """The codes that are left at worst, of those judged by."""
        return self.sizes[0]

    @property
    def scores(self) -> int:
        """The different scores that it gets."""
        return len(self.sizes)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; colors from 1."""
        return {
            "guess": [color + 1 for color in self.guess],
            "possible": self.is_possible,
            "chance": str(self.chance),
            "expected": str(self.expected),
            "worst": self.worst,
            "scores": self.scores,
            "judged_by": self.judged_by,
        }


@frozen
class Suggestion(Shown):
    """The next guess, with reasons."""

    board: Board
    strategy: str
    """The name of the strategy that chose."""
    codes: Count
    """How many codes remain now."""
    best: Prospect
    """The guess."""
    others: tuple[Prospect, ...]
    """Others that would do, those first that leave the least uncertainty."""
    seconds: float = field(compare=False)
    tolerance: Tolerance = STRICT
    """How wrong the scores may be; the codes that remain miss them by no more."""
    expected_guesses: Fraction | None = None
    """What the code takes on average from here, where that is known and no play takes fewer: none
    that guesses only what can be the code, where only such guesses were asked for."""
    consistent_only: bool = False
    """Whether only guesses were asked for that can be the code."""
    own: tuple[Prospect, ...] = ()
    """The guesses that were to be judged beside it."""

    @property
    def guess(self) -> Code:
        """The guess, colors from 0."""
        return self.best.guess

    @property
    def is_exact(self) -> bool:
        """Whether guesses are judged by all codes that remain, rather than by a sample."""
        return self.codes.exact and self.best.judged_by == self.codes.count

    def records(self) -> list[dict[str, Any]]:
        """A line for each guess that is named, the best first, for pandas.DataFrame and polars."""
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

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/suggest.json."""
        promised = self.expected_guesses
        return {
            "board": str(self.board),
            "strategy": self.strategy,
            **self.tolerance.optional_dict(),
            "codes": str(self.codes.count),
            "codes_exact": self.codes.exact,
            "exact": self.is_exact,
            **self.best.to_dict(),
            "others": [prospect.to_dict() for prospect in self.others],
            "expected_guesses": None if promised is None else str(promised),
            "seconds": round(self.seconds, 6),
        }
