"""The tolerance of a board: the maximum number of lies, and how they are counted.

Lies are counted by rows or by pegs. By rows, each wrong score is one lie, no matter how far it is
from the right score. By pegs, each key peg that has to be added, removed or exchanged is one lie,
summed over all rows; see `Scoring.distance`. Unread parts of scores are never wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypedDict

from mmsat._util.arguments import RULES, attempt, instance_of, whole_number
from mmsat._util.results import Schema
from mmsat._util.text import quantity, whole_range
from mmsat.errors import Fault, InputError
from mmsat.game.board import Board
from mmsat.game.unread import rescore

MEASURES = ("rows", "pegs")
"""The ways to count lies."""
MAX_LIES = 1_000_000
"""Maximum number of lies."""


class Miss(NamedTuple):
    """A row to which a code gives another score."""

    row: int
    """The row, from 0."""
    score: tuple[int | None, ...]
    """The score that the code gives the row; None for parts that are unread in the row."""
    pegs: int
    """The distance between this score and the score of the row, in key pegs."""


class ToleranceJson(TypedDict, total=False):
    """The tolerance; the keys are missing if no score may be wrong."""

    lies: Annotated[int, Schema(minimum=1, maximum=MAX_LIES, requires=("by",))]
    """Maximum number of wrong scores; only with --lies."""
    by: Annotated[str, Schema(enum=MEASURES, requires=("lies",))]
    """Measure of lies: wrong rows, or wrong key pegs over all rows; only with --lies."""


@dataclass(frozen=True)
class Tolerance:
    """A maximum number of lies, which are wrong scores or wrong key pegs.

    Raises
    ------
    InputError
        If a field is invalid.
    """

    lies: int = 0
    """The maximum number of lies."""
    by: str = "rows"
    """How lies are counted: `rows` counts wrong scores, and `pegs` counts wrong key pegs."""

    def __post_init__(self) -> None:
        faults = []
        lies = attempt(whole_number, self.lies)
        if lies is None or not 0 <= lies <= MAX_LIES:
            faults.append(Fault("", self.lies, whole_range(0, MAX_LIES), part="lies"))
        elif type(self.lies) is not int:
            object.__setattr__(self, "lies", lies)
        if not isinstance(self.by, str) or self.by not in MEASURES:
            faults.append(Fault("", self.by, "rows or pegs", part="by"))
        InputError.refuse(faults, "the arguments")

    def misses(self, board: Board, code: Sequence[int] | str) -> tuple[Miss, ...]:
        """Return the rows of a board to which a code gives another score.

        If the guess of a row has unread pegs, the code can give it several scores. The one nearest
        to the score of the row is used.

        Parameters
        ----------
        board : Board
            The board.
        code : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        tuple of Miss
            The rows, ascending, each with the score that the code gives it.

        Raises
        ------
        InputError
            If `code` does not have one color of the game for each peg.
        """
        (code,) = board.game.require(board.conventions, code=code)
        distance = board.game.scoring.distance
        misses = []
        for row_index in board.missed(code):
            row = board.rows[row_index]
            score = rescore(board.game, code, row)[0]
            misses.append(Miss(row_index, score, distance(score, row.score)))
        return tuple(misses)

    def price(self, misses: Sequence[Miss]) -> int:
        """Return the number of lies of a code, given its misses.

        Parameters
        ----------
        misses : sequence of Miss
            The result of `misses`.

        Returns
        -------
        int
            The number of rows, or the sum of their distances in key pegs.
        """
        return len(misses) if self.by == "rows" else sum(miss.pegs for miss in misses)

    def allows(self, board: Board, code: Sequence[int] | str) -> bool:
        """Return whether a code is consistent with a board within the tolerance.

        Parameters
        ----------
        board : Board
            The board.
        code : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        bool
            True if the code is a code of the game, has at most `lies` lies, and is not in
            `board.known`.

        Raises
        ------
        InputError
            If `code` is not a sequence of whole numbers or the text of a code.
        """
        colors = board.game.read_code(code, conventions=board.conventions)
        if not self.lies:
            return board.is_consistent(colors)
        if not board.game.contains(colors) or colors in board.known:
            return False
        return self.price(self.misses(board, colors)) <= self.lies

    def to_dict(self) -> ToleranceJson:
        """Return the tolerance for JSON."""
        return {"lies": self.lies, "by": self.by}

    def optional_dict(self) -> ToleranceJson:
        """Return `to_dict()`, or an empty dictionary if no score may be wrong."""
        return self.to_dict() if self.lies else {}

    def __str__(self) -> str:
        """Text that can follow "within": `1 lie`, `2 key pegs`."""
        return quantity(self.lies, "key peg" if self.by == "pegs" else "lie")


STRICT = Tolerance()
"""The tolerance that allows no wrong score."""


RULES["tolerance"] = instance_of("a Tolerance, such as Tolerance(1)", Tolerance)
