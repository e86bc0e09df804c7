"""What a family of boards must provide. One family is one module of `families/`.

Everything random is drawn with whole numbers from one `random.Random` that starts from the name of
the family, the size and the seed, so the same request gives the same bytes on every machine.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from mmsat.board import Board
from mmsat.english import join_words
from mmsat.errors import Fault, InputError, InternalError
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.results import Status

LARGEST_SIZE = 100_000


class Answer(StrEnum):
    """What is asked of a board."""

    ANY = "any"
    """The random model itself: nobody has looked for an answer."""
    CONSISTENT = "consistent"
    """A code is planted."""
    INCONSISTENT = "inconsistent"
    """There is a proof that there is no code."""
    SLIPPED = "slipped"
    """A code was planted, then one score changed by as little as the scoring allows."""


@dataclass(frozen=True, slots=True)
class Generated:
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
        print_code = speller(game).print_code
        return {
            "board": str(self.board),
            "pegs": game.pegs,
            "colors": game.colors,
            "rows": len(self.board.rows),
            "verdict": str(self.status),
            "witness": None if self.witness is None else print_code(self.witness),
            "recipe": " ".join(self.recipe),
        }


class Family(ABC):
    """Boards of one kind at any size."""

    name: ClassVar[str]
    """The name in the registry and on the command line."""
    summary: ClassVar[str]
    """What they are, in a line."""
    unit: ClassVar[str]
    """What `size` counts: "pegs", "variables"."""
    size: ClassVar[int]
    """A size that is decided in a second or so."""
    smallest: ClassVar[int] = 1
    """The least size."""
    answers: ClassVar[tuple[Answer, ...]]
    """The answers that boards can be made with; the first is the usual one."""
    has_rows: ClassVar[bool] = False
    """Whether the number of rows can be chosen."""

    def make(
        self,
        size: int,
        seed: int = 0,
        answer: Answer | None = None,
        rows: int | None = None,
    ) -> Generated:
        """A board; the same one for the same request. Raises InputError for what it cannot make."""
        answer = answer or self.answers[0]
        faults = []
        if not self.smallest <= size <= LARGEST_SIZE:
            span = f"from {self.smallest} to {LARGEST_SIZE}"
            rule = f"the size of {self.name} counts {self.unit}, {span}"
            faults.append(Fault(rule, size, f"a number {span}"))
        if answer not in self.answers:
            rule = f"{self.name} has no boards with this answer"
            faults.append(Fault(rule, str(answer), join_words(self.answers)))
        if rows is not None and not self.has_rows:
            faults.append(Fault(f"the rows of {self.name} follow from the size", rows, "no --rows"))
        elif rows is not None and rows < 0:
            faults.append(Fault("a board has a number of rows", rows, "0 or more"))
        if faults:
            raise InputError(faults, "the options")
        return self._make(size, random.Random(f"{self.name} {size} {seed}"), answer, rows)

    @abstractmethod
    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        """The board of a request that has been checked."""
