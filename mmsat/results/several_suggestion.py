"""The next guess of several boards at once, and what it promises for each."""

from dataclasses import field
from typing import Any

from mmsat.frozen import frozen
from mmsat.game.row import Code
from mmsat.results.count import Count
from mmsat.results.suggestion import Prospect
from mmsat.several_boards import SeveralBoards
from mmsat.shown import Shown


@frozen
class BoardOutlook:
    """What the guess promises for one board."""

    board: int
    """Its number, from 0."""
    codes: Count
    """How many codes remain there now."""
    prospect: Prospect

    @property
    def is_exact(self) -> bool:
        """Whether the guess is judged by all codes that remain."""
        return self.codes.exact and self.prospect.judged_by == self.codes.count

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; the board from 1."""
        return {
            "board_number": self.board + 1,
            "codes": str(self.codes.count),
            "codes_exact": self.codes.exact,
            **{name: value for name, value in self.prospect.to_dict().items() if name != "guess"},
        }


@frozen
class SeveralSuggestion(Shown):
    """One guess for all boards that are not solved."""

    boards: SeveralBoards
    strategy: str
    outlooks: tuple[BoardOutlook, ...]
    """For each board that is not solved."""
    others: tuple[Code, ...]
    """Other guesses that would do, the best first."""
    seconds: float = field(compare=False)

    @property
    def guess(self) -> Code:
        """The guess, colors from 0."""
        return self.outlooks[0].prospect.guess

    @property
    def solves(self) -> tuple[int, ...]:
        """The boards, from 0, whose code it is known to be."""
        return tuple(
            each.board
            for each in self.outlooks
            if each.is_exact and each.codes.count == 1 and each.prospect.is_possible
        )

    def records(self) -> list[dict[str, Any]]:
        """A line for each board that is not solved, for pandas.DataFrame and polars."""
        return [
            {
                **each.to_dict(),
                "chance": float(each.prospect.chance),
                "expected": float(each.prospect.expected),
            }
            for each in self.outlooks
        ]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/suggest-several.json."""
        return {
            "boards": self.boards.to_list(),
            "strategy": self.strategy,
            "guess": [color + 1 for color in self.guess],
            "outlooks": [each.to_dict() for each in self.outlooks],
            "others": [{"guess": [color + 1 for color in code]} for code in self.others],
            "seconds": round(self.seconds, 3),
        }
