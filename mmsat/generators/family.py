"""Families of boards: boards of one kind at any size, reproducible by seed."""

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypedDict

from mmsat.board import Board
from mmsat.english import join_words
from mmsat.errors import Fault, InputError, InternalError
from mmsat.game.row import Code
from mmsat.json_types import BoardLine, ColorList, NonNegative, Positive, VerdictName
from mmsat.limits import LIMITS
from mmsat.reductions.samples.sample import Answer
from mmsat.results.verdict import Status
from mmsat.shown import Shown

LARGEST_SIZE = 100_000
"""Maximum size of the boards of any family."""


class GeneratedJson(TypedDict):
    """A generated board and its verdict as known without solving it."""

    board: BoardLine
    pegs: Positive
    colors: Positive
    rows: NonNegative
    """Number of rows."""
    verdict: VerdictName
    """The verdict as known without solving the board."""
    witness: ColorList | None
    """A consistent code, if one is known."""
    recipe: str
    """How the board was made, and why it has its verdict."""


@dataclass(frozen=True, slots=True, repr=False)
class Generated(Shown):
    """A generated board and its verdict as known without solving it."""

    board: Board
    """The board."""
    status: Status
    """The verdict by construction, or proven while the board was made; otherwise unknown."""
    witness: Code | None
    """A consistent code, or None if none is known."""
    recipe: tuple[str, ...]
    """Sentences: how the board was made, and why it has its verdict."""

    def __post_init__(self) -> None:
        if (self.witness is not None) != (self.status is Status.CONSISTENT):
            raise InternalError(f"the status {self.status} with the witness {self.witness}")
        if self.witness is not None and not self.board.is_consistent(self.witness):
            raise InternalError(f"the planted code {self.witness} does not score like {self.board}")

    def to_dict(self) -> GeneratedJson:
        """Return the stable JSON keys; see schemas/generate.json."""
        game = self.board.game
        witness = None if self.witness is None else [color + 1 for color in self.witness]
        return {
            "board": str(self.board),
            "pegs": game.pegs,
            "colors": game.colors,
            "rows": len(self.board.rows),
            "verdict": str(self.status),
            "witness": witness,
            "recipe": " ".join(self.recipe),
        }


@dataclass(frozen=True, kw_only=True)
class Family(ABC):
    """Boards of one kind at any size."""

    name: str
    """Name in the registry and on the command line."""
    summary: str
    """Description of the boards, in one line."""
    unit: str
    """The unit of `size`, such as "pegs" or "variables"."""
    size: int
    """The default size, at which a board is decided in about a second."""
    smallest: int = 1
    """The minimum size."""
    answers: tuple[Answer, ...]
    """The answers with which boards can be made; the first is the default."""
    has_rows: bool = False
    """Whether the number of rows can be chosen."""

    def make(
        self,
        size: int,
        seed: int = 0,
        answer: Answer | None = None,
        rows: int | None = None,
    ) -> Generated:
        """Make a board; equal arguments make equal boards.

        Raises InputError for a size, an answer or rows that the family does not support.
        """
        answer = answer or self.answers[0]
        faults = []
        if not self.smallest <= size <= LARGEST_SIZE:
            span = f"from {self.smallest} to {LARGEST_SIZE:,}"
            rule = f"the unit of the size is {self.unit}"
            faults.append(Fault(rule, size, f"a size {span}"))
        if answer not in self.answers:
            rule = f"{self.name} has no other answers"
            faults.append(Fault(rule, str(answer), join_words(self.answers, "or")))
        if rows is not None and not self.has_rows:
            faults.append(Fault(f"the size of {self.name} determines the rows", rows, "no --rows"))
        elif rows is not None and not 0 <= rows * size <= LIMITS.random_pegs:
            max_rows = LIMITS.random_pegs // max(1, size)
            faults.append(Fault("", rows, f"0 to {max_rows:,} rows at this size"))
        InputError.refuse(faults, "the options")
        return self._make(size, random.Random(f"{self.name} {size} {seed}"), answer, rows)

    @abstractmethod
    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        """Make a board from arguments that have been checked."""
