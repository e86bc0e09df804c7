"""The base class of reductions of a hard problem to the question how fast a game can be won.

The target is a game and a number of guesses: is there a strategy that finds every code within this
number? The certificate of the target is the line of such a strategy: its guesses as long as none of
them has anything right. Certificates are converted both ways.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple, TypedDict

from mmsat.english import quantities, quantity
from mmsat.errors import Description, InputError
from mmsat.game.game import MAX_COLORS, Game
from mmsat.game.row import Code
from mmsat.json_types import Positive, Schema
from mmsat.reductions.link import Certificate, Link, Source

Line = tuple[Code, ...]
"""The guesses of a strategy, each made after no guess before it had anything right."""


ReductionName = Annotated[str, Schema(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]


class GameReductionJson(TypedDict):
    """The game of a source."""

    name: ReductionName
    pegs: Positive
    colors: Positive
    codes: Positive
    """Number of codes."""
    guesses: Positive
    """The number of guesses within which every code must be found."""


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
    """A source reduced to a game: it has a certificate if the game can be won within `guesses`."""

    target_kind = "game"
    formula: GameFormulas
    """The size of the game as formulas for readers; `sizes` computes it."""

    def __repr__(self) -> str:
        sizes = self.sizes()
        return f"<{self.name}: {quantities(peg=sizes.pegs, color=sizes.colors, code=sizes.codes)}>"

    @property
    @abstractmethod
    def guesses(self) -> int:
        """The maximum number of guesses of the strategy."""

    @property
    @abstractmethod
    def letters(self) -> int:
        """The number of colors, computed without building the game."""

    @abstractmethod
    def sizes(self) -> GameSizes:
        """Return the size of the game, without building it."""

    @property
    @abstractmethod
    def target(self) -> Game:
        """The game of the reduction."""

    @abstractmethod
    def meanings(self) -> Iterator[tuple[Code, str]]:
        """Yield each code of the game with its meaning."""

    def require_size(self) -> None:
        """Raise InputError if the game would be too large, before it is built."""
        if self.letters > MAX_COLORS:
            found = Description(f"{self.letters:,}")
            raise InputError.of("the game", f"at most {MAX_COLORS:,} letters", found)

    def lift(self, line: Sequence[Code]) -> Certificate:
        """Convert the line of a strategy that wins within `guesses` to a certificate of the source.

        The certificate is checked by the definition of the problem. Raises InputError if it fails,
        which means that the line is not from such a strategy.
        """
        certificate = self.decode(line)
        if not self.is_certificate(certificate):
            guesses = quantity(self.guesses, "guess")
            expected = f"a line of a strategy that finds every code within {guesses}"
            found = Description(f"another line of {quantity(len(line), 'guess')}")
            raise InputError.of("the line", expected, found)
        return certificate

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """Return the size of the game."""
        return ((self.name, {**self.sizes()._asdict(), "guesses": self.guesses}),)

    def to_dict(self) -> GameReductionJson:
        """Return the name and the size of the game, for JSON."""
        sizes = self.sizes()
        return {
            "name": self.name,
            "pegs": sizes.pegs,
            "colors": sizes.colors,
            "codes": sizes.codes,
            "guesses": self.guesses,
        }
