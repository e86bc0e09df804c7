"""The next guess for several boards at once, and its evaluation on each board."""

from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

from mmsat.game.row import Code
from mmsat.json_types import BoardLine, ColorList, Digits, Positive, Schema, Seconds
from mmsat.results.count import Count
from mmsat.results.suggestion import JudgmentJson, Prospect
from mmsat.several_boards import SeveralBoards
from mmsat.shown import Shown


class OutlookJson(JudgmentJson):
    """Evaluation of the guess on one board."""

    board_number: Positive
    """Number of the board, from 1."""
    codes: Digits
    """Number of codes that remain; a lower bound unless `codes_exact`."""
    codes_exact: bool
    """Whether `codes` is exact."""


class GuessJson(TypedDict):
    """An alternative guess."""

    guess: ColorList


@dataclass(frozen=True)
class BoardOutlook:
    """The evaluation of a guess on one board."""

    board: int
    """Index of the board."""
    codes: Count
    """Number of codes of this board before the guess."""
    prospect: Prospect
    """The evaluation of the guess by these codes."""

    @property
    def is_exact(self) -> bool:
        """Whether the guess is judged by all remaining codes of the board, not by a sample."""
        return self.codes.exact and self.prospect.judged_by == self.codes.count

    def to_dict(self) -> OutlookJson:
        """Return a dict for JSON, with boards from 1."""
        return {
            "board_number": self.board + 1,
            "codes": str(self.codes.count),
            "codes_exact": self.codes.exact,
            **self.prospect.judgment(),
        }


class SeveralSuggestionJson(TypedDict):
    """The next guess for several boards that share their guesses."""

    boards: Annotated[list[BoardLine], Schema(minItems=1)]
    """A board line for each board; a solved board has no rows after its last guess."""
    strategy: str
    """Name of the strategy that chose the guess."""
    guess: ColorList
    outlooks: Annotated[list[OutlookJson], Schema(minItems=1)]
    """Evaluation of the guess on each unsolved board."""
    others: list[GuessJson]
    """Alternative guesses, the best first."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class SeveralSuggestion(Shown):
    """The next guess for several boards that share their guesses."""

    boards: SeveralBoards
    """The boards and the guesses so far."""
    strategy: str
    """Name of the strategy that chose the guess."""
    outlooks: tuple[BoardOutlook, ...]
    """The evaluation of the guess on each unsolved board."""
    others: tuple[Code, ...]
    """Alternative guesses, the best first, with colors from 0."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""

    @property
    def guess(self) -> Code:
        """The suggested guess, with colors from 0."""
        return self.outlooks[0].prospect.guess

    @property
    def solves(self) -> tuple[int, ...]:
        """Indices of the boards on which the guess is certain to be the code."""
        return tuple(
            outlook.board
            for outlook in self.outlooks
            if outlook.is_exact and outlook.codes.count == 1 and outlook.prospect.is_possible
        )

    def records(self) -> list[dict[str, Any]]:
        """Return one record per unsolved board, for pandas.DataFrame and polars."""
        return [
            {
                **outlook.to_dict(),
                "chance": float(outlook.prospect.chance),
                "expected": float(outlook.prospect.expected),
            }
            for outlook in self.outlooks
        ]

    def to_dict(self) -> SeveralSuggestionJson:
        """Return a dict for JSON; see schemas/suggest-several.json.

        Boards and colors count from 1.
        """
        return {
            "boards": self.boards.to_list(),
            "strategy": self.strategy,
            "guess": [color + 1 for color in self.guess],
            "outlooks": [outlook.to_dict() for outlook in self.outlooks],
            "others": [{"guess": [color + 1 for color in code]} for code in self.others],
            "seconds": round(self.seconds, 3),
        }
