"""A game: its size, its code space and its scoring."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, SupportsIndex

from mmsat.arguments import is_code
from mmsat.english import quantity
from mmsat.errors import Fault, InputError
from mmsat.frozen import frozen
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.row import Code
from mmsat.game.scoring import SCORINGS, Pairs, Scoring
from mmsat.game.space import SPACES, Space
from mmsat.game.symbols import Symbols, usual
from mmsat.registry import load

LARGEST = 1000
"""Colors at most; as many pegs fit with them."""
MOST_PEGS = 100_000
MOST_PLACES = 1_000_000
"""Pegs times colors."""
SIZES = (
    "4x10d without repeats, 4x6b black only, 4x6w color only, 5x26p marks by place, 4x26o earlier "
    "and later, 4x5x5 colors and shapes"
)
"""What a size looks like, for errors."""
SIZE = re.compile(r"([0-9]{1,9})[xX\u00d7]([0-9]{1,9})(?:[xX\u00d7]([0-9]{1,9}))?([!d]?)([a-z]*)")


@frozen
class Game:
    """Pegs x colors, which codes exist, and what a score tells.

    Up to 1000 colors and 100,000 pegs, and pegs times colors up to a million.
    """

    pegs: int
    colors: int
    space: Space = SPACES["repeats"]
    scoring: Scoring = SCORINGS["black-white"]
    symbols: Symbols | None = None
    """How colors are spelled, where not as in any game of the size."""
    name: str = ""
    """What stands in place of the size, where the size does not tell the game."""

    def __post_init__(self) -> None:
        faults = [
            Fault("", value, f"a whole number 1 to {most}", part=name)
            for name, value, most in (
                ("pegs", self.pegs, MOST_PEGS),
                ("colors", self.colors, LARGEST),
            )
            if type(value) is not int or not 1 <= value <= most
        ]
        if not faults and self.pegs * self.colors > MOST_PLACES:
            size = f"{self.pegs}x{self.colors}"
            faults.append(Fault("", size, f"pegs times colors of at most {MOST_PLACES}"))
        if not faults:
            size = f"{self.pegs}x{self.colors}"
            if flaw := self.scoring.unfit(self.pegs, self.colors):
                faults.append(Fault(flaw, size, "a size that fits"))
            if flaw := self.space.flaw(self.pegs, self.colors):
                faults.append(Fault(flaw, size, "a size that fits"))
            if self.symbols and len(self.symbols.names) not in (0, self.colors):
                many = len(self.symbols.names)
                faults.append(Fault("", many, f"{self.colors} symbols, one for each color"))
        InputError.refuse(faults, "the game")
        if self.symbols == usual(self.colors, self.scoring):
            object.__setattr__(self, "symbols", None)
        if self.symbols is None and self.space.table() is None:  # then the size tells the game
            object.__setattr__(self, "name", "")

    @classmethod
    def parse(cls, text: str) -> Game:
        """Read a size as in a board line, a published game's name, or game:FILE, word:FILE.

        `4x6`; `4x10d` (or `4x10!`) without repeats; `4x6b`, `4x6w`, `5x26p`, `5x26o` for other
        kinds of scoring; `4x5x5` and `4x5x5k` for pairs of a color and a shape; `mastermind`.
        Raises InputError for any other text.
        """
        if not isinstance(text, str):
            raise InputError.of("the game", "text", text)
        if text[:1].isdigit():
            return cls.of_size(text)
        found: Game = load("mmsat.game.names:find_game")(text)
        return found

    @classmethod
    def of(cls, game: Game | str) -> Game:
        """The game itself, or the one of a size or a name; so do all calls that take a game.

        Raises InputError for anything else.
        """
        if isinstance(game, cls):
            return game
        if isinstance(game, str):
            return cls.parse(game)
        raise InputError.of("the game", "a Game, or its size or name, such as '4x6'", game)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """How it is pickled: a published game by its name, as its list of words may be long."""
        find_game = load("mmsat.game.names:find_game")
        is_published = self.name in load("mmsat.game.names:published_games")()
        if is_published and find_game(self.name) == self:
            return find_game, (self.name,)
        return super().__reduce_ex__(protocol)

    @classmethod
    def of_size(cls, text: str) -> Game:
        """Read a size."""
        match = SIZE.fullmatch(text)
        if not match:
            raise InputError.of("the game", "PEGSxCOLORS, such as 4x6", text, SIZES)
        scorings = (kind for kind in SCORINGS.values() if isinstance(kind, Pairs) == bool(match[3]))
        scoring = next((kind for kind in scorings if kind.suffix == match[5]), None)
        if scoring is None:
            raise InputError.of("the game", "PEGSxCOLORS, such as 4x6", text, SIZES)
        space = SPACES["distinct" if match[4] else "repeats"]
        colors = int(match[2])
        if isinstance(scoring, Pairs):
            scoring = type(scoring)(int(match[3]))
            colors *= int(match[3])
        return cls(int(match[1]), colors, space, scoring)

    def __str__(self) -> str:
        if self.name:
            return self.name
        sizes = (self.pegs, *self.scoring.factors(self.colors))
        return f"{'x'.join(map(str, sizes))}{self.space.suffix}{self.scoring.suffix}"

    def __repr__(self) -> str:
        return f"<Game {self}>" if self.name else f"Game.parse({str(self)!r})"

    @property
    def spelled(self) -> Symbols:
        """How colors are spelled."""
        return self.symbols or usual(self.colors, self.scoring)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of a score's numbers, in order."""
        return self.scoring.parts(self.pegs)

    @property
    def part_values(self) -> int:
        """How many numbers a part of a score can be: its marks, or from 0 to the pegs."""
        return len(self.scoring.marks) or self.pegs + 1

    @property
    def variables(self) -> VariableMap:
        """The numbering of the literals about this game's codes."""
        return VariableMap(self.pegs, self.colors)

    @property
    def size(self) -> int:
        """The number of codes."""
        return self.space.size(self.pegs, self.colors)

    def codes(self) -> Iterator[Code]:
        """All codes in lexicographic order, which may be many."""
        return self.space.iterate(self.pegs, self.colors)

    @property
    def sequence(self) -> str:
        """What a code or a guess is, in the words of an error."""
        return f"{quantity(self.pegs, 'color')} from 0 to {self.colors - 1}"

    def is_sequence(self, code: Sequence[int]) -> bool:
        """Whether something has a color (from 0) for each peg."""
        return (
            isinstance(code, Sequence)
            and len(code) == self.pegs
            and {*map(type, code)} <= {int}
            and 0 <= min(code) <= max(code) < self.colors
        )

    def contains(self, code: Sequence[int]) -> bool:
        """Whether a sequence of colors (from 0) is a code of this game.

        Raises InputError for what is no sequence of whole numbers.
        """
        if not is_code(code):
            raise InputError.of("the code", "colors from 0, such as (0, 0, 1, 1)", code)
        return (
            len(code) == self.pegs
            and all(0 <= color < self.colors for color in code)
            and self.space.contains(code)
        )

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        """The score of a guess against a code (colors from 0); raises InputError for others."""
        self.require(code=code, guess=guess)
        return self.scoring.score(code, guess)

    def require(self, **sequences: Sequence[int]) -> None:
        """Raise InputError for those that have not a color (from 0) for each peg."""
        faults = [
            Fault("", given, self.sequence, part=name)
            for name, given in sequences.items()
            if not self.is_sequence(given)
        ]
        InputError.refuse(faults, "the arguments")

    def constraints(self) -> Iterator[CardinalityConstraint]:
        """What is true of every code, beyond that each peg has one color."""
        return self.space.constraints(self.variables)
