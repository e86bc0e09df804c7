"""Families of boards: boards of one kind at any size, the same ones for the same seed."""

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from mmsat.board import Board
from mmsat.english import join_words
from mmsat.errors import Fault, InputError, InternalError
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.reductions.samples.sample import Answer
from mmsat.results.verdict import Status
from mmsat.shown import Shown

LARGEST_SIZE = 100_000


@dataclass(frozen=True, slots=True, repr=False)
class Generated(Shown):
    """A board and what is known of it without solving it."""

    board: Board
    status: Status
    """By construction, or proven on the way; unknown where neither."""
    witness: Code | None
    """A consistent code, where one is known."""
    recipe: tuple[str, ...]
    """How the board was made, and why its answer is what it is: sentences."""

    def __post_init__(self) -> None:
        if (self.witness is not None) != (self.status is Status.CONSISTENT):
            raise InternalError(f"the status {self.status} with the witness {self.witness}")
        if self.witness is not None and not self.board.is_consistent(self.witness):
            raise InternalError(f"the planted code {self.witness} does not score like {self.board}")

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/generate.json."""
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
    """The name in the registry and on the command line."""
    summary: str
    """What they are, in a line."""
    unit: str
    """What `size` counts: "pegs", "variables"."""
    size: int
    """A size that is decided in a second or so."""
    smallest: int = 1
    """The least size."""
    answers: tuple[Answer, ...]
    """The answers that boards can be made with; the first is the usual one."""
    has_rows: bool = False
    """Whether the number of rows can be chosen."""

    def make(
        self,
        size: int,
        seed: int = 0,
        answer: Answer | None = None,
        rows: int | None = None,
    ) -> Generated:
        """Make a board; the same one for the same request.

        Raises InputError for what the family cannot make.
        """
        answer = answer or self.answers[0]
        faults = []
        if not self.smallest <= size <= LARGEST_SIZE:
            span = f"from {self.smallest} to {LARGEST_SIZE:,}"
            rule = f"the size of {self.name} counts {self.unit}"
            faults.append(Fault(rule, size, f"a size {span}"))
        if answer not in self.answers:
            rule = f"{self.name} has no others"
            faults.append(Fault(rule, str(answer), join_words(self.answers)))
        if rows is not None and not self.has_rows:
            faults.append(Fault(f"the rows of {self.name} follow from the size", rows, "no --rows"))
        elif rows is not None and not 0 <= rows * size <= LIMITS.random_pegs:
            most = LIMITS.random_pegs // max(1, size)
            faults.append(Fault("", rows, f"0 to {most:,} rows at this size"))
        InputError.refuse(faults, "the options")
        return self._make(size, random.Random(f"{self.name} {size} {seed}"), answer, rows)

    @abstractmethod
    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        """Make the board of a request that has been checked."""
