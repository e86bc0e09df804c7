"""A game: its size, its code space and its scoring."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.game.facts import Facts
from mmsat.game.scoring import SCORINGS, Scoring
from mmsat.game.space import SPACES, Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.game.facts import Claim

LARGEST = 1000
SIZE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})(\W?)([a-z]*)")


@dataclass(frozen=True, slots=True)
class Game:
    """Pegs x colors, 1 to 1000 each, which codes exist, and what a score tells."""

    pegs: int
    colors: int
    space: Space = SPACES["repeats"]
    scoring: Scoring = SCORINGS["black-white"]

    def __post_init__(self) -> None:
        faults = [
            Fault(f"{name} is a whole number from 1 to {LARGEST}", value, f"1 to {LARGEST}")
            for name, value in (("pegs", self.pegs), ("colors", self.colors))
            if type(value) is not int or not 1 <= value <= LARGEST
        ]
        if not faults and (flaw := self.space.flaw(self.pegs, self.colors)):
            faults.append(Fault(flaw, f"{self.pegs}x{self.colors}", "more colors or fewer pegs"))
        if faults:
            raise InputError(faults, "the game")

    @classmethod
    def parse(cls, text: str) -> Game:
        """Read a size as in a board line: `4x6`, `4x10!` without repeats, `4x6b`, `4x6w`."""
        match = SIZE.fullmatch(text)
        spaces = {space.suffix: space for space in SPACES.values()}
        scorings = {scoring.suffix: scoring for scoring in SCORINGS.values()}
        if not match or match[3] not in spaces or match[4] not in scorings:
            write = "4x6; 4x10! for no repeats; 4x6b for black only; 4x6w for color only"
            raise InputError([Fault("a game is PEGSxCOLORS", text, write)], "the game")
        return cls(int(match[1]), int(match[2]), spaces[match[3]], scorings[match[4]])

    def __str__(self) -> str:
        return f"{self.pegs}x{self.colors}{self.space.suffix}{self.scoring.suffix}"

    def __repr__(self) -> str:
        return f"Game.parse({str(self)!r})"

    @property
    def facts(self) -> Facts:
        """The numbering of the facts about this game's codes."""
        return Facts(self.pegs, self.colors)

    @property
    def size(self) -> int:
        """The number of codes."""
        return self.space.size(self.pegs, self.colors)

    def contains(self, code: Sequence[int]) -> bool:
        """Whether a sequence (colors from 0) is a code of this game."""
        return (
            len(code) == self.pegs
            and all(0 <= color < self.colors for color in code)
            and self.space.contains(code)
        )

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        """The score of a guess against a code (colors from 0)."""
        return self.scoring.score(code, guess)

    def claims(self) -> Iterator[Claim]:
        """What is true of every code, beyond that each peg has one color."""
        return self.space.claims(self.facts)
