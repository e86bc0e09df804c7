"""What a reduction to a game must provide: a hard problem made the question how fast a game is won.

The target is a game and a number of guesses: is there a strategy that finds every code within so
many? What such a strategy guesses as long as nothing is right, its line, is carried both ways.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mmsat.english import quantities, quantity
from mmsat.errors import InputError
from mmsat.game.game import MAX_COLORS, Game
from mmsat.game.row import Code
from mmsat.reductions.link import Certificate, Link, Source

Line = tuple[Code, ...]
"""Guesses, each made after all before it had nothing right."""


class GameSizes(NamedTuple):
    """The size of a game."""

    pegs: int
    colors: int
    codes: int


class GameFormulas(NamedTuple):
    """The exact size of a game in terms of the source."""

    pegs: str
    colors: str
    codes: str


class GameReduction(Link[Source, Certificate]):
    """One source on its way to a game, which is won within `guesses` where it has a certificate."""

    target_kind = "game"
    formula: GameFormulas
    """The size of the game, for people; `sizes` computes it."""

    def __repr__(self) -> str:
        sizes = self.sizes()
        return f"<{self.name}: {quantities(peg=sizes.pegs, color=sizes.colors, code=sizes.codes)}>"

    @property
    @abstractmethod
    def guesses(self) -> int:
        """How many guesses a strategy may take at most."""

    @property
    @abstractmethod
    def letters(self) -> int:
        """How many colors there are; costs no more than a look at the source."""

    @abstractmethod
    def sizes(self) -> GameSizes:
        """Compute the size of the game, without building it; small where the letters are few."""

    @property
    @abstractmethod
    def target(self) -> Game:
        """The game."""

    @abstractmethod
    def meanings(self) -> Iterator[tuple[Code, str]]:
        """Tell what each code of the game stands for."""

    def require_size(self) -> None:
        """Raise InputError where the game would be too large, before anything is built."""
        if self.letters > MAX_COLORS:
            rule = f"letters of the game of {self.name} are at most {MAX_COLORS:,}"
            raise InputError.of("the game", "a smaller one", f"{self.letters:,}", rule)

    def lift(self, line: Sequence[Code]) -> Certificate:
        """Turn the line of a strategy within the guesses into an answer to the problem.

        The answer is checked by the problem's own definition; raises InputError for a line that
        gives none, which no such strategy has.
        """
        certificate = self.decode(line)
        if not self.is_certificate(certificate):
            rule = f"a strategy that finds every code within {quantity(self.guesses, 'guess')}"
            raise InputError.of("the line", "the line of one", len(line), rule)
        return certificate

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """The size of the game."""
        return ((self.name, {**self.sizes()._asdict(), "guesses": self.guesses}),)

    def to_dict(self) -> dict[str, Any]:
        """What there is to say about it, for JSON."""
        return {"name": self.name, **self.sizes()._asdict(), "guesses": self.guesses}
