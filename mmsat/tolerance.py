"""How wrong a board's scores may be: a number of lies, and what counts as one.

By rows, each score that a code does not get is a lie, however far it is off. By pegs, each key peg
that would have to be added, taken away or exchanged for another is one, over all rows; see
`Scoring.distance`. What was not read is never wrong.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from mmsat.arguments import attempt, whole_number
from mmsat.board import Board
from mmsat.english import quantity, whole_range
from mmsat.errors import Fault, InputError
from mmsat.frozen import frozen
from mmsat.game.unread import rescore

MEASURES = ("rows", "pegs")
MOST = 1_000_000
"""Lies at most; no board has more rows."""


class Miss(NamedTuple):
    """A row that a code does not get."""

    row: int
    """From 0."""
    score: tuple[int | None, ...]
    """What the code gets there, None where the row was not read."""
    pegs: int
    """How many key pegs that is off."""


@frozen
class Tolerance:
    """Maximum number of wrong scores; raises InputError if invalid."""

    lies: int = 0
    by: str = "rows"
    """What is counted: `rows` or `pegs`."""

    def __post_init__(self) -> None:
        faults = []
        lies = attempt(whole_number, self.lies)
        if lies is None or not 0 <= lies <= MOST:
            faults.append(Fault("", self.lies, whole_range(0, MOST), part="lies"))
        elif type(self.lies) is not int:
            object.__setattr__(self, "lies", lies)
        if not isinstance(self.by, str) or self.by not in MEASURES:
            faults.append(Fault("", self.by, "rows or pegs", part="by"))
        InputError.refuse(faults, "the arguments")

    def misses(self, board: Board, code: Sequence[int] | str) -> tuple[Miss, ...]:
        """Return the rows that a code does not get."""
        (code,) = board.game.require(code=code)
        distance = board.game.scoring.distance
        found = []
        for number in board.missed(code):
            row = board.rows[number]
            true = rescore(board.game, code, row)[0]
            found.append(Miss(number, true, distance(true, row.score)))
        return tuple(found)

    def price(self, misses: Sequence[Miss]) -> int:
        """How many lies some misses are."""
        return len(misses) if self.by == "rows" else sum(miss.pegs for miss in misses)

    def allows(self, board: Board, code: Sequence[int] | str) -> bool:
        """Return whether a code gets these scores except for the lies: the definition.

        - `code`: text, or colors from 0; raises InputError for objects that are not codes.
        """
        colors = board.game.read_code(code)
        if not self.lies:
            return board.is_consistent(colors)
        if not board.game.contains(colors) or colors in board.known:
            return False
        return self.price(self.misses(board, colors)) <= self.lies

    def to_dict(self) -> dict[str, Any]:
        """The JSON keys of every document about lies."""
        return {"lies": self.lies, "by": self.by}

    def optional_dict(self) -> dict[str, Any]:
        """The same, or nothing where no score may be wrong."""
        return self.to_dict() if self.lies else {}

    def __str__(self) -> str:
        """In words, after "within": 1 lie, 2 key pegs."""
        return quantity(self.lies, "key peg" if self.by == "pegs" else "lie")


STRICT = Tolerance()
"""No score is wrong."""
